"""Does it matter: covering nothing changes nothing, orders are obeyed, and the gradient is Captum's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.requests import MatterRequest
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.runs.caption import pixels_of
from attnviewer.runs.decode import DecodingPlan
from attnviewer.runs.engine import Engine
from attnviewer.runs.explore.layering import with_gradients
from attnviewer.runs.explore.matter import Covered, cells_of, gradient_map, photo_chance
from attnviewer.runs.explore.ranking import agreement, area, removed


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


@pytest.fixture(scope="module")
def photo() -> Picture:
    return load_picture(resources_dir() / "images" / "retriever.jpg")


@pytest.fixture(scope="module")
def found(engine: Engine, photo: Picture) -> Matter:
    with torch.inference_mode():  # as on the model thread
        made = outcome(engine.explore(MatterRequest(photo, 1, steps=2, occlusion=False, shuffles=1)))
    assert isinstance(made, Matter)
    return made


def test_covering_nothing_changes_nothing(engine: Engine, photo: Picture, found: Matter) -> None:
    trace = outcome(engine.run(CaptionRequest(photo, "soft", Decoding(1, alternatives=1))))
    assert found.words == tuple(trace.words)
    assert found.probability == pytest.approx(float(np.exp(trace.logprobs[1])), abs=1e-4)
    for order in ("attention", "gradient", "random"):
        assert found.deletion[order][0] == pytest.approx(found.probability, abs=1e-5)
        assert found.insertion[order][-1] == pytest.approx(found.probability, abs=1e-5)


def test_all_orders_end_at_a_grey_photo(found: Matter) -> None:
    ends = [curve[-1] for curve in found.deletion.values()] + [curve[0] for curve in found.insertion.values()]
    assert np.ptp(ends) < 1e-5


def test_a_map_is_that_of_the_trace(engine: Engine, photo: Picture, found: Matter) -> None:
    trace = outcome(engine.run(CaptionRequest(photo, "soft", Decoding(1, alternatives=1))))
    np.testing.assert_allclose(found.maps["attention"], trace.steps[1].weights[0], atol=1e-5)
    assert found.tau is None or -1 <= found.tau <= 1


def test_the_gradient_is_the_saliency_of_captum(engine: Engine, photo: Picture) -> None:
    from captum.attr import Saliency

    model = engine.zoo.captioner(None, "soft")
    pixels, plan, ids = pixels_of(photo, model.encoder.recipe), DecodingPlan(Decoding()), [5, 6]
    places = engine.annotations(photo, model.encoder).shape[1]
    ours = gradient_map(model, Covered(model, pixels, ids, places, plan), plan, ids, places)
    encoder, net = with_gradients(model.encoder.net), with_gradients(model.net)
    theirs = Saliency(lambda x: photo_chance(net, encoder(x), ids, plan)).attribute(pixels.clone().requires_grad_())
    cell = cells_of(places, pixels.shape[-1])
    size = theirs[0].abs().sum(dim=0)
    wanted = [float(size[cell == place].mean()) for place in range(places)]
    np.testing.assert_allclose(ours, wanted, rtol=1e-3, atol=1e-7)


def test_places_are_taken_in_their_order_from_none_to_all() -> None:
    taken = removed(np.array([2, 0, 1, 3]), 4)
    assert taken.sum(dim=1).tolist() == [0, 1, 2, 3, 4]
    assert taken[1].tolist() == [False, False, True, False]
    assert taken[2].tolist() == [True, False, True, False]


def test_every_pixel_belongs_to_one_place_in_rows() -> None:
    cell = cells_of(9, 7)
    assert cell[0, 0] == 0
    assert cell[-1, -1] == 8
    assert cell[0, -1] == 2
    assert sorted(set(cell.flatten().tolist())) == list(range(9))


def test_an_area_is_the_mean_as_a_share_of_the_whole() -> None:
    assert area([0.8, 0.4, 0.0], 0.8) == pytest.approx(0.5)
    assert area([0.5, 0.5], 0.5) == 1
    assert area([0.0, 0.0], 0.0) == 0


def test_agreement_is_one_for_a_map_and_itself_and_unknown_for_a_flat_one() -> None:
    assert agreement([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert agreement([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert agreement([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"word": 99}, "words 0 to"),
        ({"word": 0, "steps": 0}, "steps"),
        ({"word": 0, "attention": "none"}, "no attention"),
    ],
)
def test_what_cannot_be_asked_is_told(engine: Engine, photo: Picture, options: dict[str, object], told: str) -> None:
    with pytest.raises(UserError, match=told):
        outcome(engine.explore(MatterRequest(photo, **options)))


def test_curves_grow_and_only_whole_ones_have_an_area(engine: Engine, photo: Picture) -> None:
    grown = []
    with torch.inference_mode():
        for event in engine.explore(MatterRequest(photo, 1, ("a", "dog"), steps=20, occlusion=False, shuffles=1)):
            if isinstance(event, Matter):
                grown.append(event)
            if len(grown) == 4:
                break
    first, *_, last = grown
    assert len(first.deletion["attention"]) < 21
    assert first.deletion_area == {}
    assert len(last.deletion["attention"]) == 21
    assert set(last.deletion_area) == {"attention"}
    assert "gradient" in last.deletion
