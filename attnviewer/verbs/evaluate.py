"""`attnviewer evaluate TASK ...`: measure a model on a data folder."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import later, tr
from attnviewer.verbs.tasks import add_task, run_task

TASKS = {
    "caption": "attnviewer.measure.caption",
    "bottleneck": "attnviewer.measure.bottleneck",
    "grounding": "attnviewer.measure.grounding",
    "steering": "attnviewer.measure.steering",
    "faithfulness": "attnviewer.measure.faithfulness",
    "translate": "attnviewer.measure.translate",
    "everyday": "attnviewer.measure.everyday",
    "heads": "attnviewer.measure.heads",
}
OPTIONS = {task: f"attnviewer.measure.options.{task}" for task in TASKS}
EXAMPLES = later("""examples:
  attnviewer evaluate caption --data FOLDER             BLEU, and how well the maps point
  attnviewer evaluate translate --help                  the options of a task, with their defaults""")
SUMMARY = later("Measure a model on a data folder: a table, or JSON.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate`."""
    add_task(parser, TASKS)
    parser.epilog = tr(EXAMPLES)


def run(args: argparse.Namespace) -> int:
    """Run the task's own module."""
    return run_task("evaluate", SUMMARY, TASKS, args, OPTIONS)
