"""The mean photo of an encoder: published, found, and refused where it doesn't fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from attnviewer.core.errors import UserError
from attnviewer.data.features import FeatureCache, Part
from attnviewer.train.caption.publish import publish_mean
from attnviewer.zoo.files import MEAN, read_mean

SIZE = 6


def a_cache(photos: int = 150) -> FeatureCache:
    random = np.random.default_rng(0)
    fine = random.normal(size=(photos, 16, 4)).astype(np.float16)
    coarse = random.normal(size=(photos, 4, 2)).astype(np.float16)
    return FeatureCache((Part(fine, coarse), [f"{number}.jpg" for number in range(photos)]))


def test_the_mean_photo_is_the_mean_of_the_training_photos(tmp_path: Path) -> None:
    cache = a_cache()
    files = [f"{number}.jpg" for number in range(100)]
    path = publish_mean(cache, tmp_path, files)
    assert path == tmp_path / "encoder" / MEAN
    wanted = cache.annotations(files).mean(dim=0, keepdim=True)
    torch.testing.assert_close(read_mean(path, SIZE), wanted, atol=1e-3, rtol=1e-3)


def test_annotation_vectors_can_be_averaged_directly(tmp_path: Path) -> None:
    vectors = torch.randn(5, 9, SIZE)
    found = read_mean(publish_mean(vectors, tmp_path), SIZE)
    torch.testing.assert_close(found, vectors.mean(dim=0, keepdim=True), atol=1e-3, rtol=1e-3)
    assert found.dtype == torch.float32


BROKEN = {
    "other name": ({"average": torch.zeros(1, 9, SIZE)}, "holds no mean photo"),
    "other size": ({"mean": torch.zeros(1, 9, SIZE + 1)}, "vectors of 6 numbers"),
    "several": ({"mean": torch.zeros(2, 9, SIZE)}, "holds no mean photo"),
    "flat": ({"mean": torch.zeros(9, SIZE)}, "holds no mean photo"),
    "not finite": ({"mean": torch.full((1, 9, SIZE), float("nan"))}, "aren't finite"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_mean_photo_that_does_not_fit_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    save_file(BROKEN[kind][0], tmp_path / MEAN)
    with pytest.raises(UserError, match=BROKEN[kind][1]) as caught:
        read_mean(tmp_path / MEAN, SIZE)
    assert "\n" not in str(caught.value)


def test_a_missing_mean_photo_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't read"):
        read_mean(tmp_path / MEAN, SIZE)
