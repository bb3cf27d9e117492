"""A saved caption asked again: the request that its trace was made with, and whether the photo is still the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from attnviewer.core.covers import covers_of
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.imposing import from_plain
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.trace import Trace


def again(trace: Trace, picture: Picture) -> CaptionRequest:
    """The request of a saved caption on its photo; raises `UserError` where the trace doesn't hold one."""
    asked = trace.request
    try:
        words = asked.get("words")
        return CaptionRequest(
            picture,
            str(asked["attention"]),
            _decoding(asked["decoding"]),
            None if words is None else tuple(map(str, words)),
            trace.model,
            interventions=tuple(map(from_plain, asked.get("interventions") or ())),
            covers=covers_of(asked),
        )
    except (KeyError, TypeError, AttributeError):
        raise UserError(tr("this trace doesn't say how it was made; it can't be run again.")) from None


def _decoding(data: Mapping[str, Any]) -> Decoding:
    known = {field.name for field in fields(Decoding)}
    return Decoding(**{name: value for name, value in data.items() if name in known})


def other_photo(trace: Trace, picture: Picture) -> bool:
    """Whether the trace was made from another photo; False where it doesn't say, as those of old versions."""
    made = trace.request.get("picture")
    known = made.get("sha256") if isinstance(made, Mapping) else None
    return known is not None and known != picture.sha256


def compared(saved: Trace, made: Trace, *, other: bool) -> str:
    """What came of running a saved trace again, in a sentence."""
    if other:
        return tr("Ran again, but this photo is not the one of the saved trace: it gives “{text}”.", text=made.text)
    if saved.words != made.words:
        return tr("Ran again, with other words: “{text}”. The model may be another by now.", text=made.text)
    if np.array_equal(saved.weights, made.weights):
        return tr("Ran again: every word and every weight is the same.")
    apart = float(np.abs(saved.weights - made.weights).max(initial=0))
    return tr("Ran again: the same words; weights differ by at most {apart}.", apart=f"{apart:.1e}")
