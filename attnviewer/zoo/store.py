"""Trained models on disk: find them, load them with care, publish them.

A model is a folder with card.toml and weights.safetensors (fp16), and vocab.txt where it speaks in words. Captioners
name the encoder they stand on, a model of its own: several share one file and one copy in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from attnviewer.core.card import ModelCard, Preprocessing, load_card, save_card, sound_cards
from attnviewer.core.errors import UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.modes import net_of
from attnviewer.core.paths import Shelf, models_dir, shelf
from attnviewer.core.reading import read_bytes
from attnviewer.core.text import Vocabulary
from attnviewer.core.writing import replacing, write_bytes
from attnviewer.nets.captioner import Captioner, CaptionerConfig
from attnviewer.nets.rectified import RectifiedCaptioner, RectifiedConfig
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.zoo.changes import change_of, changed

WEIGHTS, CARD, VOCABULARY = "weights.safetensors", "card.toml", "vocab.txt"
MEAN = "mean.safetensors"
MOST_NUMBERS = 500_000_000  # of one net
LARGEST_NUMBER = 65_504.0  # of half precision, in which models are kept
NO_NET = (KeyError, TypeError, ValueError, AttributeError, RuntimeError, ArithmeticError, LookupError)
N = TypeVar("N", bound=nn.Module)
DECODERS: dict[str, tuple[Any, Any]] = {
    "": (Captioner, CaptionerConfig),
    "rectified": (RectifiedCaptioner, RectifiedConfig),
}
LFS = b"version https://git-lfs"


@dataclass(frozen=True)
class LoadedEncoder:
    """An encoder with its card, ready to run."""

    card: ModelCard
    net: Encoder
    recipe: Preprocessing
    folder: Path
    device: str = "cpu"

    @property
    def has_mean(self) -> bool:
        """Whether the mean photo is there."""
        return (self.folder / MEAN).is_file()

    @cached_property
    def mean(self) -> Tensor:
        """Annotation vectors [1, L, D] averaged over the training photos; raises `UserError` where there are none."""
        return read_mean(self.folder / MEAN, self.net.size).to(self.device)


@dataclass(frozen=True)
class LoadedCaptioner:
    """A captioner with its card, the encoder it stands on, and its words."""

    card: ModelCard
    net: Captioner | RectifiedCaptioner
    encoder: LoadedEncoder
    vocabulary: Vocabulary


class Zoo:
    """The installed models; each is loaded once a device.

    Parameters
    ----------
    folder : this folder alone; None: all places where models are looked for.
    """

    def __init__(self, folder: Path | Shelf | None = None, device: str = "cpu") -> None:
        self.folder, self.device = folder or shelf(), device
        self._encoders: dict[str, LoadedEncoder] = {}
        self._captioners: dict[str, LoadedCaptioner] = {}

    @cached_property
    def _found(self) -> tuple[list[ModelCard], dict[str, str]]:
        return sound_cards(self.folder)

    @property
    def cards(self) -> dict[str, ModelCard]:
        """Cards by id; broken ones are left out, so that they cost no other model."""
        return {card.id: card for card in self._found[0]}

    def choose(self, kind: str, task: str, wanted: str | None, attention: str) -> ModelCard:
        """The card with id `wanted`, or the first of a task whose attention fits; raises `UserError` without one."""
        installed = [card for card in self.cards.values() if card.task == task]
        fits = [c for c in installed if (c.id == wanted if wanted else c.attention == attention)]
        if not fits:
            raise self._missing(kind, task, wanted, attention)
        if (own := fits[0].attention) != attention:
            raise UserError(f"{wanted} has {own} attention, not {attention}; ask for {own} attention or another model.")
        return fits[0]

    def part(self, what: str, wanted: str) -> ModelCard:
        """The card of a model that others stand on, `what` it is to them; raises `UserError` where it isn't there."""
        cards, faults = self._found
        if wanted in faults:
            raise UserError(faults[wanted])
        for card in cards:
            if card.id == wanted:
                return card
        raise UserError(
            f"the {what} {wanted} can't be found among the models in {self.folder}; install attnviewer again."
        )

    def _missing(self, kind: str, task: str, wanted: str | None, attention: str) -> UserError:
        """The complaint that no model of a task is what was asked for; it tells of broken cards as well."""
        faults = self._found[1]
        if wanted in faults:
            return UserError(faults[wanted])
        known = ", ".join(card.id for card in self._found[0] if card.task == task)
        asked = wanted or f"with {attention} attention"
        first = f"no {kind} {asked} is installed; there are: {known or 'none, so install attnviewer again'}"
        told = [fault.removesuffix(".") for fault in faults.values()]
        return UserError(", and ".join([first, *told]) + ".")

    def captioner(self, wanted: str | None = None, attention: str = "soft") -> LoadedCaptioner:
        """The captioner with id `wanted`, or the first whose attention fits; raises `UserError` where there is none."""
        card = self.choose("captioner", "caption", wanted, net_of(attention))
        if card.id not in self._captioners:
            vocabulary = Vocabulary.load(self.folder / card.id / VOCABULARY)
            net = built(card, self.folder, lambda: _decoder(card, len(vocabulary)))
            self.fill(net, card)
            encoder = self.encoder(str(card.architecture.get("encoder", "encoder")))
            self._captioners[card.id] = LoadedCaptioner(card, net, encoder, vocabulary)
        return self._captioners[card.id]

    def encoder(self, wanted: str) -> LoadedEncoder:
        """The encoder with id `wanted`; raises `UserError` where it isn't installed or its file is broken."""
        if wanted not in self._encoders:
            card = self.part("encoder", wanted)
            if card.preprocessing is None:
                raise UserError(f"{wanted} is no encoder; install attnviewer again.")
            shape = card.architecture
            net = built(card, self.folder, lambda: Encoder(str(shape["net"]), int(shape.get("classes", 0))))
            fuse_batchnorm(net.eval())
            self.fill(net, card)
            self._encoders[wanted] = LoadedEncoder(card, net, card.preprocessing, self.folder / wanted, self.device)
        return self._encoders[wanted]

    def fill(self, net: nn.Module, card: ModelCard) -> None:
        """Give a net the weights of a card's model, to be run and not trained, on the zoo's device."""
        read_weights(net, self.folder / card.id / WEIGHTS, self._base(card), card.sha256)
        net.eval().requires_grad_(False).to(self.device)

    def _base(self, card: ModelCard) -> Path | None:
        """The weights that a card's model is a change of, or None; raises `UserError` where those are not installed."""
        wanted = card.architecture.get("base")
        if not wanted:
            return None
        base = self.part("base", str(wanted))
        if base.sha256 != card.architecture.get("base_sha256"):
            raise UserError(f"{card.id} is a change of another {base.id} than the one here; install attnviewer again.")
        return self.folder / base.id / WEIGHTS


