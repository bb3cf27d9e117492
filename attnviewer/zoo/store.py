"""The zoo: the models that are installed, found by task, attention or id, each loaded once.

A model is a folder with card.toml and weights.safetensors (fp16), and vocab.txt where it speaks in words. What several
stand on (an encoder, embeddings) is a model of its own: one file, and once in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from torch import nn

from attnviewer.core.card import DEFAULT_KINDS, ModelCard, sound_cards
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.modes import net_of
from attnviewer.core.paths import Shelf, shelf
from attnviewer.zoo.files import WEIGHTS, read_weights
from attnviewer.zoo.kinds import KINDS, kind_of, noun, resolve, serves

if TYPE_CHECKING:
    from attnviewer.zoo.captioners import LoadedCaptioner, LoadedEncoder
    from attnviewer.zoo.grounding import Grounding
    from attnviewer.zoo.translators import LoadedTranslator, LoadedWords

T = TypeVar("T")
ENGLISH = "all-MiniLM-L6-v2"  # the encoder of English texts, which is no card


class Cache:
    """The one place for what has been loaded or made and is worth keeping, by a key that says what it is."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._newest: dict[str, tuple[Hashable, Any]] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept as `key`, or what `make` gives, which is kept from now on."""
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept

    def newest(self, place: str, key: Hashable, make: Callable[[], T]) -> T:
        """Like `get`, of things too large for two: what lay at this place goes before another is made."""
        if self._newest.get(place, (None, None))[0] != key:
            self._newest.pop(place, None)
            self._newest[place] = key, make()
        kept: T = self._newest[place][1]
        return kept

    def known(self, key: Hashable) -> Any:
        """What is kept as `key`, or None."""
        return self._kept.get(key)

    def clear(self) -> None:
        """Forget everything."""
        self._newest.clear()
        self._kept.clear()


