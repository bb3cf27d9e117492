"""The panel Foundations: one experiment in sight, its open question below, and the way to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.ui.controls import Segments, button, column, label, named, row, with_terms
from attnviewer.ui.desk import Desk
from attnviewer.ui.icons import paint_glyphs
from attnviewer.ui.panels.base import Made, Panel
from attnviewer.ui.panels.foundations import experiments
from attnviewer.ui.panels.foundations.base import PANEL, Experiment
from attnviewer.ui.staging import made_of
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import grow

GO_ON = later("Go on to the answer (Ctrl+Right)")
AFTER = "image:soft"  # the panel that answers the last question, and its way to look


class FoundationsPanel(Panel):
    """Experiments are made when they are first looked at."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.specs = experiments()
        keys = [spec.key for spec in self.specs]
        self.made: dict[str, Experiment] = {}
        last = desk.settings["foundations"]
        self.chosen = last if last in keys else keys[0]
        self._presenting = False
        self.stack, self.foot = QStackedWidget(), QFrame()
        self._tools = Segments([(spec.key, spec.name, spec.tip) for spec in self.specs], self.choose, tr("Experiment"))
        self.question = label("", "question", wrap=True)
        self.further = button("", tr(GO_ON), self.go_on, glyph="next", look="accent")
        self.foot.setObjectName("foot")
        self.way_on = QFrame()
        self.way_on.setObjectName("further")
        self.way_on.setLayout(row(self.foot, spacing=0))
        self.foot.setLayout(row(self.question, self.further, spacing=14, margins=(16, 8, 16, 8)))
        self.foot.layout().setStretch(0, 1)  # type: ignore[union-attr]
        layout = column(self.stack, self.way_on, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        desk.picture_changed.connect(self.take_picture)
        desk.tokens_changed.connect(self.set_tokens)
        self._show_question()

    @property
    def experiment(self) -> Experiment:
        """The one in sight, made now if it wasn't before."""
        if self.chosen not in self.made:
            spec = next(spec for spec in self.specs if spec.key == self.chosen)
            made = self.made[self.chosen] = spec.make(self.desk)
            self.stack.addWidget(made)
            made.set_tokens(self.desk.tokens)
            paint_glyphs(made, self.desk.tokens)
            made.set_presenter(self._presenting)
        return self.made[self.chosen]

    @property
    def at(self) -> int:
        """The number of the experiment in sight."""
        return [spec.key for spec in self.specs].index(self.chosen)

    def choose(self, key: str) -> None:
        """Show an experiment."""
        self.chosen = key
        self.desk.settings["foundations"] = key
        self._show_question()
        if self.isVisible():
            self._visit()

    def _visit(self) -> None:
        self.stack.setCurrentWidget(self.experiment)
        self.experiment.fit(self.width())
        self.experiment.visit()

    def _show_question(self) -> None:
        spec = self.specs[self.at]
        self._tools.show_choice(self.chosen)
        self.question.setText(spec.question)
        self.further.setText(spec.answer)
        named(self.further, spec.answer, with_terms(tr(GO_ON), spec.answer))

    def go_on(self) -> None:
        """Go to the experiment, or to the panel, that answers the question."""
        if self.at + 1 < len(self.specs):
            self.choose(self.specs[self.at + 1].key)
        else:
            self.desk.wanted.emit(AFTER)

    def go_back(self) -> None:
        """Go to the experiment before."""
        self.choose(self.specs[max(self.at - 1, 0)].key)

    def about(self) -> str:
        return super().about() if self.experiment.photos else ""

    def tools(self) -> QWidget:
        return self._tools

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {**self.experiment.commands(), "further": self.go_on, "nearer": self.go_back}

    def makes(self) -> Made | None:
        return made_of(self.chosen, self.experiment, PANEL)

    @Slot(object)
    def take_picture(self, picture: Picture) -> None:
        """Another photo is in hand."""
        for made in self.made.values():
            made.take_picture(picture)

    @Slot(object)
    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for made in self.made.values():
            made.set_tokens(tokens)
            made.fit(self.width())

    def set_presenter(self, on: bool) -> None:
        self._presenting = on
        grow(self.question, on)
        for made in self.made.values():
            made.set_presenter(on)

    def take_text(self, text: str) -> bool:
        return self.experiment.take_text(text)

    def take_file(self, path: Path) -> bool:
        return self.experiment.take_file(path)

    def words(self) -> str:
        return self.experiment.says.text()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._visit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for made in self.made.values():
            made.fit(self.width())
