"""The trace: words and the attention weights that chose them, as read-only numpy arrays.

Letters: T words, H heads, L locations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.sentence import detokenize

SCHEMA = "attnviewer/trace/1"
TOLERANCE = 1e-4
LOOKED_UP, COPIED, RULE, KEPT = ("glossary", "copied", "rule", "kept")  # how a word was found that no net said
Floats = NDArray[np.float32]


def frozen(values: Any) -> Floats:
    """Copy `values` into a float32 array that can't be written to."""
    array = np.array(values, dtype=np.float32)
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Grid:
    """Locations in rows and columns over `extent` = (left, top, right, bottom), in pixels of the upright source."""

    kind: ClassVar[str] = "grid"
    rows: int
    columns: int
    extent: tuple[float, float, float, float]

    def __len__(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True)
class Tokens:
    """Locations that are the words (or lines) of a text; lines have their `numbers` in the text, from 1."""

    kind: ClassVar[str] = "tokens"
    tokens: tuple[str, ...]
    numbers: tuple[int, ...] | None = None

    def __len__(self) -> int:
        return len(self.tokens)


Locations = Grid | Tokens


@dataclass(frozen=True)
class Source:
    """What was looked at: an image (path or None, width and height in pixels) or a text."""

    kind: str
    path: str | None = None
    width: int | None = None
    height: int | None = None
    text: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Step:
    """One word and the map that was used to choose it.

    Parameters
    ----------
    word : the word, as shown.
    logprob : natural logarithm of its probability; NaN where it was read and not chosen, 0 where a rule made it.
    alternatives : the most probable words of this step with their probabilities, best first.
    weights : [H, L], each row a distribution; H = 0 for no attention.
    scores : [H, L], raw scores before the softmax, or None.
    sampled : the location that hard attention took, or None.
    gate : how much the context vector was let in, 0..1, or None.
    forced : whether the word or its map was imposed from outside.
    unknown : whether the model has no word for this, and it was looked up, copied from the source, or left unknown.
    bits : how much of the image is left: Kullback-Leibler divergence between the chances of the next word given this
        image and given an average one, in bits, or None.
    origin : [L], where the word came from, asked once it was known: a distribution that had no part in its choice; or
        None.
    outside : [H], the share of each head's attention that went to what is no location, such as a class token; the rows
        of `weights` are made to sum to 1 without it. Or None.
    found : how an unknown word was found: looked up in a "glossary", "copied" from the source, made by a "rule", or
        "kept" as a mark that is nobody's word; "" where it isn't told.
    """

    word: str
    logprob: float
    weights: Floats
    alternatives: tuple[tuple[str, float], ...] = ()
    scores: Floats | None = None
    sampled: int | None = None
    gate: float | None = None
    forced: bool = False
    unknown: bool = False
    bits: float | None = None
    origin: Floats | None = None
    outside: Floats | None = None
    found: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", frozen(self.weights))
        if self.scores is not None:
            object.__setattr__(self, "scores", frozen(self.scores))
        w = self.weights
        if w.ndim != 2:
            raise ValueError(f"weights must have shape [heads, locations], not {w.shape}")
        if not np.isfinite(w).all() or (w < 0).any() or (abs(w.sum(axis=1) - 1) > TOLERANCE).any():
            raise ValueError("each row of weights must be finite, non-negative and sum to 1")
        if self.outside is not None:
            object.__setattr__(self, "outside", frozen(self.outside))
        if self.origin is not None:
            object.__setattr__(self, "origin", frozen(self.origin))
            if not np.isfinite(self.origin).all() or (self.origin < 0).any() or abs(self.origin.sum() - 1) > TOLERANCE:
                raise ValueError("an origin must be finite, non-negative and sum to 1")

    def __repr__(self) -> str:
        return f"Step({self.word!r}, logprob={self.logprob:.3f}, weights={list(self.weights.shape)})"


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """A finished or growing run: what was asked, where the model could look, and one `Step` a word."""

    task: str
    model: str
    source: Source
    locations: Locations
    heads: tuple[str, ...]
    steps: tuple[Step, ...]
    request: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.heads), len(self.locations))
        for step in self.steps:
            if step.weights.shape != shape and step.weights.shape[0] != 0:
                raise ValueError(f"a step's weights have shape {step.weights.shape}, the trace needs {shape}")
            if step.origin is not None and step.origin.shape != shape[1:]:
                raise ValueError(f"a step's origin has shape {step.origin.shape}, the trace needs {shape[1:]}")

    @property
    def words(self) -> tuple[str, ...]:
        """The words [T]."""
        return tuple(step.word for step in self.steps)

    @property
    def text(self) -> str:
        """The words as one text."""
        return detokenize(self.words) if self.task == "translate" else " ".join(self.words)

    @property
    def weights(self) -> Floats:
        """Attention weights [T, H, L]."""
        return self._stack([step.weights for step in self.steps])

    @property
    def scores(self) -> Floats | None:
        """Scores before the softmax [T, H, L], or None where the run has none."""
        rows = [step.scores for step in self.steps if step.scores is not None]
        return self._stack(rows) if rows and len(rows) == len(self.steps) else None

    @property
    def logprobs(self) -> Floats:
        """Natural log-probability of each word [T]."""
        return frozen([step.logprob for step in self.steps])

    @property
    def alternatives(self) -> tuple[tuple[tuple[str, float], ...], ...]:
        """The most probable words of each step [T], with their probabilities."""
        return tuple(step.alternatives for step in self.steps)

    @property
    def sampled(self) -> tuple[int | None, ...]:
        """The location that each step took [T], or None where none was sampled."""
        return tuple(step.sampled for step in self.steps)

    @property
    def gate(self) -> tuple[float | None, ...]:
        """How much of the context vector each step let in [T], or None."""
        return tuple(step.gate for step in self.steps)

    @property
    def bits(self) -> tuple[float | None, ...]:
        """Bits that the photo added to each word [T], or None."""
        return tuple(step.bits for step in self.steps)

    @property
    def forced(self) -> tuple[bool, ...]:
        """Whether each word was imposed [T]."""
        return tuple(step.forced for step in self.steps)

    def layer(self, number: int) -> Trace:
        """The same with the heads of one layer alone, whose names begin with its number and a dot."""
        kept = [place for place, name in enumerate(self.heads) if name.partition(".")[0] == str(number) and "." in name]
        if not kept:
            raise UserError(tr("this trace has no layer {layer}.", layer=number))
        steps = tuple(
            replace(
                step, weights=step.weights[kept], scores=None if step.scores is None else step.scores[kept],
                outside=None if step.outside is None else step.outside[kept],
            )
            for step in self.steps
        )  # fmt: skip
        return replace(self, heads=tuple(self.heads[place] for place in kept), steps=steps)

    def _stack(self, rows: list[Floats]) -> Floats:
        return frozen(rows) if rows else frozen(np.zeros((0, len(self.heads), len(self.locations))))

    def to_dict(self) -> dict[str, Any]:
        """The trace as plain data in the form of schema `attnviewer/trace/1`."""
        from attnviewer.core.serial import trace_to_dict

        return trace_to_dict(self)

    def to_json(self) -> str:
        """The trace as one line of JSON in the form of schema `attnviewer/trace/1`."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write the trace in the form that the suffix names, as `-o` does: data, a figure, a page, links, a film.

        Raises `UserError` for another suffix, or where the place can't be written.
        """
        from attnviewer.core.saving import save_any

        save_any(self, Path(path))

    def __repr__(self) -> str:
        return f"Trace({self.task!r}, {self.text!r}, model={self.model!r}, weights={list(self.weights.shape)})"

    def _repr_png_(self) -> bytes:
        """The figure, for notebooks."""
        from attnviewer.core.saving import shown

        return bytes(shown(self, "png"))

    def _repr_html_(self) -> str:
        """The page with the words to click, for notebooks."""
        from attnviewer.core.saving import shown

        return str(shown(self, "html"))

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a trace saved as `.json` or `.npz`; raises `UserError` where the file holds none."""
        from attnviewer.core.tracefiles import load_trace

        return load_trace(Path(path))
