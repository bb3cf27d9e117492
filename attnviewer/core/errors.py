"""The one exception for faults of the input or the call: its text is a single line that says what to do."""

from __future__ import annotations


class UserError(Exception):
    """A fault the user can mend; `str(error)` is one plain line naming what is wrong and what to do (exit status 2)."""


UNREADABLE, DAMAGED = "it can't be read", "it is damaged"


def reason(error: OSError, otherwise: str = "unknown reason") -> str:
    """Why the system refused, in a few words for the middle of a sentence; `otherwise` where it doesn't say."""
    return (error.strerror or otherwise).lower()
