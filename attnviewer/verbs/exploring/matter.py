"""`attnviewer explore matter`: does it matter where a word looked? For a caption's word, or a translation's."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import agreed, place_table, table, told
from attnviewer.core.explore.requests import Exploration, MatterRequest, SourceMatterRequest
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.request import DEVICES, Decoding, TranslateRequest, usual_beam
from attnviewer.core.writing import write_bytes
from attnviewer.verbs.exploring.common import add_image, add_json, picture_of

FORMS = (".png", ".svg", ".pdf", ".csv", ".json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add = parser.add_argument
    add_image(parser)
    add("--sentence", metavar="TEXT", help=tr("a Spanish sentence instead of a photo: its words are hidden one by one"))
    add("--word", type=int, metavar="N", help=tr("which word, from 0 (default: the one that the photo adds most to; of "
                                                 "a translation the longest)"))  # fmt: skip
    add("--attention", metavar="WAY", default="soft", help=tr("soft, hard, or location for a sentence (default: soft)"))
    add("--steps", type=int, default=20, metavar="N", help=tr("steps from nothing covered to all (default: 20)"))
    add("--no-occlusion", action="store_true", help=tr("leave out the slowest order, each place covered alone"))
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add("-o", "--output", type=Path, metavar="OUT", help=tr("write a figure or data: {forms}", forms=" ".join(FORMS)))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the areas by order, and what they say; a sentence's words with what each counts."""
    if args.sentence is not None and args.image is not None:
        raise UserError(tr("ask about one thing at a time; give an image or a sentence."))
    if args.output is not None and args.output.suffix.lower() not in FORMS:
        raise UserError(tr("this can't be saved as {name}; end the name in {forms}.", name=args.output.name,
                           forms=", ".join(FORMS)))  # fmt: skip
    picture = picture_of(args) if args.sentence is None else None
    from attnviewer.api import explore

    found = explore(_request(args, picture))
    assert isinstance(found, Matter)
    if args.output is not None:
        write_bytes(args.output, _file(found, picture, args.output.suffix.lower()))
    print(found.to_json() if args.json else _told(found))
    return 0


def _request(args: argparse.Namespace, picture: Picture | None) -> Exploration:
    if picture is not None:
        return MatterRequest(picture, args.word, None, args.attention, steps=args.steps,
                             occlusion=not args.no_occlusion, device=args.device)  # fmt: skip
    decoding = Decoding(usual_beam("translate", args.attention))
    asked = TranslateRequest(args.sentence, args.attention, decoding, device=args.device)
    return SourceMatterRequest(asked, args.word, args.steps, device=args.device)


def _file(found: Matter, picture: Picture | None, suffix: str) -> bytes:
    from attnviewer.export import matter

    if suffix == ".json":
        return f"{found.to_json()}\n".encode()
    return matter.as_csv(found) if suffix == ".csv" else matter.as_bytes(found, picture, suffix)


def _told(found: Matter) -> str:
    from attnviewer.measure.table import table as laid

    text = " ".join(f"[{word}]" if n == found.word else word for n, word in enumerate(found.words))
    tables = [table(found), *([place_table(found)] if found.places else [])]
    parts = [text, *(laid(rows[0], rows[1:]) for rows in tables), told(found), agreed(found)]
    return "\n\n".join(filter(None, parts))
