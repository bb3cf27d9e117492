"""A fake engine in place of the real one, and photos to give it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_step
from PIL import Image

from attnviewer import api
from attnviewer.core.events import Progress
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, QueryRequest
from attnviewer.core.trace import Grid, Source, Step, Tokens, Trace


class FakeEngine:
    """Says "a dog runs" of every picture, keeps the requests, and fails where `fault` says so."""

    def __init__(self) -> None:
        self.requests: list[CaptionRequest | QueryRequest] = []
        self.devices: list[str] = []
        self.fault: BaseException | None = None

    def run(self, request: CaptionRequest | QueryRequest) -> Generator[Progress | Trace, None, Trace]:
        """A run in the manner of the real engine's."""
        self.requests.append(request)
        yield Progress("Loading the model")
        if self.fault is not None:
            raise self.fault
        trace = _ASK[type(request)](request)
        yield trace
        return trace

    def caption_all(self, requests: Sequence[CaptionRequest]) -> list[Trace]:
        """One after the other."""
        return [outcome(self.run(request)) for request in requests]


def _caption(request: CaptionRequest) -> Trace:
    picture, rng = request.picture, np.random.default_rng(0)
    where = Grid(3, 4, (0, 0, picture.width, picture.height))
    source = Source("image", picture.path, picture.width, picture.height)
    steps = [a_step(word, rng, 1, 12) for word in request.words or ("a", "dog", "runs")]
    if request.words:
        unknown = [word == "zyzzyva" for word in request.words]
        steps = [
            Step(s.word, s.logprob, s.weights, forced=True, unknown=u) for s, u in zip(steps, unknown, strict=True)
        ]
    return Trace("caption", "fake", source, where, ("attention",), tuple(steps), request.to_dict())


def _query(request: QueryRequest) -> Trace:
    items = Tokens(request.lines or tuple((request.sentence or "a b").split()))
    step = a_step(request.text, np.random.default_rng(0), 1, len(items))
    return Trace("query", "fake", Source("text", text=" ".join(items.tokens)), items, ("attention",), (step,))


_ASK = {CaptionRequest: _caption, QueryRequest: _query}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """The engine that verbs and the Python API get."""
    fake = FakeEngine()

    def make(device: str) -> FakeEngine:
        fake.devices.append(device)
        return fake

    monkeypatch.setattr(api, "make_engine", make)
    monkeypatch.setattr(api, "_engines", {})
    return fake


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A small photo."""
    Image.fromarray(corners(80, 60)).save(tmp_path / "dog.png")
    return tmp_path / "dog.png"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder with three photos, to be taken in natural order."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("2.png", "10.png", "1.png"):
        Image.fromarray(corners(80, 60)).save(folder / name)
    (folder / "notes.txt").write_text("no photo")
    return folder
