"""The figure: a panel a word, laid out for any shape of photo, and honest about what it shows."""

import io

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import WORDS, a_trace
from PIL import Image

from attnviewer.core.content import ContentTrace
from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid, Source, Step, Tokens
from attnviewer.export.options import Options
from attnviewer.export.picture import figure, footnote, plan, rendered

PICTURE = Picture(corners(80, 60))


def texts(made: object) -> list[str]:
    """All that the figure says."""
    found = made.findobj(lambda artist: hasattr(artist, "get_text"))  # type: ignore[attr-defined]
    return [artist.get_text() for artist in found if artist.get_text()]


def test_there_is_the_photo_a_panel_for_each_word_and_one_legend() -> None:
    assert len(figure(a_trace(), PICTURE, Options()).axes) == 1 + len(WORDS) + 1


def test_the_figure_says_the_caption_the_words_and_the_uniform_level() -> None:
    said = texts(figure(a_trace(), PICTURE, Options()))
    assert " ".join(WORDS) in " ".join(said)
    assert set(WORDS) <= set(said)
    assert "uniform\n0.083" in said
    assert any("not an explanation" in text for text in said)


def test_with_a_range_a_word_each_panel_names_its_peak() -> None:
    said = texts(figure(a_trace(), PICTURE, Options(per_word=True)))
    assert sum(text.startswith("peak 0.") for text in said) == len(WORDS)
    assert "uniform\n0.083" not in said


@pytest.mark.parametrize(("presence", "number"), [(0.16, "16%"), (None, "")])
def test_the_figure_of_a_query_says_how_sure_it_is_that_it_is_there(presence: float | None, number: str) -> None:
    step = Step("dog", 0.0, np.full((1, 4), 0.25))
    source = Source("image", None, 80, 60)
    grid = Grid(2, 2, (0, 0, 80, 60))
    trace = ContentTrace("query", "grounding", source, grid, ("regions",), (step,), presence=presence)
    said = texts(figure(trace, PICTURE, Options()))
    assert not any("1.00" in text or "probability" in text for text in said)
    assert (number in said) is bool(number)
    assert ("how sure it is that this is in the photo" in " ".join(" ".join(said).split())) is bool(number)


@pytest.mark.parametrize("panels", [1, 2, 8, 31])
@pytest.mark.parametrize("shape", [(800, 600), (300, 40), (40, 300), (2000, 3)])
def test_panels_lie_inside_the_figure_and_apart(panels: int, shape: tuple[int, int]) -> None:
    layout = plan(panels, *shape, "a caption")
    places = np.array([layout.place(number) for number in range(panels)])
    assert (places[:, :2] > 0).all()
    assert (places[:, 0] + places[:, 2] < 1).all()
    assert (places[:, 1] + places[:, 3] < 1).all()
    assert len(np.unique(places.round(6), axis=0)) == panels


def test_a_long_caption_is_broken_into_lines() -> None:
    assert len(plan(4, 800, 600, "word " * 40).title) > 1


def test_the_footnote_tells_of_heads_and_forced_words() -> None:
    assert "mean of 2 heads" in footnote(a_trace(heads=("a", "b")), Options(), True)
    assert "no attention" in footnote(a_trace(heads=()), Options(), False)


def test_a_sentence_gets_a_matrix_with_words_down_and_tokens_across() -> None:
    made = figure(a_trace(words=("the", "house"), locations=Tokens(("la", "casa", "es"))), None, Options())
    matrix = made.axes[0]
    assert [label.get_text() for label in matrix.get_yticklabels()] == ["the", "house"]
    assert [label.get_text() for label in matrix.get_xticklabels()] == ["la", "casa", "es"]
    assert matrix.images[0].get_array().shape[:2] == (2, 3)


def test_a_query_gets_bars_in_source_order_with_their_numbers() -> None:
    trace = a_trace(words=("animal",), locations=Tokens(("cat", "stone", "x" * 90)))
    made = figure(trace, None, Options())
    assert [bar.get_width() for bar in made.axes[0].patches] == pytest.approx(trace.weights[0, 0].tolist())
    assert f"{trace.weights[0, 0, 1]:.3f}" in texts(made)
    assert max(map(len, texts(made))) < 90


def test_a_figure_of_very_many_words_is_drawn_coarser_and_stays_within_bounds() -> None:
    made = figure(a_trace(words=tuple("abcdefghij" * 4)), None, Options())
    with Image.open(io.BytesIO(rendered(lambda: made, ".png", Options(dpi=600)))) as image:
        assert 9_000_000 < image.width * image.height < 10_100_000
