"""A stranger asks photos for things with the grounder that ships: it points at them, and doubts what isn't there."""

from __future__ import annotations

import numpy as np
import pytest

import attnviewer
from attnviewer.core.content import ContentTrace
from attnviewer.core.lens import inside, peak
from attnviewer.core.paths import resources_dir
from attnviewer.core.regions import cell_centre, holds

ASKED = [
    ("woods.jpg", "a dog", (0.36, 0.3, 0.64, 0.76)),
    ("beach.jpg", "a black sweater", (0.5, 0.4, 0.8, 0.75)),
    ("beach.jpg", "the sky", (0.0, 0.0, 1.0, 0.44)),
    ("shepherd.jpg", "a dog", (0.1, 0.05, 1.0, 1.0)),
]


def ask(photo: str, text: str) -> ContentTrace:
    trace = attnviewer.query(text, image=resources_dir() / "images" / photo, device="cpu")
    assert isinstance(trace, ContentTrace)
    return trace


@pytest.mark.parametrize(("photo", "text", "box"), ASKED)
def test_a_query_points_at_what_it_names(photo: str, text: str, box: tuple[float, ...]) -> None:
    trace = ask(photo, text)
    weights = trace.weights[0, 0]
    assert weights.sum() == pytest.approx(1, abs=1e-4)
    assert holds([box], *cell_centre(peak(weights), 14, 14))
    assert inside(weights, [box], 14, 14) > inside(np.full(196, 1 / 196), [box], 14, 14)


def test_what_is_there_is_more_likely_there_than_what_is_not() -> None:
    there, missing = (ask("woods.jpg", text).presence for text in ("a black dog", "a football player"))
    assert there is not None
    assert missing is not None
    assert there > missing
