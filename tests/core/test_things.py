"""Things are found in captions by whole runs of words, and invented ones are counted."""

import pytest

from attnviewer.core.things import hallucination, named, names_of, things


def found(caption: str) -> list[str]:
    return [name.thing for name in named(caption.split())]


def test_there_are_eighty_classes() -> None:
    assert len(things()) == 80


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("a hot dog on a plate", ["hot dog"]),
        ("two dogs and a puppy", ["dog", "dog"]),
        ("a teddy bear on a bed", ["teddy bear", "bed"]),
        ("people wait at the train station", ["person"]),
        ("a man rides a dirt bike", ["person", "motorcycle"]),
        ("an orange cat", ["cat"]),
        ("a glass of wine and knives", ["wine glass", "knife"]),
        ("", []),
    ],
)
def test_the_longest_run_of_words_counts(caption: str, expected: list[str]) -> None:
    assert found(caption) == expected


def test_a_name_says_where_its_words_are() -> None:
    name = named(["a", "red", "fire", "truck"])[0]
    assert (name.start, name.end, name.thing) == (2, 4, "truck")


def test_a_thing_that_a_box_or_a_caption_knows_is_not_invented() -> None:
    score = hallucination(
        [["a", "dog", "and", "a", "cat", "on", "a", "bench"]], [[["a", "puppy"], ["a", "sofa"]]], [{"cat"}]
    )
    assert (score.per_thing, score.per_caption, score.recall) == (1 / 3, 1.0, 1 / 2)


def test_captions_that_name_nothing_have_no_share_of_inventions() -> None:
    score = hallucination([["green", "hills"]], [[["hills"]]], [set()])
    assert (score.per_thing, score.per_caption, score.recall) == (None, 0.0, None)


def test_names_of_several_captions_are_taken_together() -> None:
    assert names_of([["a", "dog"], ["a", "cat", "and", "a", "dog"]]) == {"cat", "dog"}
