"""`attnviewer explore EXPERIMENT`: the numbers of the experiments on the road to attention."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import later
from attnviewer.verbs.tasks import add_task, run_task

TASKS = {name: f"attnviewer.verbs.exploring.{name}" for name in ("mlp", "conv", "field", "documents", "rnn", "matter")}
SUMMARY = later("One experiment on the road to attention: a table, or JSON. Every option has a default.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer explore`."""
    add_task(parser, TASKS)


def run(args: argparse.Namespace) -> int:
    """Run the experiment's own module."""
    return run_task("explore", SUMMARY, TASKS, args)
