"""Links as text."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.traces import a_trace

from attnviewer.core.errors import UserError
from attnviewer.core.places import order_of
from attnviewer.core.trace import Source, Step, Tokens, Trace
from attnviewer.export import save
from attnviewer.export.links import pharaoh

TOKENS = ("la", "casa", "roja")


def translation(*places: int, **request: object) -> Trace:
    """A translation whose words look at these places."""
    steps = tuple(Step(f"w{i}", -0.1, np.eye(3, dtype=np.float32)[[place]]) for i, place in enumerate(places))
    return Trace(
        "translate", "m", Source("text", text=" ".join(TOKENS)), Tokens(TOKENS), ("attention",), steps, request
    )


def test_links_are_source_then_target_from_zero() -> None:
    assert pharaoh(translation(0, 2, 1)) == "0-0 1-2 2-1"


def test_of_a_shuffled_source_the_places_are_those_of_the_sentence() -> None:
    order = order_of(3, 5)
    assert pharaoh(translation(0, 1, 2, shuffle=5)) == " ".join(sorted(f"{s}-{t}" for t, s in enumerate(order)))


def test_a_file_of_links_is_one_line(tmp_path: Path) -> None:
    save(translation(1), None, tmp_path / "x.talp")
    assert (tmp_path / "x.talp").read_text() == "1-0\n"


def test_captions_and_translations_without_attention_have_none() -> None:
    with pytest.raises(UserError, match="between the words of a translation"):
        pharaoh(a_trace())
    none = translation(0)
    with pytest.raises(UserError, match="m has no attention"):
        pharaoh(replace(none, heads=(), steps=(replace(none.steps[0], weights=np.zeros((0, 3))),)))
