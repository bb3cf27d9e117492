"""Where to compute: a device that has been tried, and a clear line where it can't be had."""

from __future__ import annotations

import os

import torch

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr


def choose_device(wanted: str = "auto") -> str:
    """`wanted`, or for "auto" the best that works; raises `UserError` where the wanted one does not."""
    if wanted == "cpu":
        return "cpu"
    if wanted == "auto":
        return next((name for name in ("cuda", "mps") if _works(name)), "cpu")
    if not _works(wanted):
        raise UserError(tr("the device {wanted} doesn't work here; use --device cpu.", wanted=wanted))
    return wanted


def _works(name: str) -> bool:
    """Whether a tiny product can be computed there: being listed is not enough."""
    if not (torch.cuda.is_available() if name == "cuda" else torch.backends.mps.is_available()):
        return False
    try:
        one = torch.ones(2, 2, device=name)
        return float((one @ one).sum()) == 8.0
    except Exception:
        return False


def settle_thread() -> None:
    """Set torch up for the calling model thread: all processors but one, so that the window stays fluid."""
    torch.set_num_threads(max(1, (os.cpu_count() or 2) - 1))
