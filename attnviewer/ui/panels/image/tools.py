"""The image panel's controls in the toolbar: attention mode, and the model where there are several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import Segments, choices, named, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import takes_others
from attnviewer.ui.panels.image.state import COMPARE, ImageState

COMPARING = (COMPARE, later("Compare"), later("All side by side, on one word clock (C)"))


class ImageTools(QWidget):
    """Shown only as far as there is something to choose."""

    def __init__(
        self, desk: Desk, state: ImageState, choose_mode: Callable[[str], object], choose_model: Callable[[str], object]
    ) -> None:
        super().__init__()
        self._installed, self._state, self._choose_model = desk.installed, state, choose_model
        self.keys = (*state.modes, *((COMPARE,) if len(state.columns) > 1 else ()))
        self.modes = Segments(choices("caption", self.keys, COMPARING), choose_mode, tr("Attention"))
        self.modes.setVisible(len(self.keys) > 1)
        self.model = named(QComboBox(), tr("Model"), tr("The model that writes the caption"))
        self.model.activated.connect(lambda _: self._choose_model(str(self.model.currentData())))
        self.setLayout(row(self.model, self.modes, spacing=12))
        self._take_remembered(desk.settings["model"])
        self.show_mode()

    def _take_remembered(self, model: str) -> None:
        for mode in self._state.modes:
            if model in self._installed.models.get(mode, ()):
                self._state.model[mode] = model

    def show_mode(self) -> None:
        """Mark the mode, and offer its models if there are several."""
        self.modes.show_choice(self._state.mode)
        main, opened = self._state.main, self._state.opened
        models = (*self._installed.models.get(main, ()), *(opened if takes_others(main) else ()))
        self.model.clear()
        for model in models:
            self.model.addItem(Path(model).name if model in opened else model, model)
        self.model.setCurrentIndex(self.model.findData(self._state.model.get(main, models[0] if models else "")))
        self.model.setVisible(len(models) > 1)
