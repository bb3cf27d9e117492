"""`--models DIR`, which every verb takes: a folder of one's own models, before all others."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.core.paths import VARIABLE


def add_models(parser: argparse.ArgumentParser) -> None:
    """Describe the option; `--models-dir`, its older name, is understood and not shown."""
    told = tr("a folder of models to look in first, then {variable}, your own and those that ship", variable=VARIABLE)
    known = parser._option_string_actions
    if "--models" not in known:
        parser.add_argument("--models", dest="models_dir", type=Path, metavar="DIR", help=told)
    if "--models-dir" not in known:
        parser.add_argument("--models-dir", dest="models_dir", type=Path, help=argparse.SUPPRESS)
