"""The grounder: keys and queries of length 1 that meet in a cosine."""

from __future__ import annotations

import pytest
import torch

from attnviewer.nets.grounding import Grounder, GroundingConfig, smooth

SMALL = GroundingConfig(annotation=6, phrase=5, side=3, hidden=8, size=4, layers=1, heads=2)


@pytest.fixture
def net():
    torch.manual_seed(0)
    return Grounder(SMALL).eval()


def test_keys_and_queries_have_length_one(net):
    keys, queries = net.keys(torch.randn(2, 9, 6)), net.query(torch.randn(7, 5))
    assert keys.shape == (2, 9, 4)
    assert keys.norm(dim=-1).allclose(torch.ones(2, 9))
    assert queries.norm(dim=-1).allclose(torch.ones(7))


def test_scores_are_scaled_cosines_of_every_phrase_with_every_photo(net):
    annotations, phrases = torch.randn(2, 9, 6), torch.randn(7, 5)
    scores = net(annotations, phrases)
    assert scores.shape == (7, 2, 9)
    one = net.scale * net.query(phrases)[3] @ net.keys(annotations)[1].T
    assert scores[3, 1].allclose(one, atol=1e-5)


def test_photos_of_a_batch_do_not_touch_each_other(net):
    annotations = torch.randn(2, 9, 6)
    assert net.keys(annotations)[1:].allclose(net.keys(annotations[1:]), atol=1e-5)


def test_the_same_vectors_elsewhere_give_other_keys(net):
    annotations = torch.randn(1, 9, 6)
    assert not net.keys(annotations.flip(1)).flip(1).allclose(net.keys(annotations), atol=1e-3)


def test_the_scale_stays_within_its_bounds(net):
    for value, bound in ((50.0, 100.0), (-50.0, 1.0)):
        net.log_scale.data.fill_(value)
        assert float(net.scale.detach()) == pytest.approx(bound)


def test_a_photo_and_its_mirror_image_share_one_map(net):
    plain, mirrored = torch.randn(1, 9, 6), torch.randn(1, 9, 6)

    def swapped(grid):
        return grid.unflatten(1, (3, 3)).flip(2).flatten(1, 2)

    both = net.keys(plain, mirrored)
    assert both.norm(dim=-1).allclose(torch.ones(1, 9))
    assert swapped(net.keys(mirrored, plain)).allclose(both, atol=1e-5)


def test_smoothing_keeps_what_is_even_and_spreads_a_single_cell():
    assert smooth(torch.ones(1, 9, 2), 3).allclose(torch.ones(1, 9, 2))
    single = torch.zeros(1, 9, 1)
    single[0, 4] = 1
    assert smooth(single, 3)[0, :, 0].tolist() == [0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625]
