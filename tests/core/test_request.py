"""Requests say at once what can't be asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import CaptionRequest, Decoding

PICTURE = Picture(np.zeros((2, 2, 3), np.uint8))


@pytest.mark.parametrize("beam", [0, 51, 2.5, "3", True])
def test_a_beam_is_a_small_whole_number(beam: Any) -> None:
    with pytest.raises(UserError, match="beam must be a whole number"):
        Decoding(beam=beam)


@pytest.mark.parametrize("seed", [-1, 1.5, "x", 2**63])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(UserError, match="the seed must be a number"):
        Decoding(seed=seed)


@pytest.mark.parametrize("at", [-1, 0.5, "2"])
def test_an_intervention_is_at_a_word(at: Any) -> None:
    with pytest.raises(UserError, match="counted from 0"):
        Intervention(at, word="dog")


@pytest.mark.parametrize("word", ["", " ", 3])
def test_an_imposed_word_is_a_text(word: Any) -> None:
    with pytest.raises(UserError, match="imposed word"):
        Intervention(0, word=word)


@pytest.mark.parametrize("words", [("",), (" ",), (1,)])
def test_a_given_caption_is_made_of_words(words: Any) -> None:
    with pytest.raises(UserError, match="no word"):
        CaptionRequest(PICTURE, words=words)


def test_interventions_are_interventions() -> None:
    with pytest.raises(UserError, match="one of these is not"):
        CaptionRequest(PICTURE, interventions=("x",))  # type: ignore[arg-type]
