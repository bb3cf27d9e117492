"""Traces as files: figures, movies and data. No torch, no Qt."""

from attnviewer.export.files import (
    FIGURES,
    FORMS,
    as_png,
    check,
    check_figure,
    offered,
    save,
    save_compare,
    save_figure,
)
from attnviewer.export.options import Options

__all__ = [
    "FIGURES", "FORMS", "Options", "as_png", "check", "check_figure", "offered", "save", "save_compare", "save_figure",
]  # fmt: skip
