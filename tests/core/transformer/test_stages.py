"""Self-attention step by step: every matrix is what the text says of it, and the written-out cell is the cell."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.attend_engine import an_inside

from attnviewer.core.ablation import Ablation
from attnviewer.core.transformer.shades import shades, shrink
from attnviewer.core.transformer.stages import Stage, asymmetry, head_of, softmax, stages
from attnviewer.core.transformer.sums import cell_sum, fraction, plain

TOKENS = ("[CLS]", "he", "sat", "down", "[SEP]")


def made(change: Ablation | None = None) -> dict[str, Stage]:
    change = change or Ablation()
    return {stage.key: stage for stage in stages(head_of(an_inside(5, change), 1, 2, change), TOKENS)}


def number(text: str) -> float:
    """The last number of a line."""
    return float(re.findall(r"−?[\d.]+(?:e[-+]?\d+)?", text)[-1].replace("−", "-"))


def test_the_steps_come_in_the_order_in_which_they_are_taught() -> None:
    assert list(made()) == ["x", "xx", "v", "k", "q", "scores", "mask", "softmax", "z", "all"]


@pytest.mark.parametrize("key", ["x", "v", "k", "q", "scores", "z", "all"])
def test_the_cell_that_is_written_out_is_the_cell(key: str) -> None:
    stage = made()[key]
    values = stage.matrices[-1].values
    for row in range(5):
        for column in (0, values.shape[1] - 1):
            assert number(stage.sum_of(row, column)) == pytest.approx(values[row, column], rel=0.01, abs=0.01)


@pytest.mark.parametrize("key", ["v", "k", "q"])
def test_values_keys_and_queries_are_the_product_that_is_shown(key: str) -> None:
    x, maker, result = (matrix.values for matrix in made()[key].matrices)
    place = "qkv".index(key)
    np.testing.assert_allclose(x @ maker + an_inside(5).biases[1, place, 2], result, atol=1e-5)


def test_weights_times_values_are_the_answers() -> None:
    p, v, z = (matrix.values for matrix in made()["z"].matrices)
    np.testing.assert_allclose(p @ v, z, atol=1e-6)
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)


def test_a_mask_takes_scores_away_and_says_how_many() -> None:
    stage = made(Ablation(mask="future"))["mask"]
    masked = stage.matrices[-1].values
    assert np.isneginf(masked[np.triu_indices(5, 1)]).all()
    assert np.isfinite(masked[np.tril_indices(5)]).all()
    assert "40%" in stage.text
    assert "minus infinity" in stage.sum_of(0, 4)
    assert "masked: exp(−∞) = 0" in made(Ablation(mask="future"))["softmax"].sum_of(0, 4)
    assert "nothing is masked" in made()["mask"].text


def test_tied_queries_and_keys_are_told_to_be_symmetric() -> None:
    tied, apart = made(Ablation(tied=True))["scores"], made()["scores"]
    assert "the matrix is symmetric" in tied.text
    assert "isn't mutual" in apart.text
    scores = tied.matrices[-1].values
    assert asymmetry(scores) == pytest.approx(0, abs=1e-6)
    assert asymmetry(np.array([[0.0, 1.0], [-1.0, 0.0]], np.float32)) == pytest.approx(1)


def test_a_sum_shows_its_largest_terms_and_how_many_more_there_are() -> None:
    text = cell_sum("s", np.arange(6.0), np.ones(6), "q k", divide=2.0)
    assert text == "s = Σ q k = 5·1 + 4·1 + 3·1 + 2·1 + 1 (2 more) = 15;  15 / 2 = 7.5"
    assert cell_sum("v", np.array([2.0]), np.array([3.0]), "x W", bias=1.0) == "v = Σ x W = 2·3 + 1 (b) = 7"


def test_a_weight_is_told_as_a_share_and_a_uniform_one_as_what_it_is() -> None:
    scores = np.array([0.0, np.log(3.0)])
    assert fraction(scores, 1).endswith("= 0.75")
    assert "uniform: 0.5" in fraction(scores, 1, 0.5)
    assert plain(-0.5) == "−0.5"


def test_zero_is_the_middle_of_signed_colours_and_the_least_of_others() -> None:
    values = np.array([[-1.0, 0.0, 1.0, -np.inf]], np.float32)
    assert shades(values, signed=True).tolist()[0][:3] == [0, 128, 255]
    assert shades(values, signed=False).tolist() == [[0, 0, 255, 0]]
    assert shades(np.zeros((2, 2), np.float32), signed=False).max() == 0


def test_a_map_made_small_keeps_its_peaks() -> None:
    maps = np.zeros((2, 512, 512), np.float32)
    maps[1, 511, 3] = 0.7
    small = shrink(maps, 64)
    assert small.shape == (2, 64, 64)
    assert small[1, 63, 0] == np.float32(0.7)
    assert shrink(maps[:, :5, :5], 64).shape == (2, 5, 5)


def test_softmax_of_masked_rows_is_finite() -> None:
    rows = softmax(np.array([[0.0, -np.inf], [1e4, 0.0]], np.float32))
    np.testing.assert_allclose(rows, [[1, 0], [1, 0]])
