"""The main window: rail, toolbar, the panel in sight, status line; photos may be dropped anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QGuiApplication,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.core.i18n import tr
from attnviewer.ui.copier import Copier
from attnviewer.ui.desk import Desk
from attnviewer.ui.dragging import DragOut
from attnviewer.ui.dropveil import DropVeil, TakesDrops
from attnviewer.ui.exporter import Exporter, ask_where
from attnviewer.ui.icons import app_icon, paint_glyphs
from attnviewer.ui.keys import Keys, KeySheet
from attnviewer.ui.lessons.guide import Guide
from attnviewer.ui.menus import before_rows, window_menu
from attnviewer.ui.opener import Opener
from attnviewer.ui.panels import PANELS, PanelSpec, keys_of
from attnviewer.ui.panels.base import Panel
from attnviewer.ui.rail import Rail
from attnviewer.ui.routing import show_trace, take
from attnviewer.ui.shortcuts import WINDOW, together
from attnviewer.ui.statusline import StatusLine
from attnviewer.ui.tabbing import go_on
from attnviewer.ui.textsize import USUAL, factor, stepped
from attnviewer.ui.theme import Tokens, palette, style_sheet
from attnviewer.ui.toolbar import Toolbar
from attnviewer.ui.widgets.setstrip import SetStrip

TEXT_STEPS = {"larger": 1, "smaller": -1, "usual": 0}
TYPING = (QLineEdit, QPlainTextEdit)
SIZE, LEAST = QSize(1320, 860), QSize(900, 600)


class Window(TakesDrops):
    """The window over a desk.

    Signals
    -------
    shown() : the window has been painted for the first time.
    """

    shown = Signal()
    _take = take

    def __init__(self, desk: Desk, panels: Sequence[PanelSpec] = PANELS) -> None:
        super().__init__()
        self.desk, self._specs, self._painted, self._presenting = desk, tuple(panels), False, False
        self.opener, self.exporter, self.copier = Opener(desk), Exporter(desk, ask_where(self)), Copier(desk)
        self.drags = DragOut(desk)
        self.rail = Rail(desk, self._specs, self.show_panel)
        samples = desk.installed.samples
        self.toolbar = Toolbar(self.open_files, self.paste, self.opener.open_sample, self.export, samples)
        self.set_strip, self.status, self.stack = SetStrip(), StatusLine(desk), QStackedWidget()
        self.guide, self.panels = Guide(self), dict[str, Panel]()
        for spec in self._specs:
            self._add_panel(spec)
        self._lay_out()
        self.veil = DropVeil(self)
        self._table = together(keys_of(self._specs), WINDOW)
        self.sheet = KeySheet(self, self._table, self.commands)
        self._connect()
        self._restore()

    def _add_panel(self, spec: PanelSpec) -> None:
        panel = self.panels[spec.key] = spec.make(self.desk)
        self.stack.addWidget(panel)
        panel.dragged.connect(partial(self.drags.start, panel))
        self.toolbar.add_panel(panel)

    def _lay_out(self) -> None:
        body, right = QWidget(), QVBoxLayout()
        body.setObjectName("body")
        right.setSpacing(0)
        for part in (self.toolbar, self.guide.offer, self.guide.bar, self.set_strip, self.stack):
            right.addWidget(part, 1 if part is self.stack else 0)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.rail)
        top.addLayout(right, 1)
        rows = QVBoxLayout(body)
        rows.setSpacing(0)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addLayout(top, 1)
        rows.addWidget(self.status)
        self.setCentralWidget(body)

    def _connect(self) -> None:
        self.guide.connect_window()
        self.setWindowTitle("attnviewer")
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.toolbar.set_before(partial(before_rows, self))
        self.rail.set_menu(self.toggle_presenter, self.sheet.toggle)
        self.opener.set_changed.connect(self._show_set)
        self.opener.trace_opened.connect(partial(show_trace, self, self._specs))
        self.set_strip.chosen.connect(self.opener.show_at)
        self.set_strip.stepped.connect(self.opener.step)
        self.desk.tokens_changed.connect(self.show_theme)
        self.desk.board.changed.connect(self._show_title)
        self.desk.wanted.connect(self._go_to)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.desk.refresh_theme)
        self._keys = Keys(self, self._table, self.commands)
        for index, spec in enumerate(self._specs):
            QShortcut(f"Ctrl+{index + 1}", self).activated.connect(lambda key=spec.key: self.show_panel(key))

    def _restore(self) -> None:
        self.show_theme(self.desk.tokens)
        self.show_panel(self.desk.settings["panel"])
        self.resize(SIZE)
        if self.desk.settings.geometry is not None:
            self.restoreGeometry(self.desk.settings.geometry)

    @property
    def panel(self) -> Panel:
        """The panel in sight."""
        return self.panels[self._key]

    def show_panel(self, key: str) -> None:
        """Show a panel; one that isn't there gives the first."""
        self._key = key if key in self.panels else self._specs[0].key
        self.desk.settings["panel"] = self._key
        self.rail.panels[self._key].setChecked(True)
        self.stack.setCurrentWidget(self.panel)
        self.toolbar.tools.setCurrentIndex(list(self.panels).index(self._key))
        self.toolbar.show_sources(self.panel.photos)
        self.toolbar.show_forms(next(spec.task for spec in self._specs if spec.key == self._key))
        self.status.show_about(self.panel.about)
        self.desk.board.show(self._key)

    def _show_title(self, *_: str) -> None:
        path = self.desk.picture.path if self.desk.picture is not None and self.panel.photos else None
        self.setWindowTitle(tr("{name} - attnviewer", name=Path(path).name) if path else "attnviewer")

    def _go_to(self, place: str) -> None:
        """Show a panel that another one asks for, and do there what stands behind a colon."""
        key, _, action = place.partition(":")
        self.show_panel(key)
        self.panel.commands().get(action, str)()

    def show_theme(self, tokens: Tokens) -> None:
        """Paint everything in the colours of the theme, with letters of the size of now."""
        self.setMinimumSize((LEAST * max(1.0, factor())).boundedTo(self.screen().availableSize().expandedTo(LEAST)))
        QApplication.setPalette(palette(tokens))
        self.setStyleSheet(style_sheet(tokens))
        paint_glyphs(self, tokens)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab follows the eye, whatever was made first."""
        return go_on(self, forward)

    def resize_text(self, by: int) -> None:
        """Letters a step larger or smaller, 0 for the usual size."""
        size = stepped(self.desk.settings["text"], by) if by else USUAL
        self.desk.set_text(size)
        self.desk.say(tr("Text size {size}. Ctrl+0 takes the usual size.", size=f"{size:.0%}"))

    def commands(self) -> dict[str, Callable[[], object]]:
        """What each action of the table of keys does now."""
        stepping = {"set_back": lambda: self.opener.step(-1), "set_on": lambda: self.opener.step(1)}
        return {
            **self.panel.commands(),
            **(stepping if self.opener.files and self.panel.photos else {}),
            "open": self.open_files,
            "paste": self.paste,
            "copy": self.copy,
            "close": self.close,
            "export": self.export,
            "presenter": self.toggle_presenter,
            **{name: partial(self.resize_text, by) for name, by in TEXT_STEPS.items()},
            "stop": self.escape,
            "sheet": self.sheet.toggle,
        }

    def open_files(self) -> None:
        """Let the user choose photos."""
        self.show_photo(self.opener.ask(self))

    def paste(self) -> None:
        """Open what is on the clipboard."""
        self._take(QGuiApplication.clipboard().mimeData())

    def _wants_text(self) -> bool:
        return not self.panel.photos

    def show_photo(self, opened: bool) -> None:
        """Leave a panel that shows no photos once one was opened."""
        if opened and not self.opener.saved and not self.panel.photos:
            self.show_panel(next(key for key, panel in self.panels.items() if panel.photos))

    def export(self, suffix: str = "") -> None:
        """Save what the panel shows."""
        self.exporter.export_panel(self.panel, suffix)

    def copy(self) -> None:
        """Copy the figure of what the panel shows, and its words."""
        self.copier.copy(self.panel.result(), self.panel.words(), self.panel.comparison())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.context_menu().popup(event.globalPos())

    def context_menu(self) -> QMenu:
        """What can be done with what is shown, and the files of before."""
        return window_menu(self)

    def _show_set(self, files: tuple[Path, ...], index: int) -> None:
        self.set_strip.show_set(files, index)
        if self._presenting:
            self.set_strip.hide()

    def toggle_presenter(self) -> None:
        """Only the stage, in large type, over the whole screen; and back."""
        self._present(not self._presenting)
        full = Qt.WindowState.WindowFullScreen
        self.setWindowState(self.windowState() | full if self._presenting else self.windowState() & ~full)

    def _present(self, on: bool) -> None:
        self._presenting = on
        for part in (self.rail, self.toolbar, self.status):
            part.setVisible(not on)
        self.set_strip.setVisible(not on and bool(self.opener.files))
        for panel in self.panels.values():
            panel.set_presenter(on)
        self.guide.set_presenter(on)

    def changeEvent(self, event: QEvent) -> None:
        """The window system may end the full screen by itself; then all parts come back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self._presenting and not self.isFullScreen():
            self._present(False)

    def escape(self) -> None:
        """Close what lies over all else, leave presenter mode or the text field, or stop the run: the first of them."""
        if self.sheet.leave() or self.panel.leave():
            return
        if self._presenting:
            self.toggle_presenter()
        elif isinstance(self.focusWidget(), TYPING):
            self.setFocus()
        else:
            self.status.stop_run()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.veil.setGeometry(self.rect())
        self.sheet.place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocus()  # so that Space plays at once

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.shown.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.isFullScreen():
            self.desk.settings.geometry = self.saveGeometry()
        self.desk.settings.sync()
        self.desk.worker.cancel()
        super().closeEvent(event)
