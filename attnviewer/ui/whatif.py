"""What the user changes to ask "what if?", without a widget: interventions, undo and redo, and variants that are kept.

Every `Change` is whole: it holds all that is imposed at once, so that undoing is going back to another one, and a
request is made from it alone. Traces are remembered by their change, so that undoing shows the very trace of before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from attnviewer.core.covers import Cover, covers_of
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.imposing import from_plain
from attnviewer.core.interventions import Intervention
from attnviewer.core.trace import Trace

MOST = 60  # traces that are remembered
K = TypeVar("K", bound=Hashable)
Words = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """All that is changed; nothing is the model's own text.

    Parameters
    ----------
    words : a whole text of the user's own, which is measured; None lets the model choose.
    interventions : words and attention that are imposed; see `Intervention`.
    covers : patches over the photo.
    name : what was done last, in words, for a list of variants.
    hidden : source words of a translation that are struck out.
    """

    words: Words | None = None
    interventions: tuple[Intervention, ...] = ()
    covers: tuple[Cover, ...] = ()
    name: str = field(default="", compare=False)
    hidden: tuple[int, ...] = ()

    @property
    def steered(self) -> bool:
        """Whether words or attention are imposed, so that the text is decoded greedily."""
        return self.words is not None or bool(self.interventions)

    def with_word(self, at: int, word: str, said: Sequence[str]) -> Change:
        """Say `word` at word `at`, and go on from there; the words `said` before it stay."""
        old = said[at] if at < len(said) else ""
        name = tr("“{old}” to “{new}”", old=old, new=word) if old else tr("on with “{new}”", new=word)
        looks = [one for one in self.before(at + 1, said) if one.at != at or one.word is None]
        return self._steered((*looks, Intervention(at, word=word)), name)

    def with_look(self, at: int, weights: Sequence[float], said: Sequence[str], *, rest: bool = False) -> Change:
        """Look where `weights` [L] say for word `at`, or for the `rest` as well, and choose that word anew."""
        look = Intervention(at, weights=tuple(map(float, weights)), rest=rest)
        name = tr("“{word}” looks elsewhere", word=said[at]) if at < len(said) else tr("the end looks elsewhere")
        return self._steered((*self.before(at, said), look), name)

    def before(self, at: int, said: Sequence[str]) -> tuple[Intervention, ...]:
        """What holds for the words before `at`: what was imposed there, and the words `said`, which stay."""
        imposed = [one for one in self.interventions if one.at < at and not one.kept]
        own = {one.at for one in imposed if one.word is not None}
        given = dict(enumerate(self.words or ()))
        stay = [
            Intervention(place, word=word, kept=place not in given)
            for place, word in enumerate(said[:at])
            if place not in own
        ]
        return tuple(sorted((*stay, *imposed), key=lambda one: one.at))

    def with_covers(self, covers: Sequence[Cover]) -> Change:
        """Cover these places of the photo, and no others."""
        name = tr("photo covered") if covers else tr("photo uncovered")
        return replace(self, covers=tuple(covers), name=name)

    def with_hidden(self, place: int, word: str) -> Change:
        """Strike a source word out, or put it back; the text is chosen anew."""
        back = place in self.hidden
        name = tr("“{word}” put back", word=word) if back else tr("without “{word}”", word=word)
        return replace(self, hidden=tuple(sorted({place} ^ set(self.hidden))), name=name)

    def _steered(self, interventions: Sequence[Intervention], name: str) -> Change:
        return replace(self, words=None, interventions=tuple(interventions), name=name)

    def forced_look(self, at: int) -> bool:
        """Whether the attention of word `at` is imposed."""
        return any(one.looks and (one.at == at or (one.rest and one.at < at)) for one in self.interventions)


OWN = Change()  # the model's own text


def words_alone(interventions: Sequence[Intervention]) -> tuple[Intervention, ...]:
    """The words that are imposed, for a model that has no attention."""
    return tuple(one for one in interventions if one.word is not None)


def change_of(request: Mapping[str, Any]) -> Change:
    """What the request of a saved trace, as plain data, changes; nothing where that can't be read."""
    try:
        imposed = tuple(map(from_plain, request.get("interventions") or ()))
        words = request.get("words")
        hidden = tuple(map(int, request.get("hidden") or ()))
        return Change(None if words is None else tuple(map(str, words)), imposed, covers_of(request), hidden=hidden)
    except (UserError, TypeError, AttributeError):
        return OWN


