"""Is a labelled thing there at all? Asked on photos on which every class is boxed, so that absence is known.

Letters: N photos, L locations, K size of a key, C labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from torch import Tensor

from attnviewer.core.things import names_of
from attnviewer.data.photos import Photo
from attnviewer.measure.pointing import area_under_curve, level


def questions(photos: Sequence[Photo], seed: int = 0) -> list[tuple[int, str, bool]]:
    """(photo, label, whether it is there) of fully boxed photos: as many absent labels as there are present ones.

    Absent labels are drawn as often as they occur, and neither a box nor a caption of the photo knows them.
    """
    random, asked = np.random.default_rng(seed), []
    counts = Counter(label for photo in photos for label in _labels(photo))
    for number, photo in enumerate(photos):
        if not photo.objects_full:
            continue
        there = sorted(_labels(photo))
        known = {*there, *names_of(caption.words for caption in photo.captions)}
        absent = sorted(counts.keys() - known)
        asked += [(number, label, True) for label in there]
        asked += [(number, label, False) for label in _drawn(absent, counts, len(there), random)]
    return asked


def _drawn(labels: list[str], counts: Counter[str], size: int, random: np.random.Generator) -> list[str]:
    """At most `size` different labels, the frequent ones more often."""
    if not labels:
        return []
    weights = np.array([counts[label] for label in labels], dtype=np.float64)
    return [str(x) for x in random.choice(labels, min(size, len(labels)), replace=False, p=weights / weights.sum())]


def _labels(photo: Photo) -> set[str]:
    return {thing.label for thing in photo.objects}


def presence_auc(
    keys: Tensor, queries: dict[str, Tensor], asked: Sequence[tuple[int, str, bool]], temperature: float
) -> float:
    """Chance that a label that is there scores higher than one that isn't; keys [N, L, K], a query [K] a label."""
    levels = {True: [], False: []}  # type: dict[bool, list[float]]
    for number, label, there in asked:
        levels[there].append(float(level(keys[number] @ queries[label], temperature)))
    return area_under_curve(*(np.array(levels[there], dtype=np.float32) for there in (True, False)))
