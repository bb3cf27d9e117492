"""Does it matter which source words a translated word looked at: hiding none changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.requests import SourceMatterRequest
from attnviewer.core.jobs import outcome
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.runs.engine import Engine
from attnviewer.runs.explore.source import source_matter

SENTENCE = "Mi hermana vive en una casa blanca."


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


def ask(engine: Engine, word: int | None, sentence: str = SENTENCE, **options: object) -> Matter:
    with torch.inference_mode():  # as on the model thread
        found = outcome(source_matter(engine, SourceMatterRequest(TranslateRequest(sentence, **options), word, 4)))
    assert isinstance(found, Matter)
    return found


def test_hiding_no_word_changes_nothing(engine: Engine) -> None:
    trace = outcome(engine.run(TranslateRequest(SENTENCE, decoding=Decoding(4))))
    found = ask(engine, 1, decoding=Decoding(4))
    assert found.words == trace.words
    assert found.places == tuple(SENTENCE.replace(".", " .").split())
    assert found.probability == pytest.approx(math.exp(trace.logprobs[1]), abs=1e-4)
    np.testing.assert_allclose(found.maps["attention"], trace.steps[1].weights[0], atol=1e-4)
    for order in found.deletion:
        assert found.deletion[order][0] == pytest.approx(found.probability, abs=1e-5)
        assert found.insertion[order][-1] == pytest.approx(found.probability, abs=1e-5)


def test_the_word_it_came_from_is_missed_most(engine: Engine) -> None:
    found = ask(engine, 1)
    assert found.words[1] == "sister"
    for name in ("attention", "gradient", "occlusion"):
        assert found.places[int(np.argmax(found.maps[name]))] == "hermana"
    assert found.deletion_area["attention"] < found.deletion_area["random"]


def test_a_shuffled_source_is_ranked_by_its_words(engine: Engine) -> None:
    found = ask(engine, 1, shuffle=3)
    assert found.words[1] == "sister"
    assert found.places[int(np.argmax(found.maps["attention"]))] == "hermana"
    assert sorted(found.places) == sorted(SENTENCE.replace(".", " .").split())


def test_a_word_of_the_second_sentence_asks_about_that_sentence(engine: Engine) -> None:
    words = ask(engine, None, "Llueve. Mi hermana vive en Madrid.").words
    found = ask(engine, words.index("sister"), "Llueve. Mi hermana vive en Madrid.")
    assert "Llueve" not in found.places
    assert "hermana" in found.places


@pytest.mark.parametrize(
    ("word", "options", "told"), [(99, {}, "words 0 to"), (0, {"attention": "none"}, "no attention")]
)
def test_what_cannot_be_asked_is_told(engine: Engine, word: int, options: dict[str, str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        ask(engine, word, **options)


def test_a_word_that_a_rule_made_cannot_be_asked_about(engine: Engine) -> None:
    with pytest.raises(UserError, match="rule"):
        ask(engine, 0, "1.234.567")
