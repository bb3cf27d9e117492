"""Traces as files: figures, movies and data. No torch, no Qt."""

from attnviewer.export.files import FIGURES, FORMS, check, check_figure, offered, save, save_compare, save_figure
from attnviewer.export.options import Options

__all__ = ["FIGURES", "FORMS", "Options", "check", "check_figure", "offered", "save", "save_compare", "save_figure"]
