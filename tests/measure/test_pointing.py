"""Measures of a grounder, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attnviewer.data.phrases import Phrases
from attnviewer.measure.pointing import (
    Scored,
    area_under_curve,
    choose_temperature,
    compare,
    fit_presence,
    level,
    measure,
)


def some_phrases(inside: list[list[int]], owner: list[int]) -> Phrases:
    cover, rows = np.array(inside, np.uint8) * 255, np.zeros(len(owner), np.int64)
    files = tuple(f"{i}.jpg" for i in range(max(owner) + 1))
    return Phrases(files, ("dog",), rows, rows, np.array(owner), cover, cover > 127, cover[:, 0] > 127)


def test_each_phrase_is_held_against_its_own_photo_and_others():
    keys = torch.eye(3).unsqueeze(1)  # photo i has one key, the unit vector i
    scored = compare(keys, torch.eye(3)[[2, 0, 2]], torch.tensor([2, 0, 1]))
    assert scored.own.tolist() == [[1], [1], [0]]
    assert scored.others.shape == (3, 2, 1)
    assert scored.others.sum(dim=(1, 2)).tolist() == [0, 0, 1]


def test_the_figures_by_hand():
    own = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    figures = measure(
        Scored(own, torch.full((2, 1, 2), -1.0)), some_phrases([[1, 0], [1, 0]], [0, 1]), temperature=1.0, presence=1.0
    )
    assert figures.pointing == 0.5
    assert figures.inside == pytest.approx(0.5)
    assert figures.area == 0.5
    assert figures.centre == 1.0
    assert figures.auc == 1.0


def test_a_map_that_is_right_is_sharpened_and_one_that_is_wrong_is_not():
    phrases = some_phrases([[1, 0], [1, 0]], [0, 1])
    right, wrong = torch.tensor([[0.5, 0.0], [0.5, 0.0]]), torch.tensor([[0.5, 0.0], [0.0, 0.5]])
    others = torch.zeros(2, 1, 2)
    assert choose_temperature(Scored(right, others), phrases) == pytest.approx(0.01)
    assert choose_temperature(Scored(wrong, others), phrases) > 0.2


def test_ties_count_half_under_the_curve():
    assert area_under_curve(np.float32([1, 2]), np.float32([0, 0])) == 1
    assert area_under_curve(np.float32([1, 1]), np.float32([1, 1])) == 0.5
    assert area_under_curve(np.float32([0, 3]), np.float32([1, 2])) == 0.5


def test_the_level_of_a_flat_photo_is_its_cosine_over_the_temperature():
    assert float(level(torch.full((7,), 0.3), 0.1)) == pytest.approx(3.0)


def test_presence_rises_with_the_level_and_is_one_half_in_between():
    own, others = torch.full((50, 2), 0.4), torch.zeros(50, 3, 2)
    noise = torch.linspace(-0.3, 0.3, 50).unsqueeze(1)
    slope, offset = fit_presence(Scored(own + noise, others + noise.unsqueeze(1)), 0.1)
    assert slope > 0
    assert -offset / slope == pytest.approx(2.0, abs=0.2)
