"""How well a grounder points: inside the phrase's boxes, beside its baselines, and whether the thing is there at all.

Letters: N photos, L locations, K size of a key, P phrases, R other photos a phrase is held against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.train.phrases import Phrases

OTHERS = 16
TEMPERATURES = tuple(float(t) for t in np.geomspace(0.01, 0.3, 35).round(4))


@dataclass(frozen=True)
class Figures:
    """Measures of one split, each with its baseline.

    Parameters
    ----------
    pointing : share of phrases whose best cell has its centre in a box; `centre` is that of the photo's centre.
    inside : mean share of the attention inside the boxes; `area` is that of a uniform map.
    auc : chance that a phrase scores higher on its own photo than on another.
    """

    phrases: int
    pointing: float
    centre: float
    inside: float
    area: float
    auc: float


@dataclass(frozen=True)
class Scored:
    """Cosines [P, L] of each phrase with its own photo, and with R other photos [P, R, L]."""

    own: Tensor
    others: Tensor


def compare(keys: Tensor, queries: Tensor, owner: Tensor, seed: int = 0) -> Scored:
    """Compare queries [P, K] with the keys [N, L, K] of their own photo and of R others."""
    count = len(keys)
    random = np.random.default_rng(seed)
    shifts = random.choice(np.arange(1, count), size=min(OTHERS, count - 1), replace=False)
    own = torch.zeros(len(queries), keys.shape[1])
    others = torch.zeros(len(queries), len(shifts), keys.shape[1])
    for photo, rows in _by_photo(owner):
        own[rows] = queries[rows] @ keys[photo].T  # [p, L]
        strangers = keys[(photo + shifts) % count]  # [R, L, K]
        others[rows] = torch.einsum("pk,rlk->prl", queries[rows], strangers)
    return Scored(own, others)


def _by_photo(owner: Tensor) -> Iterator[tuple[int, Tensor]]:
    order = torch.argsort(owner, stable=True)
    photos, sizes = torch.unique_consecutive(owner[order], return_counts=True)
    yield from zip(photos.tolist(), order.split(sizes.tolist()), strict=True)


def level(cosines: Tensor, temperature: float) -> Tensor:
    """How strongly a photo answers: log of the mean over locations of exp(cosine / temperature)."""
    return torch.logsumexp(cosines / temperature, dim=-1) - float(np.log(cosines.shape[-1]))


def measure(scored: Scored, phrases: Phrases, temperature: float, presence: float) -> Figures:
    """All figures; `temperature` sharpens the maps, `presence` is the temperature of the photo's level."""
    cover = torch.from_numpy(phrases.inside).float() / 255
    weights = torch.softmax(scored.own / temperature, dim=-1)
    best = scored.own.argmax(dim=-1)
    return Figures(
        phrases=len(phrases),
        pointing=float(phrases.hits[np.arange(len(phrases)), best.numpy()].mean()),
        centre=float(phrases.centre.mean()),
        inside=float((weights * cover).sum(dim=-1).mean()),
        area=float(cover.mean()),
        auc=area_under_curve(level(scored.own, presence).numpy(), level(scored.others, presence).flatten().numpy()),
    )


def choose_temperature(scored: Scored, phrases: Phrases) -> float:
    """The temperature at which a location drawn from the map is most likely to lie inside the boxes, by mean log-share.

    A map that misses the box altogether costs without bound, so that the coldest isn't simply the best.
    """
    cover = torch.from_numpy(phrases.inside).float() / 255

    def likelihood(temperature: float) -> float:
        share = (torch.softmax(scored.own / temperature, dim=-1) * cover).sum(dim=-1)
        return float(share.clamp_min(1e-12).log().mean())

    return max(TEMPERATURES, key=likelihood)


def area_under_curve(positive: NDArray[np.float32], negative: NDArray[np.float32]) -> float:
    """Chance that a positive lies above a negative, ties counting half."""
    ranked = np.sort(negative)
    below = np.searchsorted(ranked, positive, "left") + np.searchsorted(ranked, positive, "right")
    return float(below.mean() / (2 * len(ranked)))


def table(figures: Figures) -> str:
    """The figures as lines of text, each with its baseline beside it."""
    values = asdict(figures)
    rows = (
        ("phrases with boxes", f"{figures.phrases:,}", ""),
        ("pointing accuracy", f"{values['pointing']:.3f}", f"centre of the photo {figures.centre:.3f}"),
        ("attention inside the boxes", f"{values['inside']:.3f}", f"area {figures.area:.3f}"),
        ("is it there? AUC", f"{values['auc']:.3f}", "chance 0.500"),
    )
    return "\n".join(f"{name:<28}{value:>9}   {beside}".rstrip() for name, value, beside in rows)
