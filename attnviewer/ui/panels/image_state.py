"""The state of the image panel without a widget: mode, own words with undo, and the trace of each attention mode."""

from __future__ import annotations

from dataclasses import dataclass, field

from attnviewer.core.images import Picture
from attnviewer.core.lens import colour_range
from attnviewer.core.request import CaptionRequest
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Trace

COMPARE = "compare"
LANE = "caption-"
Words = tuple[str, ...] | None


def lane_of(attention: str) -> str:
    """The lane in which an attention mode runs."""
    return f"{LANE}{attention}"


def attention_of(lane: str) -> str | None:
    """The attention mode that runs in a lane, None for a lane of another panel."""
    return lane.removeprefix(LANE) if lane.startswith(LANE) else None


@dataclass
class ImageState:
    """What is shown and what is wanted.

    Parameters
    ----------
    modes : the attention modes that are installed.
    mode : one of them, or "compare" for all side by side.
    model : the model chosen for each mode; where there is none the engine takes its default.
    """

    modes: tuple[str, ...]
    mode: str = "soft"
    model: dict[str, str] = field(default_factory=dict)
    picture: Picture | None = None
    words: Words = None
    past: list[Words] = field(default_factory=list)
    traces: dict[str, Trace] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)

    @property
    def shown(self) -> tuple[str, ...]:
        """The attention modes on the stage, from left to right."""
        return self.modes if self.mode == COMPARE else (self.mode,)

    @property
    def main(self) -> str:
        """The mode whose words, bars and facts are shown."""
        return self.modes[0] if self.mode == COMPARE else self.mode

    @property
    def trace(self) -> Trace | None:
        return self.traces.get(self.main)

    @property
    def missing(self) -> tuple[str, ...]:
        """The modes that are shown but have not been run for this photo and these words."""
        return tuple(mode for mode in self.shown if mode not in self.done) if self.picture is not None else ()

    @property
    def count(self) -> int:
        """Words of the longest caption shown."""
        return max((len(self.traces[mode].steps) for mode in self.shown if mode in self.traces), default=0)

    @property
    def ceiling(self) -> float:
        """The largest weight of all captions shown, so that they share one colour range."""
        return max((colour_range(self.traces[mode]).high for mode in self.shown if self._has_maps(mode)), default=0.0)

    def _has_maps(self, mode: str) -> bool:
        return mode in self.traces and bool(self.traces[mode].heads) and bool(self.traces[mode].steps)

    def request(self, attention: str) -> CaptionRequest:
        """What to ask of the engine for one mode."""
        assert self.picture is not None
        return CaptionRequest(self.picture, attention, words=self.words, model=self.model.get(attention))

    def take_picture(self, picture: Picture) -> None:
        """Begin anew with another photo."""
        self.picture, self.words = picture, None
        self.past.clear()
        self.traces.clear()
        self.done.clear()

    def ask_words(self, text: str) -> bool:
        """Take the user's caption; False where it holds no words."""
        words = tuple(tokenise(text))
        if words:
            self.past.append(self.words)
            self._set_words(words)
        return bool(words)

    def undo(self) -> bool:
        """Go back to the words before; False where there is nothing to undo."""
        if not self.past:
            return False
        self._set_words(self.past.pop())
        return True

    def choose_model(self, attention: str, model: str) -> None:
        """Use another model for a mode; what the old one said no longer holds."""
        self.model[attention] = model
        self.done.discard(attention)

    def _set_words(self, words: Words) -> None:
        self.words = words
        self.done.clear()
