"""What if, for translations: what is forced is obeyed, what is hidden isn't read, and a saved trace runs again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attnviewer import Intervention, Trace, translate
from attnviewer.core.errors import UserError
from attnviewer.core.imposing import read_interventions
from attnviewer.core.sentence import HIDDEN

SENTENCE = "Mi hermana vive en una casa blanca."


@pytest.fixture(scope="module")
def own() -> Trace:
    return translate(SENTENCE)


@pytest.mark.parametrize(("word", "place"), [(1, 5), (4, 0), (6, 6)])
def test_a_forced_alignment_is_obeyed_exactly(word: int, place: int) -> None:
    trace = translate(SENTENCE, interventions=[Intervention(word, gaze=(place,))])
    np.testing.assert_array_equal(trace.steps[word].weights[0], np.eye(8, dtype=np.float32)[place])
    assert trace.forced[word]


def test_forcing_words_equals_teacher_forcing_them(own: Trace) -> None:
    words = list(own.words[:4])
    words[1] = "brother"
    forced = translate(SENTENCE, interventions=[Intervention(at, word=word) for at, word in enumerate(words)])
    given = translate(SENTENCE, words=list(forced.words))
    np.testing.assert_array_equal(forced.weights, given.weights)
    np.testing.assert_array_equal(forced.logprobs, given.logprobs)


def test_words_that_stay_are_those_of_before(own: Trace) -> None:
    kept = [Intervention(at, word=word, kept=True) for at, word in enumerate(own.words[:3])]
    trace = translate(SENTENCE, interventions=[*kept, Intervention(3, word="near")])
    assert trace.words[:4] == (*own.words[:3], "near")
    assert trace.forced[:4] == (False, False, False, True)


def test_hiding_nothing_changes_nothing(own: Trace) -> None:
    again = translate(SENTENCE, hidden=())
    assert again.words == own.words
    np.testing.assert_array_equal(again.weights, own.weights)


def test_a_hidden_word_is_not_read(own: Trace) -> None:
    trace = translate(SENTENCE, hidden=[1])
    assert trace.words == ("My", HIDDEN, *own.words[2:])
    other = translate(SENTENCE.replace("hermana", "abuela"), hidden=[1])
    np.testing.assert_array_equal(trace.logprobs, other.logprobs)
    assert trace.locations.tokens == own.locations.tokens


def test_a_hidden_name_is_not_put_back() -> None:
    assert HIDDEN in translate("Vive en Bogotá con Zutano.", hidden=[2]).words


def test_what_a_rule_reads_is_noted() -> None:
    assert "rule" in translate("1.234.567", hidden=[0]).notes[0]


def test_a_word_that_is_not_there_can_not_be_hidden() -> None:
    with pytest.raises(UserError, match="words 0 to 7"):
        translate(SENTENCE, hidden=[8])
    with pytest.raises(UserError, match="counted from 0"):
        translate(SENTENCE, hidden=[-1])


def test_a_saved_trace_runs_again_to_the_same_maps(tmp_path: Path) -> None:
    made = translate(SENTENCE, interventions=[Intervention(1, gaze=(5,)), Intervention(3, word="near")], hidden=[2])
    made.save(tmp_path / "trace.json")
    request = Trace.load(tmp_path / "trace.json").request
    again = translate(
        request["sentence"], interventions=read_interventions(tmp_path / "trace.json"), hidden=request["hidden"]
    )
    assert again.words == made.words
    np.testing.assert_array_equal(again.weights, made.weights)
    np.testing.assert_array_equal(again.logprobs, made.logprobs)
