"""Saving a trace in every form."""

import csv
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_trace
from PIL import Image

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid, Source, Step, Tokens, Trace
from attnviewer.export import FORMS, Options, check, offered, save

PICTURE = Picture(corners(80, 60))
SENTENCE = Tokens(("la", "casa", "es", "pequena"))
HEADS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml", ".gif": b"GIF89a", ".json": b"{", ".npz": b"PK"}


def without_attention() -> Trace:
    """A caption of a model that has no attention."""
    steps = tuple(Step(word, -1.0, np.zeros((0, 12))) for word in ("a", "dog"))
    return Trace("caption", "tiny", Source("image", None, 80, 60), Grid(3, 4, (0, 0, 80, 60)), (), steps)


@pytest.mark.parametrize("suffix", HEADS)
def test_every_form_begins_as_its_kind_of_file_does(suffix: str, tmp_path: Path) -> None:
    save(a_trace(words=("a", "dog")), PICTURE, tmp_path / f"out{suffix}")
    assert (tmp_path / f"out{suffix}").read_bytes().startswith(HEADS[suffix])


@pytest.mark.parametrize("suffix", [".png", ".svg", ".gif", ".csv", ".json"])
@pytest.mark.parametrize("trace", [without_attention(), a_trace(words=())], ids=["no attention", "no words"])
def test_traces_without_maps_are_saved_too(suffix: str, trace: Trace, tmp_path: Path) -> None:
    save(trace, PICTURE, tmp_path / f"out{suffix}")
    assert (tmp_path / f"out{suffix}").stat().st_size > 100


@pytest.mark.parametrize("words", [("the", "house"), ("query",), ()])
def test_traces_over_tokens_become_a_matrix_or_bars(words: tuple[str, ...], tmp_path: Path) -> None:
    save(a_trace(words=words, locations=SENTENCE), None, tmp_path / "out.png")
    with Image.open(tmp_path / "out.png") as image:
        assert min(image.size) > 50


def test_an_animation_of_a_sentence_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"needs a picture with a caption; end the name in one of \.json"):
        save(a_trace(locations=SENTENCE), None, tmp_path / "out.gif")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_trace_gives_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(a_trace(words=("a",)), PICTURE, tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_words_with_dollar_signs_are_no_formulas(tmp_path: Path) -> None:
    save(a_trace(words=("$x_{", "<b>", "\\frac")), PICTURE, tmp_path / "out.svg")
    assert b"<svg" in (tmp_path / "out.svg").read_bytes()


def test_an_animation_shows_the_photo_and_then_each_word(tmp_path: Path) -> None:
    save(a_trace(words=("a", "dog", "runs")), PICTURE, tmp_path / "out.gif", Options(seconds=0.5))
    with Image.open(tmp_path / "out.gif") as image:
        assert image.n_frames == 4
        assert image.info["duration"] == 500
        assert image.info["loop"] == 0


def test_the_csv_has_a_row_for_each_word_and_location(tmp_path: Path) -> None:
    trace = a_trace(words=("a", "dog"), heads=("one", "two"))
    save(trace, PICTURE, tmp_path / "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").open(encoding="utf-8")))
    assert len(rows) == 2 * 2 * 12
    weights = np.array([float(row["weight"]) for row in rows], dtype=np.float32).reshape(2, 2, 12)
    np.testing.assert_array_equal(weights, trace.weights)
    assert (rows[5]["row"], rows[5]["column"], rows[5]["left"], rows[5]["bottom"]) == ("1", "1", "20.0", "40.0")


def test_the_csv_of_a_sentence_names_the_tokens(tmp_path: Path) -> None:
    save(a_trace(words=("the",), locations=SENTENCE), None, tmp_path / "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").open(encoding="utf-8")))
    assert [row["token"] for row in rows] == list(SENTENCE.tokens)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("out.bmp", "end the name in"), ("out", "end the name in"), ("nowhere/out.png", "doesn't exist")],
)
def test_a_place_that_cannot_be_written_is_known_before_the_run(name: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=complaint):
        check(tmp_path / name)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "out.png").mkdir()
    with pytest.raises(UserError, match="is a folder"):
        check(tmp_path / "out.png")


def test_a_film_says_which_package_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install imageio-ffmpeg` or choose \.gif"):
        check(tmp_path / "out.mp4")


def test_every_form_has_a_writer() -> None:
    for form in FORMS.values():
        module = importlib.import_module(f"attnviewer.export.{form.module}")
        assert callable(getattr(module, form.writer.partition(":")[2]))


@pytest.mark.parametrize(
    ("task", "without"), [("caption", [".talp"]), ("translate", [".gif", ".mp4"]), ("query", [".talp", ".gif", ".mp4"])]
)
def test_each_task_is_offered_the_forms_that_suit_it(task: str, without: list[str]) -> None:
    assert [suffix for suffix in FORMS if suffix not in offered(task)] == without


def test_a_form_that_does_not_suit_says_why(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"^links are between the words of a translation; end the name in one of \.json"
    ):
        check(tmp_path / "a.talp", "caption")


def test_an_unknown_colour_table_is_refused() -> None:
    with pytest.raises(UserError, match="no colour table jet"):
        Options(table="jet")
