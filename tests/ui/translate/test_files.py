"""A text file on the translate panel: its lines are translated one after the other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from attnviewer.ui.installed import sentences
from attnviewer.ui.panels.translate.head import TranslateHead
from attnviewer.ui.window import Window


def dropped(path: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    return mime


def test_the_lines_of_a_file_are_translated_one_after_the_other(window: Window, tmp_path: Path) -> None:
    (tmp_path / "dos.txt").write_text("Mi casa es tu casa.\n\nQuiero un vaso de agua.\n")
    window.show_panel("translate")
    window._take(dropped(tmp_path / "dos.txt"))
    assert window.desk.board.key == "translate"
    assert window.panel.state.sentence == "Mi casa es tu casa."
    assert window.status.message.text() == "line 1 of 2; Page Up and Page Down go on"
    window.commands()["set_on"]()
    assert window.panel.state.sentence == "Quiero un vaso de agua."
    window.commands()["set_on"]()
    assert window.panel.state.sentence == "Mi casa es tu casa."


def test_a_file_without_words_is_left_to_others(window: Window, tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("\n\n")
    assert not window.panels["translate"].take_file(tmp_path / "none.txt")


def test_a_sample_sentence_has_its_words_in_english_below(qtbot: QtBot) -> None:
    head = TranslateHead(sentences())
    qtbot.addWidget(head)
    head.show_sentence("La casa blanca tiene una puerta roja.")
    assert head.gloss.text() == "Word by word: the house white has a door red"
    head.show_sentence("Otra cosa.")
    assert head.gloss.isHidden()
