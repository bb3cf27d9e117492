"""A parser of arguments whose complaints are one line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr


class Parser(argparse.ArgumentParser):
    """Raises `UserError` where argparse would print its usage and leave."""

    def __init__(self, prog: str, summary: str) -> None:
        layout = argparse.RawDescriptionHelpFormatter
        super().__init__(prog, description=summary, allow_abbrev=False, formatter_class=layout)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the call and where to read on."""
        raise UserError(tr("{message}; see `{prog} --help`.", message=message, prog=self.prog))

    def list_verbs(self, verbs: Mapping[str, str]) -> None:
        """Name the verbs in the help text, and offer `--version`."""
        wide = max(map(len, verbs))
        lines = [f"  attnviewer {name:{wide}}  {summary}" for name, summary in verbs.items()]
        self.epilog = "\n".join([tr("without the window:"), *lines])
        self.add_argument("--version", action="version", version=f"attnviewer {_version()}")


def _version() -> str:
    try:
        return version("attnviewer")
    except PackageNotFoundError:
        return "(not installed)"
