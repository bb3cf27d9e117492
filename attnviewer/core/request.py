"""Frozen requests: what to run, on what, with which interventions. Nothing here knows a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from attnviewer.core import modes
from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.arguments import checked_name, checked_number, checked_text, checked_texts, is_whole
from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.sentence import LONGEST, tokenize

PICKS = ("sample", "argmax")
SEEDS = 2**63  # numbers that every generator of random numbers takes
DEVICES = ("auto", "cpu", "cuda", "mps")
BEAMS = {"caption": 3, "translate": 4}  # hypotheses kept where nothing else is asked for
LONGEST_SEARCHED = 60  # a text of more words is decoded greedily, word by word


@dataclass(frozen=True)
class Decoding:
    """How words are chosen.

    Parameters
    ----------
    beam : hypotheses kept, 1 is greedy.
    max_words : a caption ends here at the latest.
    alternatives : how many of the most probable words each step reports.
    length_penalty : beams are ranked by log-probability / length ** length_penalty; None: as the model's card says.
    seed : seed of the sampled locations of hard attention.
    pick : "sample" or "argmax", how hard attention takes its location.
    """

    beam: int = 1
    max_words: int = 30
    alternatives: int = 8
    length_penalty: float | None = None
    seed: int = 0
    pick: str = "sample"

    def __post_init__(self) -> None:
        if not is_whole(self.beam) or not 1 <= self.beam <= 50:
            raise UserError(
                tr("beam must be a whole number between 1 and 50, not {beam}; choose another.", beam=self.beam)
            )
        if not is_whole(self.seed) or not 0 <= self.seed < SEEDS:
            raise UserError(
                tr("the seed must be a number from 0 up to 2^63, not {seed}; choose another.", seed=self.seed)
            )
        if self.pick not in PICKS:
            raise UserError(
                tr("a location can't be picked by {pick}; choose {picks}.", pick=self.pick, picks=" or ".join(PICKS))
            )


def usual_beam(task: str, attention: str = "soft", *, steered: bool = False, words: int = 0) -> int:
    """The hypotheses kept where the user names no number: the same on the command line, in Python and in the window.

    Parameters
    ----------
    steered : whether words are given or anything is imposed.
    words : words of the text that is read.

    Greedy (1) are hard attention, whose places are drawn along one caption, what is steered, and long texts.
    """
    greedy = (attention in modes.MODES and modes.MODES[attention].draws) or steered or words > LONGEST_SEARCHED
    return 1 if greedy else BEAMS.get(task, 1)


class _Plain:
    """A request that can be written down."""

    def to_dict(self) -> dict[str, Any]:
        """The request as plain data, without the pixels."""
        from attnviewer.core.serial import request_to_dict

        return request_to_dict(self)


def _check_choices(request: Any) -> None:
    """Names are texts, whatever they name; whether there is such a thing is seen where it is looked for."""
    for name in ("attention", "model", "keys", "values", "score"):
        checked_name(getattr(request, name, None), name)


def _check_given(what: str, words: tuple[str, ...] | None, interventions: tuple[Intervention, ...]) -> None:
    if not all(isinstance(word, str) and word.strip() for word in words or ()):
        raise UserError(tr("a given {what} is a text or a list of words; one of these is no word.", what=what))
    for word in words or ():
        checked_text(word, tr("each word of the given {what}", what=what))
    if not all(isinstance(one, Intervention) for one in interventions):
        raise UserError(tr("interventions are a list of attnviewer.core.request.Intervention; one of these is not."))


def _check_change(change: Changes | None) -> None:
    if change is not None and not isinstance(change, Changes):
        raise UserError(tr("what is changed inside is given as attnviewer.Changes."))


@dataclass(frozen=True, eq=False)
class CaptionRequest(_Plain):
    """Caption `picture`, perhaps partly covered; with `words` the caption is teacher-forced and only measured.

    `change` is what is switched off, masked or made uniform inside a Transformer.
    """

    task: ClassVar[str] = "caption"
    picture: Picture
    attention: str = "soft"
    decoding: Decoding = field(default_factory=Decoding)
    words: tuple[str, ...] | None = None
    model: str | None = None
    device: str = "auto"
    interventions: tuple[Intervention, ...] = ()
    covers: tuple[Cover, ...] = ()
    change: Changes | None = None

    def __post_init__(self) -> None:
        _check_choices(self)
        _check_given("caption", self.words, self.interventions)
        if not all(isinstance(one, Cover) for one in self.covers):
            raise UserError(tr("covers are a list of attnviewer.Cover; one of these is not."))
        _check_change(self.change)


@dataclass(frozen=True, eq=False)
class TranslateRequest(_Plain):
    """Translate `sentence`; with `words` the translation is teacher-forced and only measured.

    Parameters
    ----------
    attention : soft (by content), location, or none.
    shuffle : a seed for the order in which the source states are handed to the attention; None leaves them in order.
    hidden : source words (from 0, in the order of the text) that are read as words that nobody can make out.
    change : what is switched off, masked or made uniform inside a Transformer.
    """

    task: ClassVar[str] = "translate"
    sentence: str
    attention: str = "soft"
    decoding: Decoding = field(default_factory=Decoding)
    words: tuple[str, ...] | None = None
    model: str | None = None
    device: str = "auto"
    interventions: tuple[Intervention, ...] = ()
    shuffle: int | None = None
    hidden: tuple[int, ...] = ()
    change: Changes | None = None

    def __post_init__(self) -> None:
        _check_choices(self)
        if not tokenize(checked_text(self.sentence, "sentence")):
            raise UserError(tr("there is no word to translate; type a Spanish sentence."))
        if (count := len(tokenize(self.sentence))) > LONGEST:
            raise UserError(
                tr("the text has {count} words; translate at most {longest} at once.", count=count, longest=LONGEST)
            )
        if self.attention not in (known := modes.of(self.task)):
            raise UserError(
                tr(
                    "no translator has {attention} attention; choose {known}.",
                    attention=self.attention,
                    known=", ".join(known),
                )
            )
        _check_given("translation", self.words, self.interventions)
        if not all(is_whole(place) and place >= 0 for place in self.hidden):
            raise UserError(tr("hidden source words are numbers, counted from 0."))
        if self.shuffle is not None and (not is_whole(self.shuffle) or not 0 <= self.shuffle < SEEDS):
            raise UserError(
                tr("the seed of a shuffle must be a number from 0 up to 2^63, not {shuffle}.", shuffle=self.shuffle)
            )
        _check_change(self.change)


def query_text(text: str) -> str:
    """The text of a query; raises `UserError` where it says nothing. The window alone may ask nothing."""
    if not checked_text(text, "text").strip():
        raise UserError(tr("there is no word in the query; type what you look for, such as dog."))
    return text


@dataclass(frozen=True, eq=False)
class QueryRequest(_Plain):
    """Ask `text` of exactly one kind of items: regions of `picture`, words of `sentence`, or `lines`.

    Parameters
    ----------
    keys : the vectors that are compared with the query; several names joined by commas give one head each.
    values : the vectors that are summed, by default the keys.
    score, temperature : by default what suits the keys.
    hard : all weight on the best item.
    scales : each item's vector is stretched by its scale.
    nearest : how many items nearest to the answer are reported.
    numbers : the number of each line in its file, from 1; None: the lines are numbered as they come.
    """

    task: ClassVar[str] = "query"
    text: str
    picture: Picture | None = None
    sentence: str | None = None
    lines: tuple[str, ...] | None = None
    keys: str | None = None
    score: str | None = None
    temperature: float | None = None
    hard: bool = False
    scales: tuple[float, ...] | None = None
    device: str = "auto"
    values: str | None = None
    nearest: int = 5
    numbers: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        _check_choices(self)
        checked_text(self.text, "text")
        checked_name(self.sentence, "sentence")
        if self.lines is not None:
            checked_texts(self.lines, "lines")
        if self.temperature is not None:
            checked_number(self.temperature, "temperature")
        if self.numbers is not None and len(self.numbers) != len(self.lines or ()):
            raise UserError(tr("each line needs one number; leave the numbers out or give as many as lines."))
        if sum(given is not None for given in (self.picture, self.sentence, self.lines)) != 1:
            raise UserError(tr("ask of one thing at a time; give an image, a sentence or lines of text."))


@dataclass(frozen=True, eq=False)
class AttendRequest(_Plain):
    """Read a `text`, or a `picture`, with a net of self-attention, and keep every map.

    Parameters
    ----------
    model : id of a model; None chooses one that ships.
    layer : keep the maps of this layer alone; None keeps all.
    change : what is switched off, masked or made uniform inside.
    """

    task: ClassVar[str] = "attend"
    text: str | None = None
    picture: Picture | None = None
    model: str | None = None
    layer: int | None = None
    change: Ablation = field(default_factory=Ablation)
    device: str = "auto"

    def __post_init__(self) -> None:
        if (self.text is None) == (self.picture is None):
            raise UserError(tr("attend to one thing at a time; give a text or an image."))
        if self.text is not None and not self.text.strip():
            raise UserError(tr("there is no word to attend to; type a text."))
        if self.layer is not None and (not is_whole(self.layer) or self.layer < 0):
            raise UserError(tr("layers are counted from 0; {layer} is none.", layer=self.layer))


Request = CaptionRequest | TranslateRequest | QueryRequest | AttendRequest
