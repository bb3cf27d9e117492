"""A folder of a Hugging Face model on this computer: its config, weights from safetensors, its tokeniser; offline."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

LARGEST_CONFIG = 1_000_000
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
TOKENISER = "tokenizer.json"


def read_config(folder: Path) -> dict[str, Any]:
    """What config.json says; raises `UserError` where there is none, or no weights that can be read safely."""
    if not folder.is_dir():
        raise UserError(tr("there is no folder {folder}; give one with a model's config.json.", folder=folder))
    config = read_json(folder / "config.json")
    if not any((folder / name).is_file() for name in WEIGHTS):
        raise UserError(
            tr("{folder} has no model.safetensors, the only form of weights that is read; save the model as that.",
               folder=folder)
        )  # fmt: skip
    return config


def read_json(path: Path) -> dict[str, Any]:
    """A small JSON file; raises `UserError` where it is missing, too large, or no JSON object."""
    try:
        if not path.is_file():
            raise UserError(tr("{folder} has no {name}; is it a model's folder?", folder=path.parent, name=path.name))
        if path.stat().st_size > LARGEST_CONFIG:
            raise UserError(tr("{path} is too large; is it a model's folder?", path=path))
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise UserError(tr("{path} can't be read; copy the model again.", path=path)) from None
    if not isinstance(found, dict):
        raise UserError(tr("{path} is no description of a model; copy the model again.", path=path))
    return found


def load_net(name: str, folder: Path) -> Any:
    """The net of a folder by its class in `transformers`: eager attention, no code of the model's own, no network."""
    transformers = library()
    try:
        net = getattr(transformers, name).from_pretrained(
            str(folder), attn_implementation="eager", trust_remote_code=False, local_files_only=True,
            use_safetensors=True, dtype=torch.float32,
        )  # fmt: skip
    except Exception as error:  # each reader has its own kinds
        reason = " ".join(str(error).split())[:160]
        raise UserError(tr("the model in {folder} can't be read: {reason}", folder=folder, reason=reason)) from error
    if not all(torch.isfinite(value).all() for value in net.parameters()):
        raise UserError(tr("the weights in {folder} aren't all numbers; copy the model again.", folder=folder))
    return net.eval().requires_grad_(False)


def library() -> Any:
    """The package `transformers`, silent and offline; raises `UserError` without it."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    try:
        import transformers
    except ImportError:
        raise UserError(
            tr("models of your own need the package transformers; run: python -m pip install transformers")
        ) from None
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    return transformers


class Tokeniser:
    """The tokeniser of a folder: its `tokenizer.json`, or what `transformers` makes of its other files."""

    def __init__(self, folder: Path) -> None:
        self._own: Any = None
        self._theirs: Any = None
        if (folder / TOKENISER).is_file():
            self._own = _own(folder)
        else:
            self._theirs = _theirs(folder)

    def encode(self, text: str) -> tuple[list[int], list[str], list[int | None]]:
        """Token ids with special tokens, their texts, and the word each is part of, where that is known."""
        if self._own is not None:
            found = self._own.encode(text)
            return list(found.ids), [shown(token) for token in found.tokens], list(found.word_ids)
        ids = list(self._theirs(text).input_ids)
        return ids, self.tokens(ids), [None] * len(ids)

    def word(self, one: int) -> str:
        """The text of a token id."""
        return self.tokens([one])[0]

    def named(self, tops: Sequence[Sequence[tuple[int, float]]]) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Token ids with probabilities as texts with theirs."""
        return tuple(tuple((self.word(one), chance) for one, chance in top) for top in tops)

    def tokens(self, ids: list[int]) -> list[str]:
        """The texts of token ids."""
        if self._own is not None:
            return [shown(self._own.id_to_token(one) or "?") for one in ids]
        return [shown(token) for token in self._theirs.convert_ids_to_tokens(ids)]


def _own(folder: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        made = Tokenizer.from_file(str(folder / TOKENISER))
    except Exception:  # the reader raises nothing more special
        raise UserError(tr("{path} can't be read; copy the model again.", path=folder / TOKENISER)) from None
    made.no_padding()
    made.no_truncation()
    return made


def _theirs(folder: Path) -> Any:
    try:
        return library().AutoTokenizer.from_pretrained(str(folder), trust_remote_code=False, local_files_only=True)
    except Exception as error:  # each tokeniser has its own kinds
        reason = " ".join(str(error).split())[:160]
        raise UserError(
            tr("the tokeniser in {folder} can't be read: {reason} (some need: python -m pip install sentencepiece)",
               folder=folder, reason=reason)
        ) from error  # fmt: skip


def shown(token: str) -> str:
    """A token as it is read: without the marks that stand for a space."""
    return token.replace("Ġ", " ").replace("▁", " ").replace("Ċ", "⏎").strip() or "␣"
