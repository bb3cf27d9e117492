"""What else links the words of the gold pairs: statistical aligners that have read the training text, and the diagonal.

The aligners learn from the training text and the gold pairs' own text (never from the gold links), lower-cased.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.data.gold import Gold
from attnviewer.data.links import both_ways, merge
from attnviewer.data.pairs import Links, Pair
from attnviewer.measure.alignment import diagonal, error_rate

Found = dict[str, list[Links]]


@dataclass(frozen=True)
class Aligner:
    """How gold pairs are linked, and the package that it needs (None: none, and no training text)."""

    link: Callable[[Sequence[Pair], Sequence[Gold]], Found]
    needs: str | None = None


def baselines(train: Callable[[], Sequence[Pair]], gold: Sequence[Gold], wanted: Sequence[str]) -> dict[str, float]:
    """Alignment error rates by name; an aligner that isn't installed is named on stderr and left out.

    Parameters
    ----------
    train : reads the training pairs; called once, and only where an aligner needs them.
    wanted : names of `ALIGNERS`.
    """
    usable = [name for name in wanted if _installed(name)]
    pairs = _with_gold(train(), gold) if any(ALIGNERS[name].needs for name in usable) else []
    rates: dict[str, float] = {}
    for name in usable:
        print(tr("aligning with {name}", name=name), file=sys.stderr, flush=True)
        for label, links in ALIGNERS[name].link(pairs, gold).items():
            rates[label] = round(error_rate(links, [pair.links for pair in gold]), 4)
    return rates


def _installed(name: str) -> bool:
    needs = ALIGNERS[name].needs
    found = needs is None or importlib.util.find_spec(needs) is not None
    if not found:
        print(
            tr('{name} is not installed and left out; run `python -m pip install "attnviewer[train]"`.', name=name),
            file=sys.stderr,
        )
    return found


def _with_gold(train: Sequence[Pair], gold: Sequence[Gold]) -> list[Pair]:
    """The training pairs, and behind them the gold pairs without their links."""
    return [*train, *(Pair(one.source, one.target, ("", "")) for one in gold)]


def _eflomal(pairs: Sequence[Pair], gold: Sequence[Gold]) -> Found:
    forward, backward = (links[-len(gold) :] for links in both_ways(pairs))
    both = [merge(there, back) for there, back in zip(forward, backward, strict=True)]
    return {"eflomal, forward": forward, "eflomal, backward": backward, "eflomal, both": both}


def _fast_align(pairs: Sequence[Pair], gold: Sequence[Gold]) -> Found:
    """Both directions made one by the package's own rule."""
    from systran_align import Aligner as Model
    from systran_align import generate_alignment_probabilities

    with tempfile.TemporaryDirectory() as folder:
        text, there, back = (str(Path(folder, name)) for name in ("text", "forward", "backward"))
        lines = [f"{' '.join(pair.source)} ||| {' '.join(pair.target)}\n".lower() for pair in pairs]
        Path(text).write_text("".join(lines), encoding="utf-8")
        generate_alignment_probabilities(
            text, there, back, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        found = Model(there, back).align_batch([list(g.source) for g in gold], [list(g.target) for g in gold])
    return {"fast_align": [frozenset(map(tuple, one["alignments"])) for one in found]}


def _diagonal(pairs: Sequence[Pair], gold: Sequence[Gold]) -> Found:
    return {"diagonal": [diagonal(len(one.source), len(one.target)) for one in gold]}


ALIGNERS = {
    "eflomal": Aligner(_eflomal, "eflomal"),
    "fast_align": Aligner(_fast_align, "systran_align"),
    "diagonal": Aligner(_diagonal),
}
