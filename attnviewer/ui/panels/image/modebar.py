"""Controls of a comparison and of hard attention, below the stages: shown only where there is something to choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.modes import MODES
from attnviewer.ui.controls import Segments, button, label, row
from attnviewer.ui.widgets.flow import Flow

PICKS = (
    ("sample", later("Sampled"), later("Hard attention draws its place from the map")),
    ("argmax", later("Most probable"), later("Hard attention takes the place with the most weight")),
)


class ModeBar(QWidget):
    """Which columns are compared, and how hard attention takes its places."""

    def __init__(
        self, columns: Sequence[str], toggle: Callable[[str], object], pick: Callable[[str], object],
        again: Callable[[], object], draws: Callable[[bool], object], under: Callable[[bool], object],
    ) -> None:  # fmt: skip
        super().__init__()
        self.columns = {mode: _column(MODES[mode].name("caption")) for mode in columns}
        for mode, one in self.columns.items():
            one.clicked.connect(lambda *_, mode=mode: toggle(mode))
        self.pick = Segments(PICKS, pick, tr("Place"))
        self.again = button(tr("Sample again"), tr("Draw the places anew, with another seed (R)"), again)
        self.draws = _toggle(
            tr("Sample 100"), tr("Show how often each place is taken in 100 draws, beside the map (T)")
        )
        self.draws.clicked.connect(lambda *_: draws(self.draws.isChecked()))
        self.under = _toggle(tr("Map"), tr("Show or hide the distribution below the place that was taken (D)"))
        self.under.clicked.connect(lambda *_: under(self.under.isChecked()))
        self.seed = label("", "muted")
        self._choice, self._hard = QWidget(), QWidget()
        self._choice.setLayout(row(*self.columns.values(), spacing=2, margins=(0, 3, 0, 3)))
        self._hard.setLayout(row(self.again, self.draws, self.under, self.seed, spacing=4, margins=(0, 3, 0, 3)))
        self._flow = Flow(self)
        self._flow.setContentsMargins(10, 4, 10, 4)
        for part in (self._choice, self.pick, self._hard):
            self._flow.addWidget(part)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_state(
        self, shown: Sequence[str], *, comparing: bool, pick: str, seed: int, draws: bool, under: bool
    ) -> None:
        """Show what is chosen, and only what can be chosen now."""
        hard = any(MODES[mode].draws for mode in shown)
        self._choice.setVisible(comparing)
        for part in (self.pick, self._hard):
            part.setVisible(hard)
        for mode, one in self.columns.items():
            one.setChecked(mode in shown)
        self.pick.show_choice(pick)
        self.again.setEnabled(pick == "sample")
        self.seed.setText(tr("seed {seed}", seed=seed) if pick == "sample" else "")
        self.draws.setChecked(draws)
        self.under.setChecked(under)
        self.setVisible(comparing or hard)
        self.updateGeometry()


def _column(name: str) -> QPushButton:
    return _toggle(name, tr("Show or hide the column {name}", name=name))


def _toggle(text: str, tip: str) -> QPushButton:
    made = button(text, tip, look="segment")
    made.setCheckable(True)
    return made
