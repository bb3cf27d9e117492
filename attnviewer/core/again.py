"""A saved caption asked again: the request that its trace was made with, and whether the photo is still the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.request import CaptionRequest
from attnviewer.core.rerun import request_of
from attnviewer.core.trace import Trace


def again(trace: Trace, picture: Picture) -> CaptionRequest:
    """The request of a saved caption on a photo, which may be another; the model is the one that made the trace.

    Raises `UserError` where the trace doesn't hold a request for a caption.
    """
    if trace.request.get("task") != CaptionRequest.task:
        raise UserError(tr("this trace doesn't say how it was made; it can't be run again."))
    asked = request_of(trace, picture, other=True)
    assert isinstance(asked, CaptionRequest)  # as its task says
    return replace(asked, model=trace.model, device="auto")


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
