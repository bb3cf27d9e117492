"""The rail: one button a panel, and the settings at its foot."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QFrame, QMenu, QToolButton, QVBoxLayout

from attnviewer.core.entry import install_entry
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.request import DEVICES
from attnviewer.core.speech import LANGUAGES
from attnviewer.ui.about import AboutSheet
from attnviewer.ui.controls import dress, named, with_terms
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels import PanelSpec
from attnviewer.ui.settings import TABLES
from attnviewer.ui.textsize import SIZES, scaled
from attnviewer.ui.theme import THEMES

T = TypeVar("T")
WIDTH, BESIDE = 88, 3
DEVICE_NAMES = dict(zip(DEVICES, (later("what is fastest"), later("the processor"), "CUDA", "MPS"), strict=True))
THEME_NAMES = dict(zip(THEMES, (later("As the system"), later("Light"), later("Dark")), strict=True))
LANGUAGE_ROW = "Language · 语言"  # in both, so that whoever reads only one of them finds it
LANGUAGE_NAMES = {"": later("As the system"), **LANGUAGES}
TABLE_NAMES = dict(
    zip(TABLES, (later("Inferno"), later("Viridis"), later("Cividis (for all colour vision)")), strict=True)
)


class Rail(QFrame):
    """Chooses the panel; its gear holds theme, colours, presenter mode and the keys."""

    def __init__(self, desk: Desk, specs: Sequence[PanelSpec], choose: Callable[[str], object]) -> None:
        super().__init__()
        self._desk = desk
        self._about: AboutSheet | None = None
        self.sizes: dict[float, QAction] = {}
        self.setObjectName("rail")
        self._group = QButtonGroup(self)
        self.panels: dict[str, QToolButton] = {}
        rows = QVBoxLayout(self)
        rows.setContentsMargins(BESIDE, 10, BESIDE, 10)
        rows.setSpacing(6)
        for index, spec in enumerate(specs):
            made = self._button(tr(spec.name), f"{tr(spec.tip)} (Ctrl+{index + 1})", spec.glyph)
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, key=spec.key: choose(key))
            self._group.addButton(made)
            self.panels[spec.key] = made
            rows.addWidget(made)
        rows.addStretch(1)
        self.gear = self._button(tr("Settings"), tr("Theme, colours, presenter mode and keys"), "settings")
        self.gear.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        rows.addWidget(self.gear)
        self.fit()
        desk.tokens_changed.connect(self.fit)

    def fit(self, *_: object) -> None:
        """Take the width that the names need."""
        self.setFixedWidth(scaled(WIDTH))
        for one in (*self.panels.values(), self.gear):
            one.setFixedSize(scaled(WIDTH) - 2 * BESIDE, 40 + scaled(18))
        for size, action in self.sizes.items():
            action.setChecked(size == self._desk.settings["text"])

    def _button(self, name: str, tip: str, glyph: str) -> QToolButton:
        made = dress(named(QToolButton(), name, with_terms(tip, name)), glyph=glyph, look="rail")
        made.setText(name)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setIconSize(QSize(22, 22))
        return made

    def set_menu(self, presenter: Callable[[], object], sheet: Callable[[], object]) -> None:
        """Fill the gear's menu."""
        menu = QMenu(self)
        settings = self._desk.settings
        self._choices(menu, tr("Theme"), THEME_NAMES, settings["theme"], self._desk.set_theme)
        self._choices(
            menu, tr("Colours of the map"), TABLE_NAMES, settings["table"], lambda name: self._desk.set_look(table=name)
        )
        sizes = {size: f"{size:.0%}" for size in SIZES}
        self.sizes = self._choices(menu, tr("Text size"), sizes, settings["text"], self._desk.set_text)
        self._choices(menu, LANGUAGE_ROW, LANGUAGE_NAMES, settings["language"], self._choose_language)
        self._choices(menu, tr("Compute on"), DEVICE_NAMES, settings["device"], self._choose_device)
        menu.addSeparator()
        menu.addAction(tr("Presenter mode\tF11")).triggered.connect(lambda *_: presenter())
        menu.addAction(tr("Keys\tF1")).triggered.connect(lambda *_: sheet())
        if not sys.platform.startswith(("win", "darwin")):
            menu.addAction(tr("Add to the start menu")).triggered.connect(lambda *_: self.add_entry())
        menu.addAction(tr("About attnviewer")).triggered.connect(lambda *_: self.show_about())
        self.gear.setMenu(menu)

    def show_about(self) -> None:
        """Show version, models, licences and device."""
        if self._about is None:
            self._about = AboutSheet(self.window())
        self._about.open(self._desk.worker.device)

    def add_entry(self) -> None:
        """Put the program into the start menu of the desktop."""
        try:
            place = install_entry()[0]
        except UserError as error:
            return self._desk.say(str(error), fault=True)
        return self._desk.say(tr("The start menu has attnviewer now."), saved=str(place))

    def _choose_device(self, device: str) -> None:
        self._desk.settings["device"] = device
        self._desk.say(tr("From the next start on, models compute on: {device}.", device=tr(DEVICE_NAMES[device])))

    def _choose_language(self, language: str) -> None:
        self._desk.settings["language"] = language
        self._desk.say(tr("From the next start on, the window speaks: {name}.", name=tr(LANGUAGE_NAMES[language])))

    def _choices(
        self, menu: QMenu, title: str, names: Mapping[T, str], current: T, choose: Callable[[T], object]
    ) -> dict[T, QAction]:
        below = menu.addMenu(title)
        group = QActionGroup(below)
        for key, name in names.items():
            action = below.addAction(tr(name))
            action.setCheckable(True)
            action.setChecked(key == current)
            action.triggered.connect(lambda _=False, key=key: choose(key))
            group.addAction(action)
        return dict(zip(names, group.actions(), strict=True))
