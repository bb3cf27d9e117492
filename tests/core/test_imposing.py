"""What is imposed, as it is written on the command line and in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.imposing import gathered, gaze_of, gaze_weights, read_interventions, word_of
from attnviewer.core.interventions import Intervention
from attnviewer.core.serial import plain


def test_a_word_is_imposed_by_its_number() -> None:
    assert word_of("2=cat") == Intervention(2, word="cat")
    assert word_of(" 0 = a=b ") == Intervention(0, word="a=b")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2=5,7", Intervention(2, gaze=(5, 7))),
        ("0=3", Intervention(0, gaze=(3,))),
        ("2=0.1,0.2,0.5,0.9", Intervention(2, gaze=(0.1, 0.2, 0.5, 0.9))),
        ("2=0,0,1,1@2.3", Intervention(2, gaze=(0, 0, 1, 1), head="2.3")),
    ],
)
def test_a_gaze_is_a_cell_a_box_or_a_word_perhaps_of_one_head(text: str, wanted: Intervention) -> None:
    assert gaze_of(text) == wanted


@pytest.mark.parametrize(
    "text", ["", "2", "cat=2", "-1=3", "2=", "2=a,b", "2=1,2,3", "2=0.5,0,0.4,1", "2=-1,0", "2=nan"]
)
def test_a_gaze_that_is_none_is_told(text: str) -> None:
    with pytest.raises(UserError):
        gaze_of(text)


def test_a_cell_gets_all_the_weight() -> None:
    assert gaze_weights((1, 0), 6, 2).tolist() == [0, 0, 0, 1, 0, 0]


def test_a_box_shares_the_weight_by_what_it_covers() -> None:
    assert gaze_weights((0, 0, 0.75, 0.5), 4, 2).tolist() == pytest.approx([2 / 3, 1 / 3, 0, 0])


def test_a_source_word_gets_all_the_weight() -> None:
    assert gaze_weights((2,), 4, None).tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("gaze", "rows", "told"),
    [
        ((9, 0), 2, "rows 0 to 1"),
        ((0, 3), 2, "columns 0 to 2"),
        ((1,), 2, "a cell"),
        ((0, 1), None, "one of its words"),
        ((6,), None, "0 to 5"),
    ],
)
def test_a_place_that_is_not_there_is_told(gaze: tuple[float, ...], rows: int | None, told: str) -> None:
    with pytest.raises(UserError, match=told):
        gaze_weights(gaze, 6, rows)


def test_weights_and_a_gaze_together_are_refused() -> None:
    with pytest.raises(UserError, match="not both"):
        Intervention(0, weights=(1.0,), gaze=(0,))


ONE = {"at": 2, "word": "cat"}
TWO = {"at": 3, "gaze": [5, 7], "head": "1.0"}


@pytest.mark.parametrize(
    "data", [[ONE, TWO], {"interventions": [ONE, TWO]}, {"request": {"interventions": [ONE, TWO]}}]
)
def test_a_file_lists_interventions_or_is_a_saved_trace(data: object, tmp_path: Path) -> None:
    (tmp_path / "i.json").write_text(json.dumps(data))
    found = read_interventions(tmp_path / "i.json")
    assert found == (Intervention(2, "cat"), Intervention(3, head="1.0", gaze=(5, 7)))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[1]", "{}", '[{"word": "cat"}]', '[{"at": 2, "words": "cat"}]', '[{"at": 0, "gaze": 3}]']
)
def test_a_file_that_lists_none_is_told_by_its_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "i.json").write_text(text)
    with pytest.raises(UserError, match=r"i\.json"):
        read_interventions(tmp_path / "i.json")


def test_everything_a_call_names_is_gathered(tmp_path: Path) -> None:
    (tmp_path / "i.json").write_text('[{"at": 4, "weights": [1, 1]}]')
    found = gathered(["0=a"], ["1=2"], [str(tmp_path / "i.json")])
    assert [one.at for one in found] == [0, 1, 4]
    assert np.sum(found[2].weights or ()) == 2


def test_a_map_may_hold_for_the_rest_and_a_word_may_be_one_that_stays(tmp_path: Path) -> None:
    asked = (Intervention(0, word="a", kept=True), Intervention(1, gaze=(0, 1), rest=True))
    (tmp_path / "i.json").write_text(json.dumps([plain(one) for one in asked]))
    assert read_interventions(tmp_path / "i.json") == asked


def test_words_alone_are_kept_and_maps_alone_hold_for_the_rest() -> None:
    with pytest.raises(UserError, match="attention alone"):
        Intervention(0, word="a", rest=True)
    with pytest.raises(UserError, match="a word alone"):
        Intervention(0, gaze=(0, 1), kept=True)
