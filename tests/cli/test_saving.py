"""What Python users meet: saving in any form, notebooks, short names, and the defaults of decoding."""

import inspect
import warnings
from pathlib import Path
from typing import Any

import pytest
from helpers.pictures import corners
from helpers.traces import a_trace

import attnviewer
from attnviewer.cli import main
from attnviewer.core.errors import UserError
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import usual_beam
from attnviewer.core.saving import photo_of
from attnviewer.core.trace import Tokens


@pytest.mark.parametrize("name", ["x.png", "x.svg", "x.pdf", "x.html", "x.gif", "x.csv", "x.json", "x.npz"])
def test_a_trace_saves_itself_in_every_form(name: str, engine: Any, photo: Path, tmp_path: Path) -> None:
    attnviewer.caption(photo).save(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 100


def test_a_translation_saves_its_links(tmp_path: Path) -> None:
    a_trace(("a", "b"), Tokens(("c", "d"))).save(tmp_path / "x.talp")
    assert (tmp_path / "x.talp").read_text().split()[0][1] == "-"


def test_an_unknown_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"end the name in one of"):
        a_trace().save(tmp_path / "x.doc")


def test_the_photo_of_an_array_is_kept_for_its_figure(engine: Any) -> None:
    trace = attnviewer.caption(corners(80, 60))
    found = photo_of(trace)
    assert found is not None
    assert (found.width, found.height) == (80, 60)


def test_letters_without_a_font_are_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="No installed font has"):
        a_trace(("\U000e0fff\U00016fff",)).save(tmp_path / "x.png")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        a_trace(("a",)).save(tmp_path / "y.png")


def test_notebooks_show_a_figure_or_a_page() -> None:
    trace = a_trace(("a", "<dog>"))
    assert trace._repr_png_().startswith(b"\x89PNG")
    assert trace._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in trace._repr_html_()


def test_a_trace_and_its_steps_are_told_in_one_short_line() -> None:
    trace = a_trace(("a", "dog"))
    assert repr(trace) == "Trace('caption', 'a dog', model='tiny', weights=[2, 1, 12])"
    assert repr(trace.steps[1]).startswith("Step('dog', logprob=-")
    assert len(repr(trace.steps)) < 150


def test_the_package_lists_what_users_call_and_nothing_else() -> None:
    assert dir(attnviewer) == sorted(attnviewer.__all__)


def test_interventions_are_documented_with_an_example() -> None:
    for call in (attnviewer.caption, attnviewer.translate):
        assert 'Intervention(2, word="cat")' in (inspect.getdoc(call) or "")


BEAMS = [
    ("caption", {}, 3),
    ("translate", {}, 4),
    ("caption", {"attention": "hard"}, 1),
    ("caption", {"attention": "uniform"}, 3),
    ("caption", {"steered": True}, 1),
    ("translate", {"words": 60}, 4),
    ("translate", {"words": 61}, 1),
    ("query", {}, 1),
]


@pytest.mark.parametrize(("task", "how", "beam"), BEAMS)
def test_a_task_has_its_usual_beam(task: str, how: dict[str, Any], beam: int) -> None:
    assert usual_beam(task, **how) == beam


def beam_of(engine: Any) -> int:
    return int(engine.requests[-1].decoding.beam)


def test_python_and_the_command_line_search_alike(engine: Any, photo: Path) -> None:
    seen = []
    for how, options in (({}, []), ({"attention": "hard"}, ["--attention", "hard"]), ({"beam": 1}, ["--beam", "1"]),
                         ({"words": "a dog"}, ["--words", "a dog"])):  # fmt: skip
        attnviewer.caption(photo, **how)  # type: ignore[arg-type]
        seen.append(beam_of(engine))
        assert main(["caption", str(photo), *options]) == 0
        seen.append(beam_of(engine))
    assert seen == [3, 3, 1, 1, 1, 1, 1, 1]
    attnviewer.caption(photo, interventions=[Intervention(1, word="cat")])
    assert beam_of(engine) == 1
    assert main(["caption", str(photo), "--compare"]) == 0
    rows = [(request.attention, request.decoding.beam) for request in engine.requests[-5:]]
    assert rows == [("none", 3), ("soft", 3), ("hard", 1), ("uniform", 3), ("soft", 3)]  # the last is a Transformer


def test_a_form_without_a_folder_says_what_to_do(engine: Any, photo: Path, capsys: Any) -> None:
    assert main(["caption", str(photo), "--form", "csv"]) == 2
    assert capsys.readouterr().err == (
        "attnviewer: --form is for files in a folder; add the folder, such as -o out/ --form csv\n"
    )


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_query_is_refused(text: str, capsys: Any) -> None:
    assert main(["query", text, "--sentence", "a b"]) == 2
    assert "there is no word in the query" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["caption", "translate", "query", "evaluate", "train"])
def test_the_help_of_a_verb_has_examples(verb: str, capsys: Any) -> None:
    assert main([verb, "--help"]) == 0
    assert f"examples:\n  attnviewer {verb} " in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["caption", "translate", "query"])
def test_the_help_names_every_form_of_the_output(verb: str, capsys: Any) -> None:
    main([verb, "--help"])
    out = capsys.readouterr().out
    assert ".html" in out
    assert (".talp" in out) == (verb == "translate")
    assert (".gif" in out) == (verb == "caption")


def test_compared_captions_say_what_their_number_is(engine: Any, photo: Path, capsys: Any) -> None:
    assert main(["caption", str(photo), "--compare"]) == 0
    assert all(line.split("\t")[2].startswith("log-probability -") for line in capsys.readouterr().out.splitlines())
