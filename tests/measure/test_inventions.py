"""A caption's inventions are counted against the captions that people wrote and the labelled boxes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from attnviewer.core.doubt import Evidence
from attnviewer.data.photos import Caption, Photo, Thing
from attnviewer.measure.caption import Tally, _guesses, _inventions


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


def test_captions_that_invent_should_look_more_like_guesses() -> None:
    told = tally("a dog", "a cat")
    told.model = cast(
        Any,
        SimpleNamespace(
            card=SimpleNamespace(architecture={"guess_words": 1.0, "guess_thing": 1.0, "guess_offset": -2.0})
        ),
    )
    told.evidence = [Evidence(0.5, 0.5), Evidence(1.0, 2.0)]
    assert _guesses(told, [photo("a dog"), photo("a dog")]) == {"guessing": 0.5, "guess_auc": 1.0}