class Zoo:
    """The installed models; each is loaded once.

    Parameters
    ----------
    folder : this folder alone; None: all places where models are looked for.
    """

    def __init__(self, folder: Path | Shelf | None = None, device: str = "cpu") -> None:
        self.folder, self.device, self.cache = folder or shelf(), device, Cache()

    @cached_property
    def _found(self) -> tuple[list[ModelCard], dict[str, str]]:
        return sound_cards(self.folder)

    @property
    def cards(self) -> dict[str, ModelCard]:
        """Cards by id; broken ones are left out, so that they cost no other model."""
        return {card.id: card for card in self._found[0]}

    def choose(self, task: str, wanted: str | None, attention: str) -> ModelCard:
        """The card with id `wanted`, or the first that serves a task with an attention; raises `UserError` without one.

        A model of the task's own kind goes before others that serve the task as well.
        """
        installed = [card for card in self.cards.values() if serves(card, task)]
        installed.sort(key=lambda card: card.kind != DEFAULT_KINDS.get(task))
        fits = [c for c in installed if (c.id == wanted if wanted else c.attention == attention)]
        if not fits:
            raise self._missing(task, wanted, attention)
        if (own := fits[0].attention) != attention:
            raise UserError(
                tr(
                    "{wanted} has {own} attention, not {attention}; ask for {own} attention or another model.",
                    wanted=wanted,
                    own=own,
                    attention=attention,
                )
            )
        return fits[0]

    def attending(self, wanted: str | None, photos: bool) -> ModelCard:
        """The card of an installed Transformer whose encoder looks at words, or at photos; raises `UserError`."""
        task = "caption" if photos else "translate"
        known = [c for c in self.cards.values() if serves(c, "attend") and serves(c, task)]
        found = next((c for c in known if wanted in (None, c.id)), None)
        if found is None:
            names = ", ".join([*(c.id for c in known), *(() if photos else (ENGLISH,))]) or tr("none")
            raise UserError(
                tr("no model {model} with self-attention is installed; there is: {known}.",
                   model=wanted or tr("for photos"), known=names)
            )  # fmt: skip
        return found

    def part(self, what: str, wanted: str) -> ModelCard:
        """The card of a model that others stand on, `what` it is to them; raises `UserError` where it isn't there."""
        cards, faults = self._found
        if wanted in faults:
            raise UserError(faults[wanted])
        for card in cards:
            if card.id == wanted:
                return card
        raise UserError(
            tr(
                "the {what} {wanted} can't be found among the models in {folder}; install attnviewer again.",
                what=what,
                wanted=wanted,
                folder=self.folder,
            )
        )

    def _missing(self, task: str, wanted: str | None, attention: str) -> UserError:
        """The complaint that no model of a task is what was asked for; it tells of broken cards as well."""
        faults = self._found[1]
        if wanted in faults:
            return UserError(faults[wanted])
        known = ", ".join(card.id for card in self._found[0] if serves(card, task))
        asked = wanted or f"with {attention} attention"
        first = f"no {noun(task)} {asked} is installed; there are: {known or 'none, so install attnviewer again'}"
        told = [fault.removesuffix(".") for fault in faults.values()]
        return UserError(", and ".join([first, *told]) + ".")

    def load(self, card: ModelCard) -> Any:
        """What the runs work with of a card's model; loaded once."""
        return self.cache.get(("model", card.id), lambda: resolve(kind_of(card).load)(self, card))

    def captioner(self, wanted: str | None = None, attention: str = "soft") -> LoadedCaptioner:
        """The captioner with id `wanted`, or the first whose attention fits; raises `UserError` where there is none."""
        loaded: LoadedCaptioner = self.load(self.choose("caption", wanted, net_of(attention)))
        return loaded

    def translator(self, wanted: str | None = None, attention: str = "soft") -> LoadedTranslator:
        """The translator with id `wanted`, or the first whose attention fits; raises `UserError` without one."""
        loaded: LoadedTranslator = self.load(self.choose("translate", wanted, attention))
        return loaded

    def encoder(self, wanted: str) -> LoadedEncoder:
        """The encoder with id `wanted`; raises `UserError` where it isn't installed or its file is broken."""
        loaded: LoadedEncoder = self.load(self._part_of("encoder", wanted))
        return loaded

    def embeddings(self, wanted: str) -> LoadedWords:
        """The embeddings with id `wanted`; raises `UserError` where they aren't installed or their file is broken."""
        loaded: LoadedWords = self.load(self._part_of("embeddings", wanted))
        return loaded

    def grounder(self, wanted: str = "grounding") -> Grounding:
        """The grounder with id `wanted`; raises `UserError` where it isn't installed or its file is broken."""
        loaded: Grounding = self.load(self._part_of("grounder", wanted))
        return loaded

    def _part_of(self, kind: str, wanted: str) -> ModelCard:
        card = self.part(KINDS[kind].noun, wanted)
        if card.kind != kind:
            raise UserError(
                tr("{wanted} is no {noun}; install attnviewer again.", wanted=wanted, noun=KINDS[kind].noun)
            )
        return card

    def fill(self, net: nn.Module, card: ModelCard, device: str | None = None) -> None:
        """Give a net the weights of a card's model, to be run and not trained, on a device (default: the zoo's)."""
        base, embedding = self._owner(card, "base"), self._owner(card, "embedding_of", "embedding_sha256")
        read_weights(net, self.folder / card.id / WEIGHTS, base, card.sha256, embedding)
        net.eval().requires_grad_(False).to(device or self.device)

    def _owner(self, card: ModelCard, field: str, digest: str = "base_sha256") -> Path | None:
        """The weights of another model that a card's model stands on, or None; raises `UserError` where they differ."""
        wanted = card.architecture.get(field)
        if not wanted:
            return None
        owner = self.part("base", str(wanted))
        if owner.sha256 != card.architecture.get(digest):
            raise UserError(
                tr("{id} stands on another {owner} than the one here; install attnviewer again.", id=card.id,
                   owner=owner.id)
            )  # fmt: skip
        return self.folder / owner.id / WEIGHTS
