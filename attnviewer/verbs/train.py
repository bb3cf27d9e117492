"""`attnviewer train TASK ...`: train a model from a data folder, with progress and resume."""

from __future__ import annotations

import argparse

from attnviewer.verbs.tasks import add_task, run_task

TASKS = {
    "caption": "attnviewer.train.caption",
    "grounding": "attnviewer.train.grounding",
    "translate": "attnviewer.train.translate",
    "words": "attnviewer.zoo.words",
}
SUMMARY = "Train a model from a data folder, with progress and resume."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train`."""
    add_task(parser, TASKS)


def run(args: argparse.Namespace) -> int:
    """Run the task's own module."""
    return run_task("train", SUMMARY, TASKS, args)
