"""`attnviewer translate` on tiny random translators: what it prints, writes and returns, and what it refuses."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from helpers.translators import publish_translators

from attnviewer import api
from attnviewer.cli import main
from attnviewer.core.paths import resources_dir
from attnviewer.core.serial import dict_to_trace
from attnviewer.core.trace import Trace
from attnviewer.runs.engine import Engine

SENTENCE = "El perro negro duerme en la casa de Tecamachalco."
SCHEMA = json.loads((resources_dir() / "trace.schema.json").read_text("utf-8"))
LONG = "hola " * 501
ODD = (
    "el <end> <b>perro</b> $x^2$", "😀 👩‍👩‍👧 la casa", "مرحبا la casa שלום", "¿¡…!?", "a\x1b[31m\x00b",
    "el\nperro\tcome", "\ufeff el",
)  # fmt: skip
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish_translators(tmp_path_factory.mktemp("models"))


@pytest.fixture(autouse=True)
def engines(models: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Verbs get an engine over the tiny models; what is asked for is kept."""
    asked: list[str] = []
    monkeypatch.setattr(api, "make_engine", lambda device: asked.append(device) or Engine(models, device))
    monkeypatch.setattr(api, "_engines", {})
    return asked


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    (tmp_path / "lines.txt").write_text(f"El perro come.\n\n  \nla casa\n{LONG}\nun gato\n", encoding="utf-8")
    return tmp_path / "lines.txt"


def traces(out: str) -> list[Trace]:
    """The traces that were printed, each checked against the schema."""
    rows = [json.loads(line) for line in out.splitlines()]
    for row in rows:
        jsonschema.validate(row, SCHEMA)
    return list(map(dict_to_trace, rows))


