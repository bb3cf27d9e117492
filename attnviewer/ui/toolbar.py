"""The toolbar: sources on the left, the panel's own controls in the middle, export on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QStackedWidget

from attnviewer.core.i18n import tr
from attnviewer.export import FORMS, offered
from attnviewer.ui.controls import button, row, without_state
from attnviewer.ui.gallery import Gallery
from attnviewer.ui.installed import Sample
from attnviewer.ui.menus import Row, fill
from attnviewer.ui.panels.base import Panel


class Toolbar(QFrame):
    """Few controls, near what they change."""

    def __init__(
        self,
        open_files: Callable[[], object],
        paste: Callable[[], object],
        pick: Callable[[Sample], object],
        export: Callable[[str], object],
        samples: tuple[Sample, ...],
    ) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.tools = QStackedWidget()
        self.open = button(tr("Open"), tr("Open a photo, several, or drop a folder (Ctrl+O)"), open_files, glyph="open")
        self.before = button("▾", tr("Open a file of before"), look="bare", name=tr("Files of before"))
        self.before.setMenu(QMenu(self.before))
        self.paste = button(
            tr("Paste"), tr("Paste a photo or a file from the clipboard (Ctrl+V)"), paste, glyph="paste"
        )
        self.samples = button(
            tr("Samples"), tr("Pick one of the photos that come with the program"), self._open_gallery, glyph="samples"
        )
        self.gallery = Gallery(samples, pick, self)
        self._has_samples = bool(samples)
        self.samples.setVisible(bool(samples))
        self.export = button(tr("Export"), tr("Save the figure, the animation or the numbers (Ctrl+E)"), glyph="export")
        self.export.setMenu(self._menu([(tr(form.menu), partial(export, suffix)) for suffix, form in FORMS.items()]))
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(8)
        line.addLayout(row(self.open, self.before, spacing=0))
        for part in (self.paste, self.samples):
            line.addWidget(part)
        line.addStretch(1)
        line.addWidget(self.tools)
        line.addStretch(1)
        line.addWidget(self.export)

    def set_before(self, rows: Callable[[], Iterable[Row]]) -> None:
        """Where the rows for the files of before come from, whenever they are to be shown."""
        menu = self.before.menu()
        menu.aboutToShow.connect(lambda: fill(menu, rows(), tr("No file was open yet")))

    def show_sources(self, on: bool) -> None:
        """Show what opens photos, or hide it where a panel shows none."""
        for part in (self.open, self.before, self.paste):
            part.setVisible(on)
        self.samples.setVisible(on and self._has_samples)

    def _open_gallery(self) -> None:
        self.gallery.open_below(self.samples)

    def show_forms(self, task: str) -> None:
        """Offer the forms that suit a task."""
        suited = [tr(FORMS[suffix].menu) for suffix in offered(task)]
        for action in self.export.menu().actions():
            action.setVisible(action.text() in suited)

    def add_panel(self, panel: Panel) -> None:
        """Take the controls of a panel."""
        self.tools.addWidget(panel.tools())

    def _menu(self, rows: list[tuple[str, Callable[[], object]]]) -> QMenu:
        menu = QMenu(self)
        for text, do in rows:
            menu.addAction(text.replace("&", "&&")).triggered.connect(without_state(do))
        return menu
