"""The page with the beam's tree."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.matter_engine import MatterEngine
from helpers.translating import SENTENCE, say
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.ui.widgets.branches import Branches
from attnviewer.ui.widgets.growth import FAINT, Branch
from attnviewer.ui.window import Window


@pytest.fixture
def seen(make_window: Callable[..., Window], qtbot: QtBot) -> Window:
    window = make_window(MatterEngine())
    window.show_panel("translate")
    say(window.panel, SENTENCE, qtbot)
    window.panel.side.beam.click()
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    return window


def test_the_tree_shows_what_was_kept_and_dropped(seen: Window) -> None:
    page = seen.panel.beam
    assert page.isVisible()
    assert "it dropped 2 at once" in page.says.text()
    texts = [branch.text for branch in page.tree.branches]
    assert texts == ["the", "house", "(end)", "home", "a"]
    assert [branch.text for branch in page.tree.branches if branch.look == FAINT] == ["home", "a"]
    page.all.setChecked(False)
    assert [branch.text for branch in page.tree.branches] == ["the", "house", "(end)"]


def test_a_node_puts_its_text_on_the_clock(seen: Window, qtbot: QtBot) -> None:
    taken = []
    seen.panel.beam.chosen.connect(lambda words, whole: taken.append((words, whole)))
    seen.panel.beam.tree.pick(3)
    seen.panel.beam.tree.pick(2)
    assert taken == [(("the", "home"), False), (("the", "house"), True)]


def test_the_tree_is_saved_as_picture_and_data(seen: Window) -> None:
    made = seen.panel.makes()
    assert made is not None
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".json": b'{"schema"', ".csv": b"node,parent"}
    assert {suffix: made.forms[suffix]()[: len(start)] for suffix, start in starts.items()} == starts


def test_b_closes_what_b_opened(seen: Window) -> None:
    seen.panel.show_beam()
    assert not seen.panel.beam.isVisible()


def test_one_page_at_a_time(seen: Window, qtbot: QtBot) -> None:
    seen.panel.doubt()
    qtbot.waitUntil(lambda: not seen.desk.worker.busy)
    assert not seen.panel.beam.isVisible()
    assert seen.panel.matter.isVisible()


def test_another_sentence_closes_the_tree(seen: Window, qtbot: QtBot) -> None:
    say(seen.panel, "Mi hermana vive.", qtbot)
    assert not seen.panel.beam.isVisible()


@pytest.fixture
def tree(qtbot: QtBot) -> Branches:
    made = Branches("tree", "a tree")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show_branches([Branch(-1, "a"), Branch(0, "b"), Branch(1, "c"), Branch(0, "d"), Branch(-1, "e")], 0)
    made.show()
    return made


def test_the_first_way_is_straight_and_others_stand_right_below(tree: Branches) -> None:
    places = [(round(tree.box(n).x()), round(tree.box(n).y())) for n in range(5)]
    assert places[0][1] == places[1][1] == places[2][1]
    assert places[3][0] == places[1][0]
    assert places[3][1] == places[4][1] > places[0][1]


def test_no_two_nodes_overlap(tree: Branches) -> None:
    boxes = [tree.box(n) for n in range(5)]
    assert not any(one.intersects(other) for n, one in enumerate(boxes) for other in boxes[:n])


def test_arrow_keys_walk_and_enter_takes(tree: Branches, qtbot: QtBot) -> None:
    walked = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Down):
        qtbot.keyClick(tree, key)
        walked.append(tree.current)
    assert walked == [1, 3, 0, 4]
    with qtbot.waitSignal(tree.picked) as taken:
        qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert taken.args == [4]


def test_zoom_has_ends(tree: Branches) -> None:
    for _ in range(30):
        tree.zoom(1.5)
    assert tree.transform().m11() == pytest.approx(2)
    tree.whole()
    assert tree.transform().m11() <= 1
