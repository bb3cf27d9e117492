"""Figures, films and data of a net with several heads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.headed import HEADS, a_caption, a_translation
from PIL import Image

from attnviewer.core.heads import ALL, MAX, MEAN, looking
from attnviewer.core.trace import Trace
from attnviewer.export import save
from attnviewer.export.options import Options
from attnviewer.export.picture import footnote
from attnviewer.export.tokens import stacked_figure

WAYS = (MEAN, MAX, "0.1", ALL)
TRACES = {"caption": a_caption, "translate": a_translation}


@pytest.mark.parametrize("task", TRACES)
def test_figures_of_the_mean_the_maximum_one_head_and_all_differ(task: str, tmp_path: Path) -> None:
    for head in WAYS:
        save(looking(TRACES[task](), head), None, tmp_path / f"{head}.png")
    figures = {head: np.asarray(Image.open(tmp_path / f"{head}.png").convert("RGB")) for head in WAYS}
    assert figures[ALL].shape[0] > 2 * figures[MEAN].shape[0] or figures[ALL].shape[0] > 500
    for one, other in ((MEAN, MAX), (MEAN, "0.1"), (MAX, "0.1")):
        assert figures[one].shape != figures[other].shape or (figures[one] != figures[other]).any(), (one, other)


@pytest.mark.parametrize("head", WAYS)
def test_a_film_shows_each_way(head: str, tmp_path: Path) -> None:
    save(looking(a_caption(), head), None, tmp_path / "a.gif")
    assert Image.open(tmp_path / "a.gif").n_frames == 4  # the whole photo first


def test_films_of_two_heads_differ(tmp_path: Path) -> None:
    for head in HEADS[:2]:
        save(looking(a_caption(), head), None, tmp_path / f"{head}.gif")
    assert (tmp_path / "0.0.gif").read_bytes() != (tmp_path / "0.1.gif").read_bytes()


@pytest.mark.parametrize("head", [MAX, "0.1", ALL])
@pytest.mark.parametrize("suffix", [".json", ".npz", ".csv"])
def test_data_hold_all_heads_whichever_is_shown(suffix: str, head: str, tmp_path: Path) -> None:
    save(a_caption(), None, tmp_path / f"plain{suffix}")
    save(looking(a_caption(), head), None, tmp_path / f"view{suffix}")
    if suffix in (".json", ".npz"):
        views = Trace.load(tmp_path / f"view{suffix}"), Trace.load(tmp_path / f"plain{suffix}")
        assert views[0].heads == HEADS
        np.testing.assert_array_equal(views[0].weights, views[1].weights)
    else:
        assert (tmp_path / f"view{suffix}").read_text() == (tmp_path / f"plain{suffix}").read_text()


@pytest.mark.parametrize(
    ("head", "said"), [(MEAN, "mean of 3 heads"), (MAX, "maximum of 3 heads"), ("1.0", "head 1.0")]
)
def test_a_figure_says_which_head_it_shows(head: str, said: str) -> None:
    assert said in footnote(looking(a_caption(), head), Options(), True)
    figure = stacked_figure({head: looking(a_translation(), head)}, Options())
    assert any(said in text.get_text() for part in figure.subfigs for text in part.texts)
