"""`attnviewer train TASK ...`: train a model from a data folder, with progress and resume."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import later, tr
from attnviewer.verbs.tasks import add_task, run_task

TASKS = {
    "caption": "attnviewer.train.caption.command",
    "grounding": "attnviewer.train.grounding.command",
    "translate": "attnviewer.train.translate.command",
    "words": "attnviewer.zoo.words",
}
OPTIONS = {task: f"attnviewer.train.options.{task}" for task in ("caption", "grounding", "translate")}
EXAMPLES = later("""examples:
  attnviewer train caption --data FOLDER                a captioner, in phases that can be resumed
  attnviewer train translate --help                     the options of a task, with their defaults""")
SUMMARY = later("Train a model from a data folder, with progress and resume.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train`."""
    add_task(parser, TASKS)
    parser.epilog = tr(EXAMPLES)


def run(args: argparse.Namespace) -> int:
    """Run the task's own module."""
    return run_task("train", SUMMARY, TASKS, args, OPTIONS)
