"""The chooser of heads, and the views of a net that has several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.headed import HEADS, HeadedEngine
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.heads import ALL, MAX, MEAN
from attnviewer.core.lens import maps
from attnviewer.ui.window import Window


@pytest.fixture
def window(make_window: Callable[..., Window], photo: Path, qtbot: QtBot) -> Window:
    made = make_window(HeadedEngine(), {"soft": ("three",)})
    made.opener.open_paths([photo])
    qtbot.waitUntil(lambda: bool(made.panels["image"].state.done) and not made.desk.worker.busy)
    return made


def texts(chooser: object) -> list[str]:
    return [chooser.itemText(index) for index in range(chooser.count())]


def test_the_chooser_offers_mean_maximum_all_and_each_head(window: Window) -> None:
    chooser = window.panel.foot.heads
    assert not chooser.isHidden()
    assert texts(chooser) == [
        "Mean of 3 heads", "Maximum of 3 heads", "All heads, side by side", "Head 0.0", "Head 0.1", "Head 1.0",
    ]  # fmt: skip
    assert chooser.currentData() == MEAN


@pytest.mark.parametrize("head", [MEAN, MAX, *HEADS])
def test_every_view_of_the_image_panel_shows_the_head(window: Window, head: str) -> None:
    panel = window.panel
    panel.foot.heads.setCurrentIndex(panel.foot.heads.findData(head))
    panel.foot.heads.activated.emit(panel.foot.heads.currentIndex())
    weights = panel.state.traces["soft"].weights
    wanted = {MEAN: weights.mean(axis=1), MAX: weights.max(axis=1)}.get(head)
    wanted = weights[:, HEADS.index(head)] if wanted is None else wanted
    np.testing.assert_allclose(maps(panel.state.trace), wanted, atol=1e-6)
    np.testing.assert_allclose(maps(panel.result()[0]), wanted, atol=1e-6)
    for word in range(panel.player.count):
        panel.player.go(word)
    assert panel.foot.heads.currentData() == head


def test_all_heads_stand_side_by_side_and_a_click_chooses_one(window: Window, qtbot: QtBot) -> None:
    panel = window.panel
    panel.choose_head(ALL)
    column = panel.stages.columns["soft"]
    assert (column.heads.isHidden(), column.stage.isHidden()) == (False, True)
    assert column.heads.heads == HEADS
    qtbot.waitUntil(lambda: column.heads.width() > 100)
    column.heads.grab()
    where = column.heads.box(1).center()
    qtbot.mouseClick(column.heads, Qt.MouseButton.LeftButton, pos=QPoint(int(where.x()), int(where.y())))
    assert panel.state.head == "0.1"
    assert (column.heads.isHidden(), column.stage.isHidden()) == (True, False)


def test_the_translation_shows_the_head_in_links_and_matrix(window: Window, qtbot: QtBot) -> None:
    window.show_panel("translate")
    panel = window.panel
    panel.translate("El perro corre mucho")
    qtbot.waitUntil(lambda: panel.state.settled and panel.state.count == 3)
    assert not panel.stage.chooser.isHidden()
    weights = panel.state.traces["translate-soft"].weights
    for head, wanted in ((MAX, weights.max(axis=1)), ("1.0", weights[:, 2]), (MEAN, weights.mean(axis=1))):
        panel.choose_head(head)
        np.testing.assert_allclose(panel.stage.matrix.maps, wanted, atol=1e-6)
        np.testing.assert_allclose(panel.stage.columns["soft"].links.maps, wanted, atol=1e-6)
    panel.choose_head(ALL)
    assert (panel.stage.heads.isHidden(), panel.stage.matrix.isHidden()) == (False, True)
    panel.stage.heads.grab()
    assert panel.result()[0].heads == HEADS


def test_a_net_of_one_head_has_no_chooser(make_window: Callable[..., Window], photo: Path, qtbot: QtBot) -> None:
    made = make_window()
    made.opener.open_paths([photo])
    qtbot.waitUntil(lambda: bool(made.panel.state.done))
    assert made.panel.foot.heads.isHidden()
