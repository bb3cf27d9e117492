"""Features of photos: made once a data folder, found again, put together, on grids of any size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.nets import a_data_folder
from torch import Tensor, nn

from attnviewer.core.card import Preprocessing
from attnviewer.data.features import FeatureCache, Part, cache_features
from attnviewer.data.photos import Photo, load_photos, load_pixels
from attnviewer.nets.vision import combine

RECIPE = Preprocessing(size=64)


class Maps(nn.Module):
    """Two feature maps of a picture, pooled by 4 and by 8; counts the pictures it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        self.seen += len(pixels)
        pool = nn.functional.avg_pool2d
        return pool(pixels, 4, ceil_mode=True) * self.weight, pool(pixels, 8, ceil_mode=True)


def features(maps: Maps, photos: list[Photo], cache: Path, mirrored: bool = False) -> FeatureCache:
    *ticks, found = cache_features(maps, photos, cache, RECIPE, mirrored)
    assert all(isinstance(tick, tuple) for tick in ticks)
    assert isinstance(found, FeatureCache)
    return found


@pytest.fixture
def photos(tmp_path: Path) -> list[Photo]:
    return load_photos([a_data_folder(tmp_path / name, train) for name, train in (("one", 6), ("two", 2))])


def test_a_cache_gives_what_the_encoder_gives(photos: list[Photo], tmp_path: Path) -> None:
    maps = Maps()
    found = features(maps, photos, tmp_path / "cache")
    chosen = [photos[number].path for number in (14, 0, 13, 3)]  # of both folders, in no order
    wanted = combine(*maps(torch.stack([load_pixels(path, RECIPE) for path in chosen])))
    assert found.side == 16
    torch.testing.assert_close(found.annotations(chosen), wanted, atol=2e-3, rtol=2e-3)


def test_a_second_folder_leaves_the_features_of_the_first(photos: list[Photo], tmp_path: Path) -> None:
    maps, first = Maps(), [photo for photo in photos if photo.folder.name == "one"]
    features(maps, first, tmp_path / "cache")
    features(maps, photos, tmp_path / "cache")
    assert maps.seen == len(photos)
    features(maps, photos, tmp_path / "cache", mirrored=True)
    assert maps.seen == 2 * len(photos)


def test_other_weights_make_other_features(photos: list[Photo], tmp_path: Path) -> None:
    maps = Maps()
    features(maps, photos, tmp_path / "cache")
    with torch.no_grad():
        maps.weight.fill_(2)
    features(maps, photos, tmp_path / "cache")
    assert maps.seen == 2 * len(photos)


@pytest.mark.parametrize(("side", "low"), [(14, 7), (15, 8), (18, 9), (3, 2), (5, 5)])
def test_a_coarse_cell_lies_beside_the_fine_cells_below_it(side: int, low: int) -> None:
    random = np.random.default_rng(0)
    fine, coarse = (random.normal(size=(2, n * n, 3)).astype(np.float16) for n in (side, low))
    grids = [
        torch.from_numpy(cells).float().transpose(1, 2).unflatten(2, (n, n))
        for cells, n in ((fine, side), (coarse, low))
    ]
    torch.testing.assert_close(Part(fine, coarse).annotations([0, 1]), combine(*grids))


def test_turned_maps_are_the_cells_from_right_to_left() -> None:
    fine = np.arange(4, dtype=np.float16).reshape(1, 4, 1)
    cache = FeatureCache((Part(fine, np.zeros((1, 1, 1), np.float16)), ["a"]))
    assert cache.turned(["a"])[0, :, 0].tolist() == [1, 0, 3, 2]
