"""What if? The tools for hands on the photo, and the way through what was changed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import Segments, button, column, label, named, row, tipped
from attnviewer.ui.textsize import scaled
from attnviewer.ui.widgets.easel import BOX, COVER, PAINT
from attnviewer.ui.widgets.flow import Flow
from attnviewer.ui.widgets.ownwords import TextField
from attnviewer.ui.widgets.terms import explaining

LOOK = "look"
TOOLS = (
    (LOOK, later("Just look"), later("Point at places, zoom and move the photo (E: next tool)")),
    (PAINT, later("Paint the gaze"), later("Paint where the model must look for this word (E: next tool)")),
    (BOX, later("Draw a box"), later("How much of each word's attention lies in a box? (E: next tool)")),
    (COVER, later("Cover it"), later("Cover a place: what does the model say without it? (E: next tool)")),
)
HINTS = {
    LOOK: later("What if? Click a bar of “Next word” to say another word, or take a tool."),
    PAINT: later("Paint where “{word}” must look, or click one cell. Keys: arrows move the cell, Enter forces it."),
    BOX: later("Drag a box around a thing. Keys: arrows move it, Shift and arrows change its size, Enter takes it."),
    COVER: later("Drag a patch over the photo, or move it. Keys: arrows, Shift and arrows, Enter covers."),
}
SINGLE = later("Drag the ring to where “{word}” must look. Keys: arrows move the cell, Enter forces it.")
NO_MAPS = later("This model has no attention to paint; words can be chosen, and the photo be covered.")
HOLDS = (
    ("word", later("This word"), later("Only this word looks there")),
    ("rest", later("And the rest"), later("This word and all words after it look there")),
)
WAYS = (
    ("grey", later("Grey"), later("The patch is grey: nothing of the place is left")),
    ("blur", later("Blurred"), later("The patch is blurred: the colours of the place are left")),
)
SHORT = {LOOK: later("Look"), PAINT: later("Paint"), BOX: later("Box"), COVER: later("Cover")}
ROOMY, NARROW = 720, 760  # height of a window in which the hint has a line; width of the row in which names are short
SIZES, STRENGTHS = (3, 50, 14), (5, 100, 100)  # per cent: least, most, at first


class WhatIfBar(QWidget):
    """One quiet row; what belongs to a tool is shown with it alone.

    Signals
    -------
    chosen(str) : a tool.
    sized(float) : radius of the brush, as a share of the photo's width.
    way_chosen(str) : how the patch covers.
    queried(str) : the box is to go around what this finds.
    box_cleared() : neither box nor patch is wanted any more.
    undone(), redone(), reset(), kept() : the way through what was changed.
    peeked(bool) : the caption before the last change is to be shown, or the new one again.
    listed() : the variants are to be compared.
    again() : a saved caption is to be run again.
    """

    chosen = Signal(str)
    sized = Signal(float)
    way_chosen = Signal(str)
    queried = Signal(str)
    box_cleared = Signal()
    undone = Signal()
    redone = Signal()
    reset = Signal()
    kept = Signal()
    peeked = Signal(bool)
    listed = Signal()
    again = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tool, self.rest, self.way = LOOK, False, "grey"
        self._narrow = self._changed = self.used = self.unfolded = False
        self.tools = Segments([(key, tr(name), tr(tip)) for key, name, tip in TOOLS], self.chosen.emit, tr("What if?"))
        self.hint = label("", "muted")
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.width_ = _slider(SIZES, tr("Size of the brush"), tr("How wide the brush is, of the photo's width"))
        told = tr("How much of the attention goes where you paint; the rest stays where it was")
        self.strength = _slider(STRENGTHS, tr("Strength of the brush"), told)
        self.width_.valueChanged.connect(lambda value: self.sized.emit(value / 100))
        self.holds = Segments([(key, tr(name), tr(tip)) for key, name, tip in HOLDS], self._hold, tr("Hold for"))
        self.ways = Segments([(key, tr(name), tr(tip)) for key, name, tip in WAYS], self._cover_by, tr("Cover with"))
        self.query = named(TextField(), tr("Box around"), tr("Enter draws the box around what this finds on the photo"))
        self.query.setPlaceholderText(tr("or find, such as dog"))
        self.query.setMaxLength(200)
        self.query.setFixedWidth(scaled(160))
        self.query.returnPressed.connect(lambda: self.queried.emit(self.query.text()))
        self.clear = button(tr("Take it away"), tr("Remove the box or the patch"), self.box_cleared.emit)
        self._brush, self._steps = QWidget(), QWidget()
        brush = (label(tr("Size"), "muted"), self.width_, label(tr("Strength"), "muted"), self.strength)
        self._brush.setLayout(row(*brush, spacing=6, margins=(0, 7, 0, 7)))
        self._make_steps()
        line = QWidget()
        self._flow = Flow(line, spacing=8)
        head = QWidget()
        self._name = explaining(tr("What if?"), "intervention")
        named_tools = row(self._name, self.tools, spacing=10)
        named_tools.setAlignment(self._name, Qt.AlignmentFlag.AlignVCenter)
        head.setLayout(named_tools)
        for part in (head, self._brush, self.holds, self.ways, self.query, self.clear, self._steps):
            self._flow.addWidget(part)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        for part in (line, self):
            part.setSizePolicy(policy)
        self.setLayout(column(line, self.hint, spacing=2, margins=(10, 4, 10, 4)))
        self.setAccessibleName(tr("What if?"))
        self.holds.show_choice("word")
        self.ways.show_choice("grey")
        self.show_tool(LOOK)

    def _make_steps(self) -> None:
        self.before = button(
            tr("Before"), tr("Show what it said before the last change, and where it looked (Z)"), look="segment"
        )
        self.before.setCheckable(True)
        self.before.clicked.connect(lambda: self.peeked.emit(self.before.isChecked()))
        self.undo = button("", tr("Undo the last change (Ctrl+Z)"), self.undone.emit, glyph="undo", look="bare",
                           name=tr("Undo"))  # fmt: skip
        self.redo = button("", tr("Redo what was undone (Ctrl+Shift+Z)"), self.redone.emit, glyph="redo", look="bare",
                           name=tr("Redo"))  # fmt: skip
        told = tr("Run this saved caption again, as it was asked, and compare every weight")
        self.rerun = button(tr("Run again"), told, self.again.emit)
        self.keep = button(tr("Keep"), tr("Keep this caption as a variant (K)"), self.kept.emit)
        self.variants = button("", tr("Compare the captions that you kept (V)"), self.listed.emit)
        self.back = button(tr("Reset"), tr("Back to the model's own caption"), self.reset.emit)
        self._steps.setLayout(
            row(self.rerun, self.before, self.undo, self.redo, self.keep, self.variants, self.back, spacing=4)
        )  # fmt: skip

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Short names where there is little room."""
        super().resizeEvent(event)
        self._narrow = event.size().width() < NARROW
        names = SHORT if self._narrow else {key: name for key, name, _ in TOOLS}
        self._name.setVisible(not self._narrow)
        self.back.setVisible(self._changed and not self._narrow)
        for key, one in self.tools.buttons.items():
            one.setText(tr(names[key]))

    def _hold(self, key: str) -> None:
        self.rest = key == "rest"

    def _cover_by(self, key: str) -> None:
        self.way = key
        self.way_chosen.emit(key)

    def show_tool(self, tool: str, *, single: bool = False, placed: bool = False) -> None:
        """Show what belongs to a tool; `single`: it forces one cell; `placed`: there is something to remove."""
        self.tool = tool
        self.tools.show_choice(tool)
        self._brush.setVisible(tool == PAINT and not single)
        self.holds.setVisible(tool == PAINT)
        self.ways.setVisible(tool == COVER)
        self.query.setVisible(tool == BOX)
        self.clear.setVisible(placed and tool in (BOX, COVER))
        self.updateGeometry()

    def needed(self, *, low: bool, comparing: bool) -> bool:
        """Whether it stands below the photo; where that is `low`, only while it is used or was asked for."""
        return not low or self.used or self.tool != LOOK or (self.unfolded and not comparing)

    def show_hint(self, tool: str, word: str, *, single: bool, maps: bool) -> None:
        """Say in words what the tool does with the current word."""
        told = NO_MAPS if tool == PAINT and not maps else SINGLE if tool == PAINT and single else HINTS[tool]
        self.hint.setText(tr(told, word=word) if "{word}" in told else tr(told))
        tipped(self.hint, self.hint.text())
        self.hint.setVisible(self.window().height() >= ROOMY)
        tipped(self.tools.buttons[tool], self.hint.text())

    def show_steps(self, *, past: bool, future: bool, changed: bool, peek: bool, saved: bool, kept: int) -> None:
        """Show only what can be done now."""
        self.undo.setEnabled(past)
        self.redo.setEnabled(future)
        for part in (self.undo, self.redo):
            part.setVisible(past or future)
        self._changed = changed
        self.before.setVisible(past)
        self.keep.setVisible(changed)
        self.back.setVisible(changed and not self._narrow)  # where there is little room, undoing has to do
        self.before.setChecked(peek)
        self.used = past or future or changed or saved or kept > 0
        self._steps.setVisible(self.used)
        self.rerun.setVisible(saved)
        self.variants.setVisible(kept > 0)
        self.variants.setText(tr("Variants ({count})", count=kept))
        self.updateGeometry()


def _slider(values: tuple[int, int, int], name: str, tip: str) -> QSlider:
    made = named(QSlider(Qt.Orientation.Horizontal), name, tip)
    made.setRange(*values[:2])
    made.setValue(values[2])
    made.setFixedWidth(70)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made
