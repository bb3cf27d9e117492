"""What is changed to ask "what if?": changes, undo and redo, what is remembered, and variants."""

from __future__ import annotations

import pytest
from helpers.traces import a_trace

from attnviewer.core.covers import Cover
from attnviewer.core.interventions import Intervention, kept_words
from attnviewer.ui.whatif import OWN, Change, Edits, Memory, Variants

SAID = ("a", "brown", "dog", "runs")
HERE = (0.0, 1.0)


def test_choosing_a_word_keeps_the_words_before_it() -> None:
    change = OWN.with_word(2, "cat", SAID)
    assert [(one.at, one.word, one.kept) for one in change.interventions] == [
        (0, "a", True), (1, "brown", True), (2, "cat", False)
    ]  # fmt: skip
    assert kept_words(change.interventions) == {0, 1}
    assert "cat" in change.name


def test_what_was_chosen_before_stays_and_what_was_chosen_after_goes() -> None:
    twice = OWN.with_word(1, "white", SAID).with_word(3, "sleeps", ("a", "white", "dog", "sits"))
    assert [one.at for one in twice.interventions if not one.kept] == [1, 3]
    back = twice.with_word(2, "cat", ("a", "white", "dog", "sleeps"))
    assert [(one.at, one.word) for one in back.interventions if not one.kept] == [(1, "white"), (2, "cat")]


def test_a_look_chooses_its_word_anew() -> None:
    change = OWN.with_word(2, "cat", SAID).with_look(2, HERE, ("a", "brown", "cat"))
    (look,) = (one for one in change.interventions if not one.kept)
    assert (look.at, look.word, look.weights) == (2, None, HERE)
    assert change.forced_look(2)
    assert not change.forced_look(1)


def test_a_word_chosen_over_a_look_keeps_the_look() -> None:
    change = OWN.with_look(2, HERE, SAID).with_word(2, "cat", SAID)
    assert [(one.word, one.looks) for one in change.interventions if one.at == 2] == [(None, True), ("cat", False)]


def test_a_look_for_the_rest_holds_for_all_words_after() -> None:
    change = OWN.with_look(1, HERE, SAID, rest=True)
    assert [change.forced_look(at) for at in range(4)] == [False, True, True, True]
    assert any(one.rest for one in change.with_word(3, "sits", SAID).interventions)


def test_words_of_a_given_text_are_no_words_that_merely_stay() -> None:
    change = Change(words=SAID).with_word(1, "white", SAID)
    assert change.words is None
    assert kept_words(change.interventions) == frozenset()


def test_covers_leave_what_is_said_to_the_model() -> None:
    change = OWN.with_covers([Cover((0, 0, 0.5, 0.5))])
    assert not change.steered
    assert OWN.with_word(0, "the", SAID).with_covers(change.covers).interventions[0] == Intervention(0, word="the")


def test_undo_and_redo_go_through_all_changes() -> None:
    edits, one, two = Edits(), OWN.with_word(0, "the", SAID), OWN.with_look(1, HERE, SAID)
    assert edits.make(one)
    assert edits.make(two)
    assert not edits.make(two)
    assert edits.undo()
    assert edits.now == one
    assert edits.redo()
    assert edits.now == two
    assert not edits.redo()
    assert edits.reset()
    assert edits.now == OWN
    assert edits.undo()
    assert edits.now == two


def test_a_new_change_forgets_what_was_undone() -> None:
    edits = Edits()
    edits.make(OWN.with_word(0, "the", SAID))
    edits.undo()
    edits.make(OWN.with_word(0, "two", SAID))
    assert not edits.redo()
    assert edits.undo()
    assert not edits.undo()


def test_the_newest_change_of_the_past_is_found() -> None:
    edits, free = Edits(), OWN.with_word(0, "the", SAID)
    edits.make(free)
    edits.make(free.with_look(1, HERE, SAID))
    assert edits.last(lambda change: not change.forced_look(1)) == free
    assert edits.last(lambda change: bool(change.covers)) is None


def test_the_very_trace_is_remembered_until_there_are_too_many() -> None:
    memory, traces = Memory[int](2), [a_trace() for _ in range(3)]
    for number, trace in enumerate(traces):
        memory.put(number, trace)
    assert memory.get(0) is None
    assert memory.get(2) is traces[2]


def test_a_change_is_kept_once_and_names_differ() -> None:
    variants, trace = Variants(), a_trace()
    first = variants.keep(OWN.with_word(0, "the", SAID), trace)
    assert variants.keep(OWN.with_word(0, "the", SAID), trace) is first
    second = variants.keep(OWN.with_word(0, "the", ("a", "cat")), trace)
    assert second is first
    third = variants.keep(OWN.with_look(0, HERE, SAID), trace)
    fourth = variants.keep(OWN.with_look(0, (1.0, 0.0), SAID), trace)
    assert len({one.name for one in variants.all}) == len(variants.all) == 3
    assert fourth.name.endswith("(2)")
    assert (third.text, third.logprob) == (trace.text, pytest.approx(float(trace.logprobs.sum())))


def test_a_variant_stands_below_the_one_that_it_goes_on_from() -> None:
    variants, trace = Variants(), a_trace()
    root = variants.keep(OWN, trace)
    white = variants.keep(OWN.with_word(1, "white", SAID), trace)
    cat = variants.keep(white.change.with_word(2, "cat", ("a", "white", "dog")), trace)
    assert (variants.parent(cat), variants.parent(white), variants.parent(root)) == (white, root, None)
    variants.drop(white)
    assert variants.parent(cat) is root
