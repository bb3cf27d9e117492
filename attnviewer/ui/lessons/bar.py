"""The bar of a lesson: it stays above every panel, asks before it shows, and tells what was seen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.lessons.stops import Stop
from attnviewer.ui.controls import button, column, label, refresh, row

ANSWERS = 300  # width of the column of answers


class LessonBar(QFrame):
    """One stop: text and question at the left, answers at the right; then what was seen.

    Signals
    -------
    answered(int) : an answer was chosen, from 0.
    moved(int) : the next stop is wanted (1), or the one before (-1).
    left() : enough for now.
    """

    answered = Signal(int)
    moved = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lessonbar")
        self.setAccessibleName(tr("Lesson"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.progress, self.title = label("", "muted"), label("", "value")
        self.text, self.asks = label("", "lesson", wrap=True), label("", "asks", wrap=True)
        self.own, self.verdict = label("", "muted", wrap=True), label("", "asks", wrap=True)
        self.answers: list[QPushButton] = []
        self.back = button(tr("Back"), tr("The stop before"), lambda: self.moved.emit(-1))
        self.next = button(tr("Next"), tr("The next stop"), lambda: self.moved.emit(1), look="accent")
        self.close_ = button("×", tr("Leave the lesson; Learn knows where you were"), self.left.emit, look="bare",
                             name=tr("Leave"))  # fmt: skip
        self._answers = QVBoxLayout()
        self._answers.setSpacing(4)
        self._lay_out()

    def _lay_out(self) -> None:
        head = row(self.progress, self.title, 1, self.back, self.next, self.close_, spacing=10)
        told, body = QWidget(), row(spacing=16)
        told.setLayout(column(self.verdict, self.text, self.asks, self.own, 1, spacing=4))
        body.addWidget(told, 1)
        side = QWidget()
        side.setFixedWidth(ANSWERS)
        self._answers.setContentsMargins(0, 0, 0, 0)
        side.setLayout(self._answers)
        body.addWidget(side, 0, Qt.AlignmentFlag.AlignTop)
        rows = column(spacing=4, margins=(16, 6, 12, 8))
        rows.addLayout(head)
        rows.addLayout(body)
        self.setLayout(rows)
        self._side = side

    def show_stop(self, stop: Stop, at: int, count: int) -> None:
        """Tell a stop and ask its question; `at` counts from 0."""
        self.progress.setText(tr("{at} of {count}", at=at + 1, count=count))
        self.progress.setVisible(count > 1)
        self.title.setText(stop.title)
        self.text.setText(stop.text)
        self.asks.setText(stop.asks)
        self.asks.show()
        self.verdict.hide()
        self._side.show()
        self.own.hide()
        self.back.setEnabled(at > 0)
        self.next.setText(tr("Next") if at + 1 < count else tr("Finish"))
        self.next.setProperty("look", "")
        refresh(self.next)
        self._ask(stop.answers)
        self.setAccessibleDescription(f"{stop.title}. {stop.text} {stop.asks}")

    def _ask(self, answers: tuple[str, ...]) -> None:
        for old in self.answers:
            self._answers.removeWidget(old)
            old.deleteLater()
        self.answers = []
        for number, answer in enumerate(answers):
            made = button(answer.replace("&", "&&"), tr("Predict this"), partial(self.answered.emit, number),
                          look="answer", name=answer)  # fmt: skip
            made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.answers.append(made)
            self._answers.addWidget(made)

    def show_reveal(self, verdict: str, text: str, *, waiting: bool = False) -> None:
        """Tell what was seen, once it has been measured; the answers make room for the panel."""
        self.asks.hide()
        self._side.hide()
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))
        self.text.setText(text)
        self.next.setProperty("look", "" if waiting else "accent")
        refresh(self.next)
        self.setAccessibleDescription(f"{verdict} {text}")
        self.next.setFocus()

    def show_own(self, text: str) -> None:
        """Say on whose material the stop runs."""
        self.own.setText(text)
        self.own.setVisible(bool(text))

    def set_large(self, on: bool) -> None:
        """Letters for a hall, or for a desk."""
        for part in (self.text, self.asks, self.verdict, self.title):
            part.setProperty("grown", "true" if on else "")
            refresh(part)
        self._side.setFixedWidth(ANSWERS * (2 if on else 1))
        self._side.setProperty("grown", "true" if on else "")
        for made in self.answers:
            made.setProperty("grown", "true" if on else "")
            refresh(made)
