"""What a report of a fault needs to know of this machine: versions, system, where models lie, the end of the log."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from attnviewer.core.errors import UserError
from attnviewer.core.logfile import log_tail
from attnviewer.core.paths import VARIABLE, shelf

PACKAGES = (
    "attnviewer", "torch", "torchvision", "numpy", "Pillow", "pillow-heif", "safetensors", "PySide6-Essentials",
    "pyqtgraph", "matplotlib", "imageio", "platformdirs",
)  # fmt: skip
VARIABLES = (
    "QT_QPA_PLATFORM",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "LANG",
    "OMP_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    VARIABLE,
)


def details() -> str:
    """Some lines of plain text; nothing of it is a photo or a sentence of the user, save what the log holds."""
    rows = [f"{name}: {value}" for name, value in (*machine(), *versions())]
    tail = log_tail()
    return "\n".join([*rows, *(["log:", tail] if tail else [])])


def machine() -> Iterator[tuple[str, str]]:
    """The system, its processors, the variables that matter, and where models are looked for."""
    yield "python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "system", platform.platform()
    yield "processors", str(os.cpu_count())
    for name in VARIABLES:
        if name in os.environ:
            yield name, os.environ[name]
    try:
        yield "models in", str(shelf())
    except UserError as error:
        yield "models in", str(error)


def versions() -> Iterator[tuple[str, str]]:
    """The packages that have a say, with their versions; none of them is loaded."""
    for name in PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not installed"
