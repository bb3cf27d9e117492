"""The translate panel's controls in the toolbar: the way to attend, and the curve of BLEU by length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import Segments, button, choices, column, label, row
from attnviewer.ui.panels.translate.curve import Curve
from attnviewer.ui.panels.translate.state import COMPARE
from attnviewer.ui.theme import Tokens

COMPARING = (COMPARE, later("Compare"), later("Attention and none, side by side on one word clock (C)"))
TITLE = later("How good, by the length of the sentence")
SAYS = later(
    "BLEU on sentences that were not learnt from, as the models' cards tell it. "
    "Without attention a whole sentence has to pass through one vector."
)


class TranslateTools(QWidget):
    """Shown only as far as there is something to choose."""

    def __init__(
        self, keys: Sequence[str], curves: Mapping[str, tuple[float, ...]], choose: Callable[[str], object]
    ) -> None:
        super().__init__()
        self.modes = Segments(choices("translate", keys, COMPARING), choose, tr("Attention"))
        self.modes.setVisible(len(keys) > 1)
        self.curve = Curve(curves)
        self.info = button("", tr("How well each model does on short and long sentences"), glyph="info", look="bare",
                           name=tr("BLEU by length"))  # fmt: skip
        self.info.setMenu(self._menu())
        self.info.setVisible(bool(curves))
        self.setLayout(row(self.modes, self.info, spacing=8))

    def _menu(self) -> QMenu:
        menu, page, action = QMenu(self), QWidget(), QWidgetAction(self)
        says = label(SAYS, "muted", wrap=True)
        says.setMaximumWidth(self.curve.width())
        page.setLayout(column(label(TITLE, "value"), self.curve, says, spacing=8, margins=(12, 8, 12, 8)))
        action.setDefaultWidget(page)
        menu.addAction(action)
        return menu

    def show_mode(self, mode: str) -> None:
        """Mark the way to attend."""
        self.modes.show_choice(mode)

    def set_tokens(self, tokens: Tokens) -> None:
        self.curve.set_tokens(tokens)
