"""Steps of tests of the translate panel."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QAbstractScrollArea
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.translate.panel import TranslatePanel

SENTENCE = "La casa blanca tiene una puerta roja."
ENGLISH = "the white house has a red door."


def rest(panel: TranslatePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.desk.worker.busy and not panel.state.missing, timeout=60_000)


def say(panel: TranslatePanel, text: str, qtbot: QtBot) -> None:
    panel.head.pick(text)
    rest(panel, qtbot)


def click(view: QAbstractScrollArea, place: QPointF, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())
