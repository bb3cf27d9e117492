"""Alignment error rate, the diagonal, gold pairs, and the aligners that maps are held against, by hand."""

import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from attnviewer.core.errors import UserError
from attnviewer.data.gold import Gold, load_gold
from attnviewer.data.links import merge
from attnviewer.data.pairs import Pair
from attnviewer.measure import aligners
from attnviewer.measure.aligners import ALIGNERS, baselines
from attnviewer.measure.alignment import diagonal, error_rate

PAIRS = [
    ("la casa blanca", "the white house"), ("la casa", "the house"), ("el perro negro", "the black dog"),
    ("el perro", "the dog"), ("la mesa blanca", "the white table"), ("el gato negro", "the black cat"),
]  # fmt: skip
GOLD = [Gold(("la", "casa", "negro"), ("the", "black", "house"), frozenset({(0, 0), (2, 1), (1, 2)}))]


def train() -> list[Pair]:
    return [Pair(tuple(a.split()), tuple(b.split()), (a, b)) for a, b in PAIRS * 20]


def test_all_links_right_is_no_error_and_none_right_is_all() -> None:
    gold = [frozenset({(0, 0), (1, 1)})]
    assert error_rate(gold, gold) == 0
    assert error_rate([frozenset({(0, 1), (1, 0)})], gold) == 1


def test_the_error_rate_counts_links_of_all_pairs_together() -> None:
    found = [frozenset({(0, 0), (1, 1), (2, 2)}), frozenset({(0, 0)})]
    gold = [frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (1, 0), (1, 1)})]
    assert error_rate(found, gold) == pytest.approx(1 - 2 * 2 / (4 + 5))


def test_pairs_without_a_gold_link_count_against_what_was_found() -> None:
    assert error_rate([frozenset({(0, 0)}), frozenset({(0, 0)})], [frozenset({(0, 0)}), frozenset()]) == pytest.approx(
        1 - 2 / 3
    )


@pytest.mark.parametrize(
    ("source", "target", "links"),
    [
        (3, 3, {(0, 0), (1, 1), (2, 2)}),
        (4, 2, {(1, 0), (3, 1)}),
        (2, 4, {(0, 0), (0, 1), (1, 2), (1, 3)}),
        (1, 3, {(0, 0), (0, 1), (0, 2)}),
        (5, 1, {(2, 0)}),
    ],
)
def test_the_diagonal_links_the_middle_of_each_target_word(source: int, target: int, links: set) -> None:
    assert diagonal(source, target) == links


def test_both_directions_are_joined_by_agreement_and_else_by_the_forward_link() -> None:
    assert merge(frozenset({(0, 0), (1, 1), (2, 2)}), frozenset({(0, 0), (3, 1)})) == {(0, 0), (1, 1), (2, 2)}
    assert merge(frozenset({(0, 0)}), frozenset({(0, 0), (5, 1)})) == {(0, 0)}


def test_gold_pairs_are_read(tmp_path: Path) -> None:
    row = {"es": ["la", "casa"], "en": ["the", "house"], "sure": [[0, 0], [1, 1]]}
    (tmp_path / "es-en.gold.jsonl").write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    assert load_gold(tmp_path) == [Gold(("la", "casa"), ("the", "house"), frozenset({(0, 0), (1, 1)}))]


@pytest.mark.parametrize("text", ["not json", "[1]", '{"es": ["a"]}', '{"es": 3, "en": [], "sure": []}', "\udcff"])
def test_what_is_no_gold_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "es-en.gold.jsonl").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(UserError, match=r"holds no hand-aligned pairs; give the alignment folder"):
        load_gold(tmp_path)


def test_a_missing_gold_folder_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gold\.jsonl: no such file or directory; give"):
        load_gold(tmp_path / "nowhere")


def test_the_diagonal_needs_no_training_text() -> None:
    def never() -> list[Pair]:
        raise AssertionError("no aligner needs the text")

    assert baselines(never, GOLD, ["diagonal"]) == {"diagonal": pytest.approx(1 - 2 * 1 / 6, abs=1e-4)}


def test_an_aligner_that_is_not_installed_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(aligners.importlib.util, "find_spec", lambda name: None)
    assert list(baselines(train, GOLD, list(ALIGNERS))) == ["diagonal"]
    said = capsys.readouterr().err.splitlines()
    assert 'eflomal is not installed and left out; run `python -m pip install "attnviewer[train]"`.' in said
    assert any(line.startswith("fast_align is not installed") for line in said)


def test_fast_align_is_given_text_in_lower_case_and_its_links_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[list[str]] = []

    def learn(text: str, forward: str, backward: str, **flags: bool) -> None:
        texts.append(Path(text).read_text(encoding="utf-8").splitlines())
        assert all(flags.values())

    class Model:
        def __init__(self, forward: str, backward: str) -> None:
            assert Path(forward).parent == Path(backward).parent

        def align_batch(self, sources: list[list[str]], targets: list[list[str]]) -> list[dict]:
            assert (sources, targets) == ([list(GOLD[0].source)], [list(GOLD[0].target)])
            return [{"alignments": [(0, 0), (2, 1)]}]

    package = ModuleType("systran_align")
    package.__dict__.update(generate_alignment_probabilities=learn, Aligner=Model, __spec__=ModuleSpec("fake", None))
    monkeypatch.setitem(sys.modules, "systran_align", package)
    rows = [Pair(("La", "Casa"), ("The", "House"), ("", ""))]
    assert baselines(lambda: rows, GOLD, ["fast_align"]) == {"fast_align": pytest.approx(1 - 4 / 5)}
    assert texts == [["la casa ||| the house", "la casa negro ||| the black house"]]


def test_eflomal_is_scored_each_way_and_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    forward, backward = frozenset({(0, 0), (1, 1), (1, 2)}), frozenset({(0, 0), (2, 1)})
    monkeypatch.setattr(aligners, "both_ways", lambda pairs: ([forward] * len(pairs), [backward] * len(pairs)))
    monkeypatch.setattr(aligners, "_installed", lambda name: True)
    assert baselines(train, GOLD, ["eflomal"]) == {
        "eflomal, forward": pytest.approx(1 - 4 / 6, abs=1e-4),
        "eflomal, backward": pytest.approx(1 - 4 / 5, abs=1e-4),
        "eflomal, both": pytest.approx(1 - 4 / 6, abs=1e-4),
    }


def test_aligners_see_the_training_text_and_then_the_gold_text(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Pair] = []

    def link(pairs: list[Pair], gold: list[Gold]) -> dict:
        seen.extend(pairs)
        return {"perfect": [one.links for one in gold]}

    monkeypatch.setitem(ALIGNERS, "perfect", aligners.Aligner(link, "json"))
    assert baselines(train, GOLD, ["perfect"]) == {"perfect": 0}
    assert [(pair.source, pair.target) for pair in seen] == [
        *((pair.source, pair.target) for pair in train()),
        (GOLD[0].source, GOLD[0].target),
    ]
