"""What is changed of a translation to ask "what if?", without a widget: it is undone, redone, kept, and remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from attnviewer.core.trace import Trace
from attnviewer.ui.whatif import OWN, Change, Edits, Memory, Variant, Variants

Made = tuple[str, int, Change]


@dataclass(kw_only=True)
class Steered:
    """The change that holds for all ways to attend, and the traces of each, by their lane.

    Parameters
    ----------
    seed : of the order in which a shuffled source is handed over.
    echo : the text before source words were struck out, read again without them.
    """

    traces: dict[str, Trace] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    seed: int = 0
    edits: Edits = field(default_factory=Edits)
    variants: Variants = field(default_factory=Variants)
    memory: Memory[Made] = field(default_factory=Memory)
    echo: Trace | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The lanes that have to run."""
        return ()

    def lanes(self) -> Iterable[str]:
        """Every lane there is."""
        return ()

    def finish(self, lane: str, trace: Trace) -> None:
        """A lane has said all; it is remembered by what made it."""
        self.traces[lane] = trace
        self.done.add(lane)
        self.memory.put(self._made(lane, self.edits.now), trace)

    def change(self, change: Change) -> bool:
        """Change to something new; False where it is what holds already."""
        return self._recall(lambda: self.edits.make(change))

    def undo(self) -> bool:
        """Go back by one change; False where there is none."""
        return self._recall(self.edits.undo)

    def redo(self) -> bool:
        """Go on by one change; False where there is none."""
        return self._recall(self.edits.redo)

    def reset(self) -> bool:
        """Back to the model's own text; False where it is shown."""
        return self._recall(self.edits.reset)

    def retract(self) -> bool:
        """A change that can't be made was never made; False where the model's own text is shown."""
        done = self.undo()
        self.edits.future.clear()
        return done

    def keep(self, lane: str) -> Variant | None:
        """Keep the text of a lane; None before it is whole."""
        return self.variants.keep(self.edits.now, self.traces[lane]) if lane in self.done else None

    def earlier(self, lane: str) -> Trace | None:
        """The text before the last change, where something is changed and it is remembered."""
        if self.edits.now == OWN or not self.edits.past:
            return None
        return self.memory.get(self._made(lane, self.edits.past[-1]))

    def own(self, lane: str) -> Trace | None:
        """The model's own text, where it is remembered."""
        return self.memory.get(self._made(lane, OWN))

    def begin_anew(self) -> None:
        """Another text: nothing is changed, kept or remembered."""
        for known in (self.edits, self.variants, self.memory):
            known.clear()
        self.echo = None

    def _made(self, lane: str, change: Change) -> Made:
        return lane, self.seed if lane.endswith("-moved") else 0, change

    def _recall(self, move: Callable[[], bool]) -> bool:
        """Show what is remembered of the change that holds then; what is in sight stands until it has run anew."""
        if not move():
            return False
        self.done.clear()
        self.failed.clear()
        self.echo = None
        for lane in self.lanes():
            known = self.memory.get(self._made(lane, self.edits.now))
            if known is not None:
                self.traces[lane] = known
                self.done.add(lane)
            elif lane not in self.wanted:
                self.traces.pop(lane, None)
        return True
