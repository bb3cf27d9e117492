"""What the image panel's state knows of changes: what holds, what held before, and the captions that belong to each."""

from __future__ import annotations

from dataclasses import dataclass, field

from attnviewer.core.modes import MODES
from attnviewer.core.trace import Trace
from attnviewer.ui.whatif import OWN, Change, Edits, Memory, Variant, Variants

Words = tuple[str, ...] | None
Made = tuple[str, str | None, Change, int, str]  # mode, model, change, and what draws the places


@dataclass(kw_only=True)
class Steered:
    """Captions by the change that made them.

    Parameters
    ----------
    model : the model chosen for each mode; where there is none the engine takes its default.
    saved : whether what is shown came out of a file, so that no other model need read it.
    traces, done, failed : what each mode said, and the modes whose runs have ended, well or not.
    seed, pick : how hard attention takes its places.
    edits : what the user changed, with undo and redo.
    variants, memory : the captions that the user keeps, and all that were made of this photo, by what made them.
    peek : whether the caption before the last change is shown in place of the one that holds.
    """

    model: dict[str, str] = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    seed: int = 0
    pick: str = "sample"
    saved: bool = False
    edits: Edits = field(default_factory=Edits)
    variants: Variants = field(default_factory=Variants)
    memory: Memory[Made] = field(default_factory=Memory)
    peek: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """The attention modes in sight."""
        raise NotImplementedError

    @property
    def words(self) -> Words:
        """The user's own caption, where one is measured."""
        return self.edits.now.words

    def _shown(self, mode: str) -> Trace | None:
        """The trace that is shown of a mode: the one that holds, or the one before where the user peeks at it."""
        return self.earlier(mode) if self.peek else self.traces.get(mode)

    def earlier(self, mode: str) -> Trace | None:
        """What a mode said before the last change, where it is remembered."""
        past = self.edits.past
        return self.memory.get(self._made(mode, past[-1])) if past else None

    def untouched(self, mode: str, word: int) -> Trace | None:
        """The newest caption in which a mode came to `word` by the same words and chose it without what holds now.

        None where nothing was imposed on that very choice: neither a look nor a cover.
        """
        now, trace = self.edits.now, self.traces.get(mode)
        if trace is None or self.peek or not (now.forced_look(word) or now.covers):
            return None
        for change in reversed(self.edits.past):
            found = self.memory.get(self._made(mode, change))
            other = change.covers != now.covers or (now.forced_look(word) and not change.forced_look(word))
            if found is trace:
                return None  # what was imposed has yet to be heard
            if found is not None and other and found.words[:word] == trace.words[:word] and word < len(found.steps):
                return found
        return None

    def own(self, mode: str) -> Trace | None:
        """The model's own caption, where it is remembered."""
        return self.memory.get(self._made(mode, OWN))

    def _made(self, mode: str, change: Change) -> Made:
        draws = (self.seed, self.pick) if MODES[mode].draws else (0, "")
        return mode, self.model.get(MODES[mode].net), change, *draws

    def keep(self, mode: str) -> Variant | None:
        """Keep what a mode says as a variant; None before that is whole."""
        trace = self.traces.get(mode)
        return self.variants.keep(self.edits.now, trace) if trace is not None and mode in self.done else None

    def finish(self, mode: str, trace: Trace) -> None:
        """A mode has said all; it is remembered by what made it."""
        self.traces[mode] = trace
        self.done.add(mode)
        self.memory.put(self._made(mode, self.edits.now), trace)

    def change(self, change: Change) -> bool:
        """Change to something new; False where it is what holds already."""
        return self.edits.make(change) and self._recall()

    def undo(self) -> bool:
        """Go back by one change; False where there is nothing to undo."""
        return self.edits.undo() and self._recall()

    def redo(self) -> bool:
        """Go on by one change; False where there is nothing to redo."""
        return self.edits.redo() and self._recall()

    def _recall(self) -> bool:
        """Show what is remembered of the change that holds; what is in sight and isn't stands until it was run."""
        self.peek, self.saved = False, False
        self.done.clear()
        self.failed.clear()
        for mode in MODES:
            known = self.memory.get(self._made(mode, self.edits.now))
            if known is not None:
                self.traces[mode] = known
                self.done.add(mode)
            elif mode not in self.shown:
                self.traces.pop(mode, None)
        return True
