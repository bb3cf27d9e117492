"""`attnviewer doctor`: what is here and whether it is sound, to paste into a report."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from attnviewer.core.card import ModelCard, sound_cards
from attnviewer.core.details import machine, versions
from attnviewer.core.i18n import tr
from attnviewer.core.logfile import NAME
from attnviewer.core.paths import Shelf, shelf, user_log_dir
from attnviewer.core.reading import read_bytes

SCRIPTS = {"Latin": "ñ", "Chinese": "猫", "Arabic": "ق", "emoji": "🐕"}


class Finding(NamedTuple):
    """One line: what was looked at, what was found, and whether that is a fault."""

    name: str
    found: str
    fault: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer doctor`."""
    parser.add_argument("--json", action="store_true", help=tr("print the findings as one JSON object"))


def run(args: argparse.Namespace) -> int:
    """Print what is found; 2 where something is at fault."""
    found = list(examine())
    if args.json:
        rows = {one.name: {"found": one.found, "fault": one.fault} for one in found}
        print(json.dumps(rows, ensure_ascii=False))
    else:
        wide = max(len(one.name) for one in found)
        print("\n".join(f"{'!' if one.fault else ' '} {one.name:{wide}}  {one.found}" for one in found))
    return 2 if any(one.fault for one in found) else 0


def examine() -> Iterator[Finding]:
    """All findings in the order of the report."""
    yield from (Finding(name, found, found == "not installed") for name, found in (*versions(), *machine()))
    yield from _devices()
    yield from _models(shelf())
    yield from _fonts()
    yield _window()
    yield _log(user_log_dir())


def _devices() -> Iterator[Finding]:
    try:
        import torch

        from attnviewer.runs.device import choose_device
    except Exception as error:  # a library that doesn't load is what is looked for
        yield Finding("device", f"{type(error).__name__}: {error}", True)
        return
    yield Finding("device", tr("{device}, {threads} threads", device=choose_device(), threads=torch.get_num_threads()))
    if torch.cuda.is_available():
        yield Finding("CUDA", f"{torch.version.cuda}, {torch.cuda.get_device_name()}")


def _models(where: Shelf) -> Iterator[Finding]:
    cards, faults = sound_cards(where)
    for card in cards:
        yield _model(card, where / card.id)
    for name, fault in faults.items():
        yield Finding(f"model {name}", fault, True)


def _model(card: ModelCard, folder: Path) -> Finding:
    weights = folder / "weights.safetensors"
    try:
        digest = hashlib.sha256(read_bytes(weights)).hexdigest()
    except OSError as error:
        return Finding(f"model {card.id}", tr("{path}: {reason}", path=weights, reason=error.strerror), True)
    same = card.sha256 in (None, digest)
    told = tr("sound, {start} in {folder}", start=digest[:12], folder=folder.parent)
    return Finding(
        f"model {card.id}", told if same else tr("{path} is not the file of its card", path=weights), not same
    )


def _fonts() -> Iterator[Finding]:
    from attnviewer.export.fonts import faces_for

    for script, letter in SCRIPTS.items():
        faces = faces_for(letter)
        found = tr("none is installed") if faces.missing else faces.chosen[-1].family
        yield Finding(f"font for {script}", found)


def _window() -> Finding:
    from attnviewer.ui.start.preflight import trouble

    return Finding("window", trouble() or tr("nothing speaks against it"))


def _log(folder: Path) -> Finding:
    place = folder / NAME
    near = next((one for one in (folder, *folder.parents) if one.is_dir()), folder)
    writable = os.access(near, os.W_OK)
    return Finding("log", str(place) if writable else tr("{path} can't be written", path=place), not writable)
