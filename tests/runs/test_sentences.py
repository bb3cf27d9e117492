"""Sentence embeddings from the installed package."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from helpers.blocked import in_python, loaded_by

from attnviewer.core.events import Progress
from attnviewer.runs import sentences
from attnviewer.runs.sentences import SIZE, SentenceEncoder


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def many(encoder: SentenceEncoder, texts: list[str]) -> tuple[list[Progress], np.ndarray]:
    work, said = encoder.many(texts), []
    while True:
        try:
            said.append(next(work))
        except StopIteration as end:
            return said, end.value


def test_a_puppy_is_nearer_to_a_dog_than_a_senator_is(encoder: SentenceEncoder) -> None:
    dog, puppy, senator = (encoder.one(text) for text in ("dog", "puppy", "senator"))
    assert dog.shape == (SIZE,)
    assert np.linalg.norm(dog) == pytest.approx(1, abs=1e-4)
    assert dog @ puppy > dog @ senator + 0.2


def test_lines_come_in_their_order_with_progress_and_only_once(encoder: SentenceEncoder) -> None:
    texts = ["a long line about the weather in the hills", "dog", "", "dog"]
    said, vectors = many(encoder, texts)
    assert said[-1].fraction == 1.0
    assert vectors.shape == (4, SIZE)
    assert vectors[1] == pytest.approx(vectors[3])
    assert not vectors[2].any()
    assert vectors[1] @ encoder.one("dog") == pytest.approx(1, abs=1e-2)
    assert many(encoder, texts)[0] == []


def test_a_long_text_is_read_in_windows_that_overlap_and_leave_nothing_out(encoder: SentenceEncoder) -> None:
    text = "  the weather report says it will be unbelievably cloudy" * 60 + " and a puppy barks"
    spans = encoder.windows(text)
    assert len(spans) > 2
    assert spans[0][0] <= 2
    assert spans[-1][1] == len(text)
    assert encoder._net is not None
    for (start, end), (following, _) in itertools.pairwise(spans):
        assert start < following < end
        assert text[following - 1] == " " == text[end]
        assert 200 < len(encoder._net.tokens(text[start:end]).ids) <= 256


@pytest.mark.parametrize("text", ["dog", "a dog runs " * 20, "!" * 900, " " * 900, "犬" * 700])
def test_windows_cover_any_text(encoder: SentenceEncoder, text: str) -> None:
    spans = encoder.windows(text)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(after[0] <= before[1] for before, after in itertools.pairwise(spans))


def test_a_stopped_run_keeps_what_it_encoded(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "CHUNK", 2)
    texts = [f"number {i}" for i in range(6)]
    work = encoder.many(texts)
    next(work)
    work.close()
    assert sum(text in encoder._known for text in texts) == 2


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    assert loaded_by("attnviewer.runs.query", ("sentence_transformers", "transformers", "sklearn")) == []


def test_loading_is_silent_and_offline() -> None:
    run = in_python(
        "import socket; socket.socket.connect = lambda *a: 1 / 0\n"
        "from attnviewer.runs.sentences import SentenceEncoder; print(SentenceEncoder().one('dog').shape)"
    )
    assert run.stdout.strip() == "(384,)"
    assert run.stderr == ""
