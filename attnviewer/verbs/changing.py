"""The options that change a Transformer inside, which captions and translations share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from attnviewer.core.ablation import MASKS, Ablation, Changes, Pair
from attnviewer.core.attend import parse_head
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

PARTS = ("encoder", "decoder", "cross")
READERS = PARTS[:2]  # those that know positions


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Offer --no-head, --uniform-head, --mask, --no-positions, --no-residuals and --tied."""
    add = parser.add_argument_group(tr("inside a Transformer")).add_argument
    told = tr("switch a head off: layer.head of the look at the source, or encoder:I.J, decoder:I.J; repeatable")
    add("--no-head", action="append", default=[], metavar="I.J", help=told)
    told = tr("let a head look at all alike, named in the same way; repeatable")
    add("--uniform-head", action="append", default=[], metavar="I.J", help=told)
    told = tr("what the encoder doesn't see: future hides what comes, past what was (default: none)")
    add("--mask", choices=MASKS, default="none", help=told)
    add("--no-positions", action="store_true", help=tr("leave out where words and places stand"))
    add("--no-residuals", action="store_true", help=tr("don't add what enters a sub-layer to what it gives"))
    add("--tied", action="store_true", help=tr("make queries with the weights of the keys"))


def changes_of(args: argparse.Namespace) -> Changes | None:
    """What the arguments change inside, or None; raises `UserError` where a head can't be read."""
    off, uniform = _by_part(args.no_head), _by_part(args.uniform_head)
    common: dict[str, Any] = {"residuals": not args.no_residuals, "tied": args.tied}
    made = {part: Ablation(off=off[part], uniform=uniform[part], **common, **_own(part, args)) for part in PARTS}
    change = Changes(**made)
    return None if change == Changes() else change


def _own(part: str, args: argparse.Namespace) -> dict[str, Any]:
    """What means something for one part alone."""
    mask = {"mask": args.mask} if part == "encoder" else {}
    return mask | ({"positions": not args.no_positions} if part in READERS else {})


def _by_part(names: Iterable[str]) -> dict[str, tuple[Pair, ...]]:
    """The heads of each part, of names such as 1.0 or encoder:1.0."""
    found: dict[str, list[Pair]] = {part: [] for part in PARTS}
    for name in names:
        part, colon, head = name.rpartition(":")
        if colon and part not in PARTS:
            raise UserError(
                tr("a Transformer has no part {part}; its parts are {parts}.", part=part, parts=", ".join(PARTS))
            )
        found[part or "cross"].append(parse_head(head))
    return {part: tuple(heads) for part, heads in found.items()}
