"""What every verb takes: `--models DIR`, a folder of one's own models, and `--lang`, the language to speak."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.core.paths import VARIABLE
from attnviewer.core.speech import LANGUAGES


def add_everywhere(parser: argparse.ArgumentParser) -> None:
    """Describe these options; `--models-dir`, an older name, is understood and not shown."""
    told = tr("a folder of models to look in first, then {variable}, your own and those that ship", variable=VARIABLE)
    known = parser._option_string_actions
    if "--models" not in known:
        parser.add_argument("--models", dest="models_dir", type=Path, metavar="DIR", help=told)
    if "--models-dir" not in known:
        parser.add_argument("--models-dir", dest="models_dir", type=Path, help=argparse.SUPPRESS)
    add_language(parser)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Describe `--lang`."""
    parser.add_argument(
        "--lang", choices=tuple(LANGUAGES), default="", help=tr("the language to speak (default: the system's)")
    )


def chosen_language(argv: Sequence[str]) -> str:
    """What `--lang` says in a call that is not read yet, since even `--help` has to speak it; "" for nothing sound."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_language(parser)
    try:
        return str(parser.parse_known_args(list(argv))[0].lang)
    except argparse.ArgumentError:  # the verb's own parser will complain
        return ""
