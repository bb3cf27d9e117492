from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fake_engine import WORDS, FakeEngine
from helpers.pictures import corners
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QScrollBar, QToolButton
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.image.filmstrip import HIGH
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window

Make = Callable[..., Window]
CONTROLS = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit)


def done(window: Window, qtbot: QtBot, mode: str = "soft") -> None:
    qtbot.waitUntil(lambda: mode in window.panel.state.done)


def test_the_first_launch_shows_the_sample_and_plays(make_window: Make, qtbot: QtBot) -> None:
    window = make_window()
    window.opener.restore()
    done(window, qtbot)
    assert window.panel.player.playing
    assert "Corners" in window.status.message.text()


def test_every_control_has_a_name_and_a_tooltip(window: Window) -> None:
    controls = [one for kind in CONTROLS for one in window.findChildren(kind)]
    bare = [
        one.objectName() or type(one).__name__
        for one in controls
        if not isinstance(one, QScrollBar)
        and not one.objectName().startswith("qt_")
        and (not one.accessibleName().strip() or not one.toolTip().strip())
    ]
    assert len(controls) > 20
    assert bare == []


def test_every_view_follows_the_clock(window: Window) -> None:
    window.panel.player.go(3)
    panel = window.panel
    assert [chip.isChecked() for chip in panel.side.chips.chips].index(True) == 3
    assert next(bar.label for bar in panel.side.bars.bars if bar.chosen) == WORDS[3]
    assert panel.transport.place.text() == f"word 4 of {len(WORDS)}"
    assert panel.side.facts.sentences["gate"].text() == "Gate 0.48 (0: nothing, 1: all)"


def test_a_click_on_a_chip_moves_the_clock(window: Window, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.panel.side.chips.chips[2], Qt.MouseButton.LeftButton)
    assert window.panel.player.word == 2


def test_a_click_on_a_thumbnail_moves_the_clock(window: Window, qtbot: QtBot) -> None:
    strip = window.panel.strip.strip
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.box(1).center().toPoint())
    assert window.panel.player.word == 1


@pytest.mark.parametrize(
    ("key", "word"),
    [(Qt.Key.Key_Right, 1), (Qt.Key.Key_Left, 0), (Qt.Key.Key_End, len(WORDS) - 1), (Qt.Key.Key_Home, 0)],
)
def test_arrows_move_the_clock(window: Window, qtbot: QtBot, key: Qt.Key, word: int) -> None:
    qtbot.keyClick(window, key)
    assert window.panel.player.word == word


def test_space_plays_and_pauses(window: Window, qtbot: QtBot) -> None:
    states = []
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Space)
        states.append(window.panel.player.playing)
    assert states == [True, False]


def test_space_presses_the_button_that_has_the_focus(window: Window, qtbot: QtBot) -> None:
    button = window.panel.transport.last
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert (window.panel.player.word, window.panel.player.playing) == (len(WORDS) - 1, False)


def test_escape_leaves_the_text_field(window: Window, qtbot: QtBot) -> None:
    field = window.panel.side.own.field
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert window.panel.player.playing


def test_letters_typed_into_the_field_are_no_shortcuts(window: Window, qtbot: QtBot) -> None:
    field = window.panel.side.own.field
    field.setFocus()
    qtbot.keyClicks(field, "shc g")
    assert (field.text(), window.panel.state.mode, window.desk.look.smooth) == ("shc g", "soft", True)


@pytest.mark.parametrize(("key", "mode"), [("H", "hard"), ("N", "none"), ("C", "compare")])
def test_a_letter_switches_the_attention(window: Window, qtbot: QtBot, key: str, mode: str) -> None:
    qtbot.keyClicks(window, key)
    qtbot.waitUntil(lambda: not window.panel.state.missing)
    assert window.panel.state.mode == mode
    assert window.panel.player.count == len(WORDS)


def test_switching_back_asks_the_model_nothing(window: Window, qtbot: QtBot) -> None:
    for mode in ("hard", "soft", "hard"):
        window.panel.choose_mode(mode)
        done(window, qtbot, mode)
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    window.panel.choose_mode("soft")
    assert not window.desk.worker.busy
    assert window.panel.player.count == len(WORDS)


def test_only_installed_modes_are_offered(make_window: Make) -> None:
    window = make_window(models={"soft": ("caption-soft",)})
    assert window.panel.tools().keys == ("soft", "compare")
    assert not make_window(models={"none": ("caption-none",)}).panel.tools().modes.isVisible()
    assert "H" not in {key for key in window.panel.commands() if key == "hard"}


def test_several_models_can_be_chosen_from(make_window: Make, photo: Path, qtbot: QtBot, settings: Settings) -> None:
    window = make_window(models={"soft": ("caption-soft", "mine")})
    window.opener.open_paths([photo])
    done(window, qtbot)
    window.panel.choose_model("mine")
    assert window.panel.state.request("soft").model == "mine"
    assert settings["model"] == "mine"
    done(window, qtbot)


def test_compare_shares_one_colour_range(window: Window, qtbot: QtBot) -> None:
    window.panel.choose_mode("compare")
    qtbot.waitUntil(lambda: not window.panel.state.missing)
    window.panel.player.go(1)
    stages = window.panel.stages.columns
    assert tuple(stages["soft"].stage.span) == tuple(stages["hard"].stage.span)
    assert not stages["none"].stage.overlay.isVisible()


