"""Self-attention of installed Transformers: all that the encoder computed, changed or not, fits together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from helpers.nets import annotations
from helpers.pictures import corners
from helpers.transformers import a_looker, a_transformer

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import AttendTrace
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import AttendRequest
from attnviewer.core.transformer.stages import softmax
from attnviewer.runs.attend import attend_places, attend_words, check_layer
from attnviewer.runs.engine import Engine

WORDS = ("la", "casa", "blanca", "duerme")
CHANGES = [Ablation(), Ablation(mask="future"), Ablation(hidden=((1, 2),), tied=True)]


def read(change: Ablation | None = None, order: str = "sinusoidal") -> AttendTrace:
    model = a_transformer(order)
    request = AttendRequest(" ".join(WORDS), change=change or Ablation())
    made = outcome(attend_words(request, model.net, WORDS, "tiny", model.words.speller))  # type: ignore[arg-type]
    assert isinstance(made, AttendTrace)
    return made


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_encoder_computed_fits_together(change: Ablation) -> None:
    inside = read(change).inside
    assert inside is not None
    makers = inside.projections[:, [1, 1, 2]] if change.tied else inside.projections
    biases = inside.biases[:, [1, 1, 2]] if change.tied else inside.biases
    made = np.einsum("ntd,nchds->nchts", inside.normed, makers) + biases[:, :, :, None]
    for at, part in enumerate((inside.queries, inside.keys, inside.values)):
        np.testing.assert_allclose(made[:, at], part, atol=1e-4)
    np.testing.assert_allclose(softmax(inside.scores), inside.weights, atol=1e-5)
    visible = change.visible(len(WORDS))
    if visible is not None:
        assert not inside.weights[..., ~visible].any()
    np.testing.assert_allclose(inside.middle, inside.hidden[:-1] + inside.attended, atol=1e-4)
    np.testing.assert_allclose(inside.hidden[1:], inside.middle + inside.fed, atol=1e-4)


def test_the_norms_of_the_values_are_those_of_what_each_head_adds() -> None:
    trace, own = read(), a_transformer().net.encoder[0].own  # type: ignore[attr-defined]
    inside = trace.inside
    assert inside is not None
    size = inside.values.shape[-1]
    columns = own.out.weight[:, size : 2 * size]  # of head 1
    expected = (torch.from_numpy(inside.values[0, 1].copy()) @ columns.T).norm(dim=1)
    np.testing.assert_allclose(inside.value_norms[0, 1], expected.detach(), atol=1e-5)


def test_shuffled_words_keep_their_vectors_without_positions() -> None:
    plain, turned = (a_transformer().net, a_transformer().words), (2, 0, 3, 1)
    change = Ablation(positions=False)
    net, words = plain
    both = [
        outcome(attend_words(AttendRequest("x", change=change), net, given, "tiny", words.speller))  # type: ignore[arg-type]
        for given in (WORDS, tuple(WORDS[at] for at in turned))
    ]
    one, other = (trace.inside.hidden[-1] for trace in both)  # type: ignore[union-attr]
    np.testing.assert_allclose(other, one[list(turned)], atol=1e-5)


def test_the_places_of_a_photo_look_at_each_other() -> None:
    request = AttendRequest(picture=Picture(corners(60, 40)))
    made = outcome(attend_places(request, a_looker(), annotations(1), "tiny"))
    assert isinstance(made, AttendTrace)
    assert made.weights.shape == (9, 2, 9)
    np.testing.assert_allclose(made.weights.sum(axis=-1), 1, atol=1e-5)
    assert (made.locations.rows, made.locations.columns) == (3, 3)  # type: ignore[union-attr]
    assert (made.source.kind, made.source.width) == ("image", 60)


def test_a_layer_that_is_not_there_and_a_model_that_is_not_there_are_told() -> None:
    with pytest.raises(UserError, match="layers 0 to 1"):
        check_layer(AttendRequest("x", layer=2), 2, "tiny")
    with pytest.raises(UserError, match="no model nowhere with self-attention"):
        outcome(Engine(device="cpu").run(AttendRequest("x", model="nowhere")))
