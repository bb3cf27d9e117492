"""Links by a statistical aligner: read, merged, checked, and refused where the aligner isn't there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.data.links import _read, align, both_ways, fit, glossary_of, merge
from attnviewer.data.pairs import Pair

PAIRS = [Pair(("El", "Perro"), ("The", "Dog"), ("", "")), Pair(("Sí",), ("Yes", "!"), ("", ""))]
links = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


class FakeAligner:
    """Writes the same links for all pairs and keeps the texts that it was given."""

    given: tuple[str, str]

    def align(
        self, source: TextIO, target: TextIO, *, links_filename_fwd: str, links_filename_rev: str, quiet: bool
    ) -> None:
        type(self).given = (source.read(), target.read())
        assert quiet
        Path(links_filename_fwd).write_text("0-0 0-1\n0-0 0-1\n")
        Path(links_filename_rev).write_text("0-0 1-1\n\n")


@pytest.fixture
def aligner(monkeypatch: pytest.MonkeyPatch) -> Callable[[type], None]:
    return lambda kind: monkeypatch.setitem(sys.modules, "eflomal", SimpleNamespace(Aligner=kind))


def test_links_are_read_a_line_a_pair_also_where_a_pair_has_none(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-0 2-1 1-2\n\n3-0\n")
    assert _read(tmp_path / "links") == [{(0, 0), (2, 1), (1, 2)}, frozenset(), {(3, 0)}]


def test_what_both_directions_found_is_kept_and_other_words_keep_their_own_link() -> None:
    forward = frozenset({(0, 0), (1, 1), (2, 2)})
    backward = frozenset({(0, 0), (3, 1), (5, 0)})
    assert merge(forward, backward) == {(0, 0), (1, 1), (2, 2)}
    assert merge(frozenset({(0, 0), (1, 0)}), frozenset({(1, 0)})) == {(1, 0)}


def test_the_glossary_has_what_a_word_is_most_often_linked_with_alone() -> None:
    boat = Pair(("una", "canoa"), ("a", "canoe"), ("", ""))
    big = Pair(("la", "canoa"), ("boats", "big"), ("", ""))
    straight = frozenset({(0, 0), (1, 1)})
    found = glossary_of([boat, boat, big], [straight, straight, frozenset({(1, 0)})])
    assert found.words == {"una": "a", "canoa": "canoe"}
    both = frozenset({(1, 0), (1, 1)})  # a word for two, so for neither
    assert glossary_of([big], [both]).words == {}


def test_in_the_glossary_names_have_names_and_a_capital_at_the_head_counts_for_nothing() -> None:
    source = ("¡", "Anuncia", "Pedro", "Polonia", "marcha", "100")
    pair = Pair(source, ("!", "Announces", "owned", "Poland", ".", "street"), ("", ""))
    other = Pair(("bien",), ("it", "announces"), ("", ""))
    found = glossary_of([pair, other], [frozenset((i, i) for i in range(6)), frozenset()])
    assert found.words == {"anuncia": "announces", "Polonia": "Poland"}


@given(links, links)
def test_merging_invents_no_link_and_loses_no_target_word(forward: frozenset[Any], backward: frozenset[Any]) -> None:
    merged = merge(forward, backward)
    assert forward & backward <= merged <= forward
    assert {target for _, target in merged} == {target for _, target in forward}
    assert merge(forward, forward) == forward


def test_pairs_are_aligned_in_lower_case_and_both_directions_merged(aligner: Callable[[type], None]) -> None:
    aligner(FakeAligner)
    assert align(PAIRS) == [{(0, 0), (0, 1)}, {(0, 0), (0, 1)}]
    assert FakeAligner.given == ("el perro\nsí\n", "the dog\nyes !\n")
    assert both_ways(PAIRS)[1] == [{(0, 0), (1, 1)}, frozenset()]


def test_without_the_aligner_its_installation_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "eflomal", None)
    with pytest.raises(
        UserError, match=r'needs the aligner eflomal; run `python -m pip install "attnviewer\[train\]"`'
    ):
        align(PAIRS)


@pytest.mark.parametrize("fault", [OSError("no binary"), subprocess.CalledProcessError(1, "eflomal")])
def test_an_aligner_that_fails_is_told_in_one_line(aligner: Callable[[type], None], fault: Exception) -> None:
    class Failing:
        def align(self, *files: object, **options: object) -> None:
            raise fault

    aligner(Failing)
    with pytest.raises(UserError, match="eflomal couldn't align the pairs") as caught:
        align(PAIRS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("found", "fits"),
    [
        ([frozenset({(1, 1)}), frozenset({(0, 1)})], True),
        ([frozenset(), frozenset()], True),
        ([frozenset()], False),
        ([frozenset({(2, 0)}), frozenset()], False),
        ([frozenset(), frozenset({(0, 2)})], False),
    ],
)
def test_links_fit_pairs_that_have_their_words(found: list[frozenset[tuple[int, int]]], fits: bool) -> None:
    assert fit(found, PAIRS) == fits
