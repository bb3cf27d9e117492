"""`attnviewer evaluate translate`: BLEU by hand, bands of length, and the tables of tiny random translators."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import torch
from helpers.translators import a_translator, publish_translators

import attnviewer.measure.translate as measure_module
from attnviewer.cli import main
from attnviewer.core.glossary import Glossary
from attnviewer.core.jobs import outcome
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.export.lengths import length_figure
from attnviewer.measure.translate import translate_all
from attnviewer.measure.translated import Asked, bleu, by_length, gather, map_links
from attnviewer.runs.translate import translate

TEST = [
    ("El perro come.", "The dog eats."), ("El perro come.", "The dog is eating."), ("La casa.", "The house."),
    ("El gato negro duerme en la casa blanca .", "The black cat sleeps in the white house."),
    ("un perro negro come en la casa blanca y el gato negro duerme .", "a black dog eats in the white house ."),
]  # fmt: skip
GOLD = {"es": ["el", "gato", "negro"], "en": ["the", "black", "cat"], "sure": [[0, 0], [2, 1], [1, 2]]}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish_translators(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def call(models: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The call with a data folder and a gold folder, held against the diagonal alone."""
    data = tmp_path_factory.mktemp("data")
    for split in ("train", "dev", "test"):
        with gzip.open(data / f"es-en.{split}.tsv.gz", "wt", encoding="utf-8") as out:
            out.writelines(f"{source}\t{target}\n" for source, target in TEST)
    (data / "es-en.gold.jsonl").write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    folders = ["--data", str(data), "--alignment", str(data), "--models-dir", str(models)]
    return ["evaluate", "translate", *folders, "--aligners", "diagonal", "--device", "cpu"]


def test_bleu_by_hand() -> None:
    asked = [Asked("s", ("the cat sat on a mat",))]
    by_hand = 100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu(["the cat sat on the mat"], asked) == pytest.approx(by_hand, abs=1e-3)


def test_bleu_takes_the_words_of_any_reference_and_each_sentence_has_its_own_number_of_them() -> None:
    asked = [Asked("s", ("a dog sleeps in here", "the dog sleeps in there")), Asked("t", ("this is the house now",))]
    assert bleu(["a dog sleeps in here", "this is the house now"], asked) == pytest.approx(100)
    assert bleu(["the dog sleeps in there", "this is the house now"], asked) == pytest.approx(100)


def test_case_counts_only_where_it_is_asked_for() -> None:
    asked = [Asked("s", ("The dog sleeps here .",))]
    assert bleu(["the dog sleeps here ."], asked) == pytest.approx(100)
    by_hand = 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert bleu(["the dog sleeps here ."], asked, lower=False) == pytest.approx(by_hand, abs=1e-3)


def test_translations_of_one_sentence_are_gathered_in_order() -> None:
    found = gather([("b", "1"), ("a", "2"), ("b", "3")])
    assert found == [Asked("b", ("1", "3")), Asked("a", ("2",))]


def test_bands_hold_the_sentences_of_their_lengths_and_empty_ones_are_left_out() -> None:
    good, bad = "the dog sleeps in the house", "nothing of all that is so"
    asked = [Asked(str(i), (good,)) for i in range(4)]
    rows = by_length([good, bad, good, good], asked, [5, 6, 16, 40])
    assert [row[:2] for row in rows] == [("1-5", 1), ("6-10", 1), ("16+", 2)]
    assert [row[2] for row in rows][::2] == [pytest.approx(100)] * 2
    assert rows[1][2] < 10


def test_sentences_decoded_together_come_back_in_order_as_if_alone() -> None:
    model = a_translator()
    texts = ["el gato negro duerme en la casa. un perro.", "la casa", "un perro negro come", "el"]
    decoding = Decoding(beam=3, length_penalty=1.0)
    alone = [outcome(translate(TranslateRequest(text, decoding=decoding), model)).text for text in texts]
    assert translate_all(model, texts, decoding) == alone
    assert len(set(alone)) > 1


