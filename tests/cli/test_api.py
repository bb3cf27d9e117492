"""The Python API with a fake engine."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.pictures import corners
from PIL import Image

import attnviewer
from attnviewer.core.errors import UserError


@pytest.mark.parametrize("kind", ["path", "text", "bytes", "image", "array"])
def test_a_picture_may_come_in_any_form(kind: str, engine: Any, photo: Path) -> None:
    forms = {
        "path": photo,
        "text": str(photo),
        "bytes": photo.read_bytes(),
        "image": Image.open(photo),
        "array": corners(80, 60),
    }
    trace = attnviewer.caption(forms[kind])
    assert (trace.text, trace.weights.shape) == ("a dog runs", (3, 1, 12))
    assert trace.locations.extent == (0, 0, 80, 60)


def test_choices_reach_the_engine(engine: Any, photo: Path) -> None:
    step = attnviewer.Intervention(at=1, word="cat")
    attnviewer.caption(photo, attention="none", beam=4, seed=2, model="m", device="cpu", interventions=[step])
    (request,) = engine.requests
    assert (request.attention, request.decoding.beam, request.decoding.seed) == ("none", 4, 2)
    assert (request.model, request.interventions) == ("m", (step,))


@pytest.mark.parametrize("words", ["A dog.", ["a", "dog"], ("a", "dog")])
def test_words_may_be_a_text_or_a_list(words: Any, engine: Any, photo: Path) -> None:
    assert attnviewer.caption(photo, words=words).words == ("a", "dog")


def test_no_words_at_all_are_refused(engine: Any, photo: Path) -> None:
    with pytest.raises(UserError, match="no words"):
        attnviewer.caption(photo, words="")


def test_the_engine_is_kept_between_calls_and_one_is_made_for_each_device(engine: Any, photo: Path) -> None:
    for device in ("auto", "auto", "cpu"):
        attnviewer.caption(photo, device=device)
    assert engine.devices == ["auto", "cpu"]


def test_calls_from_several_threads_run_one_at_a_time(engine: Any, photo: Path) -> None:
    inside, most = [], []
    run = engine.run

    def slow(request: Any) -> Any:
        inside.append(1)
        most.append(len(inside))
        trace = yield from run(request)
        inside.pop()
        return trace

    engine.run = slow
    threads = [threading.Thread(target=attnviewer.caption, args=(photo,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(engine.devices) == 1


def test_a_query_asks_exactly_one_kind_of_items(engine: Any, photo: Path) -> None:
    trace = attnviewer.query("animal", lines=["a cat", "a stone"], temperature=0.5, hard=True)
    assert trace.locations.tokens == ("a cat", "a stone")
    assert (engine.requests[0].temperature, engine.requests[0].hard) == (0.5, True)
    for wrong in ({}, {"sentence": "a b", "image": photo}):
        with pytest.raises(UserError, match="one thing at a time"):
            attnviewer.query("animal", **wrong)


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    assert attnviewer.Trace.__name__ == "Trace"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = attnviewer.nothing


@pytest.mark.parametrize("device", ["tpu", [], None])
def test_a_device_that_there_is_not_is_refused_in_one_line(device: Any, photo: Path) -> None:
    with pytest.raises(UserError, match="there is no device"):
        attnviewer.caption(photo, device=device)


def test_numbers_of_numpy_and_missing_interventions_are_taken(engine: Any, photo: Path) -> None:
    attnviewer.caption(photo, beam=np.int64(2), seed=np.int64(5), interventions=None)
    (request,) = engine.requests
    assert (request.decoding.beam, request.decoding.seed, request.interventions) == (2, 5, ())


LINES = ["a dog", "a cat"]
WRONG = [
    ("text", ("query", 5), {"lines": LINES}),
    ("text", ("query", None), {"lines": LINES}),
    ("text", ("query", "caf\udce9"), {"lines": LINES}),
    ("sentence", ("query", "dog"), {"sentence": 5}),
    ("sentence", ("query", "dog"), {"sentence": "\ud800"}),
    ("lines", ("query", "dog"), {"lines": [5]}),
    ("lines", ("query", "dog"), {"lines": "abc"}),
    ("lines", ("query", "dog"), {"lines": [""]}),
    ("lines", ("query", "dog"), {"lines": 5}),
    ("temperature", ("query", "dog"), {"lines": LINES, "temperature": "1"}),
    ("score", ("query", "dog"), {"lines": LINES, "score": 5}),
    ("keys", ("query", "dog"), {"lines": LINES, "keys": ["bow"]}),
    ("sentence", ("translate", 5), {}),
    ("sentence", ("translate", "Compr\udce9 un coche."), {}),
    ("words", ("translate", "Hola."), {"words": "caf\udce9"}),
    ("given translation", ("translate", "Hola."), {"words": ["a", 5]}),
    ("given translation", ("translate", "Hola."), {"words": b"hello"}),
    ("interventions", ("translate", "Hola."), {"interventions": 5}),
    ("interventions", ("translate", "Hola."), {"interventions": ["no"]}),
    ("model", ("translate", "Hola."), {"model": 5}),
    ("attention", ("translate", "Hola."), {"attention": 5}),
    ("device", ("translate", "Hola."), {"device": 5}),
    ("device", ("translate", "Hola."), {"device": "tpu"}),
    ("beam", ("translate", "Hola."), {"beam": "2"}),
]


@pytest.mark.parametrize(("name", "call", "options"), WRONG)
def test_a_wrong_argument_is_named(name: str, call: tuple[str, Any], options: dict[str, Any], engine: Any) -> None:
    with pytest.raises(UserError, match=name):
        getattr(attnviewer, call[0])(call[1], **options)


def test_imposing_on_a_word_that_never_comes_is_refused(engine: Any, photo: Path) -> None:
    with pytest.raises(UserError, match="nothing can be imposed at word 99: the text ends after 3 words"):
        attnviewer.caption(photo, interventions=[attnviewer.Intervention(99, word="cat")])
