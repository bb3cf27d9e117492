"""`attnviewer attend TEXT --lens`: what each layer of a net would already say at each position."""

from __future__ import annotations

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.request import AttendRequest
from attnviewer.core.transformer.findings import Lens
from attnviewer.core.transformer.requests import LensRequest

SHOWN = 3


def show_lens(request: AttendRequest) -> None:
    """Print a block a token, a line a layer, with the words that come first; raises `UserError` for a photo."""
    from attnviewer.api import explore

    if request.text is None:
        raise UserError(tr("the lens looks through a text; give one in place of an image."))
    found = explore(LensRequest(request.text, request.model, request.change))
    assert isinstance(found, Lens)
    for at, token in enumerate(found.tokens):
        print(f"{at}  {token}")
        for layer, tops in enumerate(found.tops):
            said = "  ".join(f"{word} {share:.2f}" for word, share in tops[at][:SHOWN])
            print(f"    {layer - 1 if layer else tr('in')}\t{said}")
