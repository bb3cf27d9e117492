"""The kinds of models, a row each: the net that weights fill, its sizes, and the tasks it can be asked for.

A card names its kind. To add one: write the net, add a row here, and publish a model whose card names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from attnviewer.core.card import ModelCard
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.paths import CARD, Shelf

DRAWN = ("normal_", "uniform_", "trunc_normal_", "kaiming_uniform_", "xavier_uniform_")
MOST_NUMBERS = 500_000_000  # of one net
NO_NET = (KeyError, TypeError, ValueError, AttributeError, RuntimeError, ArithmeticError, LookupError)
N = TypeVar("N", bound=nn.Module)


@dataclass(frozen=True)
class Kind:
    """One kind of model; places in the code are given as "module:name", so that only what is asked for is imported.

    Parameters
    ----------
    noun : what messages call such a model.
    load : a function of the zoo and a card that gives what the runs work with.
    runs : the tasks of requests that such a model serves.
    net, config : the net and the dataclass of its sizes; empty where `load` needs neither.
    """

    noun: str
    load: str
    runs: tuple[str, ...] = ()
    net: str = ""
    config: str = ""


CAPTIONER, TRANSLATOR = "attnviewer.zoo.captioners:load_captioner", "attnviewer.zoo.translators:load_translator"
KINDS: dict[str, Kind] = {
    "captioner": Kind(
        "captioner", CAPTIONER, ("caption",), "attnviewer.nets.captioner:Captioner",
        "attnviewer.nets.captioner:CaptionerConfig",
    ),
    "rectified-captioner": Kind(
        "captioner", CAPTIONER, ("caption",), "attnviewer.nets.rectified:RectifiedCaptioner",
        "attnviewer.nets.rectified:RectifiedConfig",
    ),
    "transformer-captioner": Kind(
        "captioner", CAPTIONER, ("caption", "attend"), "attnviewer.nets.looker:Looker",
        "attnviewer.nets.looker:LookerConfig",
    ),
    "translator": Kind(
        "translator", TRANSLATOR, ("translate",), "attnviewer.nets.translator:Translator",
        "attnviewer.nets.translator:TranslatorConfig",
    ),
    "transformer-translator": Kind(
        "translator", TRANSLATOR, ("translate", "attend"), "attnviewer.nets.transformer:Transformer",
        "attnviewer.nets.transformer:TransformerConfig",
    ),
    "encoder": Kind("encoder", "attnviewer.zoo.captioners:load_encoder"),
    "embeddings": Kind("embeddings", "attnviewer.zoo.translators:load_embeddings"),
    "grounder": Kind(
        "grounder", "attnviewer.zoo.grounding:load_grounder", ("query",), "attnviewer.nets.grounding:Grounder",
        "attnviewer.nets.grounding:GroundingConfig",
    ),
    "word-vectors": Kind(later("word vectors"), "attnviewer.zoo.words:load_vectors", ("query",)),
}  # fmt: skip


def kind_of(card: ModelCard) -> Kind:
    """The row of a card's kind; raises `UserError` for a kind that this version doesn't know."""
    if card.kind not in KINDS:
        text = "{model} is of the kind {kind}, which this version doesn't know; install a newer attnviewer."
        raise UserError(tr(text, model=card.id, kind=card.kind))
    return KINDS[card.kind]


def serves(card: ModelCard, task: str) -> bool:
    """Whether a card's model can be asked for a task; one of an unknown kind could be for its own."""
    return task in KINDS[card.kind].runs if card.kind in KINDS else task == card.task


def noun(task: str) -> str:
    """What messages call the models of a task."""
    return next((kind.noun for kind in KINDS.values() if task in kind.runs), "model")


def resolve(place: str) -> Any:
    """What stands at "module:name"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def build(card: ModelCard, folder: Path | Shelf, *parts: Any, **known: Any) -> Any:
    """The net of a card, its weights still to be filled: sizes come from the card and from `known`.

    `parts` go to the net beside its sizes, such as embeddings that it stands on. Raises `UserError` where the card's
    architecture makes no net.
    """
    kind = kind_of(card)
    config, net = resolve(kind.config), resolve(kind.net)
    sizes = {name: _size(value) for name, value in card.architecture.items() if name in config.__dataclass_fields__}
    return built(card, folder, lambda: net(config(**sizes | known), *parts))


def _size(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class _Undrawn(TorchFunctionMode):
    """Nets are made without drawing their first weights: a file fills them, and drawing takes half a second."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(func, "__name__", "") in DRAWN:
            return args[0] if args else (kwargs or {})["tensor"]
        return func(*args, **(kwargs or {}))


def built(card: ModelCard, folder: Path | Shelf, make: Callable[[], N]) -> N:
    """The net that a card describes, its weights still to be filled; raises `UserError` where the card describes none,
    or one beyond all bounds.
    """
    with described(card, folder), _Undrawn():
        with torch.device("meta"):  # takes no memory
            size = sum(value.numel() for value in make().state_dict().values())
        if size > MOST_NUMBERS:
            raise ValueError(f"{size:,} numbers, more than the {MOST_NUMBERS:,} allowed")
        return make()


@contextmanager
def described(card: ModelCard, folder: Path | Shelf) -> Iterator[None]:
    """Reading a card: raises `UserError` where what it says makes no net."""
    try:
        yield
    except NO_NET as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(
            tr(
                "{folder} doesn't describe a net that can be built ({what}); install attnviewer again.",
                folder=folder / card.id / CARD,
                what=what,
            )
        ) from None
