"""Reading the window otherwise: by a screen reader, by keyboard, with weak eyes, or as a newcomer to its terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import SENTENCE, say
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QPalette
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from attnviewer.core.terms import explained, found_in, terms
from attnviewer.ui.controls import Label, label
from attnviewer.ui.panels import PANELS
from attnviewer.ui.tabbing import in_order, reading_order
from attnviewer.ui.theme import contrast
from attnviewer.ui.window import Window

MARKUP = re.compile(r"</?[a-z]+[^>]*>|&(amp|lt|gt|quot|#x27);")
PARTS = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value, QAccessible.Text.Help)
KEYS = [spec.key for spec in PANELS]


@pytest.fixture
def read(window: Window, qtbot: QtBot) -> Callable[[str], list[QWidget]]:
    """Shows a panel and gives its widgets, with the window's."""

    def show(key: str) -> list[QWidget]:
        window.show_panel(key)
        qtbot.waitUntil(lambda: not window.desk.worker.busy, timeout=60_000)
        return [one for one in window.findChildren(QWidget) if one.isVisible()]

    return show


@pytest.mark.parametrize("key", KEYS)
def test_screen_readers_get_plain_text(read: Callable[[str], list[QWidget]], key: str) -> None:
    faults = []
    for one in read(key):
        told = QAccessible.queryAccessibleInterface(one)
        faults += [(type(one).__name__, told.text(part)) for part in PARTS if MARKUP.search(told.text(part))]
    assert not faults


@pytest.mark.parametrize("key", KEYS)
def test_what_tab_reaches_has_a_name(read: Callable[[str], list[QWidget]], window: Window, key: str) -> None:
    read(key)
    nameless = [one for one in reading_order(window) if not one.accessibleName()]
    assert not nameless


@pytest.mark.parametrize("key", KEYS)
def test_each_term_that_stands_in_a_panel_is_explained_on_hover(read: Callable[[str], list[QWidget]], key: str) -> None:
    unexplained = []
    for one in read(key):
        text = one.text() if isinstance(one, (QLabel, QAbstractButton)) else ""
        tip = one.tip() if isinstance(one, Label) else one.toolTip()
        plain = re.sub(r"<[^>]*>", "", tip).replace("&#x27;", "'").replace("&quot;", '"')
        unexplained += [(text, term) for term in found_in(text) if explained(term) not in plain]
    assert not unexplained


def test_terms_are_found_as_words_of_their_own() -> None:
    assert found_in("Entropy 4.4 of at most 7.6 bits") == ("entropy", "bits")
    assert found_in("Softmax of scores") == ("score", "softmax")
    assert found_in("gatekeepers and keyboards") == ()
    assert found_in("weight p, |p v|") == ("contribution",)


def test_a_label_tells_what_its_terms_mean(window: Window) -> None:
    made = label("Entropy 4.4 bits")
    assert terms()["entropy"].says.split(".")[0] in made.tip()
    assert label("nothing special").tip() == ""


def over(front: QColor, back: str) -> str:
    """What one sees of a colour over another."""
    ground, alpha = QColor(back), front.alphaF()
    mixed = [round(alpha * a + (1 - alpha) * b) for a, b in zip(front.getRgb()[:3], ground.getRgb()[:3], strict=True)]
    return QColor(*mixed).name()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_placeholders_can_be_read(window: Window, theme: str) -> None:
    window.desk.set_theme(theme)
    fields = [one for kind in (QLineEdit, QPlainTextEdit) for one in window.findChildren(kind)]
    assert len(fields) >= 5
    for one in fields:
        ground = window.desk.tokens.background if isinstance(one, QLineEdit) else window.desk.tokens.surface
        shown = over(one.palette().color(QPalette.ColorRole.PlaceholderText), ground)
        assert contrast(shown, ground) >= 4.5, (one.accessibleName(), shown)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("key", KEYS)
def test_text_can_be_read_in_every_panel(
    read: Callable[[str], list[QWidget]], window: Window, theme: str, key: str
) -> None:
    window.desk.set_theme(theme)
    grounds = (window.desk.tokens.background, window.desk.tokens.surface, window.desk.tokens.stage)
    for one in read(key):
        if isinstance(one, QLabel) and one.text():
            shown = one.palette().color(QPalette.ColorRole.WindowText)
            assert min(contrast(over(shown, back), back) for back in grounds) >= 4.5, one.text()


def place(one: QWidget, window: QWidget) -> QRect:
    return QRect(one.mapTo(window, one.rect().topLeft()), one.size())


@pytest.mark.parametrize("key", KEYS)
def test_tab_goes_through_the_window_as_the_eye_reads(
    read: Callable[[str], list[QWidget]], window: Window, qtbot: QtBot, key: str
) -> None:
    read(key)
    window.resize(1440, 900)
    order = reading_order(window)
    reached = []
    order[-1].setFocus()
    for _ in order:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        reached.append(window.focusWidget())
    assert reached == order
    assert order[0] is window.rail.panels[key]
    siblings = [(a, b) for a, b in pairwise(order) if a.parentWidget() is b.parentWidget()]
    for before, after in siblings:
        first, second = place(before, window), place(after, window)
        assert second.top() > first.top() - first.height() or second.left() > first.left(), (before, after)
        assert second.left() > first.left() or second.top() > first.top(), (before, after)


def test_shift_and_tab_goes_back(window: Window, qtbot: QtBot) -> None:
    order = reading_order(window)
    order[3].setFocus()
    qtbot.keyClick(order[3], Qt.Key.Key_Backtab)
    assert window.focusWidget() is order[2]


def test_boxes_are_read_band_by_band_and_column_by_column() -> None:
    boxes = {"rail": (0, 0, 80, 500), "top": (81, 0, 400, 40), "left": (81, 41, 200, 400), "right": (282, 41, 199, 400),
             "foot": (0, 501, 481, 30)}  # fmt: skip
    named = [(QRect(*box), name) for name, box in reversed(boxes.items())]
    assert in_order(named) == ["rail", "top", "left", "right", "foot"]  # type: ignore[arg-type, comparison-overlap]


def test_links_and_matrix_are_reached_and_say_what_they_hold(make_window: Callable[..., Window], qtbot: QtBot) -> None:
    window = make_window(TranslateEngine())
    window.show_panel("translate")
    say(window.panel, SENTENCE, qtbot)
    views = (window.panel.stage.matrix, next(iter(window.panel.stage.columns.values())).links)
    for view in views:
        assert view in reading_order(window)
        view.setFocus()
        qtbot.keyClick(view, Qt.Key.Key_Down)
        assert view.pointed >= 0
        assert view.accessibleDescription() == view.about(view.pointed) != ""