def test_own_words_are_measured_and_taken_back(window: Window, qtbot: QtBot) -> None:
    own = window.panel.side.own
    own.field.setText("A zyzzyva, dog!")
    qtbot.mouseClick(own.go, Qt.MouseButton.LeftButton)
    done(window, qtbot)
    trace = window.panel.state.trace
    assert (trace.words, all(trace.forced)) == (("a", "zyzzyva", "dog"), True)
    assert "(?)" in window.panel.side.chips.chips[1].text()
    assert "log-probability" in own.sum.text()
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    done(window, qtbot)
    assert window.panel.state.trace.words == WORDS


def test_punctuation_alone_is_no_caption(window: Window) -> None:
    window.panel.hands.measure("?! ...")
    assert "no words" in window.status.message.text()
    assert window.panel.state.words is None


def test_hovering_tells_the_share_of_a_place(window: Window) -> None:
    window.panel.stages.columns["soft"].stage.hover(100)
    assert window.panel.strip.strip.location == 100
    assert "Row 7, column 2" in window.panel.side.here.text()
    window.panel.stages.columns["soft"].stage.hover(-1)
    assert "Point at" in window.panel.side.here.text()


def test_the_legend_marks_the_uniform_level(window: Window) -> None:
    legend = window.panel.lookbar.legend
    assert 0 < legend.mark() < legend.width() / 3
    assert legend.uniform == pytest.approx(1 / 196)


def test_one_range_for_all_words_unless_asked(window: Window) -> None:
    legend, tops = window.panel.lookbar.legend, []
    for per_word in (False, True):
        window.desk.set_look(per_word=per_word)
        for word in (0, 2):
            window.panel.player.go(word)
            tops.append(legend.top)
    assert tops[0] == tops[1]
    assert tops[2] != tops[3]


def test_g_and_minus_change_the_look(window: Window, qtbot: QtBot) -> None:
    before = window.desk.look.opacity
    qtbot.keyClicks(window, "g-")
    assert not window.desk.look.smooth
    assert window.desk.look.opacity == pytest.approx(before - 0.1)


def test_a_file_that_is_no_image_leaves_the_last_photo(window: Window, tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_text("<html>")
    picture = window.desk.picture
    assert not window.opener.open_paths([tmp_path / "x.jpg"])
    assert window.desk.picture is picture
    assert "web page" in window.status.message.text()
    assert window.status.message.text().startswith("⚠")


def test_a_failed_run_leaves_the_photo_and_says_why(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    window = make_window(FakeEngine(fail_at=2))
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "memory" in window.status.message.text())
    assert window.desk.picture is not None
    assert not window.status.stop.isVisible()


def test_a_new_photo_replaces_a_running_caption(make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot) -> None:
    go_on = threading.Event()
    window = make_window(FakeEngine(before=lambda index: index and go_on.wait(5)))
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: window.panel.player.count == 1)
    other = tmp_path / "other.png"
    Image.fromarray(corners(30, 60)).save(other)
    window.opener.open_paths([other])
    go_on.set()
    done(window, qtbot)
    assert window.panel.state.trace.source.width == 30


def test_escape_stops_the_run_and_the_words_stay(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    go_on = threading.Event()
    window = make_window(FakeEngine(before=lambda index: index > 1 and go_on.wait(5)))
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: window.panel.player.count == 2)
    assert window.status.stop.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    go_on.set()
    assert "Stopped" in window.status.message.text()
    assert (window.panel.player.count, window.status.stop.isVisible()) == (2, False)


def test_closing_while_the_model_runs_ends_well(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    window = make_window(FakeEngine(delay=0.05))
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: window.panel.player.count > 0)
    window.close()
    assert window.desk.worker.close()


def test_presenter_mode_shows_the_stage_alone(window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert not window.toolbar.isVisible()
    assert window.panel.subtitle.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.toolbar.isVisible()
    assert not window.panel.subtitle.isVisible()


def test_f1_shows_the_keys_that_work_now(window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert window.sheet.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.sheet.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_changes_at_once(window: Window, theme: str) -> None:
    window.desk.set_theme(theme)
    ground = window.panel.stages.columns["soft"].stage.backgroundBrush().color().name()
    assert ground == window.desk.tokens.stage


def test_marked_up_words_are_shown_letter_by_letter(window: Window, qtbot: QtBot) -> None:
    window.panel.hands.measure("<b>dog</b>")
    done(window, qtbot)
    assert "<b>" not in window.panel.side.chips.chips[0].toolTip()
    window.panel.subtitle.show_trace(window.panel.state.trace)
    assert "<b>dog" not in window.panel.subtitle.text()


@pytest.mark.parametrize("size", [(960, 640), (1440, 900), (3840, 2160)])
def test_nothing_is_cut_off(window: Window, size: tuple[int, int]) -> None:
    window.resize(*size)
    assert (window.width(), window.height()) == size
    buttons = [one for one in window.findChildren(QAbstractButton) if one.isVisible() and one.text()]
    narrow = [
        one.text()
        for one in buttons
        if one.width() < one.minimumSizeHint().width() and not isinstance(one, QToolButton)
    ]
    assert narrow == []
    assert window.panel.strip.strip.box(0).height() == HIGH
