"""A caption run: growing traces, forced words and maps, and the map where the photo is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations

from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.doubt import Doubt
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.images import Picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import Vocabulary
from attnviewer.core.trace import Grid, Trace
from attnviewer.runs.caption import caption, caption_all, pixels_of, together
from attnviewer.zoo.captioners import LoadedCaptioner

PICTURE = Picture(np.zeros((40, 60, 3), np.uint8), "somewhere.png")


def model(attention: str = "soft") -> LoadedCaptioner:
    card = ModelCard("small", "small", "caption", attention, "MIT", Data("none", "none"), Training("none", 0, 0.0))
    words = Vocabulary(tuple(f"w{i}" for i in range(16)))
    return LoadedCaptioner(card, a_captioner(attention), None, words)  # type: ignore[arg-type]


def run(attention: str = "soft", **asked: object) -> Iterator[Trace | Progress]:
    decoding = asked.pop("decoding", Decoding(max_words=6))
    net = "none" if attention == "none" else "soft"
    request = CaptionRequest(PICTURE, attention, decoding, **asked)  # type: ignore[arg-type]
    return caption(request, model(net), annotations())


def whole(attention: str = "soft", **asked: object) -> Trace:
    steps = run(attention, **asked)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_each_yield_has_one_word_more() -> None:
    seen = [step for step in run(words=("w1", "w2", "w3")) if isinstance(step, Trace)]
    assert [len(trace.steps) for trace in seen] == [1, 2, 3]
    assert seen[-1].words == ("w1", "w2", "w3")


def test_the_grid_lies_over_the_whole_picture() -> None:
    trace = whole(words=("w1",))
    assert trace.locations == Grid(3, 3, (0.0, 0.0, 60.0, 40.0))
    assert (trace.source.width, trace.source.height, trace.source.path) == (60, 40, "somewhere.png")


def test_given_words_are_measured_and_shown_as_they_were_typed() -> None:
    trace = whole(words=("w1", "Zeppelin"))
    assert trace.words == ("w1", "Zeppelin")
    assert [step.unknown for step in trace.steps] == [False, True]
    assert all(trace.forced)
    assert (trace.logprobs < 0).all()


def test_a_map_imposed_at_a_word_is_used_there_alone() -> None:
    here = tuple(float(i == 4) for i in range(CELLS))
    trace = whole(words=("w1", "w2", "w3"), interventions=(Intervention(1, weights=here),))
    free = whole(words=("w1", "w2", "w3"))
    assert trace.weights[1, 0].tolist() == list(here)
    assert np.array_equal(trace.weights[0], free.weights[0])
    assert trace.logprobs[1] != free.logprobs[1]


@pytest.mark.parametrize("weights", [(1.0,), (0.0,) * CELLS, (-1.0,) + (1.0,) * (CELLS - 1), (float("nan"),) * CELLS])
def test_a_map_that_is_no_distribution_is_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(UserError, match="imposed attention"):
        whole(interventions=(Intervention(0, weights=weights),))


def test_a_word_imposed_in_the_middle_changes_what_follows() -> None:
    trace = whole(interventions=(Intervention(0, word="w9"),))
    assert trace.words[0] == "w9"
    assert trace.forced[0]


def test_a_beam_reports_progress_and_then_its_words() -> None:
    seen = list(run(decoding=Decoding(beam=3, max_words=6)))
    kinds = [type(step) for step in seen]
    assert kinds == sorted(kinds, key=lambda kind: kind is Trace)
    assert kinds.count(Progress) >= 1


def test_without_attention_the_trace_has_no_heads() -> None:
    trace = whole("none", words=("w1", "w2"))
    assert trace.weights.shape == (2, 0, CELLS)
    assert trace.heads == ()


def test_uniform_attention_is_uniform() -> None:
    assert np.allclose(whole("uniform", words=("w1",)).weights, 1 / CELLS)


def test_hard_attention_says_which_cell_it_took_and_a_seed_repeats_it() -> None:
    first, again, other = (whole("hard", words=("w1",) * 6, decoding=Decoding(seed=seed)) for seed in (1, 1, 2))
    assert first.sampled == again.sampled
    assert first.sampled != other.sampled
    assert all(place is not None and 0 <= place < CELLS for place in first.sampled)


def test_a_run_leaves_torch_as_it_was_between_words() -> None:
    steps = run(words=("w1", "w2"))
    next(steps)
    assert not torch.is_inference_mode_enabled()


@pytest.mark.parametrize(("width", "height"), [(60, 30), (30, 60), (300, 40), (700, 700)])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 11), (13, 13)])
def test_a_white_square_reaches_the_encoder_in_its_own_cell(width: int, height: int, row: int, column: int) -> None:
    pixels = np.zeros((height * 14, width * 14, 3), np.uint8)
    pixels[row * height : (row + 1) * height, column * width : (column + 1) * width] = 255
    seen = pixels_of(Picture(pixels), Preprocessing())
    cells = torch.nn.functional.avg_pool2d(seen.mean(1), 16)[0]
    assert divmod(int(cells.argmax()), 14) == (row, column)


@pytest.mark.parametrize(
    ("offset", "asked", "said"),
    [
        (1e3, {}, "I am probably guessing: this photo, or a thing I named, is unlike what I learnt from."),
        (-1e3, {}, ""),
        (1e3, {"words": ("w1", "w2")}, ""),
    ],
)
def test_only_a_caption_of_its_own_is_called_a_guess(
    monkeypatch: pytest.MonkeyPatch, offset: float, asked: dict[str, object], said: str
) -> None:
    monkeypatch.setattr("attnviewer.core.doubt.Doubt.of", lambda _: Doubt(1.0, 1.0, offset))
    assert " ".join(whole(**asked).notes) == said


@pytest.mark.parametrize("attention", ["soft", "none", "uniform"])
@pytest.mark.parametrize("beam", [1, 3])
def test_captions_made_side_by_side_are_those_made_one_by_one(attention: str, beam: int) -> None:
    loaded, found, mean = model("none" if attention == "none" else "soft"), 9 * annotations(5), annotations(1, seed=9)
    requests = [CaptionRequest(PICTURE, attention, Decoding(beam=beam, max_words=7)) for _ in range(5)]
    alone = [outcome(caption(one, loaded, found[at : at + 1], mean)) for at, one in enumerate(requests)]
    assert len({round(float(trace.logprobs.sum()), 3) for trace in alone}) > 1
    for one, other in zip(caption_all(requests, loaded, found, mean), alone, strict=True):
        assert one.words == other.words
        assert one.request == other.request
        np.testing.assert_allclose(one.weights, other.weights, atol=1e-6)
        np.testing.assert_allclose(one.logprobs, other.logprobs, atol=1e-5)
        np.testing.assert_allclose(one.bits, other.bits, atol=1e-5)
        for mine, theirs in zip(one.alternatives, other.alternatives, strict=True):
            assert [word for word, _ in mine] == [word for word, _ in theirs]


def test_hard_attention_given_words_and_impositions_are_made_one_by_one() -> None:
    assert not together(CaptionRequest(PICTURE, "hard"))
    assert not together(CaptionRequest(PICTURE, words=("w1",)))
    assert not together(CaptionRequest(PICTURE, interventions=(Intervention(0, word="w1"),)))
    assert together(CaptionRequest(PICTURE))
