"""Views of the Transformer panel: controls that scroll, and what was measured of heads."""

from __future__ import annotations

from itertools import pairwise

from pytestqt.qtbot import QtBot

from attnviewer.core.habits import Habit
from attnviewer.ui.panels.transformer.panel import TransformerPanel


def test_controls_of_the_change_view_scroll_in_a_small_window_and_never_lie_over_each_other(
    panel: TransformerPanel, qtbot: QtBot
) -> None:
    panel.window().resize(960, 640)
    panel.choose_view("change")
    view = panel.views["change"]
    page = view.switches.parentWidget()
    qtbot.waitUntil(lambda: page.height() >= page.layout().minimumSize().height())
    boxes = [page.layout().itemAt(at).geometry() for at in range(page.layout().count())]
    assert all(one.bottom() < other.top() for one, other in pairwise(boxes[:-1]))
    assert all(page.width() >= box.geometry().right() for box in view.flags.values())


def test_what_was_measured_of_heads_stands_below_their_maps_with_a_bar_for_the_loss(panel: TransformerPanel) -> None:
    panel.state.habits = {"encoder:0.0": Habit("next", 0.5, 0.4), "encoder:1.2": Habit("mixed", 0.7, -0.2)}
    panel.choose_view("glance")
    view = panel.views["glance"]
    assert view.grid.names == [["next token", "", ""], ["", "", ""]]
    assert [view.grid.worth(0, 0), view.grid.worth(1, 2), view.grid.worth(1, 0)] == [1.0, 0.0, None]
    assert view.grid.tip(0, 0) == "Layer 0, head 0: next token gets 50% of its weight; BLEU without it −0.40"
    assert view.grid.tip(1, 2) == "Layer 1, head 2: no one thing gets most of its weight; BLEU without it +0.20"
    panel.choose_head(0, 0)
    assert view.known.text().startswith("Measured, head 0.0: next token gets 50%")
    panel.choose_head(0, 1)
    assert view.known.isHidden()
