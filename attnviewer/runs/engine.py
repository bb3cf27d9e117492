"""The engine: a request goes in, a run comes out; models and the last photo's features stay loaded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attnviewer.core.covers import Cover, covered
from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Run, Study, outcome
from attnviewer.core.paths import Shelf
from attnviewer.core.request import AttendRequest, CaptionRequest, Request, TranslateRequest
from attnviewer.core.spanish import read_spanish
from attnviewer.core.trace import Trace
from attnviewer.runs.caption import caption, caption_all, encode, encode_all, together
from attnviewer.runs.device import choose_device
from attnviewer.zoo.captioners import LoadedEncoder
from attnviewer.zoo.store import Zoo

if TYPE_CHECKING:
    from attnviewer.zoo.bert import Encoder


KEPT = 4  # photos whose annotation vectors are kept: one, and itself covered in a few ways


@dataclass(frozen=True, eq=False)
class Seen:
    """The annotation vectors [1, L, D] of a photo, as an encoder saw it with its covers."""

    picture: Picture
    covers: tuple[Cover, ...]
    encoder: str
    annotations: Tensor


class Engine:
    """Runs requests on one device.

    Parameters
    ----------
    models_dir : where the models lie; default: all places where they are looked for.
    device : auto, cpu, cuda or mps; raises `UserError` where it doesn't work.
    """

    def __init__(self, models_dir: Path | Shelf | None = None, device: str = "auto") -> None:
        self.device = choose_device(device)
        self.zoo = Zoo(models_dir, self.device)
        self._seen: list[Seen] = []

    def run(self, request: Request) -> Run:
        """The run of `request`: yields progress and growing traces, returns the whole trace."""
        full = False
        try:
            return self._with_place((yield from RUNS[request.task](self, request)))
        except torch.OutOfMemoryError:
            full = True  # leave the block first: the traceback holds the tensors
        if full:
            self._forget()
        raise UserError(
            tr(
                "the memory of {device} is full; close other programs that use it, or choose the device cpu.",
                device=self.device,
            )
        )

    def caption_all(self, requests: Sequence[CaptionRequest]) -> list[Trace]:
        """The traces of requests that differ in their pictures alone, made side by side where they can be.

        Raises `UserError` as `run` does.
        """
        from attnviewer.zoo.foreign import is_folder

        if len(requests) == 1 or not together(requests[0]) or is_folder(requests[0].model):
            return [outcome(self.run(request)) for request in requests]
        try:
            model = self.zoo.captioner(requests[0].model, requests[0].attention)
            found = encode_all([request.picture for request in requests], model.encoder, self.device)
            mean = model.encoder.mean if model.encoder.has_mean else None
            return [self._with_place(trace) for trace in caption_all(requests, model, found, mean)]
        except torch.OutOfMemoryError:
            pass  # leave the block first: the traceback holds the tensors
        self._forget()
        return [outcome(self.run(request)) for request in requests]  # one by one needs less

    def translate_all(self, requests: Sequence[TranslateRequest]) -> Generator[Progress, None, list[Trace]]:
        """The traces of requests that differ in text and decoding alone, searched side by side where they can be.

        Yields progress. Raises `UserError` as `run` does.
        """
        from attnviewer.runs.translate import together, translate_all

        traces: dict[int, Trace] = {}
        for decoding in dict.fromkeys(request.decoding for request in requests):
            alike = [n for n, request in enumerate(requests) if request.decoding == decoding and together(request)]
            try:
                if len(alike) > 1:
                    model = self.zoo.translator(requests[0].model, requests[0].attention)
                    made = yield from translate_all([requests[n] for n in alike], model)
                    traces |= dict(zip(alike, map(self._with_place, made), strict=True))
                continue
            except torch.OutOfMemoryError:
                pass  # leave the block first: the traceback holds the tensors
            self._forget()
        alone = [n for n in range(len(requests)) if n not in traces]  # one by one needs less
        traces |= {n: outcome(self.run(requests[n])) for n in alone}
        return [traces[n] for n in range(len(requests))]

    def _with_place(self, trace: Trace) -> Trace:
        """The trace, with a note where its model stands before another of the same id."""
        if not isinstance(self.zoo.folder, Shelf) or len(places := self.zoo.folder.places(trace.model)) < 2:
            return trace
        note = tr("{id} is the one in {folder}, which stands before the one in {other}.",
                  id=trace.model, folder=places[0].parent, other=places[1].parent)  # fmt: skip
        return replace(trace, notes=(*trace.notes, note))

    def explore(self, request: Exploration) -> Study:
        """The run of an experiment: yields progress and growing findings, returns the whole finding."""
        from attnviewer.runs.explore import study

        return study(self, request)

    @property
    def encoder(self) -> Encoder:
        """The encoder of English text."""
        from attnviewer.zoo.bert import load_encoder

        return self.zoo.cache.get("text encoder", load_encoder)

    def annotations(self, picture: Picture, encoder: LoadedEncoder, covers: tuple[Cover, ...] = ()) -> Tensor:
        """Annotation vectors [1, L, D] of `picture`, perhaps covered in places; those of the last few are kept.

        They are computed once for all models that share the encoder.
        """
        for seen in self._seen:
            if seen.picture is picture and (seen.covers, seen.encoder) == (covers, encoder.card.id):
                return seen.annotations
        found = encode(covered(picture, covers), encoder, self.device)
        self._seen = [Seen(picture, covers, encoder.card.id, found), *self._seen[: KEPT - 1]]
        return found

    def _forget(self) -> None:
        self._seen.clear()
        self.zoo.cache.clear()
        if self.device == "cuda":
            torch.cuda.empty_cache()


def _caption(engine: Engine, request: CaptionRequest) -> Run:
    from attnviewer.zoo.foreign import is_folder

    if is_folder(request.model):
        return (yield from _caption_foreign(engine, request))
    yield Loading()
    model = engine.zoo.captioner(request.model, request.attention)
    yield Progress(tr("encoding the photo"))
    annotations = engine.annotations(request.picture, model.encoder, request.covers)
    mean = model.encoder.mean if model.encoder.has_mean else None
    return (yield from caption(request, model, annotations, mean))


def _translate(engine: Engine, request: TranslateRequest) -> Run:
    from attnviewer.runs.translate import translate

    yield Loading()
    return (yield from translate(request, engine.zoo.translator(request.model, request.attention)))


def _query(engine: Engine, request: Any) -> Run:
    from attnviewer.runs.query import query

    return (yield from query(engine, request))


def _attend(engine: Engine, request: AttendRequest) -> Run:
    from attnviewer.runs.attend import attend
    from attnviewer.zoo.bert import LONGEST, NAME
    from attnviewer.zoo.foreign import is_folder

    if is_folder(request.model):
        return (yield from _attend_foreign(engine, request))
    yield Loading()
    if request.text is not None and request.model in (None, NAME):
        return (yield from attend(request, engine.encoder, NAME, LONGEST))
    return (yield from _attend_installed(engine, request))


def _attend_installed(engine: Engine, request: AttendRequest) -> Run:
    """Self-attention in the encoder of an installed Transformer: over the words it reads, or a photo's places."""
    from attnviewer.runs.asked import as_read, joined
    from attnviewer.runs.attend import attend_places, attend_words, check_layer

    card = engine.zoo.attending(request.model, photos=request.picture is not None)
    model = engine.zoo.load(card)
    check_layer(request, len(model.net.encoder), card.id)
    if request.picture is not None:
        annotations = engine.annotations(request.picture, model.encoder)
        return (yield from attend_places(request, model.net, annotations, card.id))
    words = joined(as_read(read_spanish(request.text or ""))).words
    if not words:
        raise UserError(tr("there is no word to attend to; type a text."))
    return (yield from attend_words(request, model.net, words, card.id, model.words.speller))


def _attend_foreign(engine: Engine, request: AttendRequest) -> Run:
    from attnviewer.runs.foreign import attend_foreign

    yield Loading()
    return (yield from attend_foreign(request, _foreign(engine, str(request.model))))


def _caption_foreign(engine: Engine, request: CaptionRequest) -> Run:
    from attnviewer.runs.foreign import caption_foreign

    yield Loading()
    return (yield from caption_foreign(request, _foreign(engine, str(request.model))))


def _foreign(engine: Engine, name: str) -> Any:
    """A model of the user's own by its folder or name; the newest stays loaded."""
    from attnviewer.zoo.foreign import load_foreign_model

    return engine.zoo.cache.newest("foreign", name, lambda: load_foreign_model(name))


RUNS: dict[str, Callable[[Engine, Any], Run]] = {
    "caption": _caption,
    "translate": _translate,
    "query": _query,
    "attend": _attend,
}
