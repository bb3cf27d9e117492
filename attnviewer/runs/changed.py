"""What a request changes inside a Transformer, handed to the net where it reads its source."""

from __future__ import annotations

from typing import Any

from attnviewer.core.ablation import Changes
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.nets.looker import Looker
from attnviewer.nets.transformer import Transformer


def inside(net: Any, change: Changes | None) -> dict[str, Changes]:
    """The argument of `encode_source` that tells a net of a change; empty where nothing is changed.

    Raises `UserError` where the net has no layers of attention that could be changed.
    """
    if change is None or change == Changes():
        return {}
    if not isinstance(net, Transformer | Looker):
        raise UserError(tr("heads, masks and positions are changed inside a Transformer; choose one with --model."))
    return {"change": change}
