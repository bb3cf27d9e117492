"""Flickr8k with its boxes: photos, captions as word ids, and where each word is; and a cache of encoder features."""

from __future__ import annotations

import gzip
import hashlib
import json
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor, nn

from attnviewer.core.card import Preprocessing
from attnviewer.core.errors import UserError
from attnviewer.core.regions import coverage
from attnviewer.core.writing import replacing
from attnviewer.runs.caption import squash

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Phrase:
    """A run of words `start:end` of a caption and the boxes (fractions of the image) that show what it names."""

    start: int
    end: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Caption:
    """One caption: lower-case words without punctuation, and its phrases that have boxes."""

    words: tuple[str, ...]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True)
class Photo:
    """One photo of the data folder with its split and captions."""

    file: str
    split: str
    captions: tuple[Caption, ...]


def load_photos(folder: Path, *splits: str) -> list[Photo]:
    """Read the photos of `splits` (all when none is named); raises `UserError` where the folder holds no such data."""
    path = folder / "annotations.jsonl.gz"
    if not path.is_file():
        raise UserError(f"{folder} holds no annotations.jsonl.gz; give the flickr8k data folder with --data.")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        return [_photo(record) for record in records if not splits or record["split"] in splits]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} can't be read ({type(error).__name__}: {error}); copy it again.") from None


def _photo(record: dict[str, Any]) -> Photo:
    return Photo(record["file"], record["split"], tuple(_caption(caption) for caption in record["captions"]))


def _caption(record: dict[str, Any]) -> Caption:
    raw = record["words"] or record["text"].split()
    words = [word.lower().strip(string.punctuation) for word in raw]
    place = np.cumsum([0, *(bool(word) for word in words)])  # where a raw index lands once empty words are gone
    phrases = tuple(
        Phrase(int(place[p["start"]]), int(place[p["end"]]), tuple(tuple(box) for box in p["boxes"]))
        for p in record["phrases"] or ()
        if p["boxes"] and place[p["end"]] > place[p["start"]]
    )
    return Caption(tuple(filter(None, words)), phrases)


def count_words(photos: Sequence[Photo], at_least: int) -> list[str]:
    """Words that occur at least so often in the captions, the most frequent first."""
    counts = Counter(word for photo in photos for caption in photo.captions for word in caption.words)
    return [word for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= at_least]


def word_regions(caption: Caption, rows: int, columns: int) -> NDArray[np.float32]:
    """[T, L]: for each word the share of each cell covered by its phrase's boxes; zero rows for words without boxes."""
    regions = np.zeros((len(caption.words), rows * columns), np.float32)
    for phrase in caption.phrases:
        cells = coverage(phrase.boxes, rows, columns)
        regions[phrase.start : phrase.end] = np.maximum(regions[phrase.start : phrase.end], cells)
    return regions


def load_pixels(folder: Path, file: str, recipe: Preprocessing) -> Tensor:
    """One photo as the encoder wants it [3, S, S]; raises `UserError` where it can't be read."""
    try:
        with Image.open(folder / "images" / file) as image:
            return squash(image.convert("RGB"), recipe)
    except OSError as error:
        raise UserError(f"the photo {file} in {folder / 'images'} can't be read ({error}); copy it again.") from None


class FeatureCache:
    """Feature maps of photos on disk, as they left the encoder: fine [N, L, D1] and coarse [N, l, D2] in fp16."""

    def __init__(self, fine: NDArray[np.float16], coarse: NDArray[np.float16], files: Sequence[str]) -> None:
        self.fine, self.coarse = fine, coarse
        self.row = {file: index for index, file in enumerate(files)}

    def annotations(self, files: Sequence[str]) -> Tensor:
        """Annotation vectors [B, L, D1 + D2] of `files`, in float32."""
        rows = [self.row[file] for file in files]
        fine, coarse = (torch.from_numpy(part[rows]).float() for part in (self.fine, self.coarse))
        side, low = round(fine.shape[1] ** 0.5), round(coarse.shape[1] ** 0.5)
        under = coarse.unflatten(1, (low, low))
        for axis in (1, 2):
            under = under.repeat_interleave(side // low, dim=axis)
        return torch.cat((fine, under.flatten(1, 2)), dim=2)


def encoder_key(encoder: nn.Module) -> str:
    """Eight hexadecimal digits that change with any weight of the encoder."""
    digest = hashlib.sha256()
    for value in encoder.state_dict().values():
        digest.update((value.detach().float() + 0.0).cpu().numpy().tobytes())  # -0.0 counts as 0.0
    return digest.hexdigest()[:8]


def cache_features(
    maps: nn.Module,
    photos: Sequence[Photo],
    folder: Path,
    cache: Path,
    recipe: Preprocessing,
    mirrored: bool = False,
    device: str = "cpu",
) -> Iterator[tuple[int, int] | FeatureCache]:
    """Encode every photo once; yields (done, all) and lastly the `FeatureCache`. Found again by the encoder's key."""
    name = f"{encoder_key(maps)}-{recipe.size}-{'mirror' if mirrored else 'plain'}-{len(photos)}"
    files = [photo.file for photo in photos]
    paths = [cache / f"{name}-{part}.npy" for part in ("fine", "coarse")]
    if not all(path.is_file() for path in paths):
        cache.mkdir(parents=True, exist_ok=True)
        with replacing(paths[0]) as fine_draft, replacing(paths[1]) as coarse_draft:
            yield from _encode_all(maps, files, folder, (fine_draft, coarse_draft), recipe, mirrored, device)
    fine, coarse = (np.load(path, mmap_mode="r") for path in paths)
    yield FeatureCache(fine, coarse, files)


def _encode_all(
    maps: nn.Module,
    files: Sequence[str],
    folder: Path,
    paths: Sequence[Path],
    recipe: Preprocessing,
    mirrored: bool,
    device: str,
) -> Iterator[tuple[int, int]]:
    stores: list[np.memmap[Any, Any]] = []
    for start in range(0, len(files), 32):
        batch = torch.stack([load_pixels(folder, file, recipe) for file in files[start : start + 32]])
        batch = batch.flip(3) if mirrored else batch
        with torch.inference_mode():
            found = maps(batch.to(device, memory_format=torch.channels_last))
        flat = [part.flatten(2).transpose(1, 2).half().cpu().numpy() for part in found]
        if not stores:
            shapes = [(len(files), *part.shape[1:]) for part in flat]
            stores = [
                np.lib.format.open_memmap(path, "w+", np.float16, shape)
                for path, shape in zip(paths, shapes, strict=True)
            ]
        for store, part in zip(stores, flat, strict=True):
            store[start : start + len(part)] = part
        yield start + len(batch), len(files)
    for store in stores:
        store.flush()
