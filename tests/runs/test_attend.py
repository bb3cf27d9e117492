"""A text read by the encoder that ships: all its maps, changed or not, and the trace that runs again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import AttendTrace, attend_trace, parse_head
from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.request import AttendRequest
from attnviewer.core.serial import dict_to_trace
from attnviewer.core.trace import Trace
from attnviewer.runs.engine import Engine

TEXT = "He sat on the bank of the river."
CHANGES = [
    Ablation(),
    Ablation(off=((0, 1), (5, 11)), uniform=((2, 3),)),
    Ablation(mask="future"),
    Ablation(mask="past", positions=False),
    Ablation(hidden=((3, 0),), tied=True, residuals=False),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


def read(engine: Engine, text: str = TEXT, **asked: object) -> AttendTrace:
    trace = outcome(engine.run(AttendRequest(text, **asked)))  # type: ignore[arg-type]
    assert isinstance(trace, AttendTrace)
    return trace


@pytest.mark.parametrize("change", CHANGES)
def test_a_saved_trace_runs_again_to_equal_arrays(engine: Engine, change: Ablation) -> None:
    trace = read(engine, change=change)
    saved = json.loads(trace.to_json())
    asked = saved["request"]
    again = read(engine, asked["text"], change=Ablation(**asked["change"]), layer=asked["layer"])
    assert np.array_equal(dict_to_trace(saved).weights, again.weights)
    assert Ablation(**asked["change"]) == change


def test_one_step_a_token_and_heads_named_by_layer(engine: Engine) -> None:
    trace = read(engine)
    assert trace.words == ("[CLS]", "he", "sat", "on", "the", "bank", "of", "the", "river", ".", "[SEP]")
    assert trace.locations.tokens == trace.words
    assert trace.heads[:2] + trace.heads[-1:] == ("0.0", "0.1", "5.11")
    assert trace.weights.shape == trace.scores.shape == (11, 72, 11)
    assert np.isnan(trace.logprobs).all()
    assert json.loads(trace.to_json())["steps"][0]["logprob"] is None


def test_a_layer_of_the_trace_is_what_is_read_when_it_is_asked_for_alone(engine: Engine) -> None:
    whole, alone = read(engine), read(engine, layer=2)
    assert alone.heads == whole.layer(2).heads == tuple(f"2.{head}" for head in range(12))
    assert np.array_equal(whole.layer(2).weights, alone.weights)
    with pytest.raises(UserError, match="no layer 6"):
        whole.layer(6)


def test_what_is_inside_makes_the_maps_and_the_vectors(engine: Engine) -> None:
    trace = read(engine)
    inside = trace.inside
    assert inside is not None
    assert inside.shape == (6, 12, 11)
    made = np.einsum("td,hds->hts", inside.normed[3], inside.projections[3, 0]) + inside.biases[3, 0][:, None]
    np.testing.assert_allclose(made, inside.queries[3], atol=1e-4)
    scores = inside.queries @ inside.keys.swapaxes(-1, -2) / 32**0.5
    np.testing.assert_allclose(scores, inside.scores, atol=1e-4)
    np.testing.assert_array_equal(inside.weights.reshape(72, 11, 11).swapaxes(0, 1), trace.weights)
    assert not inside.weights.flags.writeable


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        ("word " * 511, {}, "513 tokens; all-MiniLM-L6-v2 reads at most 512"),
        (TEXT, {"layer": 6}, "layers 0 to 5; layer 6 is none"),
        (TEXT, {"change": Ablation(off=((6, 0),))}, r"no head 6\.0"),
        (TEXT, {"model": "gpt-9"}, "no model gpt-9"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    engine: Engine, text: str, asked: dict[str, object], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read(engine, text, **asked)


def test_510_words_are_read_whole(engine: Engine) -> None:
    trace = read(engine, "word " * 510)
    assert len(trace.steps) == 512
    assert trace.scores is None  # the steps hold weights alone; the scores are inside
    assert trace.inside is not None
    assert trace.inside.scores.shape == (6, 12, 512, 512)


@pytest.mark.parametrize(("asked", "message"), [({}, "give a text or an image"), ({"text": " "}, "type a text")])
def test_a_request_without_a_word_is_refused(asked: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        AttendRequest(**asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["2", "a.b", "2.3.4", "", "-1.0"])
def test_a_head_is_layer_dot_head(name: str) -> None:
    assert parse_head("2.11") == (2, 11)
    with pytest.raises(UserError, match=r"such as 2\.3"):
        parse_head(name)


def test_a_share_outside_the_grid_survives_saving() -> None:
    from dataclasses import replace

    trace: Trace = attend_trace("m", "a b", ("a", "b"), np.full((1, 2, 2, 2), 0.5, np.float32))
    steps = tuple(replace(step, outside=np.array([0.25, 0.5])) for step in trace.steps)
    again = dict_to_trace(json.loads(replace(trace, steps=steps).to_json()))
    assert again.steps[1].outside is not None
    assert again.steps[1].outside.tolist() == [0.25, 0.5]
    assert again.layer(0).steps[0].outside.tolist() == [0.25, 0.5]  # type: ignore[union-attr]
