"""Weights of other programs: what is taken, and one line about what isn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnviewer.core.attend import layers_of, maps_of
from attnviewer.core.errors import UserError
from attnviewer.core.foreign import is_foreign, load_foreign
from attnviewer.core.trace import Grid, Trace

WEIGHTS = np.full((2, 3, 4, 4), 0.25, np.float16)
TOKENS = np.array(["the", "cat", "sat", "."])


def saved(folder: Path, **arrays: Any) -> Path:
    np.savez(folder / "mine.npz", **arrays)
    return folder / "mine.npz"


def test_weights_and_tokens_make_a_trace_that_can_be_saved_and_loaded(tmp_path: Path) -> None:
    trace = Trace.load(saved(tmp_path, weights=WEIGHTS, tokens=TOKENS))
    assert trace.task == "attend"
    assert trace.words == trace.locations.tokens == ("the", "cat", "sat", ".")
    assert trace.heads == ("0.0", "0.1", "0.2", "1.0", "1.1", "1.2")
    assert maps_of(trace).shape == (2, 3, 4, 4)
    trace.save(tmp_path / "ours.npz")
    assert not is_foreign(tmp_path / "ours.npz")
    assert np.array_equal(Trace.load(tmp_path / "ours.npz").weights, trace.weights)


def test_rows_may_have_words_of_their_own(tmp_path: Path) -> None:
    words = np.array(["die", "Katze"])
    trace, _ = load_foreign(saved(tmp_path, weights=WEIGHTS[:, :, :2], tokens=TOKENS, words=words))
    assert trace.words == ("die", "Katze")


def test_over_an_image_places_are_a_grid(tmp_path: Path) -> None:
    image = np.zeros((30, 60, 3), np.uint8)
    trace, picture = load_foreign(saved(tmp_path, weights=WEIGHTS, rows=2, columns=2, image=image))
    assert trace.locations == Grid(2, 2, (0, 0, 60, 30))
    assert trace.words == ("0,0", "0,1", "1,0", "1,1")
    assert picture is not None
    assert (picture.width, picture.height) == (60, 30)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"tokens": TOKENS, "weights": WEIGHTS * 2}, "sum to 1"),
        ({"tokens": TOKENS, "weights": np.where(WEIGHTS > 0, np.nan, 0)}, "must be finite"),
        ({"tokens": TOKENS[:3], "weights": WEIGHTS}, "tokens must be 4 texts"),
        ({"weights": WEIGHTS}, "tokens must be 4 texts"),
        ({"tokens": TOKENS, "weights": WEIGHTS[:, :, :3]}, "3 rows and 4 columns; give words"),
        ({"tokens": TOKENS, "weights": np.array("text")}, "must be numbers"),
        ({"rows": 3, "columns": 2, "weights": WEIGHTS}, "don't make 4 places"),
        ({"rows": 2, "weights": WEIGHTS}, "a whole number each"),
        ({"rows": 2, "columns": 2, "weights": WEIGHTS, "image": np.zeros((3, 3))}, "image must be bytes"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_its_name(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        Trace.load(saved(tmp_path, **arrays))
    assert "\n" not in str(caught.value)
    assert "mine.npz" in str(caught.value)


def test_a_matrix_of_4096_tokens_is_read(tmp_path: Path) -> None:
    weights = np.eye(4096, dtype=np.float16)[None, None]
    trace, _ = load_foreign(saved(tmp_path, weights=weights, tokens=np.array([f"t{i}" for i in range(4096)])))
    assert len(trace.steps) == 4096


def test_heads_without_a_layer_are_one_layer(tmp_path: Path) -> None:
    from helpers.traces import a_trace

    assert layers_of(a_trace(heads=("left", "right"))) == {0: [0, 1]}
