"""The command line as a whole: exit statuses, one-line complaints, and what it doesn't import."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.traces import a_trace

from attnviewer import app
from attnviewer.cli import VERBS, main
from attnviewer.core.card import find_cards
from attnviewer.core.paths import models_dir, resources_dir
from attnviewer.measure.aligners import ALIGNERS
from attnviewer.measure.options import translate as aligned
from attnviewer.nets.multihead import POSITIONS
from attnviewer.nets.vision import ENCODERS
from attnviewer.train.caption.nets import NETS as CAPTIONERS
from attnviewer.train.options import caption as caption_options
from attnviewer.train.options import translate as translate_options
from attnviewer.train.translate.nets import NETS as TRANSLATORS
from attnviewer.verbs.evaluate import TASKS as MEASURED
from attnviewer.verbs.train import TASKS as TRAINED

BEACH = resources_dir() / "images" / "beach.jpg"


def one_line(text: str) -> bool:
    """Whether this is a single complaint and no traceback."""
    return text.count("\n") == 1 and text.startswith("attnviewer: ") and "Traceback" not in text


def python(code: str, **options: Any) -> "subprocess.Popen[str]":
    """A fresh interpreter that sees the checkout."""
    source = str(Path(app.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": source}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen([sys.executable, "-c", code], env=environment, text=True, **streams)


@pytest.mark.parametrize(
    "call",
    [
        ["caption"],
        ["caption", "missing.jpg"],
        ["caption", str(BEACH), "--beam", "many"],
        ["caption", str(BEACH), "--beam", "0"],
        ["caption", str(BEACH), "--seed", "-1"],
        ["caption", str(BEACH), "--seed", "9" * 30],
        ["caption", str(BEACH), "--attention", "jumpy"],
        ["caption", str(BEACH), "--bea", "3"],
        ["captoin", "x.jpg"],
        ["missing.jpg"],
        ["models", "--models-dir", "missing"],
        ["train"],
        ["train", "sleep"],
        ["evaluate"],
        [""],
    ],
    ids=" ".join,
)
def test_a_faulty_call_gets_one_line_and_status_2(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert one_line(said.err)


def test_a_file_that_is_no_image_gets_one_line_before_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "run_app", lambda *given, **options: pytest.fail("the window was opened"))
    (tmp_path / "page.jpg").write_text("<html><body>404</body></html>")
    assert main([str(tmp_path / "page.jpg")]) == 2
    assert "is a web page" in capsys.readouterr().err


def test_a_fault_of_ours_gets_one_line_and_status_1(
    engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.fault = ZeroDivisionError("first\nsecond")
    assert main(["caption", str(photo)]) == 1
    said = capsys.readouterr().err
    assert one_line(said)
    assert "ZeroDivisionError: first second" in said


def test_an_interrupt_is_quiet_and_status_130(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine.fault = KeyboardInterrupt()
    assert main(["caption", str(photo)]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("call", [["--help"], ["--version"], *([verb, "--help"] for verb in VERBS)], ids=" ".join)
def test_help_and_version_are_printed_with_status_0(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 0
    assert "attnviewer" in capsys.readouterr().out


def test_the_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    out = capsys.readouterr().out
    assert all(f"attnviewer {verb}" in out for verb in VERBS)


@pytest.mark.parametrize(
    ("call", "opened"),
    [
        ([], (None, False, False, "")),
        ([str(BEACH)], (BEACH, False, False, "")),
        (["--timings", str(BEACH), "--quit-when-done"], (BEACH, True, True, "")),
        ([str(BEACH.parent), "--lang", "zh"], (BEACH.parent, False, False, "zh")),
    ],
)
def test_without_a_verb_the_window_opens(
    call: list[str], opened: tuple[Any, bool, bool, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def run_app(image: Path | None, *, timings: bool, quit_when_done: bool, language: str) -> int:
        seen.append((image, timings, quit_when_done, language))
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    assert main(call) == 0
    assert seen == [opened]


def test_models_lists_every_installed_card(capsys: pytest.CaptureFixture[str]) -> None:
    cards = find_cards(models_dir())
    assert main(["models"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split()[0] for row in rows] == [card.id for card in cards]
    assert all(card.licence in row for card, row in zip(cards, rows, strict=True))


def test_models_as_json_are_the_whole_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [card["id"] for card in listed] == [card.id for card in find_cards(models_dir())]
    assert all(card["data"]["terms"] for card in listed)


def test_a_task_has_options_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "caption", "--help"]) == 0
    assert "--data" in capsys.readouterr().out
    assert main(["train", "caption"]) == 2
    assert "attnviewer train caption --help" in capsys.readouterr().err


@pytest.mark.parametrize(("verb", "task"), [("train", t) for t in TRAINED] + [("evaluate", t) for t in MEASURED])
def test_the_help_of_a_task_loads_no_torch(verb: str, task: str) -> None:
    code = (
        "import sys; from attnviewer.cli import main; status = main(sys.argv[1:]);"
        "sys.exit(status or 10 * ('torch' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code, verb, task, "--help"], capture_output=True).returncode == 0


def test_options_name_what_there_is() -> None:
    assert tuple(ENCODERS) == caption_options.ENCODERS
    assert tuple(CAPTIONERS) == caption_options.NETS
    assert tuple(TRANSLATORS) == translate_options.NETS
    assert translate_options.POSITIONS == POSITIONS
    assert tuple(ALIGNERS) == aligned.ALIGNERS


def test_verbs_that_paint_nothing_load_no_qt_and_light_ones_no_torch() -> None:
    code = (
        "import sys; from attnviewer.cli import main; status = main(['models', '--json']);"
        "sys.exit(status or 10 * any(name in sys.modules for name in ('torch', 'PySide6', 'matplotlib')))"
    )
    with python(code) as process:
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_model_is_loaded_without_what_only_a_compiler_needs() -> None:
    """Torch's compiler takes a second to import, and is drawn in by the least call on the device "meta"."""
    code = (
        "import sys; from attnviewer.zoo.store import Zoo; zoo = Zoo(); zoo.translator(); zoo.captioner();"
        "sys.exit(any(name in sys.modules for name in ('sympy', 'torch._dynamo', 'torch.distributed.tensor')))"
    )
    with python(code) as process:
        process.communicate()
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close in another way there")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    code = "import sys; from attnviewer.cli import main; sys.stdin.read(); sys.exit(main(['models', '--json']))"
    with python(code, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, errors = process.communicate("", timeout=60)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    code = "import sys; from attnviewer.cli import main; sys.exit(main(['models']))"
    with Path("/dev/full").open("w") as full, python(code, stdout=full) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert one_line(errors)


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_ends_quietly_with_130() -> None:
    code = (
        "import signal, sys, time; from attnviewer import cli; from attnviewer.verbs import models;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a job in the background is born deaf to it
        "models.run = lambda args: (print('ready', flush=True), time.sleep(30));"
        "sys.exit(cli.main(['models']))"
    )
    with python(code) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "")


@pytest.mark.parametrize("call", [["open"], []])
def test_a_saved_trace_opens_in_the_window(call: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[object] = []
    monkeypatch.setattr("attnviewer.app.run_app", lambda image, **_: opened.append(image) or 0)
    a_trace().save(tmp_path / "a.json")
    assert main([*call, str(tmp_path / "a.json")]) == 0
    assert opened == [tmp_path / "a.json"]


def test_a_file_that_is_no_trace_is_refused_before_the_window_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text("{}")
    assert main(["open", str(tmp_path / "a.json")]) == 2
    assert "a.json: this is no trace" in capsys.readouterr().err
