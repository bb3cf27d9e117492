"""`attnviewer caption IMAGE...`: caption photos; the model is loaded once."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attnviewer.core.arguments import checked_text
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture, expand, load_picture
from attnviewer.core.modes import compared, help_of, of
from attnviewer.core.request import DEVICES, PICKS, CaptionRequest, Decoding, usual_beam
from attnviewer.core.shown import one_line
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Trace
from attnviewer.export import Options, save
from attnviewer.verbs import compare as comparing
from attnviewer.verbs.changing import add_changes, changes_of
from attnviewer.verbs.given import measured
from attnviewer.verbs.imposing import (
    add_covers,
    add_impositions,
    covers_of_call,
    interventions_of,
    warn_of_other_photos,
)
from attnviewer.verbs.output import Plan, add_head, chosen_form, forms_help, names, places, with_head, wrote
from attnviewer.verbs.progress import ProgressLine
from attnviewer.verbs.resume import Done, share

TOGETHER = 8  # photos that are read and captioned side by side
Made = UserError | tuple[Picture, Trace | dict[str, Trace]]
EXAMPLES = later("""examples:
  attnviewer caption dog.jpg                            the caption
  attnviewer caption dog.jpg -o dog.png                 and a figure: a panel a word
  attnviewer caption dog.jpg -o dog.html                and a page to hand out, with the words to click
  attnviewer caption photos/ -o traces/ --form csv      a folder, a file for each photo
  attnviewer caption dog.jpg --compare -o four.png      no, soft, hard and uniform attention
  attnviewer caption dog.jpg --words "a cat sleeps"     how probable is that, word by word
  attnviewer caption dog.jpg --force-word 2=cat         another third word, and on from there
  attnviewer caption dog.jpg --force-gaze 2=5,7         the third word chosen while looking at row 5, column 7
  attnviewer caption dog.jpg --attention hard --seed 3  one place a word, drawn with this seed""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer caption`."""
    parser.epilog = f"{tr(EXAMPLES)}\n\n{forms_help('caption')}"
    add = parser.add_argument
    add("images", nargs="+", metavar="IMAGE", help=tr("image files; a folder stands for the images in it"))
    told = tr("how the model attends (default: soft); {modes}", modes=help_of("caption"))
    add("--attention", choices=of("caption"), default="soft", help=told)
    add("--beam", type=int, metavar="K", help=tr("hypotheses kept (default: 3; 1, greedy, with hard or --words)"))
    add("--words", metavar="CAPTION", help=tr("measure this caption instead of making one"))
    add("--seed", type=int, default=0, metavar="N", help=tr("seed of what hard attention samples (default: 0)"))
    add(
        "--pick",
        choices=PICKS,
        default="sample",
        help=tr("hard attention draws its place from the map, or takes the most probable one (default: sample)"),
    )
    add_impositions(parser, tr("a cell (row,column) or a box (left,top,right,bottom as shares of the photo)"))
    add_covers(parser)
    add("--compare", action="store_true", help=tr("beside each other: {modes}", modes=", ".join(compared("caption"))))
    add("--model", metavar="ID", help=tr("a model of `attnviewer models` (default: the one for --attention)"))
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add("--json", action="store_true", help=tr("print the trace as JSON, one line an image"))
    add("-o", "--out", metavar="OUT", help=tr("write to this file, or for several images to this folder"))
    add("--form", choices=names("caption"), help=tr("form of the files in a folder (default: json)"))
    add("--again", action="store_true", help=tr("caption photos anew whose files are in the folder of -o already"))
    add_head(parser)
    add("--cells", action="store_true", help=tr("pictures show the raw cells of the grid"))
    add("--per-word", action="store_true", help=tr("pictures give each word its own colour range"))
    add_changes(parser)


def run(args: argparse.Namespace) -> int:
    """Caption the images in order; one that can't be read is reported and the rest go on."""
    images, faults = expand(args.images)
    targets = places(images, args.out, chosen_form(args.form, args.out), task="caption")
    if args.compare:
        comparing.check_call(args, targets)
    requests = _Requests(args)
    if len(images) == 1 and not faults:
        _one(requests, load_picture(images[0]), targets[0], args, None)
        return 0
    for fault in faults:
        print(f"attnviewer: {fault}", file=sys.stderr)
    return 2 if _several(requests, images, targets, args) or faults else 0


def _several(requests: _Requests, images: Sequence[Path], targets: Plan, args: argparse.Namespace) -> int:
    """Caption many images, those that are done left out, this process's share of them; returns how many failed."""
    rank, world = share()
    mine = list(zip(images, targets, strict=True))[rank::world]
    done = Done(_folder(targets, args), _how(requests, args), args.again)
    told, failed, skipped = ProgressLine(), 0, 0
    for start in range(0, len(mine), TOGETHER):
        group = mine[start : start + TOGETHER]
        known = {image: text for image, target in group if (text := done.text(image, target)) is not None}
        traces = requests.traces([image for image, _ in group if image not in known])
        for image, target in group:
            skipped += image in known
            failed += not _finish(image, target, known.get(image), traces, done, args)
        done.save()
        count = min(start + TOGETHER, len(mine))
        told(Progress(tr("{count} of {all} photos", count=count, all=len(mine)), count / len(mine)))
    if skipped:
        print(tr("{count} photos were done already; --again does all anew", count=skipped), file=sys.stderr)
    return failed


def _finish(
    image: Path,
    target: Path | None,
    known: str | None,
    traces: Mapping[Path, Made],
    done: Done,
    args: argparse.Namespace,
) -> bool:
    """Write and print what was made of one image; False where that failed."""
    if known is not None:
        print(f"{one_line(image)}\t{known}", flush=True)
        return True
    try:
        made = traces[image]
        if isinstance(made, UserError):
            raise made
        picture, result = made
        if isinstance(result, dict):
            comparing.write(result, picture, target, args)
            comparing.show(result, image, args.json)
        else:
            shown = with_head(result, args.head)
            _write(shown, picture, target, args)
            _print(shown, image, args)
            done.note(image, target, shown.text)
    except UserError as error:
        print(f"attnviewer: {_with_path(str(error), image)}", file=sys.stderr)
        return False
    return True


def _folder(targets: Plan, args: argparse.Namespace) -> Path | None:
    """The folder of results, where what is done can be told; not where more than the caption is printed."""
    printed = args.json or args.compare or args.words is not None
    return None if printed or not targets or targets[0] is None else targets[0].parent


def _how(requests: _Requests, args: argparse.Namespace) -> dict[str, object]:
    """All that a result depends on beside its photo and the models."""
    decoding = dataclasses.asdict(requests.decoding(args.attention))
    chosen = {name: getattr(args, name) for name in ("attention", "model", "cells", "per_word", "form", "head")}
    imposed = {"imposed": requests.imposed, "covers": requests.covers, "change": requests.change}
    return {"decoding": decoding, **imposed, **chosen}


def _with_path(complaint: str, image: Path) -> str:
    """A complaint that begins with the whole path, which tells files of one name apart."""
    return one_line(image) + complaint.removeprefix(one_line(image.name)) if image.name else complaint


def _one(
    requests: _Requests, picture: Picture, target: Path | None, args: argparse.Namespace, image: Path | None
) -> None:
    """Caption one picture, write and print; `image` is its name where there are several."""
    request = requests(picture)
    if args.compare:
        traces = comparing.compare(request, requests.decoding, requests.trace)
        comparing.write(traces, picture, target, args)
        return comparing.show(traces, image, args.json)
    trace = with_head(requests.trace(request), args.head)
    _write(trace, picture, target, args)
    return _print(trace, image, args)


class _Requests:
    """Makes requests as the arguments say, and runs them on an engine that is made with the first one."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._words = None if args.words is None else tuple(tokenise(checked_text(args.words, "--words")))
        if self._words == ():
            raise UserError(tr('there are no words in --words; give a caption, such as --words "a dog runs".'))
        self.imposed, self.covers, self.change = interventions_of(args), covers_of_call(args), changes_of(args)

    def __call__(self, picture: Picture) -> CaptionRequest:
        args = self._args
        warn_of_other_photos(args, picture)
        return CaptionRequest(
            picture, args.attention, self.decoding(args.attention), self._words, args.model, args.device, self.imposed,
            self.covers, self.change,
        )  # fmt: skip

    def decoding(self, attention: str) -> Decoding:
        """How words are chosen with this attention."""
        usual = usual_beam("caption", attention, steered=self._words is not None or bool(self.imposed))
        return Decoding(
            usual if self._args.beam is None else self._args.beam, seed=self._args.seed, pick=self._args.pick
        )

    def trace(self, request: CaptionRequest) -> Trace:
        """Run to the end."""
        from attnviewer.api import run

        return run(request)

    def traces(self, images: Sequence[Path]) -> dict[Path, Made]:
        """What becomes of each image: its picture with its trace or traces, or what is wrong with it."""
        made: dict[Path, Made] = {}
        pictures: dict[Path, Picture] = {}
        for image in images:
            try:
                pictures[image] = load_picture(image)
            except UserError as error:
                made[image] = error
        together = not (self._args.compare or self._words or self.imposed or self.covers)
        for group in [list(pictures)] if together else [[image] for image in pictures]:
            try:
                found = self._run([pictures[image] for image in group])
                made |= {image: (pictures[image], one) for image, one in zip(group, found, strict=True)}
            except UserError as error:
                made |= dict.fromkeys(group, error)
        return made

    def _run(self, pictures: Sequence[Picture]) -> Iterable[Trace | dict[str, Trace]]:
        from attnviewer.api import run_captions

        if self._args.compare:
            return [comparing.compare(self(picture), self.decoding, self.trace) for picture in pictures]
        if self._words or self.imposed or self.covers:
            return [self.trace(self(picture)) for picture in pictures]
        return run_captions([self(picture) for picture in pictures]) if pictures else []


def _write(trace: Trace, picture: Picture, target: Path | None, args: argparse.Namespace) -> None:
    if target is None:
        return
    wrote(target, save(trace, picture, target, Options(cells=args.cells, per_word=args.per_word)))


def _print(trace: Trace, image: Path | None, args: argparse.Namespace) -> None:
    """The trace, the table of a given caption's words, or the caption."""
    if args.json:
        print(trace.to_json(), flush=True)
    elif args.words is not None:
        print("\n".join(measured(trace, None if image is None else one_line(image))), flush=True)
    else:
        print(trace.text if image is None else f"{one_line(image)}\t{trace.text}", flush=True)
    for note in () if args.json else trace.notes:
        print(note, file=sys.stderr)
