"""What a study of what matters says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import agreed, at_share, place_table, table, told, verdict
from attnviewer.core.trace import frozen

FOUND = Matter(
    ("a", "dog"), 1, 0.8, {"attention": frozen([0.7, 0.3]), "gradient": frozen([0.2, 0.1])},
    {"attention": (0.8, 0.1, 0.0), "gradient": (0.8, 0.4, 0.0), "random": (0.8, 0.6, 0.0)},
    {"attention": (0.0, 0.7, 0.8), "gradient": (0.0, 0.5, 0.8), "random": (0.0, 0.3, 0.8)},
    {"attention": 0.3, "gradient": 0.5, "random": 0.6}, {"attention": 0.7, "gradient": 0.5, "random": 0.4}, 0.4,
    ("el", "perro"), 2,
)  # fmt: skip


def test_a_curve_is_read_between_its_points() -> None:
    assert at_share((0.8, 0.4, 0.0), 2) == pytest.approx(0.6)


@pytest.mark.parametrize(("own", "said"), [(0.3, "matters"), (0.59, "hardly"), (0.65, "hardly"), (0.7, "not")])
def test_the_verdict_compares_with_random_orders(own: float, said: str) -> None:
    assert verdict(replace(FOUND, deletion_area={"attention": own, "random": 0.6})) == said


def test_nothing_is_said_before_both_curves_are_whole() -> None:
    assert told(replace(FOUND, deletion_area={"attention": 0.3})) == ""


def test_the_sentence_has_the_numbers_of_the_word() -> None:
    said = told(FOUND)
    assert "“dog” has a probability of 80%" in said
    assert "45%" in said
    assert "at random: 70%" in said
    assert "matter for this word" in said


@pytest.mark.parametrize(
    ("tau", "how"), [(0.7, "much alike"), (0.3, "somewhat"), (0.15, "hardly"), (0.0, "not alike"), (-0.4, "other way")]
)
def test_agreement_is_told_in_words(tau: float, how: str) -> None:
    assert how in agreed(replace(FOUND, tau=tau))


def test_a_flat_map_agrees_with_nothing() -> None:
    assert agreed(replace(FOUND, tau=None)) == ""


def test_tables_name_orders_and_places() -> None:
    assert table(FOUND)[1:] == [["Attention", "0.300", "0.700"], ["Gradient", "0.500", "0.500"],
                                ["At random", "0.600", "0.400"]]  # fmt: skip
    assert place_table(FOUND)[2][:2] == ["perro", "0.3000"]
