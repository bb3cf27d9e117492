"""Saving and showing a trace in any form. Figures and pages are made by `attnviewer.export`, which is built upon core:
so it is found by its name when it is needed, and core stays free of what draws.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, is_file, load_picture
from attnviewer.core.photos import fits
from attnviewer.core.trace import Trace

MAKERS = "attnviewer.export"
_photos: WeakKeyDictionary[Trace, Picture] = WeakKeyDictionary()


def remember_photo(trace: Trace, picture: Picture | None) -> Trace:
    """Keep the photo of a trace as long as the trace lives, for those that came from no file."""
    if picture is not None:
        _photos[trace] = picture
    return trace


def photo_of(trace: Trace) -> Picture | None:
    """The photo of a trace: the one it was made from, else its file where it can still be read."""
    if trace in _photos:
        return _photos[trace]
    path = trace.source.path
    try:
        picture = load_picture(path) if path is not None and is_file(path) else None
    except UserError:
        return None
    return picture if picture is not None and fits(picture, trace.source) else None  # another may be there by now


def save_any(trace: Trace, path: Path) -> None:
    """Write `path` in the form that its suffix names; what couldn't be shown becomes a warning."""
    for remark in import_module(MAKERS).save(trace, photo_of(trace), path):
        warnings.warn(remark, UserWarning, stacklevel=3)


def shown(trace: Trace, form: str) -> Any:
    """The trace for a notebook: `form` is png or html."""
    return import_module(f"{MAKERS}.notebook").FORMS[form](trace, photo_of(trace))
