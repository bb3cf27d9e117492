"""Traces as files: figures, movies and data. No torch, no Qt."""

from attnviewer.export.files import FORMS, check, check_compare, save, save_compare
from attnviewer.export.options import Options

__all__ = ["FORMS", "Options", "check", "check_compare", "save", "save_compare"]