class Edits:
    """The change that holds now, with what undoing and redoing lead to."""

    def __init__(self) -> None:
        self.now = OWN
        self.past: list[Change] = []
        self.future: list[Change] = []

    def make(self, change: Change) -> bool:
        """Change to something new; False where it is what holds already."""
        if change == self.now:
            return False
        self.past.append(self.now)
        self.now = change
        self.future.clear()
        return True

    def undo(self) -> bool:
        """Go back by one change; False where there is none."""
        return self._go(self.past, self.future)

    def redo(self) -> bool:
        """Go on to what was undone; False where there is nothing."""
        return self._go(self.future, self.past)

    def reset(self) -> bool:
        """Back to the model's own text, which can be undone as well."""
        return self.make(OWN)

    def clear(self) -> None:
        """Begin anew: another photo or text."""
        self.now = OWN
        self.past.clear()
        self.future.clear()

    def last(self, holds: Callable[[Change], bool]) -> Change | None:
        """The newest change of the past for which something holds."""
        return next((change for change in reversed(self.past) if holds(change)), None)

    def _go(self, start: list[Change], end: list[Change]) -> bool:
        if not start:
            return False
        end.append(self.now)
        self.now = start.pop()
        return True


class Memory(Generic[K]):
    """Traces by what they were made of, the newest ones alone."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._traces: dict[K, Trace] = {}

    def put(self, key: K, trace: Trace) -> None:
        """Remember a whole trace."""
        self._traces.pop(key, None)
        self._traces[key] = trace
        if len(self._traces) > self._most:
            del self._traces[next(iter(self._traces))]

    def get(self, key: K) -> Trace | None:
        """The very trace that was put there, or None."""
        return self._traces.get(key)

    def clear(self) -> None:
        """Forget all."""
        self._traces.clear()


@dataclass(frozen=True, eq=False)
class Variant:
    """A text that the user wants to keep, with the change that leads to it."""

    name: str
    change: Change
    trace: Trace

    @property
    def text(self) -> str:
        """The text."""
        return self.trace.text

    @property
    def logprob(self) -> float:
        """Natural logarithm of the probability of the whole text."""
        return float(self.trace.logprobs.sum())


class Variants:
    """The variants of one photo or text, in the order in which they were kept; names are all different."""

    def __init__(self) -> None:
        self.all: list[Variant] = []

    def keep(self, change: Change, trace: Trace) -> Variant:
        """Keep a text; one whose change is kept already is not kept twice."""
        known = next((one for one in self.all if one.change == change), None)
        if known is not None:
            return known
        made = Variant(self._free(change.name or tr("the model's own")), change, trace)
        self.all.append(made)
        return made

    def drop(self, variant: Variant) -> None:
        """Keep it no longer."""
        self.all.remove(variant)

    def parent(self, variant: Variant) -> Variant | None:
        """The variant that has most of the changes of this one and no others, or None."""
        own = _chosen(variant.change)
        parents = [one for one in self.all if one is not variant and _chosen(one.change) < own]
        return max(parents, key=lambda one: len(_chosen(one.change)), default=None)

    def clear(self) -> None:
        """Begin anew: another photo or text."""
        self.all.clear()

    def _free(self, name: str) -> str:
        taken = {one.name for one in self.all}
        names = (name, *(f"{name} ({number})" for number in range(2, len(taken) + 3)))
        return next(free for free in names if free not in taken)


def _chosen(change: Change) -> frozenset[object]:
    """What the user chose of a change: without the words that merely stay."""
    return frozenset(
        (
            *(one for one in change.interventions if not one.kept),
            *change.covers,
            *change.hidden,
            *enumerate(change.words or ()),
        )
    )
