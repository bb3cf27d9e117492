"""A matrix of many words is zoomed, fitted, and found one's way in."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.traces import a_trace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from attnviewer.core.trace import Step, Tokens, Trace
from attnviewer.ui.widgets.matrix import Matrix

LONG = tuple(f"word{n}" for n in range(30))


def long_trace() -> Trace:
    maps = np.eye(30, dtype=np.float32)
    steps = tuple(Step(word, -0.1, maps[n : n + 1], ()) for n, word in enumerate(LONG))
    made = a_trace()
    return Trace("translate", made.model, made.source, Tokens(LONG), ("attention",), steps, {}, ())


@pytest.fixture
def matrix(qtbot: QtBot) -> Matrix:
    made = Matrix()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show_trace(long_trace(), LONG)
    made.show()
    return made


def wheel(view: Matrix, at: QPointF, turns: int) -> None:
    none, ctrl = Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier
    event = QWheelEvent(at, at, QPoint(), QPoint(0, 120 * turns), none, ctrl, Qt.ScrollPhase.NoScrollPhase, False)
    view.wheelEvent(event)


def test_a_matrix_that_does_not_fit_offers_to_and_then_to_go_back(matrix: Matrix) -> None:
    assert not matrix.whole
    assert matrix.fits.isVisible()
    matrix.fits.click()
    assert matrix.whole
    assert matrix.mini is None
    matrix.fits.click()
    assert matrix.zoom == 1.0


def test_the_wheel_with_ctrl_zooms_at_the_pointer(matrix: Matrix) -> None:
    matrix.pin(QPointF(300, 200), 0.5, 0.5)
    at = QPointF(300, 200)
    before = matrix.grid.at(at, matrix.shift)
    wheel(matrix, at, 2)
    assert matrix.zoom > 1.2
    assert matrix.grid.at(at, matrix.shift) == before


def test_plus_and_minus_zoom_while_it_has_the_focus(matrix: Matrix, qtbot: QtBot) -> None:
    qtbot.keyClicks(matrix, "+")
    assert matrix.zoom > 1
    qtbot.keyClicks(matrix, "--")
    assert matrix.zoom < 1


def test_a_click_on_the_small_map_goes_there(matrix: Matrix, qtbot: QtBot) -> None:
    mini = matrix.mini
    assert mini is not None
    assert mini.box.contains(mini.frame())
    corner = mini.box.bottomRight() - QPointF(2, 2)
    chosen: list[int] = []
    matrix.chosen.connect(chosen.append)
    qtbot.mouseClick(matrix.viewport(), Qt.MouseButton.LeftButton, pos=corner.toPoint())
    assert matrix.verticalScrollBar().value() == matrix.verticalScrollBar().maximum()
    assert chosen == []


def test_a_matrix_that_fits_has_neither_button_nor_small_map(matrix: Matrix) -> None:
    maps = np.eye(2, dtype=np.float32)
    steps = tuple(Step(word, -0.1, maps[n : n + 1], ()) for n, word in enumerate("ab"))
    made = long_trace()
    matrix.show_trace(
        Trace("translate", made.model, made.source, Tokens(("c", "d")), ("attention",), steps, {}, ()), "cd"
    )
    assert not matrix.fits.isVisible()
    assert matrix.mini is None
