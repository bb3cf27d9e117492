"""The state of the image panel without a widget: modes, own words with undo, and the trace of each attention mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.core.card import ModelCard
from attnviewer.core.explore.requests import MatterRequest, TreeRequest
from attnviewer.core.heads import ALL, MAX, MEAN, looking, usual_head
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import colour_range
from attnviewer.core.modes import MODES, compared, own
from attnviewer.core.request import CaptionRequest, Decoding, usual_beam
from attnviewer.core.sampling import drawn
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Trace
from attnviewer.ui.panels.image.steered import Steered
from attnviewer.ui.whatif import Change, change_of, words_alone

COMPARE, DRAWS = "compare", "draws"
LANE, ECHO_LANE = "caption-", "bits-"
TIMES = 100
Bits = tuple[float | None, ...]


def lane_of(attention: str) -> str:
    """The lane in which an attention mode runs."""
    return f"{LANE}{attention}"


def attention_of(lane: str) -> str | None:
    """The attention mode that runs in a lane, None for a lane of another panel."""
    return lane.removeprefix(LANE) if lane.startswith(LANE) else None


def columns_of(modes: tuple[str, ...]) -> tuple[str, ...]:
    """What can be compared where these modes are installed: soft attention brings its uniform control."""
    return tuple(mode for mode in compared("caption") if MODES[mode].net in modes)


def echoing() -> tuple[str, ...]:
    """The modes that read the caption of another for its bits: nets that take no random number, and no controls."""
    return tuple(mode for mode in compared("caption") if MODES[mode].net == mode and not MODES[mode].draws)


@dataclass
class ImageState(Steered):
    """What is shown and what is wanted.

    Parameters
    ----------
    modes : the attention modes that are installed.
    mode : one of them, or "compare" for all side by side.
    hidden : columns of the comparison that are not shown.
    lead : the column whose words and facts are shown beside the stages.
    draws : whether a hundred draws are shown beside the distribution.
    head : the head whose maps are shown; "" for the usual one of the model, which its card among `cards` tells.
    opened : folders of captioners of the user's own.
    echoes : bits of each word of a caption as another mode reads it.
    """

    modes: tuple[str, ...]
    mode: str = "soft"
    picture: Picture | None = None
    hidden: set[str] = field(default_factory=set)
    lead: str = "soft"
    draws: bool = False
    head: str = ""
    cards: Mapping[str, ModelCard] = field(default_factory=dict)
    echoes: dict[tuple[str, tuple[str, ...]], Bits] = field(default_factory=dict)
    opened: tuple[str, ...] = ()
    _drawn: tuple[Trace, Trace] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """All that can be compared, from left to right; the control is the soft net with uniform weights."""
        return columns_of(self.modes)

    @property
    def shown(self) -> tuple[str, ...]:
        """The attention modes on the stage, from left to right."""
        if self.mode != COMPARE:
            return (self.mode,)
        return tuple(mode for mode in self.columns if mode not in self.hidden)

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages from left to right: the modes, and the draws beside the distribution they come from."""
        after = {mode: (mode, DRAWS) for mode in self.drawing} if self.draws else {}
        return tuple(stage for mode in self.shown for stage in after.get(mode, (mode,)))

    @property
    def drawing(self) -> tuple[str, ...]:
        """The modes shown that take one place a word."""
        return tuple(mode for mode in self.shown if MODES[mode].draws)

    @property
    def main(self) -> str:
        """The mode whose words, bars and facts are shown."""
        shown = self.shown
        return next((mode for mode in (self.lead, *own("caption")) if mode in shown), shown[0])

    @property
    def trace(self) -> Trace | None:
        trace = self._shown(self.main)
        return None if trace is None else self._viewed(trace)

    def _viewed(self, trace: Trace) -> Trace:
        """A trace as the head that is chosen sees it, else as its model's usual one does."""
        known = self.head in (MEAN, MAX, ALL, *trace.heads)
        return looking(trace, self.head if known else usual_head(trace, self.cards))

    @property
    def maps(self) -> dict[str, Trace]:
        """The traces of all stages shown, the draws among them."""
        shown = {mode: self._shown(mode) for mode in self.shown}
        found = {mode: self._viewed(trace) for mode, trace in shown.items() if trace is not None}
        drawn = [found[mode] for mode in self.drawing if mode in found]
        if self.draws and drawn:
            found[DRAWS] = self._draw(drawn[0])
        return found

    def _draw(self, trace: Trace) -> Trace:
        if self._drawn is None or self._drawn[0] is not trace:
            self._drawn = (trace, drawn(trace, TIMES, self.seed))
        return self._drawn[1]

    @property
    def missing(self) -> tuple[str, ...]:
        """The modes that are shown but have not been run for this photo and these words."""
        known = self.done | self.failed
        return tuple(mode for mode in self.shown if mode not in known) if self.picture is not None else ()

    @property
    def count(self) -> int:
        """Words of the longest caption shown."""
        shown = map(self._shown, self.shown)
        return max((len(trace.steps) for trace in shown if trace is not None), default=0)

    @property
    def ceiling(self) -> float:
        """The end of the colour range that all maps shown share."""
        mapped = [trace for trace in self.maps.values() if trace.heads and trace.steps]
        return max((colour_range(trace).high for trace in mapped), default=0.0)

    @property
    def peak(self) -> float:
        """The largest weight of all maps shown."""
        mapped = [trace for trace in self.maps.values() if trace.heads and trace.steps]
        return max((colour_range(trace).peak for trace in mapped), default=0.0)

    @property
    def bits(self) -> dict[str, Bits]:
        """How much of the photo is left in each word shown, as each mode reads it."""
        main, trace = self.main, self.trace
        if trace is None:
            return {}
        lines = {mode: self._echo(mode, trace) for mode in dict.fromkeys((*echoing(), main))}
        return {mode: bits for mode, bits in lines.items() if bits is not None and any(b is not None for b in bits)}

    def _echo(self, mode: str, trace: Trace) -> Bits | None:
        own = self.traces.get(mode)
        if own is not None and (mode == self.main or (mode in self.done and own.words == trace.words)):
            return own.bits
        return self.echoes.get((mode, trace.words))

    @property
    def coming(self) -> bool:
        """Whether a caption runs, whose bits may yet come."""
        return self.picture is not None and bool(self.missing)

    @property
    def unheard(self) -> tuple[str, ...]:
        """The modes that have yet to read the caption shown: once it is whole, and where bits are measured at all."""
        trace = self.trace
        if self.saved or trace is None or self.main not in self.done or None in trace.bits or not trace.steps:
            return ()
        return tuple(mode for mode in echoing() if mode in self.modes and self._echo(mode, trace) is None)

    def request(self, attention: str) -> CaptionRequest:
        """What to ask of the engine for one mode."""
        assert self.picture is not None
        now = self.edits.now
        beam = usual_beam("caption", attention, steered=now.steered)
        draws = MODES[attention].draws
        decoding = Decoding(beam, seed=self.seed, pick=self.pick) if draws else Decoding(beam)
        model = self.model.get(MODES[attention].net)
        if MODES[attention].control_of and model is not None and (model in self.opened or "/" in model):
            model = None  # a model of the user's own has no control
        imposed = now.interventions if MODES[attention].has_attention else words_alone(now.interventions)
        return CaptionRequest(
            self.picture, attention, decoding, now.words, model, interventions=imposed, covers=now.covers
        )

    def matter_request(self, word: int) -> MatterRequest | None:
        """Ask whether it matters where a word looked; None before the caption is whole."""
        if self.picture is None or self.trace is None or self.main not in self.done:
            return None
        row = MODES[self.main]
        return MatterRequest(self.picture, word, self.trace.words, self.main, self.model.get(row.net))

    def tree_request(self, _word: int) -> TreeRequest | None:
        """Ask for the tree of the model's own search; None before there is a photo."""
        if self.picture is None:
            return None
        model = self.model.get(MODES[self.main].net)
        return TreeRequest(CaptionRequest(self.picture, self.main, Decoding(usual_beam("caption")), None, model))

    def echo_request(self, attention: str) -> CaptionRequest:
        """Another mode is to read the caption shown."""
        assert self.picture is not None
        assert self.trace is not None
        model, covers = self.model.get(attention), self.edits.now.covers
        return CaptionRequest(self.picture, attention, words=self.trace.words, model=model, covers=covers)

    def take_picture(self, picture: Picture | None) -> None:
        """Begin anew with another photo."""
        self.picture, self.saved, self.peek = picture, False, False
        for known in (
            self.edits, self.variants, self.memory, self.traces, self.done, self.failed, self.echoes
        ):  # fmt: skip
            known.clear()

    def take_saved(self, mode: str, trace: Trace, picture: Picture | None) -> None:
        """Begin anew with a trace that was saved; its photo may be missing."""
        self.take_picture(picture)
        self.saved, self.mode, self.edits.now = True, mode, change_of(trace.request)
        self.finish(mode, trace)

    def ask_words(self, text: str) -> bool:
        """Take the user's caption; False where it holds no words."""
        words = tuple(tokenise(text))
        if words:
            self.change(Change(words, covers=self.edits.now.covers, name=tr("your caption")))
            self._drop(set(self.traces))
        return bool(words)

    def choose_model(self, attention: str, model: str) -> None:
        """Use another model for a mode; what the old one said no longer holds."""
        self.model[attention] = model
        self._drop({mode for mode in self.columns if MODES[mode].net == attention} | {attention})
        self.echoes.clear()

    def toggle_column(self, mode: str) -> None:
        """Show a column of the comparison or hide it; one always stays."""
        if self.shown != (mode,):
            self.hidden ^= {mode}

    def sample(self, *, seed: int | None = None, pick: str | None = None) -> None:
        """Let hard attention take its places anew, from another seed or in another way."""
        self.seed, self.pick = self.seed if seed is None else seed, pick or self.pick
        self._drop({mode for mode in self.columns if MODES[mode].draws})

    def _drop(self, modes: set[str]) -> None:
        """What these modes said no longer holds; it must not stand beside what is new."""
        self.done -= modes
        for mode in modes:
            self.traces.pop(mode, None)
