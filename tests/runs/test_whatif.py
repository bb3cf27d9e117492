"""Properties of interventions on captions: what is imposed is obeyed, and nothing else moves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from helpers.nets import CELLS
from helpers.runs import whole
from hypothesis import given, settings
from hypothesis import strategies as some

from attnviewer.core.interventions import Intervention
from attnviewer.core.request import Decoding
from attnviewer.core.trace import Trace
from attnviewer.ui.whatif import OWN

WORDS = some.integers(0, 15).map(lambda number: f"w{number}")
MAPS = some.lists(some.floats(0, 1, width=32), min_size=CELLS, max_size=CELLS).filter(lambda row: sum(row) > 0.01)
FOUR = ("w1", "w2", "w3", "w4")
quick = settings(max_examples=25, deadline=None)


def equal(one: Trace, other: Trace) -> bool:
    """Whether two traces have the same words and the very same numbers."""
    arrays = [(trace.weights, trace.logprobs) for trace in (one, other)]
    return one.words == other.words and all(map(np.array_equal, *arrays))


@quick
@given(at=some.integers(0, 3), look=MAPS)
def test_a_forced_map_is_obeyed_exactly(at: int, look: list[float]) -> None:
    trace = whole(words=FOUR, interventions=(Intervention(at, weights=tuple(look)),))
    wanted = (np.array(look) / np.sum(look)).astype(np.float32)
    assert np.array_equal(trace.weights[at, 0], wanted)
    free = whole(words=FOUR)
    assert np.array_equal(trace.weights[:at], free.weights[:at])
    assert np.array_equal(trace.logprobs[:at], free.logprobs[:at])


@quick
@given(words=some.lists(WORDS, min_size=1, max_size=4))
def test_forcing_every_word_equals_teacher_forcing(words: list[str]) -> None:
    imposed = tuple(Intervention(at, word=word) for at, word in enumerate(words))
    forced, taught = whole(interventions=imposed), whole(words=tuple(words))
    count = len(words)
    assert forced.words[:count] == taught.words
    assert np.array_equal(forced.weights[:count], taught.weights)
    assert np.array_equal(forced.logprobs[:count], taught.logprobs)


@quick
@given(at=some.integers(0, 4), word=WORDS)
def test_the_words_before_a_choice_stay_and_are_not_marked(at: int, word: str) -> None:
    own = whole(decoding=Decoding(beam=3, max_words=6))
    at = min(at, len(own.words) - 1)
    steered = whole(interventions=OWN.with_word(at, word, own.words).interventions)
    assert steered.words[: at + 1] == (*own.words[:at], word)
    assert [place for place, forced in enumerate(steered.forced) if forced] == [at]


@quick
@given(at=some.integers(0, 3), look=MAPS)
def test_a_map_for_the_rest_holds_to_the_end_and_not_before(at: int, look: list[float]) -> None:
    trace = whole(words=FOUR, interventions=(Intervention(at, weights=tuple(look), rest=True),))
    assert all(np.array_equal(row, trace.weights[at]) for row in trace.weights[at:])
    assert np.array_equal(trace.weights[:at], whole(words=FOUR).weights[:at])


def test_what_one_word_says_goes_over_a_map_for_the_rest() -> None:
    first, last = (tuple(float(cell == place) for cell in range(CELLS)) for place in (0, CELLS - 1))
    asked = (Intervention(2, weights=last), Intervention(0, weights=first, rest=True))
    for imposed in (asked, asked[::-1]):
        trace = whole(words=FOUR, interventions=imposed)
        assert trace.weights[:4, 0].argmax(axis=1).tolist() == [0, 0, CELLS - 1, 0]


@pytest.mark.parametrize("pick", ["sample", "argmax"])
def test_hard_attention_takes_the_cell_that_is_forced(pick: str) -> None:
    decoding = Decoding(max_words=6, pick=pick)
    trace = whole("hard", decoding=decoding, words=FOUR, interventions=(Intervention(1, gaze=(2, 0)),))
    assert trace.sampled[1] == 6
    assert trace.sampled[0] == whole("hard", decoding=decoding, words=FOUR).sampled[0]


@pytest.mark.parametrize("mode", ["soft", "hard", "uniform", "none"])
def test_keeping_every_word_changes_no_number(mode: str) -> None:
    own: Trace = whole(mode, decoding=Decoding(max_words=6))
    again = whole(mode, decoding=Decoding(max_words=6), interventions=OWN.before(len(own.words), own.words))
    assert equal(own, again)
    assert not any(again.forced)


def test_a_request_written_down_and_read_again_gives_equal_arrays(tmp_path_factory: pytest.TempPathFactory) -> None:
    import json

    from attnviewer.core.imposing import read_interventions

    asked = OWN.with_look(1, [1.0, 2.0, *[0.1] * (CELLS - 2)], ("w3", "w4"), rest=True).interventions
    trace = whole(interventions=asked)
    request: Mapping[str, object] = json.loads(trace.to_json())["request"]
    path = tmp_path_factory.mktemp("saved") / "trace.json"
    path.write_text(json.dumps({"request": request}))
    assert read_interventions(path) == asked
    assert equal(whole(interventions=read_interventions(path)), trace)
