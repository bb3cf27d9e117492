"""Steering: what is wished for, and whether it was followed; counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attnviewer.cli import main
from attnviewer.data.photos import Caption, Photo, Phrase
from attnviewer.measure.steering import Followed, Wish, boxed, heads_of, outcome_of, says, wish_for

LEFT, RIGHT, SPECK = (0.0, 0.0, 0.4, 1.0), (0.6, 0.0, 1.0, 1.0), (0.9, 0.9, 0.92, 0.92)


def photo(*phrases: tuple[str, tuple[float, float, float, float]]) -> Photo:
    """A photo with a caption of one boxed word for each phrase."""
    captions = tuple(Caption(("a", word), (Phrase(0, 2, (box,)),)) for word, box in phrases)
    return Photo("x.jpg", "test", captions)


HEADS = heads_of([photo(("dog", LEFT), ("ball", RIGHT), ("man", LEFT))])


def test_a_word_that_mostly_stands_before_a_noun_is_none() -> None:
    """In "the brown dog" brown is no noun, though "the dog is brown" may once have ended a phrase."""
    before = Caption(("a", "brown", "dog"), (Phrase(0, 3, (LEFT,)),))
    last = Caption(("a", "brown"), (Phrase(0, 2, (LEFT,)),))
    photos = [Photo("x.jpg", "test", (before, before, before, last))]
    assert heads_of(photos) == {"dog"}


def test_what_is_no_noun_is_never_wished_for() -> None:
    both = photo(("dog", LEFT), ("white", RIGHT))
    assert wish_for(both, ("a", "dog"), frozenset({"dog"})) is None


def test_the_wish_is_the_other_thing_that_people_named_most() -> None:
    both = photo(("dog", LEFT), ("ball", RIGHT), ("ball", RIGHT), ("man", RIGHT))
    assert wish_for(both, ("a", "dog", "runs"), HEADS) == Wish(1, "dog", "ball", (RIGHT,), frozenset({"ball", "man"}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (photo(("dog", LEFT), ("ball", RIGHT)), ("it", "runs")),  # no noun
        (photo(("dog", LEFT)), ("a", "dog")),  # nothing else
        (photo(("dog", LEFT), ("ball", RIGHT)), ("a", "dog", "and", "a", "ball")),  # all is said
        (photo(("dog", LEFT), ("ball", LEFT)), ("a", "dog")),  # at the same place
        (photo(("dog", LEFT), ("ball", SPECK)), ("a", "dog")),  # too small
    ],
)
def test_there_is_no_wish_without_a_noun_or_another_thing_elsewhere(given: Photo, words: tuple[str, ...]) -> None:
    assert wish_for(given, words, HEADS) is None


WISH = Wish(1, "dog", "ball", (RIGHT,), frozenset({"ball", "man"}))
BEFORE = ("a", "dog", "runs")


@pytest.mark.parametrize(
    ("after", "wanted"),
    [
        (BEFORE, Followed(False, False, False, False, False)),
        (("a", "dog", "sits"), Followed(True, False, False, False, False)),
        (("a", "ball", "rolls"), Followed(True, True, True, True, True)),
        (("a", "red", "ball"), Followed(True, True, True, False, True)),
        (("a", "man", "runs"), Followed(True, True, False, False, True)),
        (("a",), Followed(True, True, False, False, False)),
    ],
)
def test_what_became_of_a_wish(after: tuple[str, ...], wanted: Followed) -> None:
    assert outcome_of(WISH, BEFORE, after) == wanted


def test_plurals_and_other_words_for_a_thing_name_it() -> None:
    assert says("ball", ("two", "balls"))
    assert says("puppy", ("a", "dog"))
    assert not says("ball", ("a", "balloon"))


def test_boxes_of_one_thing_are_gathered() -> None:
    found = boxed(photo(("dog", LEFT), ("dog", RIGHT), ("ball", RIGHT)))
    assert list(found) == ["dog", "ball"]
    assert found["dog"] == (LEFT, RIGHT)


def test_photos_without_boxes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    (tmp_path / "images").mkdir()
    record = {"file": "a.jpg", "split": "test", "captions": [{"text": "a dog", "words": None, "phrases": None}]}
    with gzip.open(tmp_path / "annotations.jsonl.gz", "wt") as out:
        out.write(json.dumps(record) + "\n")
    assert main(["evaluate", "steering", "--data", str(tmp_path)]) == 2
    assert "boxed phrases" in capsys.readouterr().err
