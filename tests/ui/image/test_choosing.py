"""Choosing another model in the image panel: what the old one said goes, and nothing else."""

from __future__ import annotations

import pytest
from helpers.pictures import square
from helpers.traces import a_trace

from attnviewer.ui.panels.image.state import ImageState

MODES = ("soft", "hard", "none")


def everything() -> ImageState:
    state = ImageState(modes=MODES, mode="compare")
    state.picture = square(28, 28, 0, 0)
    for mode in state.columns:
        state.traces[mode] = a_trace()
        state.done.add(mode)
    return state


@pytest.mark.parametrize(
    ("attention", "left"),
    [("soft", {"hard", "none"}), ("hard", {"soft", "uniform", "none"}), ("none", {"soft", "uniform", "hard"})],
)
def test_another_model_drops_what_its_net_said_and_its_control_too(attention: str, left: set[str]) -> None:
    state = everything()
    assert set(state.traces) == {"soft", "uniform", "hard", "none"}
    state.choose_model(attention, "another")
    assert set(state.traces) == state.done == left
    assert state.model == {attention: "another"}
