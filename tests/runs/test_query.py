"""Queries as runs: words of a sentence, lines of text, regions of a picture."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.core.content import ContentTrace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.images import Picture
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Trace
from attnviewer.nets.grounding import Grounder, GroundingConfig
from attnviewer.runs.keys import Library
from attnviewer.runs.query import ask as ask_items
from attnviewer.runs.query import query
from attnviewer.runs.regions import RegionIndexer
from attnviewer.zoo.grounding import Grounding
from attnviewer.zoo.store import Zoo

LINES = ("the dog runs on the grass", "the puppy sleeps", "the senator speaks", "the guitar is loud")
LIBRARY = Library()


def toy_grounding() -> Grounding:
    torch.manual_seed(0)
    net = Grounder(GroundingConfig(annotation=6, side=3, hidden=8, size=4, layers=1, heads=2)).eval()
    return Grounding(net, card=None, encoder="toy", temperature=0.1, slope=1.0, offset=0.0)


REGIONS = RegionIndexer(lambda picture, encoder: torch.arange(54.0).view(1, 9, 6).sin(), toy_grounding)


def ask(text: str, library: Library = LIBRARY, **options) -> ContentTrace:
    return finish(ask_items(QueryRequest(text, **options), library, REGIONS))


def finish(run) -> ContentTrace:
    events = []
    while True:
        try:
            events.append(next(run))
        except StopIteration as end:
            assert isinstance(events[-1], Trace)
            assert all(isinstance(event, Progress) for event in events[:-1])
            return end.value


class FakeSentences:
    """Counts what it encodes."""

    def __init__(self):
        self.encoded = []

    def load(self):
        yield Progress("loading")

    def windows(self, text):
        return [(0, len(text))]

    def one(self, text):
        return np.eye(384, dtype=np.float32)[len(text) % 384]

    def many(self, texts):
        yield Progress("encoding")
        self.encoded.extend(texts)
        return np.stack([self.one(text) for text in texts])


@pytest.fixture
def library():
    made = Library()
    made.sentences = FakeSentences()
    return made


def test_a_word_of_the_query_draws_attention_to_its_like_in_a_sentence():
    trace = ask("dog", sentence="A puppy, and a senator!")
    assert trace.locations.tokens == ("A", "puppy", "and", "a", "senator")
    assert trace.locations.tokens[trace.weights[0, 0].argmax()] == "puppy"
    assert trace.words == ("dog",)
    assert trace.heads == ("words",)


def test_a_word_without_a_vector_is_marked_and_kept():
    trace = ask("dog", sentence="A puppy named Xqzt")
    assert trace.locations.tokens[3] == "Xqzt"
    assert trace.unknown == (3,)
    assert trace.scores[0, 0, 3] == 0


def test_a_bag_counts_words():
    trace = ask("the dog", lines=LINES, keys="bow", score="dot", temperature=1.0)
    assert trace.scores[0, 0].tolist() == [3, 1, 1, 1]


def test_tf_idf_gives_a_word_of_every_line_no_weight():
    trace = ask("the", lines=LINES, keys="tfidf", score="dot")
    assert trace.scores[0, 0].tolist() == [0, 0, 0, 0]
    assert trace.weights[0, 0] == pytest.approx([0.25] * 4)
    assert "All scores are equal." in trace.notes


def test_tf_idf_is_counts_times_the_log_of_rarity():
    trace = ask("dog", lines=LINES, keys="tfidf", score="dot")
    assert trace.scores[0, 0, 0] == pytest.approx(np.log(4) ** 2, rel=1e-5)


def test_mean_word_vectors_find_the_puppy_that_a_bag_misses():
    assert ask("dog", lines=LINES[1:], keys="bow").scores.max() == 0
    assert ask("dog", lines=LINES[1:], keys="words").weights[0, 0].argmax() == 0


def test_several_keys_stand_side_by_side_as_heads(library):
    trace = ask("dog", library, lines=LINES, keys="all")
    assert trace.heads == ("bow", "tfidf", "words", "sentence")
    assert trace.weights.shape == (1, 4, 4)
    assert len(trace.lookups) == 4


def test_a_word_that_no_line_holds_is_told():
    assert ask("unicorn", lines=LINES, keys="bow").notes[0] == "No item holds unicorn."
    assert ask("xqzt", lines=LINES, keys="words").notes[0] == "No vector for xqzt."


def test_an_empty_query_weighs_all_alike_and_says_so():
    trace = ask("  ", lines=LINES, keys="bow")
    assert trace.weights[0, 0] == pytest.approx([0.25] * 4)
    assert trace.notes == ("The query is empty, so every item gets the same weight.",)


def test_a_long_item_draws_all_under_dot_and_nothing_moves_under_cosine():
    plain, scales = {"lines": LINES, "keys": "words-raw", "temperature": 1.0}, (1, 1, 5, 1)
    assert ask("dog", **plain, score="dot", scales=scales).weights[0, 0].argmax() == 2
    assert ask("dog", **plain, score="dot").weights[0, 0].argmax() != 2
    before, after = ask("dog", **plain, score="cosine"), ask("dog", **plain, score="cosine", scales=scales)
    assert after.weights == pytest.approx(before.weights, abs=1e-6)


def test_long_keys_get_a_warmer_default_temperature_under_dot():
    assert ask("dog", lines=LINES, keys="bow").temperature == 0.05
    assert ask("dog", lines=LINES, keys="bow", score="dot").temperature == 1.0


def test_a_hard_maximum_says_which_it_took():
    trace = ask("guitar", lines=LINES, keys="bow", hard=True)
    assert trace.sampled == (3,)
    assert trace.weights[0, 0].tolist() == [0, 0, 0, 1]


def test_values_may_differ_from_keys():
    trace = ask("dog", lines=LINES, keys="bow", values="words")
    assert len(trace.lookups[0].answer) == 50
    assert trace.lookups[0].size != 50


def test_lines_are_encoded_once_for_many_queries(library):
    for text in ("d", "do", "dog"):
        ask(text, library, lines=LINES)
    assert library.sentences.encoded == list(LINES)


def test_the_end_of_a_long_line_is_found_and_shown():
    long = "the weather report says it will be cloudy " * 40 + "and then a puppy chased the guitar player"
    trace = ask("a puppy chases a guitar player", lines=(long, "the stock market fell again today"))
    assert trace.weights[0, 0].argmax() == 0
    start, end = trace.passages[0][0]
    assert "puppy chased the guitar" in long[start:end]
    assert len(trace.lookups[0].pieces) == len(trace.lookups[0].key_norms) == 2


def test_a_query_that_is_longer_than_what_is_read_says_so():
    notes = ask("a puppy chases a ball " * 60, lines=LINES, keys="sentence,bow").notes
    assert notes.count("The query is longer than the encoder reads; its end is not looked at.") == 1


def test_lines_are_numbered_as_they_come_or_as_the_file_has_them():
    assert ask("dog", lines=LINES, keys="bow").locations.numbers == (1, 2, 3, 4)
    assert ask("dog", lines=LINES, numbers=(2, 4, 7, 9), keys="bow").locations.numbers == (2, 4, 7, 9)
    assert ask("dog", sentence="a dog").locations.numbers is None


def test_of_very_many_lines_those_that_differ_in_numbers_alone_are_encoded_once(library):
    lines = tuple(f"request {i} took {i % 7} ms" for i in range(2_100))
    trace = ask("request", library, lines=lines)
    assert len(set(library.sentences.encoded)) == 1
    assert "share a vector" in trace.notes[0]


def test_a_picture_is_asked_by_its_regions(library):
    picture = Picture(np.zeros((30, 60, 3), np.uint8))
    trace = ask("a dog", library, picture=picture)
    assert (trace.locations.rows, trace.locations.columns) == (3, 3)
    assert trace.locations.extent == (0, 0, 60, 30)
    assert len(trace.lookups[0].answer) == 6
    assert 0 < trace.presence < 1


class FakeEngine:
    """Only the installed models."""

    def __init__(self) -> None:
        self.zoo = Zoo()

    def annotations(self, picture, encoder):
        raise AssertionError("no picture was given")


def test_an_engine_keeps_its_indexes_between_queries():
    engine, run = FakeEngine(), {"lines": LINES, "keys": "words"}
    first = [type(event) for event in query(engine, QueryRequest("dog", **run))]
    again = [type(event) for event in query(engine, QueryRequest("cat", **run))]
    assert first == [Progress, ContentTrace]
    assert again == [ContentTrace]
    assert finish(query(engine, QueryRequest("dog", **run))).model == "words"


def test_nothing_keeps_an_engine_alive():
    engine = FakeEngine()
    finish(query(engine, QueryRequest("dog", lines=LINES, keys="words")))
    gone = weakref.ref(engine)
    del engine
    gc.collect()
    assert gone() is None


def test_the_trace_can_be_saved_and_read_again(tmp_path):
    trace = ask("dog", lines=LINES, keys="bow")
    trace.save(tmp_path / "trace.json")
    again = Trace.load(tmp_path / "trace.json")
    assert again.weights == pytest.approx(trace.weights)
    assert again.request["lines"] == list(LINES)
    assert again.request["temperature"] == 0.05


@settings(deadline=None, max_examples=40)
@given(
    st.text(max_size=12),
    st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5),
    st.sampled_from(["bow", "tfidf", "words", "bow,words"]),
    st.sampled_from(["dot", "scaled", "cosine"]),
    st.booleans(),
)
def test_any_text_gives_finite_weights_that_sum_to_one(text, lines, keys, score, hard):
    trace = ask(text, lines=tuple(lines), keys=keys, score=score, hard=hard)
    assert trace.weights.sum(axis=-1) == pytest.approx(np.ones((1, len(trace.heads))), abs=1e-4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "one thing at a time"),
        ({"lines": LINES, "sentence": "x"}, "one thing at a time"),
        ({"lines": ()}, "lines hold no text"),
        ({"lines": LINES, "numbers": (1, 2)}, "each line needs one number"),
        ({"sentence": "..."}, "no words"),
        ({"lines": LINES, "keys": "glove"}, "choose from bow, tfidf, words, sentence, words-raw"),
        ({"lines": LINES, "keys": ","}, "no keys are named"),
        ({"lines": LINES, "keys": "bow", "score": "euclid"}, "choose one of dot, scaled, cosine"),
        ({"lines": LINES, "keys": "bow", "temperature": 0.0}, "temperature"),
        ({"lines": LINES, "keys": "bow", "scales": (1.0,)}, "one for each item"),
        ({"picture": Picture(np.zeros((3, 3, 3), np.uint8)), "keys": "bow"}, "asked by its regions"),
    ],
)
def test_a_senseless_request_is_told_in_one_line(options, words):
    with pytest.raises(UserError, match=words) as caught:
        ask("dog", **options)
    assert "\n" not in str(caught.value)
