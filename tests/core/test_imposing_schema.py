"""The schema of files of interventions and the reader agree, and a fault is told by its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.imposing import cover_from, read_imposed
from attnviewer.core.interventions import Intervention
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import CaptionRequest

SCHEMA = json.loads((resources_dir() / "interventions.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
PICTURE = Picture(np.arange(48, dtype=np.uint8).reshape(4, 4, 3), "a.png")
ONE = {"at": 2, "word": "cat"}
BOX = [0.1, 0.2, 0.5, 0.9]
GOOD: list[Any] = [
    [ONE],
    [{"at": 0, "gaze": [3]}, {"at": 1, "gaze": [5, 7]}, {"at": 2, "gaze": BOX, "head": "1.0", "rest": True}],
    [{"at": 0, "weights": [0.0, 0.5, 0.5], "rest": True}, {"at": 0, "word": "a", "kept": True}],
    {"interventions": [ONE]},
    {"covers": [{"box": BOX}, {"box": BOX, "how": "blur"}]},
    {"request": {"interventions": [ONE], "covers": []}},
    {"request": {"interventions": [], "covers": [{"box": BOX, "how": "grey"}]}},
]
BAD: list[Any] = [
    [], {}, 3, "cat", None, [3], {"interventions": []}, {"request": {"interventions": []}},
    [{"word": "cat"}], [{"at": -1, "word": "cat"}], [{"at": "2", "word": "cat"}], [{"at": 1.5, "word": "cat"}],
    [{"at": 0, "word": " "}], [{"at": 0, "words": "cat"}], [{"at": 0, "gaze": 3}], [{"at": 0, "gaze": [1, 2, 3]}],
    [{"at": 0, "gaze": [-1, 0]}], [{"at": 0, "gaze": [0, 0, 2, 2]}], [{"at": 0, "gaze": [1], "weights": [1.0]}],
    [{"at": 0, "word": "a", "rest": True}], [{"at": 0, "gaze": [1], "kept": True}], [{"at": 0, "gaze": [1], "rest": 1}],
    {"covers": [{"box": [0, 0, 1]}]}, {"covers": [{"box": BOX, "how": "red"}]}, {"covers": [{"box": BOX, "at": 1}]},
]  # fmt: skip


def read(data: Any, folder: Path) -> Any:
    (folder / "i.json").write_text(json.dumps(data))
    return read_imposed(folder / "i.json")


@pytest.mark.parametrize("data", GOOD)
def test_what_the_schema_takes_is_read(data: Any, tmp_path: Path) -> None:
    VALID.validate(data)
    found = read(data, tmp_path)
    assert found.interventions or found.covers


@pytest.mark.parametrize("data", BAD)
def test_what_the_schema_refuses_is_refused_in_one_line(data: Any, tmp_path: Path) -> None:
    assert not VALID.is_valid(data)
    with pytest.raises(UserError, match=r"i\.json") as fault:
        read(data, tmp_path)
    assert "\n" not in str(fault.value)


def test_a_fault_tells_which_one_it_is(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"i\.json, number 1 \(from 0\)"):
        read([ONE, {"at": 0, "gaze": [9, 9, 9]}], tmp_path)


def test_a_whole_request_is_valid_and_comes_back(tmp_path: Path) -> None:
    asked = (Intervention(0, word="a", kept=True), Intervention(1, weights=(0.5, 0.5), rest=True))
    covers = (Cover((0, 0, 0.5, 1), "blur"),)
    data = {"request": CaptionRequest(PICTURE, interventions=asked, covers=covers).to_dict()}
    VALID.validate(data)
    found = read(data, tmp_path)
    assert (found.interventions, found.covers) == (asked, covers)


def test_another_photo_than_the_one_it_was_made_with_is_noticed(tmp_path: Path) -> None:
    data = {"request": CaptionRequest(PICTURE, interventions=(Intervention(0, word="a"),)).to_dict()}
    found = read(data, tmp_path)
    assert not found.mismatch(Picture(PICTURE.pixels, "elsewhere.png"))
    assert found.mismatch(Picture(PICTURE.pixels[::-1]))
    assert not read([ONE], tmp_path).mismatch(PICTURE)


def test_a_cover_is_written_as_its_box(tmp_path: Path) -> None:
    assert cover_from("0.1,0.2,0.5,0.9") == Cover((0.1, 0.2, 0.5, 0.9))
    assert cover_from("0,0,1,1=blur").how == "blur"
    for text in ("", "1", "a,b,c,d", "0,0,1,1=red"):
        with pytest.raises(UserError):
            cover_from(text)
