"""Photos of data folders: captions, boxes, things, and folders that hold no such data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from helpers.nets import a_data_folder

from attnviewer.core.card import Preprocessing
from attnviewer.core.errors import UserError
from attnviewer.data.photos import Thing, captioned, load_photos, load_pixels, word_regions

BARE: dict[str, Any] = {"file": "1.jpg", "split": "train", "captions": []}


def folder(place: Path, *records: dict[str, Any]) -> Path:
    """A data folder of these records, without pictures."""
    place.mkdir()
    lines = "".join(json.dumps(BARE | record) + "\n" for record in records)
    (place / "annotations.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    return place


def test_words_keep_their_boxes_when_punctuation_falls_away(tmp_path: Path) -> None:
    photo = load_photos([a_data_folder(tmp_path / "data")], "train")[0]
    caption = photo.captions[0]
    regions = word_regions(caption, 14, 14)
    assert caption.words[:3] == ("a", "red", "square")
    assert (regions[:3].sum(axis=1) > 0).all()
    assert regions[3:].sum() == 0


def test_folders_are_read_one_behind_the_other_and_equal_names_stay_apart(tmp_path: Path) -> None:
    one, two = folder(tmp_path / "one", {}, {"split": "dev"}), folder(tmp_path / "two", {"file": "2.jpg"}, {})
    photos = load_photos([one, two, one], "train")
    assert [(photo.folder, photo.file) for photo in photos] == [(one, "1.jpg"), (two, "2.jpg"), (two, "1.jpg")]
    assert photos[0].path == str(one / "images" / "1.jpg")
    assert photos[0].path != photos[2].path


def test_things_are_read_with_their_boxes_and_what_was_looked_for(tmp_path: Path) -> None:
    things = [{"label": "dog", "box": [0, 0.25, 0.5, 1]}]
    full, part, none = load_photos([
        folder(
            tmp_path / "data",
            {"objects": things, "objects_full": True},
            {"objects": things, "objects_full": False, "objects_classes": "voc20"},
            {},
        )
    ])  # fmt: skip
    assert full.objects == (Thing("dog", (0.0, 0.25, 0.5, 1.0)),)
    assert (full.objects_full, full.objects_classes) == (True, "")
    assert (part.objects_full, part.objects_classes) == (False, "voc20")
    assert (none.objects, none.objects_full, none.objects_classes) == ((), False, "")


def test_a_photo_may_have_no_caption(tmp_path: Path) -> None:
    said = {"captions": [{"text": "A dog.", "words": None, "phrases": None}]}
    photos = load_photos([folder(tmp_path / "data", {}, said)])
    assert [photo.captions == () for photo in photos] == [True, False]
    assert captioned(photos) == photos[1:]
    assert photos[1].captions[0].words == ("a", "dog")


def test_a_photo_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"the photo .*99\.jpg can't be read"):
        load_pixels(tmp_path / "99.jpg", Preprocessing())


DAMAGED = [
    b"no gzip",
    gzip.compress(b"no json\n", mtime=0),
    gzip.compress(b"[1]\n", mtime=0),
    gzip.compress(b'{"file": "1.jpg"}\n', mtime=0),
]


@pytest.mark.parametrize("content", DAMAGED)
def test_annotations_that_are_damaged_are_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "annotations.jsonl.gz").write_bytes(content)
    with pytest.raises(UserError, match=r"annotations\.jsonl\.gz can't be read \(.*\); copy it again\.$") as caught:
        load_photos([tmp_path])
    assert "\n" not in str(caught.value)


def test_a_folder_without_annotations_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no annotations\.jsonl\.gz; give a folder of photos with --data\.$"):
        load_photos([tmp_path])
