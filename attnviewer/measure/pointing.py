"""How well a grounder points: inside the phrase's boxes, beside baselines, and whether the thing is there at all.

Letters: N photos, L locations, K size of a key, P phrases, R other photos a phrase is held against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.data.phrases import Phrases

OTHERS = 16
TEMPERATURES = tuple(float(t) for t in np.geomspace(0.01, 0.3, 35).round(4))


@dataclass(frozen=True)
class Figures:
    """Measures of one split, each with its baseline.

    Parameters
    ----------
    pointing : share of phrases whose best cell has its centre in a box; `centre` is that of the photo's centre.
    inside : mean share of the attention inside the boxes; `area` is that of a uniform map.
    auc : chance that a phrase scores higher on its own photo than a phrase does on another.
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
        strangers = keys[(photo + shifts) % count].flatten(0, 1)  # [R * L, K]
        others[rows] = (queries[rows] @ strangers.T).unflatten(1, (len(shifts), -1))
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
    best = scored.own.argmax(dim=-1).numpy()
    own, others = (level(cosines, presence).flatten().numpy() for cosines in (scored.own, scored.others))
    return Figures(
        phrases=len(phrases),
        pointing=float(phrases.hits[np.arange(len(phrases)), best].mean()),
        centre=float(phrases.centre.mean()),
        inside=float(_inside(scored, phrases, temperature).mean()),
        area=float(phrases.inside.mean() / 255),
        auc=area_under_curve(own, others),
    )


def _inside(scored: Scored, phrases: Phrases, temperature: float) -> Tensor:
    """Share of each phrase's attention inside its boxes [P]."""
    cover = torch.from_numpy(phrases.inside).float() / 255
    return (torch.softmax(scored.own / temperature, dim=-1) * cover).sum(dim=-1)


def choose_temperature(scored: Scored, phrases: Phrases) -> float:
    """The temperature at which a location drawn from the map is most likely to lie inside the boxes, by mean log-share.

    A map that misses the boxes altogether costs without bound, so that the coldest isn't simply the best.
    """

    def likelihood(temperature: float) -> float:
        return float(_inside(scored, phrases, temperature).clamp_min(1e-12).log().mean())

    return max(TEMPERATURES, key=likelihood)


def fit_presence(scored: Scored, temperature: float) -> tuple[float, float]:
    """Slope and offset that turn a photo's level into the chance that the phrase is its own, before it one half."""
    from sklearn.linear_model import LogisticRegression

    own, others = (level(cosines, temperature).flatten().numpy() for cosines in (scored.own, scored.others))
    levels, truth = np.concatenate([own, others]), np.repeat([1, 0], [len(own), len(others)])
    fitted = LogisticRegression(C=1e6, class_weight="balanced").fit(levels[:, None], truth)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def area_under_curve(positive: NDArray[np.float32], negative: NDArray[np.float32]) -> float:
    """Chance that a positive lies above a negative, ties counting half."""
    ranked = np.sort(negative)
    below = np.searchsorted(ranked, positive, "left") + np.searchsorted(ranked, positive, "right")
    return float(below.mean() / (2 * len(ranked)))
