"""The window in Chinese, walked through with the models that ship: what models say, names and few words are left.

Another language is known by what it lacks: a sentence in English that no catalogue holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from attnviewer.app import model_thread
from attnviewer.core.explore.texts import shipped
from attnviewer.core.request import DEVICES
from attnviewer.core.speech import speaking
from attnviewer.runs.engine import Engine
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import look_around
from attnviewer.ui.panels.query import side
from attnviewer.ui.panels.query import state as query
from attnviewer.ui.panels.transformer import context
from attnviewer.ui.panels.transformer import state as attend
from attnviewer.ui.panels.transformer.views import VIEWS
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")  # without a screen
WORD = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’-]+")
STAYS = """
    attnviewer BLEU MLP CNN RNN RGB TF-IDF Transformer softmax logit rollout Show Attend and Tell
    exp log max tanh sigmoid floor KL TB Inferno Viridis Cividis Language English MIT eflomal ImageNet COCO
    Flickr Tatoeba
"""  # what has no other name, signs of formulas, proper names
KEYS = "Ctrl Shift Esc Home End Page Up Down PgUp PgDown Left Right Space"
FORMATS = "png svg pdf gif mp html csv json npz toml txt md"
PAPERS = r"出处：[^<\n]*|[zspβ]_\w+|P\(y [^)]*|v'tanh|…|\w+…|[A-Z][a-z]+ (et al\. |(&|&amp;) [A-Z][a-z]+ )?\d{4}"
NAMES = r"(es-en|caption|all|stage)-?[\w.-]+|efficientnet_lite\d|stem|(Apache|CC-BY|PDDL)-[\d.]+|--\w+|\de-\d"
MARKUP = r"<[^>]*>|&[a-z#0-9]+;"
LEFT_OUT = re.compile("|".join((PAPERS, NAMES, MARKUP)), re.IGNORECASE)


@pytest.fixture
def heard() -> set[str]:
    """The words of all that the model thread told, and of what it was asked."""
    return set()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, heard: set[str]) -> Iterator[Window]:
    """A window that speaks Chinese, with the models and samples that ship."""
    with speaking("zh"):
        worker = Worker(lambda: Engine(device="cpu"), model_thread)
        worker.happened.connect(lambda event: heard.update(words_in(event)))
        made = Window(Desk(worker, Settings(tmp_path / "settings.ini"), look_around()))
        qtbot.addWidget(made)
        made.show()
        yield made
        worker.close()


def words_in(told: Any) -> Iterator[str]:
    """The words of all texts in a thing of tuples, mappings and dataclasses."""
    if isinstance(told, str):
        yield from WORD.findall(told)
    elif isinstance(told, Mapping):
        yield from (word for pair in told.items() for word in words_in(pair))
    elif isinstance(told, (tuple, list, set, frozenset)):
        yield from (word for one in told for word in words_in(one))
    elif is_dataclass(told):
        yield from (word for field in fields(told) for word in words_in(getattr(told, field.name)))


def said_by(widget: QWidget) -> Iterator[str]:
    """All that a widget tells people: text, tooltip, hint, its name and description for screen readers."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, (QLabel, QAbstractButton)):
        yield widget.text()
    if isinstance(widget, (QLineEdit, QPlainTextEdit)):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(index) for index in range(widget.count()))
    if isinstance(widget, QTableWidget):
        cells = [widget.horizontalHeaderItem(column) for column in range(widget.columnCount())]
        yield from (cell.text() for cell in cells if isinstance(cell, QTableWidgetItem))
    for action in widget.actions():
        yield from of_action(action)


def of_action(action: QAction) -> Iterator[str]:
    """What a row of a menu says, and the rows below it."""
    yield from (action.text(), action.toolTip())
    menu = action.menu()
    for one in menu.actions() if menu is not None else ():
        yield from of_action(one)


def settle(window: Window, qtbot: QtBot) -> None:
    """Wait until nothing runs and nothing is about to."""
    qtbot.wait(250)
    qtbot.waitUntil(lambda: not window.desk.worker.busy, timeout=120_000)
    qtbot.wait(100)


def walk(window: Window, qtbot: QtBot) -> Iterator[tuple[str, str, str]]:
    """Go through panels, views, experiments and sheets; what all widgets say, each time."""

    def now(place: str) -> Iterator[tuple[str, str, str]]:
        settle(window, qtbot)
        for one in window.findChildren(QWidget):
            yield from ((place, type(one).__name__, text) for text in said_by(one) if text)

    window.opener.open_sample(window.desk.installed.samples[0])
    yield from now("image")
    window.sheet.toggle()
    window.rail.show_about()
    yield from now("sheets")
    window.sheet.toggle()
    for key in list(window.panels)[1:]:
        window.show_panel(key)
        yield from now(key)
    panel: Any = window.panels["transformer"]
    window.show_panel("transformer")
    for view in VIEWS:
        panel.choose_view(view.key)
        yield from now(f"transformer {view.key}")
    panel = window.panels["foundations"]
    window.show_panel("foundations")
    for name in ("conv", "field", "documents", "rnn"):
        panel.choose(name)
        yield from now(f"foundations {name}")


def test_no_english_sentence_is_left(window: Window, qtbot: QtBot, heard: set[str]) -> None:
    told = [text for _, _, text in walk(window, qtbot)]
    installed = window.desk.installed
    given = (installed.samples, installed.sentences, shipped(), attend.SAMPLES, attend.SPANISH, context.EXAMPLES,
             side.SAMPLES, query.SENTENCE, query.LINES_SAMPLE)  # fmt: skip
    shown = {word.lower() for word in words_in(given)}
    known = {word.lower() for word in (*f"{STAYS} {KEYS} {FORMATS}".split(), *heard)} | shown | set(DEVICES)
    left = {word: text[:80] for text in told for word in WORD.findall(LEFT_OUT.sub(" ", text))}
    assert {word: text for word, text in left.items() if word.lower() not in known} == {}


def test_the_list_of_what_stays_english_is_short() -> None:
    assert len(STAYS.split()) <= 40
