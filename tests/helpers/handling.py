"""Hands on the stage of the image panel, as the tests have them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviewer.core.request import CaptionRequest
from attnviewer.ui.panels.image.panel import ImagePanel
from helpers.fake_engine import FakeEngine


def settled(panel: ImagePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.state.missing and not panel.desk.worker.busy)


def point(panel: ImagePanel, x: float, y: float, mode: str = "soft") -> QPoint:
    """Where a place of the photo lies on its stage."""
    stage = panel.stages.columns[mode].stage
    return stage.mapFromScene(stage.box.mapViewToScene(QPointF(x * stage.picture.width, y * stage.picture.height)))


def drag(panel: ImagePanel, qtbot: QtBot, *places: tuple[float, float], mode: str = "soft") -> None:
    """Press at the first place, go through the others, let go at the last."""
    view, left = panel.stages.columns[mode].stage.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(view, left, pos=point(panel, *places[0], mode))
    for place in places[1:]:
        at = QPointF(point(panel, *place, mode))
        none = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, left, none))
    qtbot.mouseRelease(view, left, pos=point(panel, *places[-1], mode))


def last(engine: FakeEngine) -> CaptionRequest:
    """The newest request for a soft caption that isn't read by another."""
    return next(one for one in reversed(engine.requests) if one.attention == "soft" and one.words is None)
