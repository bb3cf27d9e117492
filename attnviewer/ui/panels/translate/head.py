"""The head of the translate panel: the sentence, samples and recent ones, and what is wrong with it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QCompleter, QFrame, QMenu, QToolButton, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.sentence import tokenize
from attnviewer.ui.controls import button, column, label, named, row, without_state
from attnviewer.ui.installed import Sentence
from attnviewer.ui.widgets.ownwords import TextField

MOST, WIDE, RECENT = 200_000, 460, 8
HINT = later("Type a Spanish sentence")
TIP = later("A sentence in Spanish; Enter translates it (Ctrl+L)")


class TranslateHead(QFrame):
    """A line to type in; nothing that is typed is read as markup.

    Signals
    -------
    entered(str) : the user wants this sentence translated.
    """

    entered = Signal(str)

    def __init__(self, samples: tuple[Sentence, ...]) -> None:
        super().__init__()
        self.setObjectName("head")
        self._samples, self._past = samples, QStringListModel(self)
        self.field = named(TextField(), tr("Spanish sentence"), TIP)
        self.field.setPlaceholderText(tr(HINT))
        self.field.setMaxLength(MOST)
        self.field.setClearButtonEnabled(True)
        for clear in self.field.findChildren(QToolButton):
            named(clear, tr("Clear"), tr("Empty the field"))
        self.field.setCompleter(self._completer())
        self.go = button(tr("Translate"), tr("Translate the sentence (Enter)"), self._enter, look="accent")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.samples = button(tr("Sentences"), tr("Sentences to try, and those translated last"), glyph="samples")
        self.samples.setMenu(self.menu)
        self.gloss = label("", "muted", wrap=True)
        self.gloss.setAccessibleName(tr("Word by word in English"))
        self.gloss.hide()
        self.fault = label("", "error", wrap=True)
        self.fault.hide()
        line = QWidget()
        line.setLayout(row(self.field, self.go, self.samples))
        self.setLayout(column(line, self.gloss, self.fault, spacing=6, margins=(16, 10, 16, 10)))
        self.field.textChanged.connect(self._enable)
        self.field.returnPressed.connect(self._enter)
        self._enable()
        self.show_history(())

    def _completer(self) -> QCompleter:
        made = QCompleter(self._past, self)
        made.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        return made

    def _enable(self, *_: str) -> None:
        self.go.setEnabled(bool(tokenize(self.field.text())))
        words = next((sample.gloss for sample in self._samples if sample.text == self.field.text()), "")
        self.gloss.setText(tr("Word by word: {words}", words=words) if words else "")
        self.gloss.setVisible(bool(words))

    def _enter(self) -> None:
        if self.go.isEnabled():
            self.entered.emit(self.field.text())

    def edit(self) -> None:
        """Let the user type another sentence."""
        self.field.setFocus()
        self.field.selectAll()

    def pick(self, text: str) -> None:
        """Take a sentence as if it had been typed and entered."""
        self.show_sentence(text)
        self._enter()

    def show_sentence(self, text: str) -> None:
        """Show a sentence without asking for its translation."""
        self.field.setText(text)
        self.field.setCursorPosition(0)

    def show_fault(self, text: str) -> None:
        """Say what is wrong in a line below the field; "" takes it away."""
        self.fault.setText(f"⚠ {text[:1].upper()}{text[1:]}" if text else "")
        self.fault.setVisible(bool(text))

    def show_history(self, history: tuple[str, ...]) -> None:
        """Offer the samples and the recent sentences."""
        if self._past.stringList() != list(history):
            self._past.setStringList(list(history))
        self.menu.clear()
        for sample in self._samples:
            self._add(sample.text, f"{sample.text} ({sample.shows})", sample.shows)
        if history:
            self.menu.addSeparator()
            self.menu.addAction(tr("Recent")).setEnabled(False)
        for text in history[:RECENT]:
            self._add(text, text)
        self.samples.setEnabled(not self.menu.isEmpty())

    def _add(self, text: str, tip: str, shows: str = "") -> None:
        short = QFontMetrics(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, WIDE)
        action = self.menu.addAction(f"{short}\t{shows}".rstrip("\t").replace("&", "&&"))
        action.setToolTip(tip)
        action.triggered.connect(without_state(partial(self.pick, text)))
