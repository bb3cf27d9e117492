"""Feature maps of photos, made once by an encoder and kept on disk: a file a data folder, found again by the encoder.

Letters: B batch, N photos, L fine cells, l coarse cells, D1 and D2 sizes of a fine and a coarse cell.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attnviewer.core.card import Preprocessing
from attnviewer.core.writing import replacing
from attnviewer.data.photos import Photo, load_pixels

ENCODED = 32  # photos encoded together


@dataclass(frozen=True, eq=False)
class Part:
    """The feature maps of one data folder as they left the encoder: fine [N, L, D1], coarse [N, l, D2] in fp16."""

    fine: NDArray[np.float16]
    coarse: NDArray[np.float16]

    @property
    def side(self) -> int:
        """Rows (and columns) of the fine grid."""
        return round(self.fine.shape[1] ** 0.5)

    def annotations(self, rows: Sequence[int]) -> Tensor:
        """Annotation vectors [B, L, D1 + D2] of some rows: each fine cell beside the coarse cell above it."""
        fine, coarse = (torch.from_numpy(part[rows]).float() for part in (self.fine, self.coarse))
        low = round(coarse.shape[1] ** 0.5)
        above = torch.arange(self.side) * low // self.side  # the coarse row (or column) of each fine one
        under = coarse.unflatten(1, (low, low))[:, above][:, :, above]
        return torch.cat((fine, under.flatten(1, 2)), dim=2)


class FeatureCache:
    """The features of photos of one data folder or several, by the photos' paths."""

    def __init__(self, *parts: tuple[Part, Sequence[str]]) -> None:
        self._parts = [part for part, _ in parts]
        self._place = {path: (number, row) for number, (_, paths) in enumerate(parts) for row, path in enumerate(paths)}

    @property
    def paths(self) -> tuple[str, ...]:
        """The photos that are there."""
        return tuple(self._place)

    @property
    def side(self) -> int:
        """Rows (and columns) of the grid."""
        return self._parts[0].side

    def turned(self, paths: Sequence[str]) -> Tensor:
        """Annotation vectors of some photos with their maps mirrored: nearly those of the mirrored photos."""
        return self.annotations(paths).unflatten(1, (self.side, self.side)).flip(2).flatten(1, 2)

    def annotations(self, paths: Sequence[str]) -> Tensor:
        """Annotation vectors [B, L, D1 + D2] of some photos, in float32."""
        wanted: dict[int, list[int]] = defaultdict(list)
        for place, path in enumerate(paths):
            wanted[self._place[path][0]].append(place)
        vectors = [
            self._parts[number].annotations([self._place[paths[place]][1] for place in places])
            for number, places in wanted.items()
        ]
        if len(vectors) == 1:
            return vectors[0]
        order = torch.tensor([place for places in wanted.values() for place in places])
        return torch.cat(vectors)[order.argsort()]


def encoder_key(encoder: nn.Module) -> str:
    """Eight hexadecimal digits that change with any weight of the encoder."""
    digest = hashlib.sha256()
    for value in encoder.state_dict().values():
        digest.update((value.detach().float() + 0.0).cpu().numpy().tobytes())  # -0.0 counts as 0.0
    return digest.hexdigest()[:8]


def cache_features(
    maps: nn.Module,
    photos: Sequence[Photo],
    cache: Path,
    recipe: Preprocessing,
    mirrored: bool = False,
    device: str = "cpu",
) -> Iterator[tuple[int, int] | FeatureCache]:
    """Encode every photo once; yields (done, all) of each data folder, and lastly the `FeatureCache` of them all.

    A data folder has files of its own, named by the encoder, the size of its input and the photos: adding a folder
    leaves the features of the others as they are.
    """
    folders: dict[Path, list[str]] = defaultdict(list)
    for photo in photos:
        folders[photo.folder].append(photo.path)
    key, parts = encoder_key(maps), []
    for paths in folders.values():
        names = hashlib.sha256("\n".join(Path(path).name for path in paths).encode()).hexdigest()[:8]
        name = f"{key}-{recipe.size}-{'mirror' if mirrored else 'plain'}-{len(paths)}-{names}"
        files = [cache / f"{name}-{part}.npy" for part in ("fine", "coarse")]
        if not all(file.is_file() for file in files):
            cache.mkdir(parents=True, exist_ok=True)
            with replacing(files[0]) as fine, replacing(files[1]) as coarse:
                yield from _encode_all(maps, paths, (fine, coarse), recipe, mirrored, device)
        parts.append((Part(*(np.load(file, mmap_mode="r") for file in files)), paths))
    yield FeatureCache(*parts)


def _encode_all(
    maps: nn.Module,
    paths: Sequence[str],
    files: Sequence[Path],
    recipe: Preprocessing,
    mirrored: bool,
    device: str,
) -> Iterator[tuple[int, int]]:
    stores: list[np.memmap[Any, Any]] = []
    for start in range(0, len(paths), ENCODED):
        batch = torch.stack([load_pixels(path, recipe) for path in paths[start : start + ENCODED]])
        batch = batch.flip(3) if mirrored else batch
        with torch.inference_mode():
            features = maps(batch.to(device, memory_format=torch.channels_last))
        flat = [part.flatten(2).transpose(1, 2).half().cpu().numpy() for part in features]
        if not stores:
            shapes = [(len(paths), *part.shape[1:]) for part in flat]
            stores = [
                np.lib.format.open_memmap(file, "w+", np.float16, shape)
                for file, shape in zip(files, shapes, strict=True)
            ]
        for store, part in zip(stores, flat, strict=True):
            store[start : start + len(part)] = part
        yield start + len(batch), len(paths)
    for store in stores:
        store.flush()