def _decoder(card: ModelCard, vocabulary: int) -> Captioner | RectifiedCaptioner:
    """The untrained decoder that a captioner's card describes; its `decoder` names the kind."""
    kind, sort = DECODERS[str(card.architecture.get("decoder", ""))]
    sizes = {name: size for name, size in card.architecture.items() if name in sort.__dataclass_fields__}
    return kind(sort(vocabulary=vocabulary, attention=card.attention, **sizes))


def built(card: ModelCard, folder: Path | Shelf, make: Callable[[], N]) -> N:
    """The net that a card describes; raises `UserError` where it describes none, or one beyond all bounds."""
    with _described(card, folder):
        with torch.device("meta"):  # takes no memory
            size = sum(value.numel() for value in make().state_dict().values())
        if size > MOST_NUMBERS:
            raise ValueError(f"{size:,} numbers, more than the {MOST_NUMBERS:,} allowed")
        return make()


@contextmanager
def _described(card: ModelCard, folder: Path | Shelf) -> Iterator[None]:
    try:
        yield
    except NO_NET as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(
            f"{folder / card.id / CARD} doesn't describe a net that can be built ({what}); install attnviewer again."
        ) from None


def read_weights(net: nn.Module, path: Path, base: Path | None = None, sha256: str | None = None) -> None:
    """Load a safetensors file into `net`, strictly; raises `UserError` with one line for any file that doesn't fit.

    Where there is a file `base`, `path` holds a change of its weights. `sha256` is what the card says of the file.
    """
    data = _bytes(path)
    state = _parsed(data, path) if base is None else changed(_read(base), _parsed(data, path), str(path))
    own = net.state_dict()
    if missing := sorted(own.keys() - state.keys()):
        raise UserError(f"{path} lacks {missing[0]} ({len(missing)} missing in all); it is another model's file.")
    if extra := sorted(state.keys() - own.keys()):
        raise UserError(f"{path} holds {extra[0]}, which this model has no place for; it is another model's file.")
    for name, value in state.items():
        if value.shape != own[name].shape:
            raise UserError(
                f"{path}: {name} has shape {tuple(value.shape)}, not {tuple(own[name].shape)}; copy it again."
            )
        _check_numbers(value, name, path)
    if not any(value.any() for value in state.values()):
        raise UserError(tr("{path} holds nothing but zeros; copy the file again.", path=path))
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise UserError(
            tr("{path} is not the file that its card describes (sha256 differs); copy the model again.", path=path)
        )
    net.load_state_dict({name: value.float() for name, value in state.items()})


