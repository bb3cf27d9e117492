"""The one exception for faults of the input or the call: its text is a single line that says what to do."""


class UserError(Exception):
    """A fault the user can mend; `str(error)` is one plain line naming what is wrong and what to do (exit status 2)."""
