"""Lessons and states are read, and what is wrong in them is told by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError
from attnviewer.core.lessons.asking import change_of, photo_path, request_of
from attnviewer.core.lessons.claims import Claim, Outcome, outcome, wanted
from attnviewer.core.lessons.measures import MEASURES
from attnviewer.core.lessons.personal import personal
from attnviewer.core.lessons.states import FIELDS, State, checked_state, read_state, state_text
from attnviewer.core.lessons.stops import is_lesson, lessons_dir, read_lesson
from attnviewer.core.lessons.toml import Document
from attnviewer.core.request import AttendRequest, QueryRequest, TranslateRequest

STOP = """title = "Weights"
text = "A net."
asks = "How many?"
answers = ["few", "many"]
right = 1
reveal = "It has {count.first} weights, {count.ratio} times {count.second}."
look = "mlp.count"

[state]
panel = "foundations"
experiment = "mlp"

[[claim]]
name = "count"
measure = "weights"
sign = ">"

[claim.first]
side = 200

[claim.second]
side = 100
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.toml"
    path.write_text(STOP, "utf-8")
    return path


def test_a_stop_is_read_with_its_states_over_each_other(lesson: Path) -> None:
    stop = read_lesson(lesson).stops[0]
    assert stop.claims[0].first.values == {"experiment": "mlp", "side": 200}
    assert stop.shown == stop.state


def test_a_claim_is_measured_and_told(lesson: Path) -> None:
    claim = read_lesson(lesson).stops[0].claims[0]
    found = outcome(claim, {state.run: None for state in wanted([claim])})
    assert found.holds
    assert found.told == {"first": "1,600,000,000", "second": "100,000,000", "ratio": "16",
                          "difference": "1,500,000,000"}  # fmt: skip


