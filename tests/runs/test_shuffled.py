"""A sentence with its words in another order."""

from __future__ import annotations

from attnviewer.runs.asked import Asked, StandIn, shuffled


def test_words_move_with_their_places_and_what_stands_in_for_them() -> None:
    words = ("el", "perro", "negro", "come", "30", "manzanas", "hoy")
    stands = StandIn((4,), frozenset({"30"}), "4711", "rule")
    asked = Asked(words, tuple((place,) for place in range(len(words))), {4: stands})
    mixed = shuffled(asked)
    assert mixed.words != words
    assert sorted(mixed.words) == sorted(words)
    assert [words[place] for (place,) in mixed.places] == list(mixed.words)
    assert mixed.stand_ins == {mixed.words.index("30"): stands}
    assert shuffled(asked) == mixed
