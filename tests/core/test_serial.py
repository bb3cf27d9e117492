"""Traces survive JSON and npz, follow the schema, and damaged files give one line."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_trace, grid
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, Decoding, QueryRequest
from attnviewer.core.serial import dict_to_trace, plain, request_to_dict
from attnviewer.core.trace import Locations, Source, Step, Tokens, Trace

SCHEMA = json.loads((resources_dir() / "trace.schema.json").read_text())
VALID = jsonschema.Draft202012Validator(SCHEMA)


def a_plain_trace() -> Trace:
    """No attention: no heads."""
    step = Step("dog", -0.5, np.zeros((0, 12)))
    return Trace("caption", "tiny", Source("image", None, 80, 60), grid(), (), (step,))


EXAMPLES = {
    "grid": a_trace(),
    "tokens": a_trace(locations=Tokens(("un", "perro", "corre")), heads=("a", "b")),
    "none": a_plain_trace(),
    "no words": a_trace(words=()),
}


def test_the_schema_is_itself_valid() -> None:
    assert jsonschema.Draft202012Validator.check_schema(SCHEMA) is None
    assert SCHEMA["$id"] == "attnviewer/trace/1"


@pytest.mark.parametrize("name", EXAMPLES)
def test_json_follows_the_schema(name: str) -> None:
    assert list(VALID.iter_errors(json.loads(EXAMPLES[name].to_json()))) == []


@pytest.mark.parametrize("suffix", [".json", ".npz", ".JSON"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_saved_trace_reads_back_the_same(name: str, suffix: str, tmp_path: Path) -> None:
    trace, path = EXAMPLES[name], tmp_path / f"trace{suffix}"
    trace.save(path)
    again = Trace.load(path)
    assert again.to_dict() == trace.to_dict()
    assert np.array_equal(again.weights, trace.weights)


def words() -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8"), max_size=6)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    heads, length = draw(st.integers(0, 3)), draw(st.integers(1, 5))
    steps = tuple(draw(steps_of(heads, length)) for _ in range(draw(st.integers(0, 3))))
    where: Locations = Tokens(tuple(draw(words()) for _ in range(length)))
    names = tuple(f"head {i}" for i in range(heads))
    return Trace("translate", draw(words()), Source("text", text=draw(words())), where, names, steps, {"seed": 1})


@st.composite
def steps_of(draw: st.DrawFn, heads: int, length: int) -> Step:
    scores = draw(hnp.arrays(np.float32, (heads, length), elements=st.floats(-30, 30, width=32)))
    powers = np.exp(scores.astype(float))
    logprob = draw(st.floats(max_value=0, allow_nan=False))
    choice = draw(st.none() | st.integers(0, length - 1))
    gate = draw(st.none() | st.floats(0, 1))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return Step(draw(words()), logprob, weights, ((draw(words()), 0.5),), scores, choice, gate, draw(st.booleans()))


@settings(max_examples=40, deadline=None)
@given(traces())
def test_any_trace_survives_its_json(trace: Trace) -> None:
    data = json.loads(trace.to_json())
    again = dict_to_trace(data)
    assert list(VALID.iter_errors(data)) == []
    assert again.to_dict() == trace.to_dict()
    assert np.array_equal(again.weights, trace.weights)


def test_infinite_scores_become_the_lowest_number() -> None:
    step = Step("a", -math.inf, [[0.0, 1.0]], scores=[[-math.inf, 3.0]])
    trace = Trace("query", "m", Source("text", text="x y"), Tokens(("x", "y")), ("h",), (step,))
    data = json.loads(trace.to_json())["steps"][0]
    assert np.float32(data["scores"][0]).tolist() == [np.finfo(np.float32).min, 3.0]
    assert data["logprob"] < -1e38


def test_npz_holds_the_arrays_under_plain_names(tmp_path: Path) -> None:
    trace = a_trace()
    trace.save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz", allow_pickle=False) as arrays:
        assert set(arrays.files) == {"words", "logprobs", "weights", "scores", "trace"}
        assert np.array_equal(arrays["weights"], trace.weights)
        assert tuple(arrays["words"]) == trace.words


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in a_trace().to_dict().items() if key != name}


DAMAGED = {
    "no schema": without("schema"),
    "no steps": without("steps"),
    "no locations": without("locations"),
    "an unknown kind": a_trace().to_dict() | {"locations": {"kind": "sphere"}},
    "weights of another length": a_trace().to_dict() | {"locations": {"kind": "tokens", "tokens": ["x"]}},
    "a list": [],
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_trace_gives_one_line(name: str) -> None:
    with pytest.raises(UserError) as caught:
        dict_to_trace(DAMAGED[name])  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"PK\x03\x04cut", b'{"schema": 1}'])
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_file_that_holds_no_trace_gives_one_line(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"trace{suffix}"
    path.write_bytes(content)
    with pytest.raises(UserError, match=f"trace{suffix}"):
        Trace.load(path)


def test_an_npz_with_pickled_objects_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "evil.npz", trace=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UserError, match="holds no trace"):
        Trace.load(tmp_path / "evil.npz")


@pytest.mark.parametrize("path", ["trace.txt", "trace", "missing/trace.json"])
def test_a_place_that_cannot_be_written_or_read_gives_one_line(path: str, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        a_trace().save(tmp_path / path)
    with pytest.raises(UserError):
        Trace.load(tmp_path / path)


def test_a_request_is_told_without_its_pixels() -> None:
    picture = Picture(corners(), "dog.jpg")
    interventions = (Intervention(2, weights=(0.5, 0.5)),)
    request = CaptionRequest(picture, decoding=Decoding(beam=3), words=("a", "dog"), interventions=interventions)
    data = request.to_dict()
    assert data["task"] == "caption"
    assert data["picture"] == {"path": "dog.jpg", "width": 40, "height": 20, "sha256": picture.sha256}
    assert data["words"] == ["a", "dog"]
    assert data["decoding"]["beam"] == 3
    look = {"at": 2, "word": None, "weights": [0.5, 0.5], "head": None, "gaze": None, "rest": False, "kept": False}
    assert data["interventions"] == [look]


def test_a_request_is_json_whatever_numbers_it_holds() -> None:
    request = QueryRequest("dog", sentence="a dog", temperature=np.float32(0.5))
    assert json.loads(json.dumps(request_to_dict(request)))["temperature"] == 0.5
    assert json.dumps(plain({"at": Path("x"), "rows": np.arange(2)})) == '{"at": "x", "rows": [0, 1]}'


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_a_file_name_that_is_not_utf_8_does_not_keep_a_trace_from_being_saved(tmp_path: Path, suffix: str) -> None:
    trace = a_trace()
    odd = replace(trace, source=replace(trace.source, path="photo\udcff.jpg"))
    odd.save(tmp_path / f"trace.{suffix}")
    assert Trace.load(tmp_path / f"trace.{suffix}").words == trace.words


@pytest.mark.parametrize("suffix", ["json", "npz"])
def test_origins_survive(tmp_path: Path, suffix: str) -> None:
    step = Step("dog", -0.1, np.array([[0.9, 0.1]], np.float32), origin=np.array([0.2, 0.8], np.float32))
    made = Trace("translate", "m", Source("text", text="un perro"), Tokens(("un", "perro")), ("attention",), (step,))
    made.save(tmp_path / f"t.{suffix}")
    (found,) = Trace.load(tmp_path / f"t.{suffix}").steps
    np.testing.assert_array_equal(found.origin, step.origin)
    np.testing.assert_array_equal(found.weights, step.weights)
    half = replace(made, steps=(step, replace(step, origin=None)))
    half.save(tmp_path / f"t.{suffix}")
    assert [one.origin is None for one in Trace.load(tmp_path / f"t.{suffix}").steps] == [False, True]
