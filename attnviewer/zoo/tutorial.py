"""`attnviewer models import FILE`: a checkpoint of a-PyTorch-Tutorial-to-Image-Captioning becomes two models."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.reading import read_text
from attnviewer.core.text import Vocabulary
from attnviewer.nets.rectified import RectifiedCaptioner, RectifiedConfig
from attnviewer.nets.vision import Encoder
from attnviewer.zoo.files import publish
from attnviewer.zoo.inert import read_inert, tensors_of

NET = "resnet101_pooled"
SPECIAL_TOKENS = ("<pad>", "<start>", "<end>", "<unk>")  # in the order of our own
RECIPE = Preprocessing(256, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
TOLD = "Its figure is what its checkpoint says of itself."
UNKNOWN_TERMS = "not known: ask whoever trained it"
ROWS = ("embedding.weight", "fc.weight", "fc.bias")  # a row a word


def import_checkpoint(path: Path, words: Path | None, name: str | None, folder: Path) -> list[ModelCard]:
    """Read a checkpoint and its word map, and write the encoder and the captioner as models into `folder`.

    Parameters
    ----------
    words : the word map as JSON; None: the one that lies beside the checkpoint.
    name : id of the captioner; None: made from the file's name.

    No code of the checkpoint is run. Raises `UserError` for files of another form.
    """
    saved = read_inert(path)
    if not isinstance(saved, Mapping) or not {"encoder", "decoder"} <= set(saved):
        raise UserError(tr("{path} holds no encoder and decoder; give a checkpoint of the tutorial.", path=path.name))
    vocabulary, order = _words(words or _beside(path))
    name = name or _id_of(path)
    encoder = _filled(lambda: Encoder(NET), _named(dict(tensors_of(saved["encoder"])), "maps."), path)
    state = _decoder_state(dict(tensors_of(saved["decoder"])), order, path)
    captioner = _filled(lambda: RectifiedCaptioner(_sizes(state, path)), state, path)
    cards = _cards(name, path, captioner.config, saved)
    return [publish(encoder, cards[0], folder, dtype=torch.float32),
            publish(captioner, cards[1], folder, vocabulary, dtype=torch.float32)]  # fmt: skip


def _beside(path: Path) -> Path:
    found = sorted(path.parent.glob("WORDMAP*.json"))
    if len(found) != 1:
        raise UserError(tr("name the word map of the checkpoint: --words WORDMAP.json"))
    return found[0]


def _words(path: Path) -> tuple[Vocabulary, list[int]]:
    """The vocabulary, and for each of our ids the row it has in the checkpoint."""
    try:
        numbers = json.loads(read_text(path))
        marks = [int(numbers[mark]) for mark in SPECIAL_TOKENS]
        words = {str(word): int(row) for word, row in numbers.items() if word not in SPECIAL_TOKENS}
        vocabulary, order = Vocabulary(tuple(words)), [*marks, *words.values()]
    except OSError as error:
        reason = (error.strerror or "unknown").lower()
        raise UserError(tr("can't read {path}: {reason}; check its name.", path=path, reason=reason)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise UserError(tr("{path} is no word map ({what}).", path=path.name, what=error)) from None
    if sorted(order) != list(range(len(order))):
        raise UserError(
            tr("{path} is no word map (its numbers aren't 0 to {last}).", path=path.name, last=len(order) - 1)
        )
    return vocabulary, order


def _decoder_state(state: dict[str, Tensor], order: list[int], path: Path) -> dict[str, Tensor]:
    """The decoder's tensors by our names, with the rows of words in our order."""
    state = {name.removeprefix("attention."): value for name, value in state.items()}
    for name in ROWS:
        if name not in state or len(state[name]) != len(order):
            raise UserError(tr("{path} and its word map don't belong together: {name} has another number of words.",
                               path=path.name, name=name))  # fmt: skip
        state[name] = state[name][torch.tensor(order)]
    return state


def _sizes(state: Mapping[str, Tensor], path: Path) -> RectifiedConfig:
    try:
        match, annotation = state["encoder_att.weight"].shape
        (vocabulary, embedding), hidden = state["embedding.weight"].shape, state["decoder_att.weight"].shape[1]
    except (KeyError, ValueError, IndexError):
        raise UserError(tr("{path} holds another decoder than the tutorial's.", path=path.name)) from None
    return RectifiedConfig(vocabulary, "soft", annotation, match, embedding, hidden)


def _named(state: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {prefix + name: value for name, value in state.items() if not name.endswith("num_batches_tracked")}


def _filled(make: Any, state: Mapping[str, Tensor], path: Path) -> Any:
    net = make()
    try:
        net.load_state_dict({name: value.float() for name, value in state.items()})
    except RuntimeError as error:
        what = " ".join(str(error).split())[:200]
        raise UserError(tr("{path} doesn't fit the tutorial's nets ({what}).", path=path.name, what=what)) from None
    if not all(torch.isfinite(value).all() for value in net.state_dict().values()):
        raise UserError(tr("{path} holds numbers that aren't finite.", path=path.name))
    return net.eval()


def _cards(name: str, path: Path, sizes: RectifiedConfig, saved: Mapping[str, Any]) -> tuple[ModelCard, ModelCard]:
    data, made = Data(UNKNOWN_TERMS, UNKNOWN_TERMS), Training(f"imported from {path.name}", 0, 0.0)
    encoder = f"{name}-encoder"
    shape = {"encoder": encoder, "annotation": sizes.annotation, "match": sizes.match,
             "embedding": sizes.embedding, "hidden": sizes.hidden, "length_penalty": 0.0}  # fmt: skip
    bleu = saved.get("bleu-4")
    figures = {"bleu4": round(100 * bleu, 2)} if isinstance(bleu, float) and 0 <= bleu <= 1 else {}
    return (
        ModelCard(encoder, "ResNet-101, pooled to 14 x 14", "encode", "none", UNKNOWN_TERMS, data, made,
                  {"net": NET, "annotation": 2048}, preprocessing=RECIPE),
        ModelCard(name, f"Show, Attend and Tell, imported from {path.name}", "caption", "soft", UNKNOWN_TERMS, data,
                  made, shape, figures, notes=(TOLD,) if figures else (), kind="rectified-captioner"),
    )  # fmt: skip


def _id_of(path: Path) -> str:
    name = re.sub(r"[^a-z0-9.-]+", "-", path.name.lower().split(".")[0]).strip("-.")
    return name or "imported"
