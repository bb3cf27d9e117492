"""What a run tells the world: each event is frozen and names its job, so that stale ones can be dropped."""

from __future__ import annotations

from dataclasses import dataclass, field

from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace


@dataclass(frozen=True)
class Progress:
    """A run's word on what it is doing; `fraction` in 0..1, or None while unknown. Runs yield it between words."""

    text: str
    fraction: float | None = None


@dataclass(frozen=True)
class Loading(Progress):
    """A model is being loaded: what comes next comes from a model that is there."""

    text: str = field(default_factory=lambda: tr("loading the model"))


@dataclass(frozen=True)
class Event:
    """The base of all events: the monotonic job id and the lane (newest wins within a lane)."""

    job: int
    lane: str


@dataclass(frozen=True)
class Started(Event):
    """The job has left the queue."""


@dataclass(frozen=True)
class Progressed(Event):
    """The job reports progress."""

    progress: Progress


@dataclass(frozen=True, eq=False)
class Stepped(Event):
    """One more word: `trace` holds all words so far, the new one last."""

    trace: Trace


@dataclass(frozen=True, eq=False)
class Finished(Event):
    """The job ended well; `trace` is whole, `seconds` what it took from start to end."""

    trace: Trace
    seconds: float


@dataclass(frozen=True, eq=False)
class Shown(Event):
    """An experiment knows more: `finding` holds all so far."""

    finding: Finding


@dataclass(frozen=True, eq=False)
class Concluded(Event):
    """The experiment ended well; `finding` is whole, `seconds` what it took from start to end."""

    finding: Finding
    seconds: float


@dataclass(frozen=True)
class Failed(Event):
    """The job ended badly; `message` is one line for the user, `ours` true where it is a fault of the program."""

    message: str
    ours: bool = False


@dataclass(frozen=True)
class Cancelled(Event):
    """The job was stopped or replaced."""
