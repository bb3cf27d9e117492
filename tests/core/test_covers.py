"""Patches over a photo: what they cover, what they leave alone, and what is told of a box that is none."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_trace

from attnviewer.core.covers import GREY, Cover, covered, covers_of
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.request import CaptionRequest
from attnviewer.export.files import seen

PICTURE = Picture(corners(120, 80))


def test_covering_nothing_is_the_very_picture() -> None:
    assert covered(PICTURE, ()) is PICTURE


def test_a_patch_smaller_than_a_pixel_changes_nothing() -> None:
    assert (covered(PICTURE, [Cover((0.1, 0.1, 0.1001, 0.1001))]).pixels == PICTURE.pixels).all()


@pytest.mark.parametrize("how", ["grey", "blur"])
def test_a_patch_changes_its_box_and_nothing_else(how: str) -> None:
    picture = Picture(np.random.default_rng(0).integers(0, 256, (80, 120, 3), np.uint8))
    found = covered(picture, [Cover((0.0, 0.5, 0.25, 1.0), how)]).pixels
    outside = np.ones(found.shape[:2], bool)
    outside[40:80, 0:30] = False
    assert (found[outside] == picture.pixels[outside]).all()
    assert (found[~outside] != picture.pixels[~outside]).any()


def test_a_grey_patch_is_grey() -> None:
    assert (covered(PICTURE, [Cover((0, 0, 0.5, 0.5))]).pixels[:40, :60] == GREY).all()


@pytest.mark.parametrize(
    "box", [(), (0, 0, 1), (0.5, 0, 0.4, 1), (0, 0, 1, 1.1), (0, 0, "a", 1), (0, 0, float("nan"), 1)]
)
def test_a_box_that_is_none_is_told(box: tuple[float, ...]) -> None:
    with pytest.raises(UserError, match="left, top, right, bottom"):
        Cover(box)  # type: ignore[arg-type]


def test_an_unknown_way_to_cover_is_told() -> None:
    with pytest.raises(UserError, match="grey or blur"):
        Cover((0, 0, 1, 1), "red")


def test_the_covers_of_a_request_come_back_from_its_plain_data() -> None:
    asked = (Cover((0, 0, 0.5, 1)), Cover((0.5, 0, 1, 1), "blur"))
    assert covers_of(CaptionRequest(PICTURE, covers=asked).to_dict()) == asked
    assert covers_of({}) == ()


def test_a_figure_shows_the_photo_as_the_net_saw_it() -> None:
    from dataclasses import replace

    trace = replace(a_trace(), request={"covers": [{"box": [0, 0, 1, 1], "how": "grey"}]})
    below = seen(trace, PICTURE)
    assert below is not None
    assert (below.pixels == GREY).all()
    assert seen(trace, None) is None


def test_a_photo_is_told_from_another_by_its_hash() -> None:
    other = np.array(PICTURE.pixels)
    other[0, 0] ^= 1
    assert Picture(PICTURE.pixels, "a.png").sha256 == PICTURE.sha256 != Picture(other).sha256
    assert CaptionRequest(PICTURE).to_dict()["picture"]["sha256"] == PICTURE.sha256
