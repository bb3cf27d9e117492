"""Which word of a sentence a query finds, over triples (query, sentence, answers) of our own.

Centring was chosen on the even rows of the table; the odd ones report.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from attnviewer.core.jobs import outcome
from attnviewer.core.paths import models_dir
from attnviewer.core.request import QueryRequest
from attnviewer.runs.keys import Library
from attnviewer.runs.query import ask
from attnviewer.zoo.words import FIGURES, load_words

with (Path(__file__).parents[1] / "data" / "words.tsv").open(encoding="utf-8") as file:
    TRIPLES = list(csv.DictReader(file, delimiter="\t"))
LIBRARY = Library(models_dir())


def found(query: str, sentence: str, keys: str) -> str:
    request = QueryRequest(query, sentence=sentence, keys=keys)
    trace = outcome(ask(request, LIBRARY, None))  # type: ignore[arg-type]
    return trace.locations.tokens[int(trace.weights[0, 0].argmax())]


def right(triples: list[dict[str, str]], keys: str) -> float:
    """The share of triples whose greatest weight is on an answer."""
    hits = [found(one["query"], one["sentence"], keys) in one["answers"].split(",") for one in triples]
    return sum(hits) / len(hits)


def test_there_are_enough_triples_and_no_sentence_twice() -> None:
    assert len({one["sentence"] for one in TRIPLES}) == len(TRIPLES) >= 120


@pytest.mark.parametrize(("keys", "figure"), [("words", "centred"), ("words-raw", "raw")])
def test_the_figures_of_the_card_are_those_of_the_reporting_half(keys: str, figure: str) -> None:
    assert right(TRIPLES[1::2], keys) == pytest.approx(FIGURES[f"right word of a sentence, {figure}"], abs=1e-3)


def test_raw_vectors_lie_near_articles_and_centred_ones_do_not() -> None:
    assert found("building", "The cathedral could be seen from our boat", "words-raw") == "The"
    assert found("building", "The cathedral could be seen from our boat", "words") == "cathedral"


def test_an_article_in_the_query_counts_for_little() -> None:
    assert found("a dog", "The puppy chases a ball", "words") == "puppy"
    assert found("a dog", "The puppy chases a ball", "words-raw") == "a"


def test_centring_moves_all_words_alike() -> None:
    words = load_words()
    shift = words.vectors - words.centred.vectors
    assert shift == pytest.approx(shift[:1].repeat(len(shift), axis=0), abs=1e-5)
    assert words.centred is words.centred
