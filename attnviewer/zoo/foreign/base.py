"""What every adapter of a foreign model gives: the maps of one text or picture.

Letters: N layers, H heads a layer, T tokens that look, L places that are looked at.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import Inside
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats, Grid
from attnviewer.zoo.foreign.folder import load_net

LONGEST_MADE = 40
BEST = 5  # of the most probable next words that are told
Top = tuple[tuple[int, float], ...]
Found = Generator[Progress, None, "Maps"]


@dataclass(frozen=True, eq=False)
class Maps:
    """The maps of one text or picture.

    Parameters
    ----------
    words : [T], who looks.
    tokens : [L], who is looked at; empty where `grid` is given.
    weights : [N, H, T, L].
    logprobs : [T] of words that were chosen, or None where all were given.
    alternatives : [T], for words that were chosen the most probable ones with their probabilities.
    outside : [T, N * H], the share that lay on no place of the grid, before rows were made to sum to 1 again.
    pieces : of each token the word of the text it is part of, None for special tokens.
    inside : what else was computed, where that could be taken out of the model.
    """

    words: tuple[str, ...]
    tokens: tuple[str, ...]
    weights: Floats
    grid: Grid | None = None
    logprobs: tuple[float, ...] | None = None
    outside: Floats | None = None
    pieces: tuple[int | None, ...] = ()
    notes: tuple[str, ...] = ()
    alternatives: tuple[tuple[tuple[str, float], ...], ...] = ()
    inside: Inside | None = None


class Foreign(ABC):
    """A model of a user's folder.

    Parameters
    ----------
    folder : where it lies.
    config : what its config.json says.
    """

    net_class: ClassVar[str]
    projections: ClassVar[str]  # names of the modules that get all heads side by side, the layer as a group
    reads: ClassVar[str] = "text"
    captions: ClassVar[bool] = False

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.name, self.folder, self.config = folder.name, folder, config
        self.net = load_net(self.net_class, folder)

    def maps(self, text: str | None, picture: Picture | None, change: Ablation) -> Found:
        """The maps of a text or a picture; raises `UserError` for what the model doesn't read or can't change."""
        if (given := text if self.reads == "text" else picture) is None:
            wanted = tr("a text") if self.reads == "text" else tr("an image: --image FILE")
            raise UserError(tr("{model} reads {wanted}; give one.", model=self.name, wanted=wanted))
        if change != replace(Ablation(), off=change.off):
            raise UserError(tr("in a model of your own heads can be switched off; leave the other changes out."))
        with self._without(change.off), torch.inference_mode():
            return (yield from self.look(given))

    @abstractmethod
    def look(self, given: Any) -> Found:
        """The maps of a text, or of a picture."""

    def outputs(self) -> dict[int, Any]:
        """By layer, the module that gets all heads side by side."""
        named = ((re.fullmatch(self.projections, name), module) for name, module in self.net.named_modules())
        return {int(next(filter(None, match.groups()))): module for match, module in named if match}

    @property
    def heads(self) -> int:
        """Heads of a layer."""
        return int(self.net.config.num_attention_heads)

    @contextmanager
    def _without(self, off: Sequence[tuple[int, int]]) -> Iterator[None]:
        """Let some heads add nothing."""
        found = self.outputs()
        Ablation(off=tuple(off)).check(len(found), self.heads)
        with ExitStack() as stack:
            for layer, head in off:
                hook = found[layer].register_forward_pre_hook(_silence(head, self.heads))
                stack.callback(hook.remove)
            yield


def _silence(head: int, heads: int) -> Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]:
    def hook(_module: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
        mixed = given[0].unflatten(-1, (heads, -1)).clone()  # [..., H, S]
        mixed[..., head, :] = 0
        return (mixed.flatten(-2), *given[1:])

    return hook


def stacked(layers: Sequence[Tensor]) -> Floats:
    """Weights of all layers [N, H, T, L] from one [1, H, T, L] a layer."""
    found: Floats = torch.stack([layer[0] for layer in layers]).float().cpu().numpy().copy()
    return found


def greedy(step: Callable[[list[int]], Tensor], start: int, end: int, banned: Sequence[int] = ()) -> Generator[
    Progress, None, tuple[list[int], tuple[float, ...], list[Top]]
]:  # fmt: skip
    """Token ids from `start` to before `end`, each the most probable next; of all but the first their log-probabilities
    and the most probable ids at their place.

    `step` gives the logits [V] after some ids.
    """
    ids, logprobs, tops = [start], [], list[Top]()
    while len(ids) <= LONGEST_MADE and (len(ids) == 1 or ids[-1] != end):
        logits = step(ids).float()
        logits[list(banned)] = float("-inf")
        chances = logits.log_softmax(-1)
        ids.append(int(chances.argmax()))
        logprobs.append(float(chances[ids[-1]]))
        top = chances.exp().topk(min(BEST, len(chances)))
        tops.append(tuple(zip(top.indices.tolist(), top.values.tolist(), strict=True)))
        yield Progress(tr("word {number}", number=len(ids) - 1))
    ended = len(ids) > 2 and ids[-1] == end  # the mark of the end is no word
    return (ids[:-1], tuple(logprobs[:-1]), tops[:-1]) if ended else (ids, tuple(logprobs), tops)
