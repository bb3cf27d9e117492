"""Interpreters in which some packages can't be imported, to prove that a part of the program needs none of them."""

from __future__ import annotations

import importlib
import importlib.abc
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
QT = ("PySide6", "shiboken6", "pyqtgraph")
TORCH = ("torch", "torchvision", "safetensors")


class Blocker(importlib.abc.MetaPathFinder):
    """Refuses packages by their top-level names."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Raise for a blocked package, else leave the search to others."""
        if name.split(".")[0] in self.names:
            raise ImportError(f"{name} is blocked here")
        return None


def block(names: Iterable[str]) -> None:
    """Make `names` impossible to import from now on."""
    sys.meta_path.insert(0, Blocker(names))


def import_all(packages: Iterable[str]) -> list[str]:
    """Import every module of `packages`, however deep, and tell their names."""
    names: list[str] = []
    for package in map(importlib.import_module, packages):
        found = pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        names += [package.__name__, *(importlib.import_module(entry.name).__name__ for entry in found)]
    return names


def in_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh interpreter at the top of the checkout."""
    head = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'tests')]!r}\n"
    return subprocess.run([sys.executable, "-c", head + code], cwd=ROOT, capture_output=True, text=True, timeout=300)


def imports_without(blocked: Sequence[str], packages: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Import all of `packages` in a fresh interpreter where `blocked` is blocked; prints the names as JSON."""
    return in_python(
        "import json; from helpers.blocked import block, import_all\n"
        f"block({tuple(blocked)!r}); print(json.dumps(import_all({tuple(packages)!r})))"
    )


def loaded_by(module: str, names: Sequence[str]) -> list[str]:
    """Which of the top-level packages `names` are loaded once `module` is imported in a fresh interpreter."""
    code = f"import json, {module}; print(json.dumps([name for name in {tuple(names)!r} if name in sys.modules]))"
    run = in_python(code)
    assert run.returncode == 0, run.stderr
    return list(json.loads(run.stdout))
