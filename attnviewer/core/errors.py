"""The one exception for faults of the input or the call: its text is a single line that says what to do."""

from __future__ import annotations

from attnviewer.core.i18n import later, tr


class UserError(Exception):
    """A fault the user can mend; `str(error)` is one plain line naming what is wrong and what to do (exit status 2)."""


UNREADABLE, DAMAGED, UNKNOWN = later("it can't be read"), later("it is damaged"), later("unknown reason")


def reason(error: OSError, otherwise: str = UNKNOWN) -> str:
    """Why the system refused, in a few words for the middle of a sentence; `otherwise` where it doesn't say."""
    return (error.strerror or tr(otherwise)).lower()