def test_unknown_words_are_looked_up_unless_copies_are_asked_for(
    call: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[Glossary] = []
    seen = measure_module.translate_texts
    monkeypatch.setattr(
        measure_module, "translate_texts", lambda model, *rest: found.append(model.words.glossary) or seen(model, *rest)
    )
    monkeypatch.setattr(Glossary, "load", lambda path: Glossary({"perro": "hound"}))
    for more in ([], ["--copy"]):
        found.clear()
        assert main([*call, "--attention", "soft", *more]) == 0
        assert {tuple(one.words) for one in found} == {() if more else ("perro",)}


def test_each_target_word_is_linked_to_the_source_word_with_the_largest_weight() -> None:
    model = a_translator()
    pairs = [(["el", "perro", "negro"], ["the", "black", "dog"]), (["la"], ["the", "house"])]
    with torch.inference_mode():
        found = map_links(model.net, model.words.speller, model.words.target, pairs)
        alone = map_links(model.net, model.words.speller, model.words.target, pairs[:1])
    assert [sorted(t for _, t in links) for links in found] == [[0, 1, 2], [0, 1]]
    assert found[1] == {(0, 0), (0, 1)}
    assert found[:1] == alone


def test_the_tables_name_quality_baselines_and_bands(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plot.svg"
    assert main([*call, "-o", str(out)]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    head = ["attention", "BLEU", "cased", "align. error", "origin error", "ms/sentence", "MB"]
    assert re.split(r"  +", lines[0]) == head
    assert [line.split()[4] == "-" for line in lines[2:5]] == [False, True, True]
    assert [line.split()[0] for line in lines[2:5]] == ["soft", "location", "none"]
    assert lines[4].split()[3] == "-"
    assert any(line.split() == ["diagonal", "0.667"] for line in lines)
    assert any(line.split()[:2] == ["1-5", "2"] for line in lines)
    assert "4 Spanish sentences of the test split, beam 4." in said.out
    assert "soft: searched 4 of 4 sentences" in said.err
    assert out.read_bytes().startswith(b"<?xml")


def test_figures_for_cards_as_json(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--json", "--beam", "1", "--length-penalty", "0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    soft, location, none = found["figures"]
    assert {"bleu", "bleu_cased", "error", "bleu_1_5", "bleu_6_10", "bleu_11_15", "sentences"} <= set(soft)
    assert "bleu_16" not in soft
    assert "error" in location
    assert "error" not in none
    assert 0 <= soft["origin_error"] <= 1
    assert "origin_error" not in {**location, **none}
    assert (soft["sentences"], soft["length_penalty"], found["beam"]) == (4, 0.5, 1)
    assert found["bands"] == {"1-5": 2, "6-10": 1, "11-15": 1}
    assert found["aligners"] == {"diagonal": pytest.approx(2 / 3, abs=1e-4)}


def test_the_length_penalty_is_the_one_of_the_card(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--json", "--attention", "none", "--sentences", "1"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["figures"]
    assert (row["attention"], row["length_penalty"], row["sentences"]) == ("none", 1.0, 1)


def test_without_a_gold_folder_no_alignment_is_measured(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    at = call.index("--alignment")
    assert main([*call[:at], *call[at + 2 :], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["gold"], found["aligners"]) == (0, {})
    assert not any("error" in row for row in found["figures"])


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--attention", "soft,hard"], "no attention hard to measure"),
        (["--aligners", "giza"], "no aligner giza"),
        (["--sentences", "0"], "at least 1"),
        (["--beam", "0"], "beam must be"),
        (["-o", "plot.txt"], "end the name plot.txt in .png"),
        (["--alignment", "nowhere"], "es-en.gold.jsonl: no such file"),
        (["--data", "nowhere"], "es-en.test.tsv.gz"),
        (["--models", "nowhere"], "--models names nowhere, which is no folder"),
    ],
)
def test_a_call_at_fault_is_told_in_one_line(
    call: list[str], more: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, *more]) == 2
    said = capsys.readouterr().err.splitlines()
    assert complaint in said[-1]
    assert len(said) == 1


def test_curves_are_told_apart_without_colour_and_bands_say_how_many_sentences() -> None:
    bands = [("1-5", 1200, 60.0), ("6-10", 30, 50.0), ("16+", 4, 20.0)]
    made = length_figure({"soft": bands, "location": bands[:2], "none": bands[1:]})
    axes = made.axes[0]
    assert len({(line.get_linestyle(), line.get_marker()) for line in axes.lines}) == 3
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1-5\n(1,200)", "6-10\n(30)", "16+\n(4)"]
    assert [list(line.get_xdata()) for line in axes.lines] == [[0, 1, 2], [0, 1], [1, 2]]


def test_the_pairs_of_xl_wa_are_those_of_the_split_and_the_others_are_for_reporting_alone(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = json.dumps(GOLD) + "\n"
    for name, times in (("gold", 1), ("xlwa.dev.gold", 2), ("xlwa.test.gold", 3)):
        (tmp_path / f"es-en.{name}.jsonl").write_text(row * times, encoding="utf-8")
    call = [*call, "--alignment", str(tmp_path), "--json", "--attention", "soft", "--beam", "1"]
    counts = {}
    for split in ("dev", "test"):
        assert main([*call, "--split", split]) == 0
        found = json.loads(capsys.readouterr().out)
        counts[split] = (found["gold"], found["xlwa"], "error" in found["figures"][0])
        assert 0 <= found["figures"][0]["xlwa_error"] <= 1
        assert found["aligners"]["diagonal, XL-WA"] == pytest.approx(2 / 3, abs=1e-4)
    assert counts == {"dev": (0, 2, False), "test": (1, 3, True)}


def test_shuffled_sentences_are_measured_beside_those_in_order(
    call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, "--beam", "1", "--shuffled"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.split(r"  +", lines[0])[1:4] == ["BLEU", "cased", "BLEU shuffled"]
    assert all(0 <= float(line.split()[3]) <= 100 for line in lines[2:5])
