"""What is typed into the translate panel: any text, samples, recent sentences, and the run it starts."""

from __future__ import annotations

import threading

import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import ENGLISH, SENTENCE, rest, say
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from attnviewer.core.errors import UserError
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed, Sentence
from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.panels.translate.state import HISTORY, TranslateState
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker


def test_it_is_the_second_panel(window: Window, qtbot: QtBot) -> None:
    assert list(window.panels)[:3] == ["image", "translate", "query"]
    for key, name in (("3", "query"), ("2", "translate")):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert window.panel is window.panels[name]


def test_enter_translates(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    qtbot.keyClicks(panel.head.field, SENTENCE)
    assert engine.asked == []
    qtbot.keyClick(panel.head.field, Qt.Key.Key_Return)
    rest(panel, qtbot)
    assert [request.sentence for request in engine.asked] == [SENTENCE]
    assert panel.side.text.text() == ENGLISH


def test_a_text_on_the_clipboard_is_translated(
    window: Window, panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine
) -> None:
    QGuiApplication.clipboard().setText(" El perro\n duerme.\n")
    window.paste()
    rest(panel, qtbot)
    assert panel.head.field.text() == engine.asked[-1].sentence == "El perro duerme."
    assert window.panel is panel


def test_photos_are_offered_where_they_are_shown_and_one_that_is_pasted_is_seen(
    window: Window, panel: TranslatePanel
) -> None:
    sources = (window.toolbar.open, window.toolbar.paste, window.toolbar.samples)
    assert all(part.isHidden() for part in sources)
    image = QImage(30, 20, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.red)
    QGuiApplication.clipboard().setImage(image)
    window.paste()
    assert window.panel is window.panels["image"]
    assert (window.desk.picture.width, window.desk.picture.height) == (30, 20)
    assert not any(part.isHidden() for part in sources[:2])


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u0007"])
def test_without_a_word_there_is_nothing_to_press(
    panel: TranslatePanel, engine: TranslateEngine, qtbot: QtBot, text: str
) -> None:
    panel.head.field.setText(text)
    assert not panel.head.go.isEnabled()
    qtbot.keyClick(panel.head.field, Qt.Key.Key_Return)
    assert engine.asked == []


@pytest.mark.parametrize(
    "text",
    ["...", "¿?¡!", "🐕🐕 perro", "שלום עולם", "123 4,5", "uno\ndos\r\ntres", "<end> <b>casa</b> &amp;", "a" * 3000,
     "CASA " * 200],
)  # fmt: skip
def test_any_text_is_translated_as_plain_text(panel: TranslatePanel, qtbot: QtBot, text: str) -> None:
    say(panel, text, qtbot)
    trace = panel.state.trace
    assert trace is not None
    assert panel.head.fault.isHidden()
    assert panel.stage.columns["soft"].links.source.words == panel.state.words
    assert not panel.window().grab().isNull()
    assert panel.side.text.textFormat() == Qt.TextFormat.PlainText


def test_markup_is_shown_letter_by_letter(panel: TranslatePanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "attnviewer.ui.widgets.wordscroll.QToolTip.showText", lambda _where, text, _on: told.append(text)
    )
    say(panel, "<b>casa</b>", qtbot)
    links = panel.stage.columns["soft"].links
    links.tell(QPoint(0, 0), (links.target.box(0).center() + links._shift).toPoint())
    assert told[0].startswith("<span>&lt;b&gt;: &lt;b&gt; ")
    assert panel.side.text.text() == panel.state.trace.text


def test_too_many_words_are_told_in_a_line_and_not_remembered(
    panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine, settings: Settings
) -> None:
    say(panel, "casa " * 501, qtbot)
    assert "501 words" in panel.head.fault.text()
    assert engine.asked == []
    assert settings["translated"] == ()
    say(panel, "la casa", qtbot)
    assert panel.head.fault.isHidden()


def test_what_the_engine_refuses_is_told_in_a_line(
    panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine
) -> None:
    def refuse(word: int) -> None:
        if word == 2:
            raise UserError("the memory of the device is full; choose the CPU.")

    engine.before = refuse
    say(panel, SENTENCE, qtbot)
    assert panel.head.fault.text() == "⚠ The memory of the device is full; choose the CPU."
    assert len(panel.state.trace.steps) == 2


def test_the_newest_sentence_wins(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick("el perro duerme")
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    panel.head.pick("la casa")
    gate.set()
    rest(panel, qtbot)
    assert panel.state.trace.words == ("the", "house")


def test_words_come_while_the_model_still_writes(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda word: gate.wait(5) if word == 3 else None
    panel.head.pick(SENTENCE)
    links = panel.stage.columns["soft"].links
    qtbot.waitUntil(lambda: links.target.words == ("the", "white", "house"))
    assert links.source.words == panel.state.words
    assert panel.player.word == 2
    gate.set()
    rest(panel, qtbot)


def test_recent_sentences_come_back(
    done: TranslatePanel, qtbot: QtBot, settings: Settings, engine: TranslateEngine
) -> None:
    for text in ('el perro, "mi" <b>perro</b>', "la casa", SENTENCE):
        say(done, text, qtbot)
    assert settings["translated"] == (SENTENCE, "la casa", 'el perro, "mi" <b>perro</b>')
    worker = Worker(lambda: engine)
    again = TranslatePanel(Desk(worker, settings, Installed()))
    qtbot.addWidget(again)
    assert again.head.field.text() == SENTENCE
    assert [action.text() for action in again.head.menu.actions()][-2] == "la casa"
    assert worker.close()


def test_only_so_many_sentences_are_remembered() -> None:
    state = TranslateState(("soft",))
    for number in range(HISTORY + 5):
        state.take(f"frase {number}")
        state.remember()
    assert len(state.history) == HISTORY
    assert state.history[0] == f"frase {HISTORY + 4}"


def test_a_sample_is_a_click_away_and_the_first_is_there_at_once(
    settings: Settings, qtbot: QtBot, engine: TranslateEngine
) -> None:
    worker = Worker(lambda: engine)
    samples = (Sentence("la casa & el perro", "an ampersand"), Sentence("el perro", "two words"))
    panel = TranslatePanel(Desk(worker, settings, Installed(sentences=samples)))
    qtbot.addWidget(panel)
    panel.show()
    rest(panel, qtbot)
    assert engine.asked[0].sentence == samples[0].text
    assert panel.head.menu.actions()[0].text() == "la casa && el perro\tan ampersand"
    panel.head.menu.actions()[1].trigger()
    rest(panel, qtbot)
    assert panel.side.text.text() == "the dog"
    assert worker.close()


def test_nothing_is_asked_while_another_panel_is_in_sight(
    settings: Settings, qtbot: QtBot, engine: TranslateEngine
) -> None:
    worker = Worker(lambda: engine)
    panel = TranslatePanel(Desk(worker, settings, Installed(sentences=(Sentence("la casa", ""),))))
    qtbot.addWidget(panel)
    panel.choose_mode("none")
    assert not worker.busy
    assert worker.close()


def test_letters_typed_in_the_field_are_no_shortcuts(panel: TranslatePanel, qtbot: QtBot) -> None:
    panel.head.field.setFocus()
    qtbot.keyClicks(panel.head.field, "nlcsx ")
    assert panel.head.field.text() == "nlcsx "
    assert panel.state.mode == "soft"
    assert not panel.state.shuffling


def test_what_runs_already_is_not_asked_again(
    panel: TranslatePanel, window: Window, qtbot: QtBot, engine: TranslateEngine
) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick(SENTENCE)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    window.show_panel("image")
    window.show_panel("translate")
    panel.choose_mode("compare")
    gate.set()
    rest(panel, qtbot)
    assert [request.attention for request in engine.asked] == ["soft", "none"]


def test_after_a_stop_a_mode_can_be_chosen_again(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick(SENTENCE)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    panel.desk.worker.cancel()
    gate.set()
    panel.choose_mode("none")
    panel.choose_mode("soft")
    rest(panel, qtbot)
    assert panel.side.text.text() == ENGLISH
