"""Positions, context and the lens on the encoder that ships; times measured on tiny layers."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from helpers.pictures import corners

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.transformer import positions
from attnviewer.core.transformer.findings import Context, GridPlaces, Lens, Places, Shuffled, Times
from attnviewer.core.transformer.requests import (
    ContextRequest,
    GridRequest,
    LensRequest,
    PlacesRequest,
    ShuffleRequest,
    TimesRequest,
)
from attnviewer.nets.multihead import sinusoidal, sinusoidal_2d
from attnviewer.runs.engine import Engine
from attnviewer.runs.transformer.lens import told

RIVER, MONEY = "He sat on the bank of the river and watched the water.", "The bank lent him the money for a new boat."


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


def found(engine: Engine, request: Exploration) -> Finding:
    made = outcome(engine.explore(request))
    assert isinstance(made, Finding)
    json.loads(made.to_json())
    return made


@pytest.mark.parametrize(("length", "size"), [(5, 8), (40, 6)])
def test_waves_of_the_view_are_those_of_the_nets(length: int, size: int) -> None:
    np.testing.assert_allclose(positions.sinusoidal(length, size), sinusoidal(length, size), atol=1e-4)
    ours, theirs = positions.sinusoidal_2d(3, 5, 8), sinusoidal_2d(3, 5, 8)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_the_learnt_positions_of_the_encoder_are_alike_where_they_are_neighbours(engine: Engine) -> None:
    made = found(engine, PlacesRequest())
    assert isinstance(made, Places)
    assert (made.kind, made.vectors.shape) == ("learnt", (512, 384))
    pairs = positions.alike(made.vectors)
    assert np.diagonal(pairs, 1).mean() > np.diagonal(pairs, 100).mean() + 0.2


def test_a_net_that_is_not_installed_is_told(engine: Engine) -> None:
    with pytest.raises(UserError, match="es-en-lesson-nowhere"):
        found(engine, PlacesRequest("es-en-lesson-nowhere"))


def test_the_grid_of_a_photo_is_the_one_that_the_encoder_makes(engine: Engine) -> None:
    made = found(engine, GridRequest(Picture(corners(60, 40))))
    assert isinstance(made, GridPlaces)
    assert made.rows * made.columns == len(made.vectors)


def test_shuffled_words_have_the_same_vectors_without_positions_and_others_with_them(engine: Engine) -> None:
    made = found(engine, ShuffleRequest("The food was good, not bad at all.", seed=3))
    assert isinstance(made, Shuffled)
    assert made.free.max() < positions.EQUAL < made.placed.max()
    np.testing.assert_allclose(made.free_cosines, 1, atol=1e-5)


def test_a_text_of_one_word_cannot_be_shuffled(engine: Engine) -> None:
    with pytest.raises(UserError, match="2 to 510"):
        found(engine, ShuffleRequest("food"))


def test_bank_goes_to_the_river_in_one_sentence_and_to_the_money_in_the_other(engine: Engine) -> None:
    made = found(engine, ContextRequest("bank", (RIVER, MONEY)))
    assert isinstance(made, Context)
    assert made.cosines.shape == (7,)
    assert made.cosines[0] > 0.95 > 0.85 > made.cosines[-1]
    river, money = ([word for word, _ in path.near[-1]] for path in made.paths)
    assert "river" in river
    assert "river" not in money
    assert {"finance", "financial", "loan"} & set(money)
    assert not any(word.startswith("bank") for path in made.paths for said in path.near for word, _ in said)


def test_the_same_sentence_twice_makes_one_path(engine: Engine) -> None:
    made = found(engine, ContextRequest("bank", (RIVER, RIVER)))
    assert isinstance(made, Context)
    np.testing.assert_allclose(made.cosines, 1, atol=1e-5)
    np.testing.assert_allclose(made.paths[0].points, made.paths[1].points, atol=1e-4)


def test_the_lens_on_the_encoder_tells_the_words_themselves_before_the_first_layer(engine: Engine) -> None:
    made = found(engine, LensRequest("He sat on the bank of the river."))
    assert isinstance(made, Lens)
    assert made.kind == "nearest"
    assert len(made.tops) == 7
    first = [said[0][0] for said in made.tops[0]]
    assert [first[at] for at in (2, 4, 5, 7)] == ["sat", "the", "bank", "the"]


def test_the_words_with_the_largest_shares_are_told_in_order() -> None:
    shares = torch.tensor([[[0.1, 0.6, 0.3]], [[0.5, 0.2, 0.3]]])
    said = told(shares, "abc".__getitem__, 2)
    assert [[word for word, _ in layer[0]] for layer in said] == [["b", "c"], ["a", "c"]]
    assert said[0][0][0][1] == pytest.approx(0.6)


def test_times_come_length_by_length_for_each_kind_of_layer(engine: Engine) -> None:
    run = engine.explore(TimesRequest(8, (4, 16)))
    made = [step for step in run if isinstance(step, Times)]
    assert [len(one.seconds[0]) for one in made] == [1, 2]
    assert made[-1].names == ("self-attention", "recurrent", "convolution")
    assert all(seconds > 0 for row in made[-1].seconds for seconds in row)


@pytest.mark.parametrize("size", [0, 6, 4096])
def test_layers_that_cannot_be_measured_are_told(engine: Engine, size: int) -> None:
    with pytest.raises(UserError, match="can't be measured"):
        outcome(engine.explore(TimesRequest(size)))


def test_the_lens_obeys_what_is_changed_inside(engine: Engine) -> None:
    plain, changed = (
        found(engine, LensRequest("The cat sat.", change=one)) for one in (Ablation(), Ablation(residuals=False))
    )
    assert isinstance(plain, Lens)
    assert isinstance(changed, Lens)
    assert plain.tops[0] == changed.tops[0]
    assert plain.tops[1] != changed.tops[1]
