"""Turn a training's best weights into models that ship: the encoder, and the captioner on it, with cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.paths import models_dir
from attnviewer.core.text import Vocabulary
from attnviewer.data.features import FeatureCache
from attnviewer.nets.vision import Encoder
from attnviewer.train.caption.nets import row_of
from attnviewer.train.publish import RESEARCH, command_line
from attnviewer.zoo.files import publish, save_mean

CELL = (
    "A cell is 1/{side} of the photo's side, but four neighbours share most of what they know: {shared:,} of {all:,} "
    "numbers come from a {low} x {low} map, and through its layers a cell sees far beyond itself. Read a map to "
    "1/{low} of the side."
)
UNTUNED = Data("ImageNet weights of EfficientNet-Lite (Apache-2.0), unchanged", "Apache-2.0.")
SOFT = (
    "Maps are trained twice: to help choose the next word, and to lie in the boxes people drew for the phrase. They "
    "show where the model looked, not why it chose a word."
)
ONCE = "The photo enters once, as the first state; from then on only the state carries it."


def cell_note(encoder: Encoder, size: int) -> str:
    """What a cell of the grid sees, for pictures of `size` x `size` pixels."""
    side = encoder.side(size)
    return CELL.format(side=side, low=-(-side // 2), shared=encoder.maps.sizes[1], all=encoder.size)


def publish_encoder(
    encoder: Encoder, name: str, hours: float, folder: Path | None = None, recipe: Preprocessing | None = None,
    tuned: Data | None = None,
) -> ModelCard:  # fmt: skip
    """Write the encoder with its normalisation folded into its convolutions; `tuned`: what it learnt from since."""
    recipe, head = recipe or Preprocessing(), encoder.classes
    sizes = {"annotation": encoder.size} | ({} if head is None else {"classes": head.out_features})
    licence = "Apache-2.0 (ImageNet weights)"
    card = ModelCard(
        id="encoder", name=f"CNN encoder ({name}), stride 16 beside stride 32", task="encode", attention="none",
        licence=f"{licence}; tuned: {RESEARCH}" if tuned else licence, data=tuned or UNTUNED,
        training=Training(command_line(), 0, hours), architecture={"net": name, **sizes},
        preprocessing=recipe, notes=(cell_note(encoder, recipe.size),),
    )  # fmt: skip
    return publish(encoder, card, folder)


def publish_mean(found: FeatureCache | Tensor, folder: Path | None = None, paths: Sequence[str] | None = None) -> Path:
    """Write the mean photo of the encoder: annotation vectors averaged over photos; returns the file.

    Parameters
    ----------
    found : a cache of features, or annotation vectors [N, L, D] (N = 1 where they are averaged already).
    folder : of the models; default: those that ship.
    paths : the photos of the cache to average, the training photos; default: all.
    """
    mean = found.mean(dim=0, keepdim=True) if isinstance(found, Tensor) else _mean(found, paths or found.paths)
    return save_mean(mean, (folder or models_dir()) / "encoder")


def _mean(cache: FeatureCache, paths: Sequence[str]) -> Tensor:
    """Photo by photo, so that the features needn't fit in memory at once."""
    groups = [paths[start : start + 64] for start in range(0, len(paths), 64)]
    total = sum(cache.annotations(group).double().sum(dim=0, keepdim=True) for group in groups)
    return torch.as_tensor(total).float() / len(paths)


def publish_captioner(
    net: Any, vocabulary: Vocabulary, seed: int, hours: float, penalty: float, folder: Path | None = None,
    rank: int | None = None, *, data: Data, cell: str, embedding_of: str | None = None,
) -> ModelCard:  # fmt: skip
    """Write a captioner whose figures are still to be measured; with a `rank` as a change of caption-soft.

    `data` is what it learnt from, `cell` a sentence on what a cell of its grid sees. Where it shares the table of words
    of the captioner `embedding_of`, that is not written again.
    """
    c, told = net.config, row_of(net).tell(net)
    change = {"base": "caption-soft", "rank": rank} if rank else {}
    change |= {"embedding_of": embedding_of} if embedding_of else {}
    card = ModelCard(
        id=told.id, name=told.name, task="caption", kind=told.kind, attention=c.attention,
        licence=f"weights: {RESEARCH}", data=data,
        training=Training(command_line(), seed, hours),
        architecture={"encoder": "encoder", **told.sizes, "length_penalty": penalty, **change},
        capabilities=("beam", "teacher forcing", *(("forced attention",) if net.has_attention else ())),
        notes=(cell, SOFT, *told.notes) if net.has_attention else (ONCE,),
    )  # fmt: skip
    return publish(net, card, folder, vocabulary)
