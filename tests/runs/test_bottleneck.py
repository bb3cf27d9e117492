"""How much of the image is left: zero for the mean photo itself, more for others, and the run stays as it is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations
from helpers.runs import whole
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.interventions import Intervention
from attnviewer.core.request import Decoding
from attnviewer.runs.bottleneck import Bottleneck, divergence
from attnviewer.runs.decode import DecodingPlan, greedy

MODES = ("none", "soft", "hard", "uniform")
MEAN = annotations(seed=9)
SIX = ("w1", "w2", "w3", "w4", "w5", "w6")


def test_the_divergence_of_a_sure_word_from_even_odds_is_one_bit() -> None:
    assert divergence(torch.tensor([50.0, -50.0]), torch.zeros(2)) == pytest.approx(1.0)


def test_the_divergence_is_that_of_the_definition() -> None:
    p, q = (0.7, 0.2, 0.1), (0.1, 0.3, 0.6)
    wanted = sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True))
    assert divergence(torch.tensor(p).log(), torch.tensor(q).log() + 3) == pytest.approx(wanted, abs=1e-6)


@given(seed=st.integers(0, 10_000), size=st.floats(0, 1e4))
def test_the_divergence_is_never_negative_and_zero_of_itself(seed: int, size: float) -> None:
    one, two = torch.randn(2, 30, generator=torch.Generator().manual_seed(seed)) * size
    assert 0 <= divergence(one, two) < math.inf
    assert divergence(one, one) == 0


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_left_of_the_mean_photo(mode: str) -> None:
    decoding = Decoding(pick="argmax")
    trace = whole(mode, mean=annotations(), words=SIX, decoding=decoding)
    assert trace.bits == pytest.approx((0.0,) * 6, abs=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_a_photo_changes_the_choice_of_each_word(mode: str) -> None:
    trace = whole(mode, mean=MEAN, words=SIX)
    assert all(bits is not None and bits > 0 for bits in trace.bits)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("beam", [1, 3])
def test_the_run_is_the_same_with_and_without(mode: str, beam: int) -> None:
    decoding = Decoding(beam=beam, max_words=6, seed=5)
    measured, plain = whole(mode, mean=MEAN, decoding=decoding), whole(mode, decoding=decoding)
    assert measured.words == plain.words
    assert measured.sampled == plain.sampled
    np.testing.assert_array_equal(measured.logprobs, plain.logprobs)
    assert plain.bits == (None,) * len(plain.steps)
    assert None not in measured.bits


def test_the_photo_is_read_at_the_places_that_were_taken() -> None:
    """Reading again with other places gives other bits from the second word on, where the state differs."""
    net = a_captioner("hard")
    plan = DecodingPlan(Decoding(max_words=4), "hard", words={t: 6 + t for t in range(4)})
    with torch.no_grad():
        photo, mean = net.encode_source(annotations()), net.encode_source(MEAN)
        choices = list(greedy(net, photo, plan, torch.Generator().manual_seed(1)))
        moved = [replace(choice, sampled=(choice.sampled + 1) % CELLS) for choice in choices]
        readers = [Bottleneck(net, photo, mean, plan) for _ in range(2)]
        as_taken = [readers[0].read(choice) for choice in choices]
        elsewhere = [readers[1].read(choice) for choice in moved]
    assert as_taken != elsewhere


def test_a_map_imposed_from_outside_holds_for_both_photos() -> None:
    here = tuple(float(place == 4) for place in range(CELLS))
    imposed = whole("soft", mean=MEAN, words=SIX, interventions=(Intervention(2, weights=here),))
    free = whole("soft", mean=MEAN, words=SIX)
    assert imposed.bits[:2] == pytest.approx(free.bits[:2])
    assert imposed.bits[2] != free.bits[2]
