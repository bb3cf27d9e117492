"""A fact that speaks of a place shows it on the photo."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication

from attnviewer.core import lens
from attnviewer.ui.window import Window


def test_pointing_at_a_fact_marks_the_place_it_speaks_of(window: Window) -> None:
    facts, stage = window.panel.side.facts, window.panel.stages.columns["soft"].stage
    QApplication.sendEvent(facts.rows["place"], QEnterEvent(QPointF(), QPointF(), QPointF()))
    peak = lens.peak(lens.word_map(window.panel.state.trace, 0))
    assert stage.location == peak
    assert stage.tag.isVisible()
    assert stage.tag.text().split("  ")[1] in facts.sentences["place"].text()


def test_a_fact_that_speaks_of_no_place_marks_none(window: Window) -> None:
    facts, stage = window.panel.side.facts, window.panel.stages.columns["soft"].stage
    QApplication.sendEvent(facts.rows["spread"], QEnterEvent(QPointF(), QPointF(), QPointF()))
    assert stage.location == -1
