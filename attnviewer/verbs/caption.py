"""`attnviewer caption IMAGE...`: caption photos; the model is loaded once."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attnviewer.core.arguments import checked_text
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture, expand, load_picture
from attnviewer.core.modes import compared, help_of, of
from attnviewer.core.request import DEVICES, PICKS, CaptionRequest, Decoding, usual_beam
from attnviewer.core.shown import one_line
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Trace
from attnviewer.export import Options, save
from attnviewer.verbs import compare as comparing
from attnviewer.verbs.given import measured
from attnviewer.verbs.imposing import add_impositions, interventions_of
from attnviewer.verbs.output import add_head, chosen_form, forms_help, names, places, with_head, wrote

EXAMPLES = """examples:
  attnviewer caption dog.jpg                            the caption
  attnviewer caption dog.jpg -o dog.png                 and a figure: a panel a word
  attnviewer caption dog.jpg -o dog.html                and a page to hand out, with the words to click
  attnviewer caption photos/ -o traces/ --form csv      a folder, a file for each photo
  attnviewer caption dog.jpg --compare -o four.png      no, soft, hard and uniform attention
  attnviewer caption dog.jpg --words "a cat sleeps"     how probable is that, word by word
  attnviewer caption dog.jpg --force-word 2=cat         another third word, and on from there
  attnviewer caption dog.jpg --force-gaze 2=5,7         the third word chosen while looking at row 5, column 7
  attnviewer caption dog.jpg --attention hard --seed 3  one place a word, drawn with this seed"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer caption`."""
    parser.epilog = f"{tr(EXAMPLES)}\n\n{forms_help('caption')}"
    add = parser.add_argument
    add("images", nargs="+", metavar="IMAGE", help="image files; a folder stands for the images in it")
    told = tr("how the model attends (default: soft); {modes}", modes=help_of("caption"))
    add("--attention", choices=of("caption"), default="soft", help=told)
    add("--beam", type=int, metavar="K", help=tr("hypotheses kept (default: 3; 1, greedy, with hard or --words)"))
    add("--words", metavar="CAPTION", help="measure this caption instead of making one")
    add("--seed", type=int, default=0, metavar="N", help="seed of what hard attention samples (default: 0)")
    add(
        "--pick",
        choices=PICKS,
        default="sample",
        help=tr("hard attention draws its place from the map, or takes the most probable one (default: sample)"),
    )
    add_impositions(parser, tr("a cell (row,column) or a box (left,top,right,bottom as shares of the photo)"))
    add("--compare", action="store_true", help=tr("beside each other: {modes}", modes=", ".join(compared("caption"))))
    add("--model", metavar="ID", help=tr("a model of `attnviewer models` (default: the one for --attention)"))
    add("--device", choices=DEVICES, default="auto", help="where to compute (default: auto)")
    add("--json", action="store_true", help="print the trace as JSON, one line an image")
    add("-o", "--out", metavar="OUT", help="write to this file, or for several images to this folder")
    add("--form", choices=names("caption"), help=tr("form of the files in a folder (default: json)"))
    add_head(parser)
    add("--cells", action="store_true", help="pictures show the raw cells of the grid")
    add("--per-word", action="store_true", help="pictures give each word its own colour range")


def run(args: argparse.Namespace) -> int:
    """Caption the images in order; one that can't be read is reported and the rest go on."""
    images, faults = expand(args.images)
    targets = places(images, args.out, chosen_form(args.form, args.out), task="caption")
    if args.compare:
        comparing.check_call(args, targets)
    requests, alone = _Requests(args), len(images) == 1 and not faults
    for fault in faults:
        print(f"attnviewer: {fault}", file=sys.stderr)
    failed = len(faults)
    for image, target in zip(images, targets, strict=True):
        try:
            _one(requests, load_picture(image), target, args, None if alone else image)
        except UserError as error:
            if alone:
                raise
            failed += 1
            print(f"attnviewer: {_with_path(str(error), image)}", file=sys.stderr)
    return 2 if failed else 0


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
            raise UserError('there are no words in --words; give a caption, such as --words "a dog runs".')
        self._imposed = interventions_of(args)

    def __call__(self, picture: Picture) -> CaptionRequest:
        args = self._args
        return CaptionRequest(
            picture, args.attention, self.decoding(args.attention), self._words, args.model, args.device, self._imposed
        )

    def decoding(self, attention: str) -> Decoding:
        """How words are chosen with this attention."""
        usual = usual_beam("caption", attention, steered=self._words is not None or bool(self._imposed))
        return Decoding(
            usual if self._args.beam is None else self._args.beam, seed=self._args.seed, pick=self._args.pick
        )

    def trace(self, request: CaptionRequest) -> Trace:
        """Run to the end."""
        from attnviewer.api import run

        return run(request)


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
