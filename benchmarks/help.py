"""Processor time until `--help` is printed, for each task of `train` and `evaluate`, in a process of its own.

python benchmarks/help.py
"""

from __future__ import annotations

import subprocess
import sys

from attnviewer.verbs.evaluate import TASKS as MEASURED
from attnviewer.verbs.train import TASKS as TRAINED

CODE = """
import contextlib, io, sys, time
from attnviewer.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
print(f"{time.process_time():.2f} s of processor time{'' if 'torch' in sys.modules else ', without torch'}")
"""


def main() -> None:
    """Print a line a task."""
    for verb, tasks in (("train", TRAINED), ("evaluate", MEASURED)):
        for task in tasks:
            call = [sys.executable, "-c", CODE, verb, task, "--help"]
            print(f"{verb} {task}: {subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()}")


if __name__ == "__main__":
    main()
