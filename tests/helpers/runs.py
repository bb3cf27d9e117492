"""Caption runs on small random nets."""

from __future__ import annotations

import numpy as np
import torch

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import Vocabulary
from attnviewer.core.trace import Trace
from attnviewer.runs.caption import caption
from attnviewer.zoo.captioners import LoadedCaptioner
from helpers.nets import a_captioner, annotations

PICTURE = Picture(np.zeros((40, 60, 3), np.uint8), "somewhere.png")


def a_model(attention: str = "soft", seed: int = 0) -> LoadedCaptioner:
    """A captioner of sixteen words, without an encoder."""
    card = ModelCard("small", "small", "caption", attention, "MIT", Data("none", "none"), Training("none", 0, 0.0))
    words = Vocabulary(tuple(f"w{i}" for i in range(16)))
    return LoadedCaptioner(card, a_captioner(attention, seed=seed), None, words)  # type: ignore[arg-type]


def whole(attention: str = "soft", mean: torch.Tensor | None = None, **asked: object) -> Trace:
    """The trace of a run to its end."""
    decoding = asked.pop("decoding", Decoding(max_words=6))
    model = a_model("soft" if attention == "uniform" else attention)
    request = CaptionRequest(PICTURE, attention, decoding, **asked)  # type: ignore[arg-type]
    return outcome(caption(request, model, annotations(), mean))
