"""Small nets with random weights, and a data folder in the form of Flickr8k made of coloured squares."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from attnviewer.core.card import Data, ModelCard
from attnviewer.nets.captioner import Captioner, CaptionerConfig
from attnviewer.train.caption import publish

SIZES = {"annotation": 12, "match": 8, "context": 10, "embedding": 6, "hidden": 14}
CELLS = 9


def a_captioner(attention: str = "soft", vocabulary: int = 20, seed: int = 0) -> Captioner:
    """A captioner of a few hundred parameters, in evaluation mode."""
    torch.manual_seed(seed)
    return Captioner(CaptionerConfig(vocabulary, attention, **SIZES)).eval()


def publish_captioner(*given: Any, **more: Any) -> ModelCard:
    """Write a captioner as a model, as a training does."""
    return publish.publish_captioner(*given, data=Data("coloured squares", "none"), cell="A cell.", **more)


def annotations(photos: int = 1, seed: int = 1) -> torch.Tensor:
    """Random annotation vectors [B, 9, 12]."""
    return torch.randn(photos, CELLS, SIZES["annotation"], generator=torch.Generator().manual_seed(seed))


COLOURS = {"red": (220, 30, 30), "blue": (30, 30, 220), "green": (30, 200, 30)}


def a_data_folder(folder: Path, train: int = 6, dev: int = 3, test: int = 3) -> Path:
    """Photos of one coloured square at the left or right, with five captions and the square's box."""
    (folder / "images").mkdir(parents=True)
    random = np.random.default_rng(0)
    with gzip.open(folder / "annotations.jsonl.gz", "wt", encoding="utf-8") as out:
        for number, split in enumerate(["train"] * train + ["dev"] * dev + ["test"] * test):
            name, left = list(COLOURS)[number % 3], bool(random.random() < 0.5)
            pixels = np.full((64, 64, 3), 240, np.uint8)
            pixels[16:48, (4 if left else 36) : (28 if left else 60)] = COLOURS[name]
            Image.fromarray(pixels).save(folder / "images" / f"{number}.jpg")
            out.write(json.dumps(_record(number, split, name, left)) + "\n")
    return folder


def _record(number: int, split: str, name: str, left: bool) -> dict[str, object]:
    box = [0.0625, 0.25, 0.4375, 0.75] if left else [0.5625, 0.25, 0.9375, 0.75]
    words = ["A", name, "square", "is", "on", "the", "left" if left else "right", "."]
    phrase = {"start": 0, "end": 3, "chain": "1", "type": "other", "boxes": [box]}
    caption = {"text": " ".join(words), "words": words, "phrases": [phrase]}
    return {"file": f"{number}.jpg", "split": split, "width": 64, "height": 64, "captions": [caption] * 5}
