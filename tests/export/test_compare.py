"""Rows of a comparison: one for each way to attend, on one colour scale."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import WORDS, a_trace

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.modes import compared
from attnviewer.core.trace import Trace
from attnviewer.export import Options, save_compare
from attnviewer.export.compare import compare_figure, lay_out, shared

PICTURE = Picture(corners(80, 60))


def rows() -> dict[str, Trace]:
    """Four traces as the modes make them, with captions of their own."""
    soft, hard, flat = a_trace(seed=1), a_trace(("a", "dog"), seed=2), a_trace(seed=3)
    bare = tuple(replace(step, weights=np.zeros((0, 12))) for step in a_trace(WORDS[:4]).steps)
    even = tuple(replace(step, weights=np.full((1, 12), 1 / 12)) for step in flat.steps)
    taken = tuple(replace(step, sampled=place) for place, step in enumerate(hard.steps))
    return {
        "none": Trace("caption", "n", soft.source, soft.locations, (), bare),
        "soft": soft,
        "hard": replace(hard, steps=taken),
        "uniform": replace(flat, steps=even),
    }


def said(made: object) -> list[str]:
    found = made.findobj(lambda artist: hasattr(artist, "get_text"))  # type: ignore[attr-defined]
    return [artist.get_text() for artist in found if artist.get_text()]


def test_there_is_a_panel_for_each_word_of_each_row_and_one_legend() -> None:
    traces = rows()
    panels = sum(len(trace.steps) for trace in traces.values())
    assert len(compare_figure(traces, PICTURE, Options()).axes) == panels + 1


def test_each_row_has_its_name_caption_and_score() -> None:
    texts = said(compare_figure(rows(), PICTURE, Options()))
    assert {"No attention", "Soft attention", "Hard attention", "Uniform control"} <= set(texts)
    assert "a dog" in texts
    assert sum(text.startswith("log-probability") for text in texts) == 4


def test_without_attention_the_photo_is_shown_once_and_then_nothing() -> None:
    made = compare_figure({"none": rows()["none"]}, PICTURE, Options())
    assert [len(axes.images) for axes in made.axes] == [1, 0, 0, 0]


def test_the_rows_share_one_colour_range() -> None:
    traces = rows()
    assert shared(traces, Options()).high == max(traces["soft"].weights.max(), traces["hard"].weights.max())
    assert shared(traces, Options()).uniform == pytest.approx(1 / 12)
    alone = {"uniform": traces["uniform"]}
    assert shared(alone, Options()).high == pytest.approx(4 / 12)


def test_the_place_that_was_taken_is_outlined_in_the_hard_row_alone() -> None:
    made = compare_figure(rows(), PICTURE, Options())
    outlined = [number for number, axes in enumerate(made.axes[:-1]) if axes.patches]
    assert outlined == [4 + len(WORDS), 5 + len(WORDS)]


@pytest.mark.parametrize("counts", [(1, 1, 1, 1), (12, 30, 7, 25), (0, 4, 4, 4)])
@pytest.mark.parametrize("shape", [(800, 600), (300, 40), (40, 300)])
def test_panels_lie_inside_the_figure_and_apart(counts: tuple[int, ...], shape: tuple[int, int]) -> None:
    layout = lay_out(counts, [1.2] * len(counts), *shape)
    boxes = np.array([layout.place(row, word) for row, count in enumerate(counts) for word in range(count)])
    assert (boxes[:, :2] > 0).all()
    assert (boxes[:, 0] + boxes[:, 2] < 1).all()
    assert (boxes[:, 1] + boxes[:, 3] < 1).all()
    across = np.abs(boxes[:, None, 0] - boxes[None, :, 0]) >= boxes[0, 2] * 0.99
    down = np.abs(boxes[:, None, 1] - boxes[None, :, 1]) >= boxes[0, 3] * 0.99
    assert (across | down | np.eye(len(boxes), dtype=bool)).all()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_comparison_is_written_the_same_each_time(suffix: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_compare(rows(), PICTURE, tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.parametrize("name", ["out.json", "out.gif", "out"])
def test_a_comparison_is_a_figure(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"end the name .* in \.png or \.svg or \.pdf"):
        save_compare(rows(), PICTURE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_modes_are_compared_from_none_to_the_control() -> None:
    assert tuple(rows()) == compared("caption")
