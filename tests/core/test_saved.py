"""A trace opens on another machine: the photo and a query's look-ups are in the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.traces import a_trace, grid
from PIL import Image

from attnviewer.core.content import ContentTrace, Items, attend
from attnviewer.core.images import Picture
from attnviewer.core.saving import photo_of
from attnviewer.core.trace import Source, Step, Tokens, Trace
from attnviewer.core.tracefiles import save_trace

OLD = Path(__file__).resolve().parents[1] / "fixtures" / "v01"
RED = Picture(np.full((60, 80, 3), (200, 30, 40), np.uint8), "dog.jpg")


def a_query() -> ContentTrace:
    rng = np.random.default_rng(0)
    found = attend(rng.normal(size=4), Items.of(rng.normal(size=(3, 4))), kind="dot", temperature=0.5)
    step = Step("dog", 0.0, found.weights[None], scores=found.scores[None])
    return ContentTrace(
        "query", "words", Source("text", text="a b c"), Tokens(("a", "b", "c")), ("words",), (step,),
        lookups=(found,), unknown=(1,), presence=0.75, score="dot", temperature=0.5, passages=({2: (4, 9)},),
    )  # fmt: skip


def test_an_npz_file_takes_the_photo_along(tmp_path: Path) -> None:
    save_trace(a_trace(), tmp_path / "a.npz", RED)
    photo = photo_of(Trace.load(tmp_path / "a.npz"))
    assert photo is not None
    assert photo.pixels.shape == (60, 80, 3)
    assert np.abs(photo.pixels.astype(int) - (200, 30, 40)).max() < 8


def test_a_large_photo_is_kept_small_and_comes_back_in_its_own_size(tmp_path: Path) -> None:
    large = Picture(np.zeros((1500, 3000, 3), np.uint8))
    trace = a_trace(locations=grid(width=3000, height=1500))
    trace = Trace(**{**vars(trace), "source": Source("image", "x.jpg", 3000, 1500)})
    save_trace(trace, tmp_path / "a.npz", large)
    with np.load(tmp_path / "a.npz") as arrays:
        (tmp_path / "a.jpg").write_bytes(arrays["photo"].tobytes())
    assert Image.open(tmp_path / "a.jpg").size == (1024, 512)
    photo = photo_of(Trace.load(tmp_path / "a.npz"))
    assert photo is not None
    assert (photo.width, photo.height) == (3000, 1500)


def test_a_photo_inside_that_is_damaged_costs_the_photo_alone(tmp_path: Path) -> None:
    save_trace(a_trace(), tmp_path / "a.npz", RED)
    with np.load(tmp_path / "a.npz") as arrays:
        np.savez(tmp_path / "b.npz", **{**arrays, "photo": np.zeros(30, np.uint8)})
    trace = Trace.load(tmp_path / "b.npz")
    assert trace.words == a_trace().words
    assert photo_of(trace) is None


def test_a_photo_of_another_size_in_its_place_is_not_taken_for_it(tmp_path: Path) -> None:
    Image.new("RGB", (50, 50)).save(tmp_path / "dog.png")
    trace = a_trace()
    moved = Trace(**{**vars(trace), "source": Source("image", str(tmp_path / "dog.png"), 80, 60)})
    assert photo_of(moved) is None


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_query_keeps_its_look_up_and_whether_it_is_there(suffix: str, tmp_path: Path) -> None:
    before = a_query()
    save_trace(before, tmp_path / f"q{suffix}")
    after = Trace.load(tmp_path / f"q{suffix}")
    assert isinstance(after, ContentTrace)
    assert (after.presence, after.score, after.temperature, after.unknown) == (0.75, "dot", 0.5, (1,))
    assert after.passages == ({2: (4, 9)},)
    one, other = before.lookups[0], after.lookups[0]
    for name in ("scores", "weights", "key_norms", "contributions", "answer"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.query_norm, one.size, one.total, one.nearest) == (
        other.query_norm, other.size, other.total, other.nearest,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["query-regions.npz", "query-words.json", "query-lines.npz"])
def test_a_query_that_version_0_1_saved_has_look_ups_out_of_its_maps(name: str) -> None:
    trace = Trace.load(OLD / name)
    assert isinstance(trace, ContentTrace)
    found = trace.lookups[0]
    np.testing.assert_array_equal(found.weights, trace.weights[0, 0])
    assert found.size == 0
    assert "query" not in json.loads(trace.to_json())


def test_a_damaged_look_up_is_told(tmp_path: Path) -> None:
    data = a_query().to_dict()
    data["query"]["lookups"][0]["key_norms"] = [1.0]
    (tmp_path / "q.json").write_text(json.dumps(data))
    with pytest.raises(Exception, match=r"this trace is damaged \(a look-up needs 3 norms"):
        Trace.load(tmp_path / "q.json")
