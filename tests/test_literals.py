"""Every sentence that the window, the verbs and the files show is looked up, so that the program can learn a language.

A literal is found by its place: an argument of a call that shows it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.blocked import ROOT

FOLDERS = ("", "ui", "verbs", "export", "core", "train", "measure", "runs", "data", "zoo")
SHOWN = {  # the arguments of a call that a user sees
    **dict.fromkeys(("UserError", "Progress", "setText", "setToolTip", "setPlaceholderText", "addAction", "say"), (0,)),
    **dict.fromkeys(("setAccessibleName", "setAccessibleDescription", "setWindowTitle", "label", "print"), (0,)),
    "button": (0, 1), "named": (1, 2), "TextBox": (0, 1), "Segments": (2,), "Bars": (0, 1), "plain": (0,),
}  # fmt: skip
NAMED = {"help": None, "name": ("button", "dress", "Segments", "chooser")}  # for any call, or for these
OURS = re.compile(r"^(attnviewer(: )?|\[|word)$")  # what is the same in every language
WORDS = re.compile(r"[A-Za-z]{2}")


def bare(node: ast.expr) -> bool:
    """Whether an expression holds a text with words that isn't looked up."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(WORDS.search(node.value)) and not OURS.match(node.value)
    if isinstance(node, ast.JoinedStr):
        return any(bare(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return bare(node.left) or bare(node.right)
    return isinstance(node, ast.IfExp) and (bare(node.body) or bare(node.orelse))


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def shown(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that a user sees; what isn't text in `label(mode)` of a table is no widget's."""
    if called(call) == "label" and isinstance(call.func, ast.Attribute):
        return
    yield from (call.args[place] for place in SHOWN.get(called(call), ()) if place < len(call.args))
    yield from (
        word.value
        for word in call.keywords
        if word.arg in NAMED and called(call) in (NAMED[word.arg] or (called(call),))
    )


def bare_literals(path: Path) -> list[str]:
    """Where a module shows texts that aren't looked up."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    found = [node for call in calls for node in shown(call) if bare(node)]
    return [f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}" for node in found]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_text_that_is_shown_is_looked_up(folder: str) -> None:
    modules = sorted((ROOT / "attnviewer" / folder).rglob("*.py"))
    assert len(modules) > 3
    assert [line for path in modules for line in bare_literals(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        'UserError("no such file")',
        'say(f"saved {name}")',
        'add("-o", help="a file")',
        'button("", "Save it")',
        'label("a" "bc" if x else "")',
    ],
)
def test_a_bare_text_is_found(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "a.py").write_text(line)
    assert len(bare_literals(tmp_path / "a.py")) == 1


@pytest.mark.parametrize(
    "line", ['UserError(tr("no such file"))', 'say("")', 'MODES[key].label("caption")', 'setText("·")']
)
def test_a_text_that_is_looked_up_or_says_nothing_passes(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "a.py").write_text(line)
    assert bare_literals(tmp_path / "a.py") == []
