"""Patches that grow, the captioner unrolled, and texts by learnt vectors: with the models that ship."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from helpers.nets import a_captioner, annotations

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Alike, Patches, Unrolled
from attnviewer.core.explore.requests import AlikeRequest, PatchRequest, UnrollRequest
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.nets.captioner import Captioner
from attnviewer.runs.engine import Engine
from attnviewer.runs.explore.patches import sides, square
from attnviewer.runs.explore.unroll import changes, read


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


@pytest.fixture(scope="module")
def photo() -> Picture:
    return load_picture(resources_dir() / "images" / "retriever.jpg")


@pytest.fixture(scope="module")
def unrolled(engine: Engine, photo: Picture) -> Unrolled:
    with torch.inference_mode():  # as on the model thread
        found = outcome(engine.explore(UnrollRequest(photo)))
    assert isinstance(found, Unrolled)
    return found


def test_patches_grow_to_the_whole_photo(engine: Engine, photo: Picture) -> None:
    found = outcome(engine.explore(PatchRequest(photo, sides=(20, 100, 9999))))
    assert isinstance(found, Patches)
    whole = found.patches[-1]
    assert whole.box == (0, 0, photo.width, photo.height)
    assert whole.caption == " ".join(found.words)
    assert all(0 <= patch.probability <= 1 for patch in found.patches)
    assert found.chance is None or whole.probability > found.chance


def test_the_word_can_be_chosen(engine: Engine, photo: Picture) -> None:
    assert outcome(engine.explore(PatchRequest(photo, 50, 50, (30,), word=0))).word == 0
    with pytest.raises(UserError, match="words 0 to"):
        outcome(engine.explore(PatchRequest(photo, sides=(30,), word=99)))


def test_a_patch_is_moved_inside_the_photo() -> None:
    picture = Picture(np.zeros((60, 100, 3), np.uint8))
    assert square(picture, 0, 0, 20) == (0, 0, 20, 20)
    assert square(picture, 99, 59, 20) == (80, 40, 100, 60)
    assert square(picture, 50, 30, 80) == (10, 0, 90, 60)


@pytest.mark.parametrize("size", [(1, 1), (15, 7), (400, 300)])
def test_patches_start_at_20_pixels_or_at_what_there_is(size: tuple[int, int]) -> None:
    found = sides(Picture(np.zeros((*size, 3), np.uint8)))
    assert found[0] == min(20, max(size))
    assert found[-1] == max(size)
    assert list(found) == sorted(set(found))


def test_unrolling_reads_the_very_caption(engine: Engine, photo: Picture, unrolled: Unrolled) -> None:
    trace = outcome(engine.run(CaptionRequest(photo, "none", Decoding(alternatives=1))))
    assert unrolled.words == tuple(trace.words)
    np.testing.assert_allclose(unrolled.probabilities, np.exp(trace.logprobs), rtol=1e-3)
    assert unrolled.bits == trace.bits


def test_every_word_has_a_state_gates_and_a_gradient(unrolled: Unrolled) -> None:
    words, size = unrolled.states.shape
    assert words == len(unrolled.words) == len(unrolled.gradients) == len(unrolled.changes)
    assert unrolled.gates.shape == (words, 3, size)
    assert 0 < unrolled.gates.min() < unrolled.gates.max() < 1
    assert abs(unrolled.states).max() <= 1
    assert min(unrolled.gradients) > 0
    json.loads(unrolled.to_json())


def test_a_state_is_what_its_gates_make_of_the_one_before() -> None:
    net = a_captioner("none")
    with torch.no_grad():
        memory = net.encode_source(annotations())
        passed = read(net, memory.mean, [5, 6, 7])
        state = net.start(memory, 1)
        cell = state.cell[0, 0]
        for t, last in enumerate((1, 5, 6)):
            entering = net.lstm.weight_ih @ net.embedding.weight[last] + net.lstm.bias_ih
            before = passed.first if t == 0 else passed.states[t - 1]
            new = torch.tanh((entering + net.lstm.weight_hh @ before + net.lstm.bias_hh).chunk(4)[2])
            let_in, forget, out = passed.gates[t]
            cell = forget * cell + let_in * new
            torch.testing.assert_close(passed.states[t], out * torch.tanh(cell))


def test_the_gradient_to_the_photo_is_what_a_small_step_finds() -> None:
    net: Captioner = a_captioner("none").double()
    photo = net.encode_source(annotations().double()).mean.detach().requires_grad_()
    passed = read(net, photo, [5, 6])
    (slope,) = torch.autograd.grad(passed.logprobs[1], photo)
    with torch.no_grad():
        step = torch.randn_like(photo) * 1e-6
        found = read(net, photo + step, [5, 6]).logprobs[1] - passed.logprobs[1]
    assert float(found) == pytest.approx(float((slope * step).sum()), rel=1e-3)


def test_the_change_of_a_state_is_a_share_of_its_length() -> None:
    assert changes(torch.tensor([3.0, 4.0]), torch.tensor([[3.0, 4.0], [3.0, 14.0]])) == [0.0, 2.0]


def test_a_given_caption_is_unrolled(engine: Engine, photo: Picture) -> None:
    assert outcome(engine.explore(UnrollRequest(photo, ("a", "cat")))).words == ("a", "cat")


@pytest.mark.parametrize("keys", ["bow", "words"])
def test_a_text_is_most_like_itself(engine: Engine, keys: str) -> None:
    found = outcome(engine.explore(AlikeRequest(("a dog", "a puppy", "the law of the sea"), keys)))
    assert isinstance(found, Alike)
    np.testing.assert_allclose(np.diag(found.cosines), 1, atol=1e-5)
    np.testing.assert_allclose(found.cosines, found.cosines.T, atol=1e-6)
    assert found.cosines[0, 1] > found.cosines[0, 2]


def test_no_documents_and_unknown_keys_are_told(engine: Engine) -> None:
    with pytest.raises(UserError, match="no documents"):
        outcome(engine.explore(AlikeRequest(())))
    with pytest.raises(UserError, match="choose from"):
        outcome(engine.explore(AlikeRequest(("a",), "magic")))
