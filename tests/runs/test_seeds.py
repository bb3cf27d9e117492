"""Hard attention by seed: the same seed gives the same trace, another seed another path."""

from __future__ import annotations

import pytest
from helpers.runs import whole

from attnviewer.core.request import Decoding

WORDS = tuple(f"w{number % 16}" for number in range(12))


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_trace(seed: int, beam: int) -> None:
    decoding = Decoding(beam=beam, max_words=8, seed=seed)
    assert whole("hard", decoding=decoding).to_json() == whole("hard", decoding=decoding).to_json()


def test_other_seeds_go_other_ways() -> None:
    ways = {whole("hard", words=WORDS, decoding=Decoding(seed=seed)).sampled for seed in range(8)}
    assert len(ways) == 8


def test_the_most_probable_places_do_not_depend_on_the_seed() -> None:
    one, two = (whole("hard", words=WORDS, decoding=Decoding(seed=seed, pick="argmax")) for seed in (1, 2))
    assert one.sampled == two.sampled
    assert one.sampled == tuple(int(row.argmax()) for row in one.weights[:, 0])


@pytest.mark.parametrize("mode", ["soft", "uniform", "none"])
def test_only_hard_attention_samples(mode: str) -> None:
    assert set(whole(mode, words=WORDS).sampled) == {None}


def test_the_distribution_is_kept_beside_the_place_taken() -> None:
    trace = whole("hard", words=WORDS)
    assert all((row > 0).sum() > 1 for row in trace.weights[:, 0])
    assert trace.weights.sum(axis=-1) == pytest.approx(1, abs=1e-4)
