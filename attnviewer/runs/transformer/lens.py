"""The logit lens: what each layer would already say, were it the last (nostalgebraist 2020).

Letters: N layers, T tokens, D size of a vector, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading
from attnviewer.core.i18n import later, tr
from attnviewer.core.jobs import Study
from attnviewer.core.transformer.findings import Lens, Said
from attnviewer.core.transformer.requests import LensRequest

SAID = 5
NEAREST, WORDS = "nearest", "words"
KEY = later("input vectors")


def lens(engine: Any, request: LensRequest) -> Study:
    """Look at each layer of a net as if it were its last."""
    from attnviewer.zoo.bert import NAME
    from attnviewer.zoo.foreign import is_folder

    yield Loading()
    if is_folder(request.model):
        made = _of_folder(engine, request)
    elif request.model in (None, NAME):
        made = _nearest(engine, request.text, request.change)
    else:
        raise UserError(tr("{model} is looked through as it translates; see encoder and decoder.", model=request.model))
    yield made
    return made


def _nearest(engine: Any, text: str, change: Ablation) -> Lens:
    """The encoder says no words, so the input vectors nearest to each vector are told, all centred."""
    from attnviewer.runs.transformer.context import frequent
    from attnviewer.zoo.bert import LONGEST, NAME

    encoder = engine.encoder
    found = encoder.tokens(text)
    if len(found.ids) > LONGEST:
        raise UserError(tr("the text has {count} tokens; the lens reads at most {longest}, so shorten it.",
                           count=len(found.ids), longest=LONGEST))  # fmt: skip
    words, ids = engine.zoo.cache.get(KEY, lambda: frequent(encoder, 20000))
    with torch.inference_mode():
        given = encoder.net.embed(torch.tensor(ids).unsqueeze(1), positions=False).squeeze(1)  # [V, D]
        hidden = encoder.net.see(torch.tensor([found.ids]), None, change).hidden[:, 0]  # [N + 1, T, D]
        middle = given.mean(dim=0)
        given = torch.nn.functional.normalize(given - middle, dim=-1)
        cosines = torch.nn.functional.normalize(hidden - middle, dim=-1) @ given.T
        tops = told(cosines, lambda at: words[at])
    return Lens(NAME, NEAREST, tuple(found.tokens), tops)


def _of_folder(engine: Any, request: LensRequest) -> Lens:
    from attnviewer.zoo.foreign import load_foreign_model

    name = str(request.model)
    model = engine.zoo.cache.newest("foreign", name, lambda: load_foreign_model(name))
    says = getattr(model, "says", None)
    if says is None:
        raise UserError(tr("{model} says no next word; the lens looks through decoders of the GPT-2 kind.",
                           model=model.name))  # fmt: skip
    tokens, logits = says(request.text)
    return Lens(model.name, WORDS, tuple(tokens), told(logits.float().softmax(-1), model.tokeniser.word))


def told(shares: Tensor, name: Any, count: int = SAID) -> tuple[tuple[Said, ...], ...]:
    """The words with the largest of `shares` [N, T, V] as names and numbers."""
    best = shares.topk(min(count, shares.shape[-1]), dim=-1)
    values, places = (np.asarray(part.float().cpu().numpy()) for part in best)
    return tuple(
        tuple(_said(row, at, name) for row, at in zip(layer, where, strict=True))
        for layer, where in zip(values, places, strict=True)
    )


def _said(values: Sequence[float], places: Sequence[int], name: Any) -> Said:
    return tuple((str(name(int(at))), float(value)) for value, at in zip(values, places, strict=True))
