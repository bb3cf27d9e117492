"""A box over a photo: how much of each word's attention lies in it, as numbers, JSON, CSV and in a figure."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.traces import a_trace, with_maps
from hypothesis import given, settings
from hypothesis import strategies as some

from attnviewer.core.boxed import area, box_around, box_of, boxed, shares, told
from attnviewer.core.heads import MAX, looking
from attnviewer.core.trace import Tokens
from attnviewer.export import save
from attnviewer.export.options import Options
from attnviewer.export.picture import footnote

LEFT = (0.0, 0.0, 0.5, 1.0)
SIDES = some.tuples(some.floats(0, 0.4), some.floats(0, 0.4), some.floats(0.5, 1), some.floats(0.5, 1))


def test_the_share_is_what_the_box_covers_of_each_cell() -> None:
    trace = with_maps(np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]]), 2, 2)
    assert shares(trace, LEFT) == pytest.approx([1, 0, 0.5])
    assert shares(trace, (0, 0, 0.25, 0.5)) == pytest.approx([0.5, 0, 0.125])


@settings(max_examples=40, deadline=None)
@given(box=SIDES)
def test_a_uniform_map_gives_a_box_its_area(box: tuple[float, float, float, float]) -> None:
    (share,) = shares(with_maps(np.ones((1, 12)), 3, 4), box)
    assert share == pytest.approx(area(box), abs=1e-5)


def test_the_whole_photo_has_all_the_attention() -> None:
    assert shares(a_trace(), (0, 0, 1, 1)) == pytest.approx([1.0] * len(a_trace().steps), abs=1e-5)


def test_a_head_is_asked_as_it_is_shown() -> None:
    trace = looking(a_trace(heads=("0", "1")), MAX)
    assert all(0 <= share <= 1 for share in shares(trace, LEFT) if share is not None)


def test_words_without_maps_and_texts_have_no_share() -> None:
    trace = a_trace(heads=())
    assert set(shares(trace, LEFT)) == {None}
    assert set(shares(a_trace(locations=Tokens(("el", "perro"))), LEFT)) == {None}


def test_the_box_stays_with_the_trace() -> None:
    trace = boxed(a_trace(), LEFT)
    assert box_of(trace) == LEFT
    assert box_of(a_trace()) is None
    assert box_of(replace(trace, request={"box": [1, 2]})) is None
    plain = a_trace()
    assert boxed(plain, None) is plain


def test_json_tells_the_box_its_area_and_the_shares() -> None:
    data = boxed(a_trace(), LEFT).to_dict()
    assert data["inside"] == told(boxed(a_trace(), LEFT))
    assert data["inside"]["box"] == list(LEFT)
    assert data["inside"]["area"] == pytest.approx(0.5)
    assert len(data["inside"]["inside"]) == len(data["steps"])
    assert "inside" not in a_trace().to_dict()


def test_csv_has_two_columns_more(tmp_path: Path) -> None:
    trace = boxed(a_trace(), LEFT)
    save(trace, None, tmp_path / "a.csv")
    rows = list(csv.DictReader((tmp_path / "a.csv").open(encoding="utf-8")))
    assert {float(row["box_area"]) for row in rows} == {0.5}
    found = {int(row["step"]): float(row["inside_box"]) for row in rows}
    assert list(found.values()) == pytest.approx(shares(trace, LEFT))


def test_a_figure_shows_the_box_and_says_what_its_numbers_are(tmp_path: Path) -> None:
    trace = boxed(a_trace(), LEFT)
    assert "50% of the photo" in footnote(trace, Options(), True)
    save(trace, None, tmp_path / "a.svg")
    save(a_trace(), None, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").stat().st_size > (tmp_path / "b.svg").stat().st_size


def test_the_box_around_a_map_holds_what_hangs_together_with_its_peak() -> None:
    weights = np.array([[0, 0, 0, 9], [0, 6, 5, 0], [0, 10, 1, 0], [0, 5, 0, 9]], np.float32)
    assert box_around(weights) == (0.25, 0.25, 0.75, 1.0)
    assert box_around(weights, share=0.6) == (0.25, 0.25, 0.5, 0.75)
    assert box_around(np.full((2, 5), 0.1, np.float32)) == (0, 0, 1, 1)
