"""Small makers of controls, so that each has a name for screen readers, a tooltip and the same manners."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from attnviewer.core.i18n import tr
from attnviewer.core.modes import MODES
from attnviewer.core.terms import explained, found_in

PADDING = 12  # of a segment, as in the style sheet
W = TypeVar("W", bound=QWidget)
B = TypeVar("B", bound=QBoxLayout)


def plain(text: str) -> str:
    """Text for a tooltip: shown letter by letter, never read as markup."""
    return f"<span>{html.escape(text)}</span>"


def named(widget: W, name: str, tip: str) -> W:
    """Give a control its name for screen readers and its tooltip, which may stand in a table (`later`)."""
    widget.setAccessibleName(tr(name))
    return tipped(widget, tip)


def tipped(widget: W, tip: str) -> W:
    """Give a control its tooltip; screen readers get it without markup."""
    widget.setToolTip(plain(tr(tip)))
    widget.setAccessibleDescription(tr(tip))
    return widget


def button(text: str, tip: str, on: Callable[[], object] | None = None, *, glyph: str = "", look: str = "",
           name: str = "") -> QPushButton:  # fmt: skip
    """A push button; without text it is square and shows its glyph alone."""
    made = named(QPushButton(text), name or text or tip, with_terms(tip, text))
    return dress(made, on, glyph=glyph, look=look)


def dress(made: W, on: Callable[[], object] | None = None, *, glyph: str = "", look: str = "") -> W:
    """Give a button its look; it takes the keyboard focus by Tab only, so that a click leaves Space to the player."""
    assert isinstance(made, QAbstractButton)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setProperty("glyph", glyph)
    made.setProperty("look", look)
    made.setIconSize(QSize(20, 20))
    if on is not None:
        made.clicked.connect(without_state(on))
    return made


def with_terms(tip: str, text: str) -> str:
    """A tip, and what the terms in a text mean."""
    said = [explained(key) for key in found_in(text)]
    return " ".join([tip, *(one for one in said if one not in tip)]).strip()


class Label(QLabel):
    """A text whose terms explain themselves when one points at it."""

    def tip(self) -> str:
        """What its tooltip says, as markup."""
        own = self.toolTip()
        more = [html.escape(explained(key)) for key in found_in(self.text())]
        return "".join([own, *(f"<p>{one}</p>" for one in more if one not in own)])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and (tip := self.tip()):
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)


def without_state(call: Callable[[], object]) -> Callable[..., None]:
    """A slot that calls it, whatever the signal tells."""

    def slot(*_: object) -> None:
        call()

    return slot


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """A label of plain text, which may stand in a table (`later`)."""
    made = Label(tr(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    return made


def row(*parts: QWidget | int, spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """Widgets side by side; a number is a stretch."""
    return _fill(QHBoxLayout(), parts, spacing, margins)


def column(*parts: QWidget | int, spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """Widgets one above the other; a number is a stretch."""
    return _fill(QVBoxLayout(), parts, spacing, margins)


def _fill(layout: B, parts: Sequence[QWidget | int], spacing: int, margins: tuple[int, int, int, int]) -> B:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for part in parts:
        layout.addStretch(part) if isinstance(part, int) else layout.addWidget(part)
    return layout


class Segments(QFrame):
    """Buttons of which one is chosen; `choose` is called with the key of the one that the user picks.

    Texts and tips may stand in tables (`later`): they are looked up here.
    """

    def __init__(self, choices: Sequence[tuple[str, str, str]], choose: Callable[[str], object], name: str,
                 padding: int = PADDING) -> None:  # fmt: skip
        super().__init__()
        self.setObjectName("segments")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self._group, self._usual, self._padding = QButtonGroup(self), padding, PADDING
        self.buttons: dict[str, QPushButton] = {}
        layout = row(spacing=2, margins=(3, 3, 3, 3))
        for key, text, tip in ((key, tr(text), tr(tip)) for key, text, tip in choices):
            made = button(text, tip, partial(choose, key), look="segment", name=f"{name}: {text}")
            made.setCheckable(True)
            self._group.addButton(made)
            self.buttons[key] = made
            layout.addWidget(made)
        self.setLayout(layout)
        self._pad(padding)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self._wide(self._usual), super().sizeHint().height())

    def _wide(self, padding: int) -> int:
        """How wide it is with so much room at both sides of each word."""
        words = sum(one.fontMetrics().horizontalAdvance(one.text()) for one in self.buttons.values())
        return words + len(self.buttons) * (2 * padding + 4) + 6

    def _fit(self) -> None:
        """Where it is too narrow for its words, take the room from their sides, and let no word be cut."""
        missing = max(0, self._wide(self._usual) - self.width())
        self._pad(max(0, self._usual + -missing // (2 * max(1, len(self.buttons)))))

    def _pad(self, padding: int) -> None:
        if padding != self._padding:
            self._padding = padding
            for one in self.buttons.values():
                one.setStyleSheet(f"padding: 5px {padding}px;" if padding < PADDING else "")

    def show_choice(self, key: str) -> None:
        """Mark a choice without calling `choose`."""
        if key in self.buttons:
            self.buttons[key].setChecked(True)


def choices(task: str, keys: Sequence[str], *others: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    """Key, text and tooltip of each choice among the modes of a task; `others` are choices that are no mode."""
    extra = {other[0]: other for other in others}
    return [extra.get(key) or (key, MODES[key].name(task), MODES[key].tip(task)) for key in keys]


def refresh(widget: QWidget) -> None:
    """Apply the style sheet again after a property that it looks at has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