def test_one_sentence_prints_its_translation_alone(capsys: Capture) -> None:
    assert main(["translate", SENTENCE]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert said.strip() == api.translate(SENTENCE).text


def test_several_sentences_print_a_line_each_on_one_engine(engines: list[str], capsys: Capture) -> None:
    assert main(["translate", "el perro", "la casa blanca", "--device", "cpu"]) == 0
    alone = [api.translate(one, device="cpu").text for one in ("el perro", "la casa blanca")]
    assert capsys.readouterr().out.splitlines() == alone
    assert engines == ["cpu"]


@pytest.mark.parametrize("attention", ["soft", "location", "none"])
def test_json_is_a_trace_of_the_schema(attention: str, capsys: Capture) -> None:
    assert main(["translate", SENTENCE, "un gato", "--json", "--attention", attention]) == 0
    said = capsys.readouterr()
    found = traces(said.out)
    assert [trace.source.text for trace in found] == [SENTENCE, "un gato"]
    assert len(found[0].locations) == 10
    assert [len(trace.heads) for trace in found] == [attention != "none"] * 2
    np.testing.assert_allclose(found[0].weights.sum(axis=2), 1, atol=1e-4)
    assert said.err == ""


def test_lines_of_a_file_keep_their_rows_and_one_at_fault_does_not_stop_the_rest(lines: Path, capsys: Capture) -> None:
    assert main(["translate", "--lines", str(lines)]) == 2
    said = capsys.readouterr()
    rows = said.out.split("\n")
    assert [bool(row) for row in rows] == [True, False, False, True, False, True, False]
    assert rows[3] == api.translate("la casa").text
    (fault,) = [line for line in said.err.splitlines() if line.startswith("attnviewer:")]
    assert fault == "attnviewer: line 5: the text has 501 words; translate at most 500 at once."


def test_lines_as_json_have_a_trace_for_each_sentence(lines: Path, capsys: Capture) -> None:
    assert main(["translate", "--lines", str(lines), "--json"]) == 2
    assert [trace.source.text for trace in traces(capsys.readouterr().out)] == ["El perro come.", "la casa", "un gato"]


def test_a_file_of_good_lines_ends_well(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.txt").write_text("la casa\n\nel perro", encoding="utf-8")
    assert main(["translate", "--lines", str(tmp_path / "a.txt")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_given_words_are_measured_in_a_table(capsys: Capture) -> None:
    assert main(["translate", "El perro come.", "--words", "the dog eats zyzzyva."]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows[2:8]] == ["the", "dog", "eats", "zyzzyva", ".", "(sum)"]
    values = [tuple(map(float, row.split()[-2:])) for row in rows[2:8]]
    assert all(math.exp(logprob) == pytest.approx(chance, abs=1e-3) for logprob, chance in values)
    assert values[5][0] == pytest.approx(sum(value[0] for value in values[:5]), abs=1e-3)
    assert rows[5].startswith("zyzzyva *")


def test_words_from_the_glossary_are_told_apart_from_copied_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    made = api.translate("una Canoa.")
    steps = tuple(replace(made.steps[0], word=word, unknown=True) for word in ("canoe", "Canoa", "canoe"))
    monkeypatch.setattr(api, "run", lambda request: replace(made, steps=steps))
    assert main(["translate", "una Canoa."]) == 0
    assert capsys.readouterr().err.splitlines() == ["looked up in the glossary: canoe", "copied from the source: Canoa"]


def test_copied_words_are_told_beside_the_translation(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    made = api.translate("el Tecamachalco.")
    step = replace(made.steps[0], word="Tecamachalco", unknown=True)
    bare = replace(step, word="(unknown)", weights=np.zeros((0, 3), np.float32))
    shown = iter([replace(made, steps=(step, step)), replace(made, steps=(bare,), heads=())])
    monkeypatch.setattr(api, "run_translations", lambda requests: list(shown))
    assert main(["translate", "el Tecamachalco", "otra vez"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == ["Tecamachalco Tecamachalco", "(unknown)"]
    assert said.err.splitlines() == [
        "sentence 1: copied from the source: Tecamachalco",
        "sentence 2: 1 unknown word: without attention there is nothing to look up",
    ]


def test_a_shuffle_reorders_the_source_words_and_is_kept_in_the_request(capsys: Capture) -> None:
    assert main(["translate", SENTENCE, "--json", "--shuffle", "3"]) == 0
    (trace,) = traces(capsys.readouterr().out)
    straight = api.translate(SENTENCE).locations.tokens
    assert sorted(trace.locations.tokens) == sorted(straight)
    assert trace.locations.tokens != straight
    assert trace.request["shuffle"] == 3


def test_a_beam_is_asked_for(capsys: Capture) -> None:
    assert main(["translate", SENTENCE, "--json", "--beam", "3"]) == 0
    assert traces(capsys.readouterr().out)[0].request["decoding"]["beam"] == 3


@pytest.mark.parametrize("suffix", ["json", "npz", "csv", "png", "svg", "pdf"])
@pytest.mark.parametrize("attention", ["soft", "none"])
def test_the_suffix_of_the_output_chooses_its_form(
    suffix: str, attention: str, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / f"alignment.{suffix}"
    assert main(["translate", SENTENCE, "-o", str(out), "--per-word", "--attention", attention]) == 0
    assert out.stat().st_size > 0
    assert f"wrote {out}" in capsys.readouterr().err.splitlines()


def test_several_go_into_a_folder_under_their_numbers(lines: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["translate", "--lines", str(lines), "-o", f"{out}/", "--form", "csv"]) == 2
    assert sorted(path.name for path in out.iterdir()) == ["1.csv", "4.csv", "6.csv"]


def test_the_lines_themselves_are_never_written_over(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.csv").write_text("la casa\n", encoding="utf-8")
    assert main(["translate", "--lines", str(tmp_path / "a.csv"), "-o", str(tmp_path / "a.csv")]) == 2
    assert "one of the files that are read" in capsys.readouterr().err
    assert (tmp_path / "a.csv").read_text("utf-8") == "la casa\n"


@pytest.mark.parametrize("sentence", ODD)
def test_any_text_is_translated_and_drawn(sentence: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["translate", sentence, "--json", "-o", str(tmp_path / "a.png")]) == 0
    (trace,) = traces(capsys.readouterr().out)
    assert trace.source.text == sentence.encode(errors="replace").decode()  # printed as any terminal can
    assert not any(letter in word for word in trace.locations.tokens for letter in "\x1b\x00\n\t ")


def test_bytes_that_are_no_text_are_refused(capsys: Capture) -> None:
    assert main(["translate", "la \udcff casa"]) == 2
    assert capsys.readouterr().err.startswith("attnviewer: sentence holds bytes that are no text in UTF-8")


def test_what_spells_a_mark_does_not_end_the_source(capsys: Capture) -> None:
    assert main(["translate", "el <end> perro", "--json"]) == 0
    assert traces(capsys.readouterr().out)[0].locations.tokens == ("el", "<end>", "perro")


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ([], "give sentences or --lines FILE"),
        ([""], "no word to translate; give a Spanish sentence"),
        ([" \n "], "no word to translate"),
        (["\x00\x1b"], "no word to translate"),
        ([LONG], "the text has 501 words; translate at most 500"),
        (["la casa", "--lines", "a.txt"], "give sentences or --lines FILE"),
        (["--lines", "nowhere.txt"], "can't open nowhere.txt: no such file"),
        (["--lines", "."], "no regular file"),
        (["la casa", "-o", ""], "the name after -o is empty"),
        (["la casa", "-o", "a.bmp"], "can't tell the form of a.bmp"),
        (["la casa", "-o", "a.gif"], "an animation needs a picture with a caption; end the name in one of .json"),
        (["la casa", "el perro", "-o", "a.png"], "2 sentences don't fit into a.png"),
        (["la casa", "--attention", "hard"], "invalid choice: 'hard'"),
        (["la casa", "--words", " "], "no words in --words"),
        (["la casa", "--beam", "0"], "beam must be a whole number"),
        (["la casa", "--shuffle", "-1"], "the seed of a shuffle"),
        (["la casa", "--model", "nothing"], "no translator nothing is installed"),
    ],
)
def test_a_call_at_fault_is_one_line_and_status_2(call: list[str], complaint: str, capsys: Capture) -> None:
    assert main(["translate", *call]) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("data", [b"", b"\n \n\n", b"\x00\x01\x02 GIF"])
def test_a_file_without_sentences_is_one_line_and_status_2(data: bytes, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    assert main(["translate", "--lines", str(tmp_path / "a.txt")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_model_is_told_once_for_all_sentences(capsys: Capture) -> None:
    assert main(["translate", "la casa", "el perro", "--model", "nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_empty_sentence_among_others_is_reported_and_leaves_its_line_empty(capsys: Capture) -> None:
    assert main(["translate", "la casa", "", "el perro"]) == 2
    said = capsys.readouterr()
    assert [bool(row) for row in said.out.splitlines()] == [True, False, True]
    assert "attnviewer: sentence 2: there is no word to translate" in said.err


def test_origins_are_drawn_and_data_keep_both_maps(tmp_path: Path, capsys: Capture) -> None:
    assert main(["translate", "el perro", "--origin"]) == 2
    assert "add -o" in capsys.readouterr().err
    for name in ("a.svg", "a.json"):
        assert main(["translate", "el perro", "--origin", "-o", str(tmp_path / name)]) == 0
    assert "asked once it was known" in (tmp_path / "a.svg").read_text()
    assert '"heads": ["attention"]' in (tmp_path / "a.json").read_text()
    assert main(["translate", "el perro", "--attention", "none", "--origin", "-o", str(tmp_path / "b.svg")]) == 2
    assert "doesn't tell where" in capsys.readouterr().err


def test_many_sentences_of_different_lengths_come_out_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    long = " ".join(["la casa"] * 31)  # beyond the words of a search
    texts = ["el perro", long, SENTENCE, "un gato"]
    assert main(["translate", *texts, "--device", "cpu"]) == 0
    assert capsys.readouterr().out.splitlines() == [api.translate(text, device="cpu").text for text in texts]