def _check_numbers(value: Tensor, name: str, path: Path) -> None:
    """Raise `UserError` where a tensor holds no weights that a net could have."""
    if not value.is_floating_point():
        raise UserError(
            tr("{path}: {name} holds whole numbers, no weights; copy the file again.", path=path, name=name)
        )
    if not torch.isfinite(value).all():
        raise UserError(f"{path}: {name} holds numbers that aren't finite; copy the file again.")
    if value.numel() and value.abs().max() > LARGEST_NUMBER:
        raise UserError(
            tr("{path}: {name} holds numbers too large for weights; copy the file again.", path=path, name=name)
        )


def read_mean(path: Path, size: int) -> Tensor:
    """The mean photo [1, L, size] of an encoder; raises `UserError` with one line for any file that doesn't fit."""
    found = _read(path).get("mean")
    if found is None or found.ndim != 3 or found.shape[0] != 1 or found.shape[2] != size:
        raise UserError(f"{path} holds no mean photo of vectors of {size} numbers; copy it again.")
    if not torch.isfinite(found).all():
        raise UserError(f"{path}: the mean photo holds numbers that aren't finite; copy the file again.")
    return found.float()


def _read(path: Path) -> Mapping[str, Tensor]:
    return _parsed(_bytes(path), path)


def _bytes(path: Path) -> bytes:
    try:
        data = read_bytes(path)
    except OSError as error:
        raise UserError(f"can't read {path}: {reason(error)}; install attnviewer again.") from None
    if data.startswith(LFS):
        raise UserError(f"{path} is a Git LFS pointer, not the weights; run `git lfs pull` first.")
    return data


def _parsed(data: bytes, path: Path) -> Mapping[str, Tensor]:
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError) as error:
        raise UserError(f"{path} is no safetensors file ({' '.join(str(error).split())}); copy it again.") from None


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

    A card whose architecture names a `base` and a `rank` is kept as a change of that model, in the same folder.
    """
    place = (folder or models_dir()) / card.id
    place.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu() for name, value in net.state_dict().items()}
    if base := card.architecture.get("base"):
        state = change_of(_read(place.parent / str(base) / WEIGHTS), state, int(card.architecture["rank"]))
        known = {"base_sha256": load_card(place.parent / str(base) / CARD).sha256}
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
