"""The gallery of samples: thumbnails with a line each, by what they teach; what goes wrong has a group of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QPixmap, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import column, label, named
from attnviewer.ui.installed import Sample

THUMB = QSize(104, 72)
ACROSS, LETTERS = 2, 44
GAP = 6


class Gallery(QFrame):
    """Opens below its button; a click or Enter picks, Esc closes."""

    def __init__(self, samples: Sequence[Sample], pick: Callable[[Sample], object], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("gallery")
        self.setAccessibleName(tr("Sample photos"))
        self._pick = pick
        self._thumbs = False
        self.buttons: list[QPushButton] = []
        self.titles: list[QLabel] = []
        layout = column(spacing=8, margins=(14, 12, 14, 14))
        self.setLayout(layout)
        for title, chosen in (
            (tr("By what they teach"), [sample for sample in samples if not sample.wrong]),
            (tr("Where it goes wrong"), [sample for sample in samples if sample.wrong]),
        ):
            if chosen:
                self.titles.append(label(title, "title"))
                layout.addWidget(self.titles[-1])
                layout.addLayout(self._grid(chosen))
        self._samples = [*(s for s in samples if not s.wrong), *(s for s in samples if s.wrong)]

    def _grid(self, samples: Sequence[Sample]) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(GAP)
        for place, sample in enumerate(samples):
            grid.addWidget(self._button(sample), *divmod(place, ACROSS))
        return grid

    def _button(self, sample: Sample) -> QPushButton:
        text = "\n".join(filter(None, (sample.title, *_wrapped(sample.shows))))
        made = named(QPushButton(text.replace("&", "&&")), f"{sample.title}. {sample.shows}", sample.credit)
        made.setProperty("look", "sample")
        made.setIconSize(THUMB)
        made.setMinimumHeight(THUMB.height() + 12)
        made.clicked.connect(lambda *_: self.choose(sample))
        self.buttons.append(made)
        return made

    def choose(self, sample: Sample) -> None:
        """Pick a sample and close."""
        self.hide()
        self._pick(sample)

    def open_below(self, button: QWidget) -> None:
        """Show the gallery below a button, with the keyboard on its first sample."""
        self.adjustSize()
        self.move(button.mapToGlobal(QPoint(0, button.height() + 4)))
        self.show()
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.PopupFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._thumbs:
            self._thumbs = True
            for made, sample in zip(self.buttons, self._samples, strict=True):
                made.setIcon(QIcon(thumbnail(sample, self.devicePixelRatioF())))


def thumbnail(sample: Sample, ratio: float) -> QPixmap:
    """The middle of a photo, as large as the others."""
    whole, size = QPixmap(str(sample.path)), THUMB * ratio
    if whole.isNull():
        return whole
    grown = whole.scaled(
        size, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    left, top = (grown.width() - size.width()) // 2, (grown.height() - size.height()) // 2
    made = grown.copy(left, top, size.width(), size.height())
    made.setDevicePixelRatio(ratio)
    return made


def _wrapped(text: str) -> list[str]:
    """A line in pieces that fit beside a thumbnail."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= LETTERS and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
