from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attnviewer.core.trace import Trace

OLD = Path(__file__).resolve().parents[1] / "fixtures" / "v01"
SAID = {
    "caption-soft.json": "a man is playing at a guitar",
    "caption-hard.npz": "a man is sitting on a guitar at a fire",
    "caption-none.json": "a group of people are sitting on a street",
    "translate-soft.npz": "The dog runs on the beach.",
    "translate-none.json": "The dog is running.",
    "query-regions.npz": "dog",
    "query-words.json": "dog",
    "query-lines.npz": "music",
}


@pytest.mark.parametrize(("name", "text"), SAID.items())
def test_a_trace_that_version_0_1_wrote_opens(name: str, text: str) -> None:
    trace = Trace.load(OLD / name)
    assert trace.text == text
    assert all(np.allclose(step.weights.sum(axis=1), 1, atol=1e-4) for step in trace.steps)


def test_a_trace_that_version_0_1_wrote_keeps_choices_and_origins() -> None:
    assert None not in Trace.load(OLD / "caption-hard.npz").sampled
    assert all(step.origin is not None for step in Trace.load(OLD / "translate-soft.npz").steps)
