"""The state of the Transformer panel without a widget: the text, the head in sight, what is changed, what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.ablation import Ablation
from attnviewer.core.added import SEEING, kind_of
from attnviewer.core.attend import AttendTrace, Inside, maps_of
from attnviewer.core.habits import Habit
from attnviewer.core.heads import combined, labels, norm_weighted, rollout, tendencies
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.request import AttendRequest
from attnviewer.core.trace import Floats, Grid, Trace
from attnviewer.core.transformer.stages import Stage, head_of, stages
from attnviewer.ui.panels.transformer.measured import habits_of_model, short, table_of

PLAIN, CHANGED = "transformer-plain", "transformer-changed"
LANES = (PLAIN, CHANGED)
SAMPLES = (
    "He sat on the bank of the river and watched the water.",
    "The bank lent him the money for a new boat.",
    "The food was good, not bad at all.",
    "The trophy did not fit in the suitcase because it was too big.",
    "The dog that chased the cats was tired, so it slept.",
)
SPANISH = (
    "La casa blanca tiene una puerta roja.",
    "No me gusta el café frío.",
    "Compré un coche viejo y una bicicleta nueva.",
    "El banco me prestó dinero para comprar una casa.",
    "Cuando llegamos a la estación, el tren ya se había ido.",
)
WAYS = ("head", "mean", "max", "rollout", "norm")
HISTORY = 20


@dataclass
class TransformerState:
    """What is wanted and what came back.

    Parameters
    ----------
    layer, head, token : the head in sight, and the token whose row is lit.
    step : the step of the build-up.
    way : what the enlarged map shows: one head, mean, max, rollout or norm.
    change : what is switched off or masked.
    traces : the plain reading, and the changed one.
    saved : a trace that was opened; it holds maps alone, so nothing in it can be changed.
    model : the net that reads; "" is the English encoder, else an id or the folder of a model of the user's own.
    kind : of a model of the user's own, such as "gpt2"; "" for nets that ship.
    opened : the folders of the user's own models.
    picture : the photo that is read by models that read photos.
    habits : what was measured of its heads, by names such as encoder:0.1.
    """

    text: str = SAMPLES[0]
    layer: int = 0
    head: int = 4
    token: int = -1
    step: int = 8
    way: str = "head"
    change: Ablation = field(default_factory=Ablation)
    traces: dict[str, AttendTrace] = field(default_factory=dict)
    history: tuple[str, ...] = ()
    saved: Trace | None = None
    model: str = ""
    kind: str = ""
    opened: tuple[str, ...] = ()
    picture: Picture | None = None
    habits: Mapping[str, Habit] = field(default_factory=dict)
    _kept: dict[object, object] = field(default_factory=dict)

    @property
    def plain(self) -> AttendTrace | None:
        """The reading without changes."""
        return self.traces.get(PLAIN)

    @property
    def trace(self) -> AttendTrace | None:
        """The reading in sight: the changed one where something is changed."""
        return self.traces.get(CHANGED if self.changed else PLAIN, self.plain)

    @property
    def changed(self) -> bool:
        """Whether anything is changed."""
        return self.change != Ablation()

    @property
    def shown(self) -> Trace | None:
        """The trace in sight: a saved one, or the reading."""
        return self.trace if self.saved is None else self.saved

    @property
    def maps(self) -> Floats | None:
        """All maps in sight [N, H, T, L]."""
        if self.inside is not None:
            return self.inside.weights
        if self.shown is None:
            return None
        if "maps" not in self._kept:
            self._kept["maps"] = maps_of(self.shown)
        return self._kept["maps"]  # type: ignore[return-value]

    @property
    def places(self) -> tuple[str, ...]:
        """What is looked at: tokens, or cells as row and column."""
        if self.shown is None:
            return ()
        where = self.shown.locations
        if isinstance(where, Grid):
            return tuple(f"{place // where.columns},{place % where.columns}" for place in range(len(where)))
        return where.tokens

    @property
    def inside(self) -> Inside | None:
        """What the net computed in the reading in sight."""
        return self.trace.inside if self.trace is not None and self.saved is None else None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the text."""
        return self.shown.words if self.shown is not None else ()

    def take(self, text: str) -> None:
        """Another text; what was known of the last one goes."""
        self.text, self.token = text, -1
        self.change, self.saved = replace(self.change, hidden=()), None
        self.forget()

    def choose_model(self, model: str) -> None:
        """Let another net read; it begins with a text in its own language."""
        self.model, self.layer, self.head, self.change = model, 0, 0 if model else 4, Ablation()
        self.kind, self.way = kind_of(model), "head"
        self.habits = habits_of_model(model)
        self.take(next(iter(self.samples), self.text))

    @property
    def samples(self) -> tuple[str, ...]:
        """Texts to begin with, in the language that the net reads."""
        if self.reads_photo:
            return ()
        return SPANISH if self.model and not self.kind else SAMPLES

    @property
    def reads_photo(self) -> bool:
        """Whether the net reads the photo, not the text."""
        return self.kind in SEEING

    def maps_alone(self, saved: str) -> str:
        """Why there are maps alone: `saved` for a trace that was opened; "" where there is more, or nothing yet."""
        if self.saved is not None:
            return saved
        if self.trace is None or self.trace.inside is not None:
            return ""
        return tr("{model} shows its maps alone: queries, keys and vectors are read from kinds like BERT and GPT-2.",
                  model=self.trace.model)  # fmt: skip

    def open(self, trace: Trace) -> None:
        """Show a trace that was saved; raises `UserError` where it can't be shown as a table of heads."""
        maps_of(trace)
        self.forget()
        self.saved, self.change, self.layer, self.head, self.token, self.way = trace, Ablation(), 0, 0, 0, "head"

    def forget(self) -> None:
        """Drop what came back."""
        self.traces.clear()
        self._kept.clear()

    def receive(self, lane: str, trace: AttendTrace) -> None:
        """Keep what came back; the first time, light a token that looks at another word."""
        self.traces[lane] = trace
        self._kept.clear()
        if self.token < 0 or self.token >= len(trace.words):
            self.token = telling_token(trace, self.layer, self.head)

    def alter(self, change: Ablation) -> None:
        """Change what is switched off or masked; the changed reading is asked anew."""
        self.change = replace(Ablation(), off=change.off) if self.kind else change  # all that adapters can do
        self.traces.pop(CHANGED, None)
        self._kept.clear()

    def request(self, lane: str) -> AttendRequest:
        """What to ask of the engine."""
        change = self.change if lane == CHANGED else Ablation()
        given = {"picture": self.picture} if self.reads_photo else {"text": self.text}
        return AttendRequest(**given, model=self.model or None, change=change)  # type: ignore[arg-type]

    @property
    def lanes(self) -> tuple[str, ...]:
        """What has to be read and isn't there."""
        if self.saved is not None or (self.reads_photo and self.picture is None):
            return ()
        wanted = LANES if self.changed else (PLAIN,)
        return tuple(lane for lane in wanted if lane not in self.traces)

    def remember(self) -> None:
        """Put the text at the head of the history."""
        self.history = (self.text, *(old for old in self.history if old != self.text))[:HISTORY]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The steps for the head in sight."""
        if self.inside is None:
            return ()
        key = ("stages", self.layer, self.head)
        if key not in self._kept:
            change = self.change if self.trace is not self.plain else Ablation()
            self._kept[key] = stages(head_of(self.inside, self.layer, self.head, change), self.tokens)
        return self._kept[key]  # type: ignore[return-value]

    @property
    def measured(self) -> list[list[Habit | None]]:
        """What was measured of each head of the net that reads; empty where nothing was."""
        if self.inside is None:
            return []
        return table_of(self.habits, "encoder", *self.inside.shape[:2])

    @property
    def names(self) -> list[list[str]]:
        """What each head tends to look at, as measured or else in this text; "" where nothing gets most of it."""
        if self.measured:
            return [[short(one) for one in row] for row in self.measured]
        if self.maps is None or self.tokens != self.places:
            return []
        if "names" not in self._kept:
            shares = tendencies(self.maps, self.tokens, special(self.tokens).tolist())
            self._kept["names"] = labels(shares)
        return self._kept["names"]  # type: ignore[return-value]

    def enlarged(self) -> Floats | None:
        """The map [T, L] that is shown large."""
        if self.maps is None:
            return None
        key = ("way", self.way, self.layer, self.head)
        if key not in self._kept:
            self._kept[key] = self._way()
        return self._kept[key]  # type: ignore[return-value]

    def _way(self) -> Floats:
        weights = self.maps
        assert weights is not None
        if self.way == "rollout" and weights.shape[2] == weights.shape[3]:
            return np.asarray(rollout(weights)[self.layer])
        if self.way == "norm" and self.inside is not None:
            return norm_weighted(weights[self.layer, self.head], self.inside.value_norms[self.layer, self.head])
        if self.way in ("mean", "max"):
            return np.asarray(combined(weights[self.layer : self.layer + 1], self.way)[0])
        return np.asarray(weights[self.layer, self.head])

    def moved(self) -> Floats | None:
        """How far the change has turned each token's last vector: 1 - cosine [T]; None without both readings."""
        plain, other = self.plain, self.traces.get(CHANGED)
        if not self.changed or plain is None or other is None or plain.inside is None or other.inside is None:
            return None
        return turned(plain.inside.hidden[-1], other.inside.hidden[-1])

    def angle(self, token: int) -> float:
        """By how many degrees the change has turned a token's last vector."""
        moved = self.moved()
        return 0.0 if moved is None else float(np.degrees(np.arccos(np.clip(1 - moved[token], -1, 1))))

    def likeness(self) -> float | None:
        """Cosine of the text's mean vector before and behind the change."""
        plain, other = self.plain, self.traces.get(CHANGED)
        if self.moved() is None or plain is None or other is None or plain.inside is None or other.inside is None:
            return None
        one, two = (inside.hidden[-1].mean(axis=0) for inside in (plain.inside, other.inside))
        return float(one @ two / (np.linalg.norm(one) * np.linalg.norm(two)))


def turned(one: Floats, other: Floats) -> Floats:
    """1 - cosine of the rows of two arrays [T, D]."""
    norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray(1 - (one * other).sum(axis=1) / np.maximum(norms, 1e-9), dtype=np.float32).clip(0, 2)


def special(tokens: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which tokens are marks of the net, such as [CLS]."""
    return np.array([token.startswith("[") and token.endswith("]") and len(token) > 2 for token in tokens])


def telling_token(trace: AttendTrace, layer: int, head: int) -> int:
    """The word that looks most at one other word, in the head in sight: a good one to begin with."""
    if trace.inside is None:
        return 0
    layers, heads, count = trace.inside.shape
    words = np.array([token.isalpha() and len(token) > 3 for token in trace.words])
    map_ = trace.inside.weights[min(layer, layers - 1), min(head, heads - 1)]
    other = map_ * words[:, None] * words[None, :] * ~np.eye(count, dtype=bool)
    return int(other.max(axis=1).argmax())
