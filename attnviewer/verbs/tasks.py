"""Verbs with a task: the task's module, imported when it is named, describes its options and runs."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from types import MappingProxyType

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.paths import looking_first
from attnviewer.verbs.parser import Parser
from attnviewer.verbs.spared import spare_named
from attnviewer.verbs.where import add_everywhere


def add_task(parser: argparse.ArgumentParser, tasks: Mapping[str, str]) -> None:
    """Take the task and leave everything after it to the task's own parser."""
    parser.add_argument("task", nargs="?", metavar="TASK", help=" or ".join(tasks))
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="...", help=tr("options of the task; TASK --help lists them")
    )


def run_task(
    verb: str, summary: str, tasks: Mapping[str, str], args: argparse.Namespace,
    options: Mapping[str, str] = MappingProxyType({}),
) -> int:  # fmt: skip
    """Parse the rest with the options of a task, and run its module.

    `options` names the module that describes a task's options, where that is another one: so `--help` loads no torch.
    """
    if args.task not in tasks:
        what = f"there is no task {args.task} to {verb}" if args.task else f"{verb} what"
        raise UserError(
            tr("{what}; choose: {names}.", what=what, names=", ".join(f"attnviewer {verb} {name}" for name in tasks))
        )
    described = options.get(args.task, tasks[args.task])
    parser = Parser(f"attnviewer {verb} {args.task}", tr(summary))
    importlib.import_module(described).add_arguments(parser)
    add_everywhere(parser)
    given = parser.parse_args(args.rest)
    spare_named(given)
    own = given.models_dir
    with looking_first(None if verb == "train" and own and not own.is_dir() else own):  # training may make the folder
        return int(importlib.import_module(tasks[args.task]).run(given))
