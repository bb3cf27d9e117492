"""The files of a model: read with care, and written whole; weights are kept in half precision."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from attnviewer.core.card import ModelCard, load_card, save_card
from attnviewer.core.errors import UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.paths import CARD, models_dir
from attnviewer.core.reading import read_bytes
from attnviewer.core.text import Vocabulary
from attnviewer.core.writing import replacing, write_bytes
from attnviewer.zoo.low_rank import change_of, changed

WEIGHTS, VOCABULARY = "weights.safetensors", "vocab.txt"
LARGEST_NUMBER = 65_504.0  # of half precision, in which models are kept
MEAN = "mean.safetensors"
EMBEDDING = "embedding.weight"  # what a captioner may share with the one that its card names as `embedding_of`
LFS = b"version https://git-lfs"


def read_weights(
    net: nn.Module, path: Path, base: Path | None = None, sha256: str | None = None, embedding: Path | None = None
) -> None:
    """Load a safetensors file into `net`, strictly; raises `UserError` with one line for any file that doesn't fit.

    Where there is a file `base`, `path` holds a change of its weights; where there is a file `embedding`, the table of
    words is that file's. `sha256` is what the card says of the file.
    """
    data = _bytes(path)
    state = _parsed(data, path) if base is None else changed(_read(base), _parsed(data, path), str(path))
    if embedding is not None:
        state = {**state, EMBEDDING: embedding_in(embedding)}
    own = net.state_dict()
    if missing := sorted(own.keys() - state.keys()):
        raise UserError(
            tr(
                "{path} lacks {missing} ({count} missing in all); it is another model's file.",
                path=path,
                missing=missing[0],
                count=len(missing),
            )
        )
    if extra := sorted(state.keys() - own.keys()):
        raise UserError(
            tr(
                "{path} holds {extra}, which this model has no place for; it is another model's file.",
                path=path,
                extra=extra[0],
            )
        )
    for name, value in state.items():
        if value.shape != own[name].shape:
            raise UserError(
                tr(
                    "{path}: {name} has shape {shape}, not {shape2}; copy it again.",
                    path=path,
                    name=name,
                    shape=tuple(value.shape),
                    shape2=tuple(own[name].shape),
                )
            )
        _check_numbers(value, name, path)
    if not any(value.any() for value in state.values()):
        raise UserError(tr("{path} holds nothing but zeros; copy the file again.", path=path))
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise UserError(
            tr("{path} is not the file that its card describes (sha256 differs); copy the model again.", path=path)
        )
    net.load_state_dict({name: value.float() for name, value in state.items()})


def embedding_in(path: Path) -> Tensor:
    """The table of words [V, E] that a model's weights hold; raises `UserError` where they hold none."""
    found = _read(path).get(EMBEDDING)
    if found is None:
        raise UserError(tr("{path} holds no table of words; copy the model again.", path=path))
    return found


def _check_numbers(value: Tensor, name: str, path: Path) -> None:
    """Raise `UserError` where a tensor holds no weights that a net could have."""
    if not value.is_floating_point():
        raise UserError(
            tr("{path}: {name} holds whole numbers, no weights; copy the file again.", path=path, name=name)
        )
    if not torch.isfinite(value).all():
        raise UserError(
            tr("{path}: {name} holds numbers that aren't finite; copy the file again.", path=path, name=name)
        )
    if value.numel() and value.abs().max() > LARGEST_NUMBER:
        raise UserError(
            tr("{path}: {name} holds numbers too large for weights; copy the file again.", path=path, name=name)
        )


def read_mean(path: Path, size: int) -> Tensor:
    """The mean photo [1, L, size] of an encoder; raises `UserError` with one line for any file that doesn't fit."""
    found = _read(path).get("mean")
    if found is None or found.ndim != 3 or found.shape[0] != 1 or found.shape[2] != size:
        raise UserError(
            tr("{path} holds no mean photo of vectors of {size} numbers; copy it again.", path=path, size=size)
        )
    if not torch.isfinite(found).all():
        raise UserError(tr("{path}: the mean photo holds numbers that aren't finite; copy the file again.", path=path))
    return found.float()


def _read(path: Path) -> Mapping[str, Tensor]:
    return _parsed(_bytes(path), path)


def _bytes(path: Path) -> bytes:
    try:
        data = read_bytes(path)
    except OSError as error:
        raise UserError(
            tr("can't read {path}: {reason}; install attnviewer again.", path=path, reason=reason(error))
        ) from None
    if data.startswith(LFS):
        raise UserError(tr("{path} is a Git LFS pointer, not the weights; run `git lfs pull` first.", path=path))
    return data


def _parsed(data: bytes, path: Path) -> Mapping[str, Tensor]:
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError) as error:
        raise UserError(
            tr(
                "{path} is no safetensors file ({choices}); copy it again.",
                path=path,
                choices=" ".join(str(error).split()),
            )
        ) from None


def save_mean(mean: Tensor, place: Path) -> Path:
    """Write the mean photo [1, L, D] beside an encoder in fp16."""
    place.mkdir(parents=True, exist_ok=True)
    write_bytes(place / MEAN, save({"mean": mean.detach().cpu().half().contiguous()}))
    return place / MEAN


def publish(
    net: nn.Module, card: ModelCard, folder: Path | None = None, vocabulary: Vocabulary | None = None,
    dtype: torch.dtype = torch.float16,
) -> ModelCard:  # fmt: skip
    """Write `net` as a model folder, in fp16 unless told, and return its card, completed by size and hash.

    A card whose architecture names a `base` and a `rank` is kept as a change of that model, in the same folder; one
    that names a model as `embedding_of` is kept without its table of words, which must be that model's.
    """
    place = (folder or models_dir()) / card.id
    place.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu() for name, value in net.state_dict().items()}
    if base := card.architecture.get("base"):
        state = change_of(_read(place.parent / str(base) / WEIGHTS), state, int(card.architecture["rank"]))
        known = {"base_sha256": load_card(place.parent / str(base) / CARD).sha256}
        card = replace(card, architecture={**card.architecture, **known})
    if owner := card.architecture.get("embedding_of"):
        state, known = _without_embedding(state, place.parent / str(owner))
        card = replace(card, architecture={**card.architecture, **known})
    state = {name: value.to(dtype).contiguous() for name, value in state.items()}
    data = save(state, metadata={"model": card.id})
    digest = hashlib.sha256(data).hexdigest()
    card = replace(card, parameters=sum(p.numel() for p in net.parameters()), sha256=digest)
    with ExitStack() as files:  # all take their places, or none does
        files.enter_context(replacing(place / WEIGHTS)).write_bytes(data)
        save_card(card, files.enter_context(replacing(place / CARD)))
        if vocabulary is not None:
            vocabulary.save(files.enter_context(replacing(place / VOCABULARY)))
    return card


def _without_embedding(state: Mapping[str, Tensor], owner: Path) -> tuple[dict[str, Tensor], dict[str, str | None]]:
    """Weights without the table of words that they share, and what the card says of its owner."""
    if not torch.equal(state[EMBEDDING].half(), embedding_in(owner / WEIGHTS).half()):
        raise UserError(tr("the table of words isn't that of {owner}; train with --words {owner}.", owner=owner))
    kept = {name: value for name, value in state.items() if name != EMBEDDING}
    return kept, {"embedding_sha256": load_card(owner / CARD).sha256}
