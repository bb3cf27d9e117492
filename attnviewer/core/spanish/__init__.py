"""Spanish text as it comes: what is kept aside, what a rule can say, where sentences end; no net has read it yet."""

from attnviewer.core.spanish.numbers import Span
from attnviewer.core.spanish.reading import Piece, Reading, read_spanish

__all__ = ["Piece", "Reading", "Span", "read_spanish"]
