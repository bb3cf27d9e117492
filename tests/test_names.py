"""The names in CONTRIBUTING's table: what it says is there, and what it says no longer is."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from helpers.blocked import ROOT

ROWS = re.findall(r"^\| (`.+`) \| .+ \| (`.+`) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def defined(path: Path) -> frozenset[str]:
    """What a module defines: itself, functions, classes, arguments, and what is assigned, as attributes too."""
    found = {path.stem}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
    return frozenset(found)


EVERYWHERE = frozenset().union(*(defined(path) for path in (ROOT / "attnviewer").rglob("*.py")))


def test_the_table_of_names_is_found() -> None:
    assert len(ROWS) >= 12


@pytest.mark.parametrize("name", [name for said, _ in ROWS for name in names(said)])
def test_a_name_of_the_table_is_there(name: str) -> None:
    assert name in EVERYWHERE


@pytest.mark.parametrize("name", [name for _, unsaid in ROWS for name in names(unsaid)])
def test_an_older_name_is_gone(name: str) -> None:
    *module, last = name.split(".")
    path = ROOT / "attnviewer" / Path(*module[:-1], f"{module[-1]}.py") if module else None
    if path is not None and path.exists():
        assert last not in defined(path)
    elif path is None:
        assert last not in EVERYWHERE
    else:
        assert not (ROOT / "attnviewer" / Path(*module, f"{last}.py")).exists()
