"""Two tiny nets learn, can be stopped, and part ways where digits are moved."""

from __future__ import annotations

import pytest
import torch

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Learning, Refusal
from attnviewer.core.explore.requests import LearnRequest, ResizeRequest
from attnviewer.core.jobs import outcome
from attnviewer.runs.explore.learn import NETS, digits, learn, moved
from attnviewer.runs.explore.resize import resize


@pytest.fixture(scope="module")
def learnt() -> Learning:
    with torch.inference_mode():  # as on the model thread
        found = outcome(learn(None, LearnRequest(epochs=10)))
    assert isinstance(found, Learning)
    return found


def test_both_nets_have_as_many_parameters_to_one_percent() -> None:
    counts = [sum(p.numel() for p in make().parameters()) for make in NETS.values()]
    assert min(counts) / max(counts) > 0.99


def test_both_learn_the_digits_where_they_stood(learnt: Learning) -> None:
    for learner in learnt.learners:
        assert learner.losses[-1] < learner.losses[0] / 4
        assert learner.accuracies[-1] > 0.93


def test_shared_weights_still_tell_them_when_moved(learnt: Learning) -> None:
    dense, shared = learnt.learners
    assert dense.shifted[0] == dense.accuracies[-1]
    assert dense.shifted[-1] < 0.7
    assert shared.shifted[-1] > 0.9


def test_the_weights_of_a_unit_are_an_image_of_the_ground(learnt: Learning) -> None:
    dense, shared = learnt.learners
    assert dense.weights.shape == (7, 28, 28)
    assert shared.weights.shape == (12, 5, 5)
    assert learnt.samples.shape == learnt.moved.shape == (6, 28, 28)


def test_digits_learnt_from_are_not_tested_on_and_moving_cuts_none() -> None:
    found = digits(0)
    assert len(found.learnt[1]) > 2 * len(found.tested[1])
    for one in moved(found.tested[0], 5):
        torch.testing.assert_close(one.sum(dim=(1, 2, 3)), found.tested[0].sum(dim=(1, 2, 3)))


def test_the_same_seed_learns_the_same() -> None:
    one, two = (outcome(learn(None, LearnRequest(epochs=1, seed=3))) for _ in range(2))
    assert [x.losses for x in one.learners] == [x.losses for x in two.learners]


def test_every_epoch_is_a_place_to_stop() -> None:
    run = learn(None, LearnRequest(epochs=3))
    next(run)
    assert next(run).epoch == 1
    run.close()


def test_torch_itself_refuses_a_larger_photo_and_a_convolution_takes_it() -> None:
    found = outcome(resize(None, ResizeRequest(28, 7)))
    assert isinstance(found, Refusal)
    assert "1089" in found.message
    assert "784" in found.message
    assert found.output == (33, 33)


def test_no_size_is_too_large_to_be_refused() -> None:
    assert outcome(resize(None, ResizeRequest(1000, 10**6))).message


def test_a_photo_of_the_same_size_is_not_refused() -> None:
    assert outcome(resize(None, ResizeRequest(4, 3, 0))).message == ""


@pytest.mark.parametrize("request_", [LearnRequest(epochs=0), LearnRequest(shift=7)])
def test_senseless_lessons_are_told(request_: LearnRequest) -> None:
    with pytest.raises(UserError, match="epochs"):
        outcome(learn(None, request_))


def test_digits_are_moved_by_so_many_pixels_to_each_of_the_four_sides() -> None:
    image = torch.zeros(1, 1, 7, 7)
    image[0, 0, 3, 3] = 1
    places = [tuple((one[0, 0] == 1).nonzero()[0].tolist()) for one in moved(image, 2)]
    assert sorted(places) == [(1, 3), (3, 1), (3, 5), (5, 3)]
