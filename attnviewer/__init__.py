"""Attention, word by word: caption a picture, translate a sentence or ask for something, and get the weights.

    import attnviewer
    trace = attnviewer.caption("dog.jpg")
    trace.text, trace.weights.shape

Importing the package loads neither torch nor Qt.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnviewer.api import attend, caption, query, rerun, translate
    from attnviewer.core.ablation import Ablation, Changes
    from attnviewer.core.covers import Cover
    from attnviewer.core.errors import UserError
    from attnviewer.core.interventions import Intervention
    from attnviewer.core.trace import Trace

__all__ = [
    "Ablation", "Changes", "Cover", "Intervention", "Trace", "UserError", "attend", "caption", "query", "rerun",
    "translate",
]  # fmt: skip

_LAZY = {
    "Ablation": "core.ablation",
    "Changes": "core.ablation",
    "Cover": "core.covers",
    "Intervention": "core.interventions",
    "Trace": "core.trace",
    "UserError": "core.errors",
    "attend": "api",
    "caption": "api",
    "query": "api",
    "rerun": "api",
    "translate": "api",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'attnviewer' has no attribute {name!r}")
    return getattr(import_module(f"attnviewer.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
