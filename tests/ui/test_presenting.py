"""Presenter mode: the thing, the question, and the five best, large; and everything back afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.query_engine import QueryEngine
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from attnviewer.ui.window import Window


def seen(panel: QWidget) -> set[QWidget]:
    """What is shown of a panel; scroll bars come and go by themselves."""
    found = [one for one in panel.findChildren(QWidget) if not isinstance(one.parentWidget(), QAbstractScrollArea)]
    return {one for one in found if one.isVisibleTo(panel) and not isinstance(one, QScrollBar)}


def test_the_image_panel_shows_five_large_bars_and_all_comes_back(window: Window) -> None:
    before, height = seen(window.panel), window.panel.side.bars.fontMetrics().height()
    window.panel.set_presenter(True)
    bars = window.panel.side.bars
    assert bars.isVisibleTo(window.panel)
    assert bars.fontMetrics().height() > 1.5 * height
    assert len(bars.shown()) <= 5
    assert not window.panel.side.facts.isVisibleTo(window.panel)
    window.panel.set_presenter(False)
    assert seen(window.panel) == before
    assert window.panel.side.bars.fontMetrics().height() == height


@pytest.mark.parametrize("kind", ["regions", "words", "lines"])
def test_the_query_panel_shows_the_query_and_its_five_best_large(
    make_window: Callable[..., Window], photo: Path, qtbot: QtBot, kind: str
) -> None:
    window = make_window(QueryEngine())
    window.opener.open_paths([photo])
    window.show_panel("query")
    panel = window.panel
    panel.choose_kind(kind)
    panel.side.fields["query-first"].setText("dog")
    qtbot.waitUntil(lambda: panel.state.trace is not None and not window.desk.worker.busy, timeout=30_000)
    before = seen(panel)
    panel.set_presenter(True)
    assert "dog" in panel.side.asked.text()
    assert len(panel.side.bars.shown()) == min(5, len(panel.state.rows()))
    best = max(panel.state.rows(), key=lambda row: row.weight)
    assert panel.side.bars.bars[0].value == pytest.approx(best.weight)
    for part in (panel.side.items, panel.side.score, panel.source.foot):
        assert not part.isVisibleTo(panel)
    panel.set_presenter(False)
    assert seen(panel) == before