@pytest.mark.parametrize(
    ("sign", "first", "second", "holds"),
    [(">", 2, 1, True), (">", 1, 2, False), ("<", 1, 2, True), ("=", 1, 1.001, True), ("=", 1, 1.1, False),
     (">", 1.001, 1, False)],
)  # fmt: skip
def test_a_sign_says_what_has_to_be_larger(sign: str, first: float, second: float, holds: bool) -> None:
    claim = Claim("c", "weights", State("foundations"), State("foundations"), sign)
    assert Outcome(claim, first, second).holds is holds


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "Weights"\n', "", 1, "has no 'title'"),
        ("right = 1", "right = 2", 5, "from 0 to 1"),
        ('answers = ["few", "many"]', 'answers = ["few"]', 4, "two to four answers"),
        ("answers = [", "answers = ", 4, "no TOML"),
        ('look = "mlp.count"', 'lok = "mlp.count"', 7, "no 'lok'"),
        ('panel = "foundations"', 'panel = "foundation"', 10, "no panel 'foundation'"),
        ('panel = "foundations"\n', "", 9, "needs a panel"),
        ('experiment = "mlp"', 'experiment = "mpl"', 11, "one of mlp, conv"),
        ('experiment = "mlp"', 'experimnt = "mlp"', 11, "has no 'experimnt'"),
        ('measure = "weights"', 'measure = "weight"', 15, "no measure 'weight'"),
        ('measure = "weights"', 'measure = "peak"', 18, "peak is measured in image, translate"),
        ('sign = ">"', 'sign = ">="', 16, "no sign '>='"),
        ("side = 200", "side = -2", 19, "a number above 0"),
        ("{count.ratio}", "{cost.ratio}", 6, "no claim gives {cost.ratio}"),
        ("{count.ratio}", "{count.__class__}", 6, "no claim gives {count.__class__}"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    path = tmp_path / "broken.toml"
    assert old in STOP
    path.write_text(STOP.replace(old, new), "utf-8")
    with pytest.raises(UserError) as caught:
        read_lesson(path)
    assert f"broken.toml, line {line}:" in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_may_hold_several_stops_whose_lines_are_told_too(tmp_path: Path) -> None:
    several = tmp_path / "several.toml"
    one = (
        STOP.replace("[state]", "[stop.state]")
        .replace("[[claim]]", "[[stop.claim]]")
        .replace("[claim.", "[stop.claim.")
    )
    text = f'title = "Two"\n\n[[stop]]\n{one}\n[[stop]]\n{one}'
    several.write_text(text, "utf-8")
    assert len(read_lesson(several).stops) == 2
    assert read_lesson(several).title == "Two"
    broken = text[::-1].replace("side = 100"[::-1], "side = no"[::-1], 1)[::-1].replace("side = no", 'side = "no"')
    several.write_text(broken, "utf-8")
    line = 1 + next(n for n, row in enumerate(broken.splitlines()) if '"no"' in row)
    with pytest.raises(UserError, match=f"line {line}: side has to be"):
        read_lesson(several)


def test_a_translation_replaces_the_texts_alone(lesson: Path) -> None:
    beside = lesson.with_suffix(".zh.toml")
    text = 'title = "权重"\ntext = "一个网络。"\nasks = "多少？"\nanswers = ["少", "多"]\nreveal = "{count.first}"\n'
    beside.write_text(text, "utf-8")
    stop = read_lesson(lesson, "zh").stops[0]
    assert (stop.title, stop.answers, stop.right) == ("权重", ("少", "多"), 1)
    assert stop.claims == read_lesson(lesson).stops[0].claims
    beside.write_text(text + "right = 0\n", "utf-8")
    with pytest.raises(UserError, match="line 6: a translation holds texts alone"):
        read_lesson(lesson, "zh")


def test_a_state_is_written_and_read_again(tmp_path: Path) -> None:
    values = {"photo": "band.jpg", "mode": "soft", "word": 3, "words": 'a "man"\nplays'}
    state = State("image", values, ({"at": 2, "gaze": [5, 7]},))
    path = tmp_path / "state.toml"
    path.write_text(state_text(state), "utf-8")
    back = read_state(path)
    assert (back.panel, back.values, back.interventions) == ("image", values, ({"at": 2, "gaze": [5, 7]},))
    assert not is_lesson(path)


def test_a_state_with_a_wrong_intervention_tells_its_line(tmp_path: Path) -> None:
    path = tmp_path / "state.toml"
    path.write_text('panel = "image"\n\n[[intervention]]\nat = 1\nword = "cat"\n\n[[intervention]]\nat = -1\n', "utf-8")
    with pytest.raises(UserError, match=r"state.toml, line 7: words are counted from 0"):
        read_state(path)


def test_a_photo_is_a_sample_or_lies_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.jpg").touch()
    assert photo_path(State("image", {"photo": "mine.jpg"}, folder=tmp_path)) == tmp_path / "mine.jpg"
    sample = photo_path(State("image", {"photo": "band.jpg"}, folder=tmp_path))
    assert sample is not None
    assert sample.is_file()
    assert photo_path(State("image", folder=tmp_path)) is None


def test_states_ask_what_their_panels_ask() -> None:
    translate = request_of(State("translate", {"text": "La casa.", "shuffle": True}), None)
    assert isinstance(translate, TranslateRequest)
    assert translate.shuffle == 1
    assert translate.decoding.beam == 4
    asked = request_of(
        State("query", {"items": "words", "sentence": "a b c", "query": "a", "scales": {"1": 5.0}}), None
    )
    assert isinstance(asked, QueryRequest)
    assert asked.scales == (1.0, 5.0, 1.0)
    attend = request_of(State("transformer", {"text": "a b", "off": [[0, 1]], "mask": "future"}), None)
    assert isinstance(attend, AttendRequest)
    assert attend.change == Ablation(off=((0, 1),), mask="future")
    assert change_of(State("transformer")) == Ablation()


def test_a_state_that_lacks_its_photo_says_so() -> None:
    with pytest.raises(UserError, match="needs a photo"):
        request_of(State("image", {"mode": "soft"}), None)


def test_another_panel_begins_with_its_own_values() -> None:
    state = State("image", {"mode": "soft"}).over({"panel": "translate", "text": "La casa."})
    assert (state.panel, dict(state.values)) == ("translate", {"text": "La casa."})


def test_states_that_differ_in_what_is_looked_at_run_once() -> None:
    base = State("foundations", {"experiment": "field", "photo": "band.jpg"})
    claim = Claim("c", "patch_probability", base.over({"patch": 0}), base.over({"patch": 9}), "<")
    assert len(wanted([claim])) == 1


def test_each_measure_is_of_panels_that_there_are() -> None:
    assert all(measure.panels and set(measure.panels) <= set(FIELDS) for measure in MEASURES.values())


def test_a_state_that_is_no_table_is_refused() -> None:
    with pytest.raises(UserError, match="line 1: this has to be a table"):
        checked_state(Document("state = 3\n", "x.toml"), ("state",))


def test_a_sentence_of_ones_own_takes_the_place_of_the_lessons() -> None:
    stop = read_lesson(lessons_dir() / "08-content.toml").stops[0]
    own = personal(stop, stop.state.over({"text": "Buenas noches."}))
    assert {one["text"] for claim in own.claims for one in (claim.first, claim.second)} == {"Buenas noches."}
    assert own.shown["text"] == "Buenas noches."
    assert personal(stop, stop.state) is stop


def test_a_stop_about_one_word_keeps_its_own_sentence_where_the_learners_lacks_the_word() -> None:
    stop = read_lesson(lessons_dir() / "10-context.toml").stops[0]
    assert personal(stop, stop.state.over({"text": "A bat flew."})) is stop
    assert personal(stop, stop.state.over({"text": "My bank is closed."})).shown["text"] == "My bank is closed."
