"""The tree of a beam search is the search itself: its best way is the text that is said, and nothing is invented."""

from __future__ import annotations

import pytest
import torch

from attnviewer.core.errors import UserError
from attnviewer.core.explore.beam import DROPPED, ENDED, KEPT, BeamTree, rows
from attnviewer.core.explore.requests import TreeRequest
from attnviewer.core.images import load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, Decoding, TranslateRequest
from attnviewer.runs.engine import Engine

SENTENCE = "Mi hermana vive en una casa blanca."


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


def search(engine: Engine, asked: CaptionRequest | TranslateRequest, word: int = 0) -> BeamTree:
    with torch.inference_mode():  # as on the model thread
        found = outcome(engine.explore(TreeRequest(asked, word)))
    assert isinstance(found, BeamTree)
    return found


@pytest.fixture(scope="module")
def found(engine: Engine) -> BeamTree:
    return search(engine, TranslateRequest(SENTENCE, decoding=Decoding(4)))


def best(tree: BeamTree) -> int:
    return max(number for number, node in enumerate(tree.nodes) if node.best)


def test_the_best_way_is_the_text_that_is_said(engine: Engine, found: BeamTree) -> None:
    said = outcome(engine.run(TranslateRequest(SENTENCE, decoding=Decoding(4))))
    assert found.path(best(found)) == said.words
    totals = [found.nodes[number].logprob for number in range(len(found.nodes)) if found.nodes[number].best]
    assert totals[: len(said.words)] == pytest.approx(said.logprobs.tolist(), abs=1e-4)


def test_it_wins_by_its_score(found: BeamTree) -> None:
    ended = [number for number, node in enumerate(found.nodes) if node.fate == ENDED]
    assert max(ended, key=found.score) == best(found)
    assert rows(found)[0][0] == " ".join(found.path(best(found)))


def test_at_most_as_many_are_kept_at_a_word_as_the_beam_is_wide(found: BeamTree) -> None:
    for depth in range(1, 12):
        kept = [n for n, node in enumerate(found.nodes) if node.fate == KEPT and len(found.path(n)) == depth]
        assert len(kept) <= found.beam == 4
    assert any(node.fate == DROPPED for node in found.nodes)


def test_totals_add_up_along_every_way(found: BeamTree) -> None:
    for node in found.nodes:
        above = found.nodes[node.parent].total if node.parent >= 0 else 0.0
        assert node.total == pytest.approx(above + node.logprob, abs=1e-5)
        assert node.parent < 0 or found.nodes[node.parent].fate == KEPT


def test_what_was_dropped_leads_nowhere(found: BeamTree) -> None:
    assert all(not found.children(n) for n, node in enumerate(found.nodes) if node.fate != KEPT)
    assert all(found.lives(n) for n, node in enumerate(found.nodes) if node.best or node.fate == ENDED)


def test_a_caption_has_a_tree_too(engine: Engine) -> None:
    picture = load_picture(resources_dir() / "images" / "retriever.jpg")
    found = search(engine, CaptionRequest(picture, decoding=Decoding(3)))
    assert found.path(best(found)) == outcome(engine.run(CaptionRequest(picture, decoding=Decoding(3)))).words


def test_a_greedy_request_is_searched_with_the_usual_beam(engine: Engine) -> None:
    assert search(engine, TranslateRequest(SENTENCE)).beam == 4


def test_the_sentence_of_the_word_is_searched_and_the_others_stay(engine: Engine) -> None:
    text = "Llueve mucho hoy. Mi hermana vive en Madrid."
    said = outcome(engine.run(TranslateRequest(text, decoding=Decoding(4)))).words
    found = search(engine, TranslateRequest(text, decoding=Decoding(4)), said.index("sister"))
    assert found.words(best(found)) == said
    assert found.before
    assert not found.after


def test_a_sentence_without_a_net_has_no_tree(engine: Engine) -> None:
    with pytest.raises(UserError):
        search(engine, TranslateRequest("1.234.567"))
