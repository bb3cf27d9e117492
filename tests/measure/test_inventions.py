"""A caption's inventions are counted against the captions that people wrote and the labelled boxes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from attnviewer.data.photos import Caption, Photo, Thing
from attnviewer.measure.caption import Tally, _inventions


def tally(*said: str) -> Tally:
    return Tally(cast(Any, SimpleNamespace()), cast(Any, SimpleNamespace()), list(said))


def photo(caption: str, *labels: str) -> Photo:
    things = tuple(Thing(label, (0.0, 0.0, 1.0, 1.0)) for label in labels)
    return Photo("a.jpg", "dev", (Caption(tuple(caption.split()), ()),), things, folder=Path("d"))


def test_things_are_counted_over_all_photos() -> None:
    photos = [photo("a dog on grass"), photo("an empty room", "chair")]
    figures = _inventions(tally("a dog with a frisbee", "a chair"), photos)
    assert figures == {"chair_thing": 0.3333, "chair_caption": 0.5, "recall": 1.0}


def test_a_share_of_nothing_is_left_out() -> None:
    assert _inventions(tally("green hills"), [photo("hills")]) == {"chair_caption": 0.0}
