"""What a model of the BERT or GPT-2 kind computes on the way, taken out of its own modules while it runs.

Letters: N layers, H heads a layer, T tokens, D size of a token's vector, S size of a head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attnviewer.core.attend import Inside

CLOSE = 1e-4  # how near the weights that follow from queries and keys must be to those that the model gives
Seen = dict[str, tuple[Tensor, Tensor]]  # by the name of a module what it was given, and what it gave


@dataclass(frozen=True)
class Names:
    """Where the parts of layer {n} lie.

    Parameters
    ----------
    makers : of queries, keys and values; one where they are made side by side.
    out : W_o, whose output attention adds.
    norm : of the sum behind attention: its output is the vector in the middle, where vectors are normalised behind.
    feed : what gives the output of the feed-forward network.
    before : the norm before attention, "" where vectors are normalised behind it.
    """

    makers: tuple[str, ...]
    out: str
    norm: str
    feed: str
    before: str = ""


def _bert(layer: str) -> Names:
    makers = tuple(f"{layer}.attention.self.{name}" for name in ("query", "key", "value"))
    out = f"{layer}.attention.output"
    return Names(makers, f"{out}.dense", f"{out}.LayerNorm", f"{layer}.output.dense")


def _distilbert(layer: str) -> Names:
    makers = tuple(f"{layer}.attention.{name}_lin" for name in "qkv")
    return Names(makers, f"{layer}.attention.out_lin", f"{layer}.sa_layer_norm", f"{layer}.ffn")


def _gpt2(layer: str) -> Names:
    return Names(
        (f"{layer}.attn.c_attn",), f"{layer}.attn.c_proj", f"{layer}.ln_2", f"{layer}.mlp", f"{layer}.ln_1"
    )  # fmt: skip


LAYERS = (  # what a layer's name looks like, and who knows the names of its parts
    (re.compile(r"(?:.+\.)?encoder\.layer\.\d+"), _bert),
    (re.compile(r"(?:.+\.)?transformer\.layer\.\d+|transformer\.layer\.\d+"), _distilbert),
    (re.compile(r"(?:.+\.)?h\.\d+"), _gpt2),
)


@contextmanager
def watched(net: nn.Module) -> Iterator[tuple[list[Names], Seen]]:
    """The names of a net's layers in order, and what their parts are given and give while it runs."""
    modules = dict(net.named_modules())
    layers = [make(name) for name in modules for pattern, make in LAYERS if pattern.fullmatch(name)]
    layers = [one for one in layers if all(part in modules for part in _parts(one))]
    seen: Seen = {}
    hooks = [modules[part].register_forward_hook(_keep(seen, part)) for one in layers for part in _parts(one)]
    try:
        yield layers, seen
    finally:
        for hook in hooks:
            hook.remove()


def inside_of(net: nn.Module, layers: list[Names], seen: Seen, first: Tensor, weights: Tensor) -> Inside | None:
    """What was seen of one text, `first` [T, D] before the first layer; None where its weights [N, H, T, T] don't
    follow from queries and keys alone, as where a model adds a term of its own to the scores.
    """
    modules, heads = dict(net.named_modules()), weights.shape[1]
    if len(layers) != len(weights) or not all(part in seen for one in layers for part in _parts(one)):
        return None
    made = [_layer(modules, one, seen, heads) for one in layers]
    whole: dict[str, Tensor] = {name: torch.stack([one[name] for one in made]) for name in made[0]}
    scores = whole["queries"] @ whole["keys"].mT / whole["queries"].shape[-1] ** 0.5  # [N, H, T, T]
    pre_norm = bool(layers[0].before)
    if pre_norm:  # decoders: nobody sees what comes later
        scores = scores.masked_fill(~torch.ones_like(scores[0, 0], dtype=torch.bool).tril(), float("-inf"))
    if not torch.allclose(scores.softmax(-1), weights, atol=CLOSE):
        return None
    hidden = torch.cat([first[None], whole.pop("outs")])
    normed = whole.pop("normed") if pre_norm else hidden[:-1]
    arrays = {name: _array(value) for name, value in whole.items()}
    return Inside(
        hidden=_array(hidden), normed=_array(normed), scores=_array(scores), weights=_array(weights),
        pre_norm=pre_norm, **arrays,
    )  # fmt: skip


def _layer(modules: Mapping[str, Any], names: Names, seen: Seen, heads: int) -> dict[str, Tensor]:
    """All arrays of one layer."""
    parts = [part for name in names.makers for part in seen[name][1].chunk(3 // len(names.makers), dim=-1)]
    weights = [part for name in names.makers for part in _matrix(modules[name]).chunk(3 // len(names.makers), dim=-1)]
    biases = [part for name in names.makers for part in modules[name].bias.chunk(3 // len(names.makers), dim=-1)]
    queries, keys, values = (part.unflatten(-1, (heads, -1)).transpose(0, 1) for part in parts)  # [H, T, S]
    out = _matrix(modules[names.out]).unflatten(0, (heads, -1))  # [H, S, D]
    middle, fed = seen[names.norm][0 if names.before else 1], seen[names.feed][1]
    found = {
        "queries": queries, "keys": keys, "values": values,
        "value_norms": (values @ out).norm(dim=-1),
        "attended": seen[names.out][1], "middle": middle, "fed": fed,
        "projections": torch.stack([one.unflatten(1, (heads, -1)).transpose(0, 1) for one in weights]),
        "biases": torch.stack([one.unflatten(0, (heads, -1)) for one in biases]),
        "outs": middle + fed if names.before else modules[_last(names)](middle + fed),
    }  # fmt: skip
    return found | ({"normed": seen[names.before][1]} if names.before else {})


def _last(names: Names) -> str:
    """The norm behind the feed-forward network."""
    layer, _, last = names.feed.rpartition(".")
    return f"{layer}.output_layer_norm" if last == "ffn" else f"{layer}.LayerNorm"


def _parts(names: Names) -> tuple[str, ...]:
    return (*names.makers, names.out, names.norm, names.feed, *((names.before,) if names.before else ()))


def _matrix(module: Any) -> Tensor:
    """The matrix [in, out] of a product: GPT-2 keeps its own the other way round than all others."""
    weight: Tensor = module.weight
    return weight.T if isinstance(module, nn.Linear) else weight


def _keep(seen: Seen, name: str) -> Any:
    def hook(_module: Any, given: tuple[Any, ...], gave: Any) -> None:
        seen[name] = given[0][0], gave[0]  # the one text of the batch

    return hook


def _array(values: Tensor) -> Any:
    return np.array(values.float().cpu().numpy())
