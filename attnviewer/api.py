"""Caption, translate and query from Python: requests run on an engine that is kept, one at a time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.arguments import checked_text, checked_texts, checked_words
from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture, Readable, load_picture
from attnviewer.core.interventions import Intervention, checked_interventions
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import Shelf, shelf
from attnviewer.core.request import (
    DEVICES,
    AttendRequest,
    CaptionRequest,
    Decoding,
    QueryRequest,
    Request,
    TranslateRequest,
    query_text,
    usual_beam,
)
from attnviewer.core.rerun import request_of
from attnviewer.core.saving import remember_photo
from attnviewer.core.sentence import tokenize
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Trace

_lock = threading.RLock()
_engines: dict[tuple[str, str], Any] = {}


def caption(
    image: Readable | Picture,
    *,
    attention: str = "soft",
    beam: int | None = None,
    words: str | Sequence[str] | None = None,
    seed: int = 0,
    pick: str = "sample",
    model: str | None = None,
    device: str = "auto",
    models: str | Path | None = None,
    interventions: Sequence[Intervention] = (),
    covers: Sequence[Cover] = (),
    change: Changes | None = None,
) -> Trace:
    """Caption a picture and return its trace; the model stays loaded between calls.

    Parameters
    ----------
    image : path, bytes, PIL image, or array [height, width, 3] of an upright RGB picture.
    attention : "soft", "hard", "none", or "uniform" (soft attention with every weight made equal).
    beam : hypotheses kept, 1 is greedy; None keeps 3, and is greedy for hard attention, given words and interventions.
    words : a caption to measure instead of making one, as a text or a list of words.
    seed : seed of the locations that hard attention samples.
    pick : "sample" draws that location from the map, "argmax" takes the most probable one.
    model : id of a model; None chooses the one for `attention`.
    device : "auto", "cpu", "cuda" or "mps".
    models : a folder of models to look in first, then ATTNVIEWER_MODELS, the user's own and those that ship.
    interventions : what to impose at single steps, counted from 0: `Intervention(2, word="cat")` says that the third
        word is cat, `Intervention(2, weights=[...])` where it looks, with a number for each location.
    covers : patches that cover some of the photo: `Cover((left, top, right, bottom))`, as shares of it.
    change : what is switched off, masked or made uniform inside a Transformer.

    Raises `UserError` where the image or a choice is at fault.
    """
    given, steps = checked_words(words, tokenise, "caption"), checked_interventions(interventions)
    picture = load_picture(image)
    usual = usual_beam("caption", attention, steered=bool(given or steps))
    decoding = Decoding(beam=usual if beam is None else beam, seed=seed, pick=pick)
    request = CaptionRequest(picture, attention, decoding, given, model, device, steps, tuple(covers), change)
    return remember_photo(run(request, models=models), picture)


def translate(
    sentence: str,
    *,
    beam: int | None = None,
    words: str | Sequence[str] | None = None,
    attention: str = "soft",
    model: str | None = None,
    device: str = "auto",
    models: str | Path | None = None,
    interventions: Sequence[Intervention] = (),
    shuffle: int | None = None,
    hidden: Sequence[int] = (),
    change: Changes | None = None,
) -> Trace:
    """Translate a Spanish sentence into English and return its trace; its locations are the source words.

    Parameters
    ----------
    sentence : what to translate, at most 500 words.
    beam : hypotheses kept, 1 is greedy; None keeps 4, and is greedy for given words, interventions and texts of more
        than 60 words.
    words : a translation to measure instead of making one, as a text or a list of words.
    attention : "soft" (by content), "location" (by place alone) or "none".
    model : id of a model; None chooses the one for `attention`.
    device : "auto", "cpu", "cuda" or "mps".
    models : a folder of models to look in first, then ATTNVIEWER_MODELS, the user's own and those that ship.
    interventions : what to impose at single steps, counted from 0: `Intervention(2, word="cat")` says that the third
        word is cat, `Intervention(2, weights=[...])` where it looks, with a number for each location.
    shuffle : a seed for the order in which the source states are handed to the attention; None leaves them in order.
    hidden : source words (from 0) that are read as words that nobody can make out.
    change : what is switched off, masked or made uniform inside a Transformer.

    Raises `UserError` where the sentence or a choice is at fault.
    """
    given, steps = checked_words(words, tokenize, "translation"), checked_interventions(interventions)
    length = len(tokenize(checked_text(sentence, "sentence")))
    usual = usual_beam("translate", attention, steered=bool(given or steps), words=length)
    decoding = Decoding(beam=usual if beam is None else beam)
    request = TranslateRequest(
        sentence, attention, decoding, given, model, device, steps, shuffle, tuple(hidden), change
    )
    return run(request, models=models)


def query(
    text: str,
    *,
    image: Readable | Picture | None = None,
    sentence: str | None = None,
    lines: Sequence[str] | None = None,
    keys: str | None = None,
    score: str | None = None,
    temperature: float | None = None,
    hard: bool = False,
    device: str = "auto",
    models: str | Path | None = None,
) -> Trace:
    """Ask which items a text attends to: a trace of one step whose locations are the items.

    Parameters
    ----------
    text : the query.
    image, sentence, lines : exactly one: a picture's regions, a sentence's words, or a list of texts.
    keys : how items become vectors; None chooses what suits them.
    score : "dot", "scaled" or "cosine".
    temperature : below 1 sharpens the weights, above 1 flattens them.
    hard : take the best item alone.
    device : "auto", "cpu", "cuda" or "mps".
    models : a folder of models to look in first, then ATTNVIEWER_MODELS, the user's own and those that ship.

    Raises `UserError` where the text or a choice is at fault.
    """
    picture = None if image is None else load_picture(image)
    request = QueryRequest(
        query_text(text),
        picture=picture,
        sentence=sentence,
        lines=None if lines is None else checked_texts(lines, "lines"),
        keys=keys,
        score=score,
        temperature=temperature,
        hard=hard,
        device=device,
    )
    return remember_photo(run(request, models=models), picture)


def attend(
    text: str | None = None,
    *,
    image: Readable | Picture | None = None,
    model: str | None = None,
    layer: int | None = None,
    change: Ablation | None = None,
    device: str = "auto",
    models: str | Path | None = None,
) -> Trace:
    """Read a text or a picture with a net of self-attention: a trace of one step a token, heads named "layer.head".

    Parameters
    ----------
    text, image : exactly one; a text is English.
    model : id of a model; None chooses one that ships.
    layer : keep the maps of this layer alone.
    change : heads switched off or made uniform, masks, positions and residuals left out.
    device : "auto", "cpu", "cuda" or "mps".
    models : a folder of models to look in first, then ATTNVIEWER_MODELS, the user's own and those that ship.

    Raises `UserError` where the text or a choice is at fault.
    """
    picture = None if image is None else load_picture(image)
    return run(AttendRequest(text, picture, model, layer, change or Ablation(), device), models=models)


def rerun(
    trace: Trace | str | Path, *, image: Readable | Picture | None = None, models: str | Path | None = None
) -> Trace:
    """Run again what a trace, or a file of one, was made with; the same models give the same arrays.

    Parameters
    ----------
    image : the photo; None takes the one at the path that the trace remembers.
    models : a folder of models to look in first, then ATTNVIEWER_MODELS, the user's own and those that ship.

    Raises `UserError` where the trace tells of no run, or its photo is gone or another.
    """
    found = trace if isinstance(trace, Trace) else Trace.load(trace)
    picture = None if image is None else load_picture(image)
    return remember_photo(run(request_of(found, picture), models=models), picture)


def run(request: Request, tell: Callable[[Progress], None] | None = None, models: str | Path | None = None) -> Trace:
    """Run a request to its end on the engine for its device, telling progress; safe to call from several threads."""
    if request.device not in DEVICES:
        raise UserError(
            tr("there is no device {device}; choose {devices}.", device=request.device, devices=", ".join(DEVICES))
        )
    with _lock:
        engine = _engine(request.device, models)
        with _no_gradients():
            trace: Trace = outcome(engine.run(request), tell)
    _check_reached(request, trace)
    return trace


def run_captions(requests: Sequence[CaptionRequest]) -> list[Trace]:
    """The traces of caption requests that differ in their pictures alone, made side by side."""
    with _lock:
        engine = _engine(requests[0].device)
        with _no_gradients():
            traces: list[Trace] = engine.caption_all(requests)
            return traces


def run_translations(requests: Sequence[TranslateRequest]) -> list[Trace]:
    """Run requests for translations, alike but for texts and decoding, searched side by side where that is possible."""
    with _lock, _no_gradients():
        traces: list[Trace] = outcome(_engine(requests[0].device).translate_all(requests))
    for request, trace in zip(requests, traces, strict=True):
        _check_reached(request, trace)
    return traces


def _check_reached(request: Request, trace: Trace) -> None:
    """Raise `UserError` where something was to be imposed on a word that never came."""
    for step in getattr(request, "interventions", ()):
        if step.at >= len(trace.steps):
            raise UserError(
                tr("nothing can be imposed at word {at}: the text ends after {count} words, counted from 0.",
                   at=step.at, count=len(trace.steps))
            )  # fmt: skip


def explore(request: Exploration) -> Finding:
    """Run an experiment to its end on the engine for its device; safe to call from several threads."""
    with _lock:
        engine = _engine(request.device)
        with _no_gradients():
            found: Finding = outcome(engine.explore(request))
            return found


def _engine(device: str, models: str | Path | None = None) -> Any:
    """The engine for a device and the places where models lie, made when first asked for."""
    where = shelf(models)
    if (device, str(where)) not in _engines:
        _engines[device, str(where)] = make_engine(device) if models is None else make_engine(device, where)
    return _engines[device, str(where)]


def make_engine(device: str, models: Shelf | None = None) -> Any:
    """An engine that computes on `device`; this is where torch is imported."""
    from attnviewer.runs.engine import Engine

    return Engine(models, device)


def _no_gradients() -> AbstractContextManager[Any]:
    """The engine has imported torch; without it there is nothing to switch off."""
    torch = sys.modules.get("torch")
    return torch.inference_mode() if torch is not None else nullcontext()
