"""Labels that are there are told from labels that are not."""

from dataclasses import replace

import pytest
import torch

from attnviewer.data.photos import Caption, Photo, Thing
from attnviewer.measure.presence import presence_auc, questions

WHOLE = (0.0, 0.0, 1.0, 1.0)


def photo(name: str, *labels: str, caption: str = "") -> Photo:
    captions = (Caption(tuple(caption.split()), ()),) if caption else ()
    return Photo(name, "dev", captions, tuple(Thing(label, WHOLE) for label in labels), objects_full=True)


PHOTOS = [photo("a", "dog"), photo("b", "cat"), photo("c", "dog", "cup", caption="a cat")]


def test_as_many_absent_labels_are_asked_as_there_are_present_ones() -> None:
    asked = questions(PHOTOS[:2])
    assert sorted(asked) == [(0, "cat", False), (0, "dog", True), (1, "cat", True), (1, "dog", False)]


def test_a_thing_that_a_caption_names_is_never_asked_for_as_absent() -> None:
    assert (2, "cat", False) not in questions(PHOTOS)


def test_photos_that_are_not_fully_boxed_prove_no_absence() -> None:
    assert questions([replace(PHOTOS[0], objects_full=False)]) == []


@pytest.mark.parametrize(("sign", "expected"), [(1.0, 1.0), (-1.0, 0.0)])
def test_levels_are_compared_over_all_questions(sign: float, expected: float) -> None:
    keys = sign * torch.eye(2).unsqueeze(1)  # a photo each, one location
    queries = {"dog": torch.tensor([1.0, 0.0]), "cat": torch.tensor([0.0, 1.0])}
    assert presence_auc(keys, queries, questions(PHOTOS[:2]), 0.1) == expected
