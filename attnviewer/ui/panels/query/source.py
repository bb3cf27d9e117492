"""What the query panel looks at: the photo with its map, a sentence, or lines of text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QLabel, QPlainTextEdit, QStackedWidget, QTextEdit, QWidget

from attnviewer.core.content import ContentTrace
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.lines import Lines, number_lines, read_lines
from attnviewer.core.trace import Grid, Tokens
from attnviewer.ui.controls import button, column, label, named, refresh, row, tipped
from attnviewer.ui.desk import Desk
from attnviewer.ui.look import Look
from attnviewer.ui.panels.query.cutout import masked
from attnviewer.ui.panels.query.sentence import SentenceView
from attnviewer.ui.panels.query.state import KINDS, LINES, LINES_SAMPLE, REGIONS, SENTENCE, WORDS, QueryState
from attnviewer.ui.sources import offered
from attnviewer.ui.theme import Tokens as Theme
from attnviewer.ui.widgets.lookbar import LookBar
from attnviewer.ui.widgets.missing import MissingPhoto
from attnviewer.ui.widgets.stage import Stage

SAMPLE_LINES = number_lines("\n".join(LINES_SAMPLE))
EDITABLE = 2000  # more lines than this are shown in part, and not edited
FORMS = later("Text (*.txt *.md *.csv);;All files (*)")
MASK = 168
EDGES = 20, 18, 20, 18
NARROW = 760  # pixels of the source below which its foot is stacked
WHOLE, BEGUN = later("{count} lines"), later("{count} lines; the first {most} are shown here, all are asked")


class TextBox(QPlainTextEdit):
    """A field for text that leaves photos and files to the window."""

    def __init__(self, name: str, tip: str, text: str) -> None:
        super().__init__(text)
        named(self, name, tip)
        self.setObjectName("textbox")
        self.setAcceptDrops(False)
        self.setTabChangesFocus(True)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            paste = event.matches(QKeySequence.StandardKey.Paste)
            if paste and offered(QGuiApplication.clipboard().mimeData()):
                event.ignore()
                return False
        return super().event(event)


class QuerySource(QStackedWidget):
    """A page for each kind of items.

    Signals
    -------
    sentence_changed(str) : another sentence.
    lines_changed(object) : other `Lines`.
    hovered(int) : the item under the pointer, -1 for none.
    """

    sentence_changed = Signal(str)
    lines_changed = Signal(object)
    hovered = Signal(int)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.stage, self.lookbar, self.cutout = Stage(), LookBar(desk), QLabel()
        self._cut = QWidget()
        self.lookbar.range.hide()
        self.sentence = TextBox(tr("Sentence"), tr("The words of this sentence are asked"), SENTENCE)
        self.lines = TextBox(
            tr("Lines of text"), tr("Each line is an item; paste some or drop a text file"), "\n".join(LINES_SAMPLE)
        )
        self.missing = MissingPhoto()
        self._places: list[int] | None = None
        self.words = SentenceView()
        self.stage.hovered.connect(self.hovered)
        self.words.hovered.connect(self.hovered)
        self.told = label("", "muted", wrap=True)
        self.open = button(
            tr(tr("Open a text file")),
            tr("A .txt, .md or .csv file, up to 100,000 lines"),
            self.choose_file,
            glyph="open",
        )
        self.reset = button(tr("Sample lines"), tr("Back to the sample lines"), self.show_samples, glyph="undo")
        for page in (self._regions(), self._words(), self._lines()):
            self.addWidget(page)
        self.sentence.textChanged.connect(lambda: self.sentence_changed.emit(self.sentence.toPlainText()))
        self.lines.textChanged.connect(self._edited)
        self._tell(SAMPLE_LINES)

    def _regions(self) -> QWidget:
        page, self.foot = QWidget(), QWidget()
        self.foot.setObjectName("foot")
        self.cutout.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tipped(self.cutout, tr("What z is made of: the photo, each place as bright as its weight"))
        self.cutout.setAccessibleName(tr("The photo masked by the weights"))
        self._cut.setLayout(row(label(tr("What it looked at"), "muted"), self.cutout, spacing=8))
        self._foot = row(self.lookbar, self.lookbar.key, 1, self._cut, spacing=14, margins=(12, 8, 12, 8))
        self.foot.setLayout(self._foot)
        rows = column(self.stage, self.missing, self.foot, spacing=0)
        rows.setStretch(0, 1)
        page.setLayout(rows)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the parts of the foot stand one below the other, without the small photo."""
        narrow = self.width() < NARROW
        directions = QBoxLayout.Direction
        self._foot.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)
        self._cut.setVisible(not narrow)
        super().resizeEvent(event)

    def set_large(self, on: bool) -> None:
        """Show only what is asked, or its controls as well."""
        self.foot.setVisible(not on)
        for part in (self.sentence, self._hint, self._tools):
            part.setVisible(not on)
        self.words.set_large(on)
        self.lines.setProperty("grown", on)
        refresh(self.lines)

    def _words(self) -> QWidget:
        page = QWidget()
        self._hint = label(
            tr("Each word is an item, a vector of its own. Words without a vector are marked ∅ and score 0."),
            "muted",
            wrap=True,
        )
        self.sentence.setMaximumHeight(84)
        title = label(tr("Sentence"), "title")
        page.setLayout(column(title, self.sentence, self._hint, self.words, spacing=12, margins=EDGES))
        return page

    def _lines(self) -> QWidget:
        page, self._tools = QWidget(), QWidget()
        self._tools.setLayout(row(self.open, self.reset, self.told, 1))
        page.setLayout(column(label(tr("Lines of text"), "title"), self.lines, self._tools, margins=EDGES))
        return page

    def show_kind(self, kind: str) -> None:
        """Show the page of a kind of items."""
        self.setCurrentIndex(KINDS.index(kind))

    def show_picture(self, picture: Picture | None) -> None:
        self.stage.show_picture(picture)
        self.cutout.clear()

    def show_saved(self, state: QueryState) -> None:
        """Show the texts of the state without asking them."""
        texts = {self.sentence: state.sentence, self.lines: "\n".join(state.lines[:EDITABLE])}
        for box, text in texts.items():
            with QSignalBlocker(box):
                box.setPlainText(text)

    def show_state(self, state: QueryState, look: Look) -> None:
        """Lay the weights over what is asked."""
        self._show_map(state.trace if state.kind == REGIONS else None, look, state.picture)
        if state.kind == WORDS:
            self._show_words(state)
        self.lines.setExtraSelections(self._marked(state) if state.kind == LINES else [])

    def _show_words(self, state: QueryState) -> None:
        trace, series = state.trace, [list(map(float, weights)) for weights in state.series.values()]
        words = trace.locations.tokens if trace is not None and isinstance(trace.locations, Tokens) else ()
        second = series[1] if len(series) > 1 else []
        self.words.show_words(words, series[0] if series else [], second, trace.unknown if trace is not None else ())

    def _marked(self, state: QueryState) -> list[QTextEdit.ExtraSelection]:
        """The lines with the most weight, under a wash as strong as their weight."""
        rows, blocks = state.rows(), self._blocks()
        top = max((row.weight for row in rows), default=0.0)
        spans = state.trace.passages[0] if state.trace is not None and state.trace.passages else {}
        return [
            self._wash(blocks[row.item], row.weight / top, spans.get(row.item))
            for row in rows
            if top > 0 and row.item < len(blocks)
        ]

    def go_to(self, state: QueryState, item: int) -> None:
        """Scroll to an item of the lines, at its best passage, or say what it is where the field doesn't hold it."""
        blocks, trace = self._blocks(), state.trace
        row = state.row(item)
        if trace is None or row is None:
            return
        if item >= len(blocks):
            self.told.setText(
                tr("Line {number} is beyond what is shown here: {text}", number=row.number, text=row.label)
            )
            return
        passage = trace.passages[0].get(item, (0, 0)) if trace.passages else (0, 0)
        cursor = QTextCursor(self.lines.document())
        cursor.setPosition(min(blocks[item] + passage[0], cursor.document().characterCount() - 1))
        self.lines.setTextCursor(cursor)
        self.lines.centerCursor()

    def _blocks(self) -> list[int]:
        """The place in the field of each line that isn't empty; worked out once for a text."""
        if self._places is None:
            self._places, block = [], self.lines.document().begin()
            while block.isValid():
                self._places += [block.position()] if block.text().strip() else []
                block = block.next()
        return self._places

    def _wash(self, position: int, share: float, passage: tuple[int, int] | None) -> QTextEdit.ExtraSelection:
        """A line under a wash, or the best passage of a long one."""
        made, colour = QTextEdit.ExtraSelection(), QColor(self._desk.tokens.accent)
        colour.setAlpha(round(110 * share))
        cursor = QTextCursor(self.lines.document())
        cursor.setPosition(position)
        if passage is not None:
            end = cursor.block().position() + cursor.block().length() - 1
            cursor.setPosition(min(position + passage[0], end))
            cursor.setPosition(min(position + passage[1], end), QTextCursor.MoveMode.KeepAnchor)
        made.cursor = cursor  # type: ignore[attr-defined]
        made.format.setBackground(colour)  # type: ignore[attr-defined]
        made.format.setProperty(QTextFormat.Property.FullWidthSelection, passage is None)  # type: ignore[attr-defined]
        return made

    def _show_map(self, trace: ContentTrace | None, look: Look, picture: Picture | None) -> None:
        mapped = trace if trace is not None and isinstance(trace.locations, Grid) else None
        self.stage.show_word(mapped, 0 if mapped is not None else -1, look)
        top = float(trace.weights.max()) if mapped is not None and trace is not None else 0.0
        uniform = 1 / len(mapped.locations) if mapped is not None else 0.0
        self.lookbar.legend.show_range(max(top, 4 * uniform), uniform, look)
        self.cutout.clear()
        if mapped is not None and picture is not None:
            self.cutout.setPixmap(masked(picture, mapped))

    def choose_file(self) -> None:
        """Let the user choose a text file."""
        name, _ = QFileDialog.getOpenFileName(self, tr("Open a text file"), self._desk.settings["folder"], tr(FORMS))
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> bool:
        """Take the lines of a file; where it is no text the last lines stay."""
        try:
            lines = read_lines(path)
        except UserError as error:
            self._desk.say(str(error), fault=True)
            return False
        self._desk.opened.add(path)
        count = tr("{name}: {count} lines", name=path.name, count=f"{len(lines.texts):,}")
        self._desk.say(" ".join((f"{count}.", *lines.notes)) if lines.notes else count)
        self._show_lines(lines)
        return True

    def show_samples(self) -> None:
        """Take the sample lines again."""
        self._show_lines(SAMPLE_LINES)

    def _show_lines(self, lines: Lines) -> None:
        """Show each line in its own place; blank lines keep theirs."""
        shown = [""] * min(lines.numbers[-1], EDITABLE)
        for number, text in zip(lines.numbers, lines.texts, strict=True):
            if number <= EDITABLE:
                shown[number - 1] = text
        self.lines.blockSignals(True)
        self.lines.setPlainText("\n".join(shown))
        self.lines.setReadOnly(lines.numbers[-1] > EDITABLE)
        self.lines.blockSignals(False)
        self._tell(lines)
        self.lines_changed.emit(lines)

    def _edited(self) -> None:
        try:
            lines = number_lines(self.lines.toPlainText())
        except UserError:
            lines = Lines((), ())
        self._tell(lines)
        self.lines_changed.emit(lines)

    def _tell(self, lines: Lines) -> None:
        self._places = None
        whole = not lines.numbers or lines.numbers[-1] <= EDITABLE
        text = WHOLE if whole else BEGUN
        self.told.setText(tr(text, count=f"{len(lines.texts):,}", most=f"{EDITABLE:,}"))

    def set_tokens(self, tokens: Theme) -> None:
        self.stage.set_tokens(tokens)
        self.words.set_tokens(tokens)
        self.lookbar.legend.set_tokens(tokens)
