from __future__ import annotations

import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.modes import MODES, ROWS, compared, mode, net_of, of, own


def test_rows_differ_in_key_and_shortcut_and_each_control_has_its_mode() -> None:
    shortcuts = [row.shortcut for row in ROWS if row.shortcut]
    assert len({row.key for row in ROWS}) == len(ROWS) == len(MODES)
    assert len(set(shortcuts)) == len(shortcuts)
    assert {row.control_of for row in ROWS if row.control_of} <= set(MODES)


def test_modes_of_a_task_come_in_the_order_of_the_rows() -> None:
    assert of("caption") == ("soft", "hard", "none", "uniform")
    assert own("caption") == ("soft", "hard", "none")
    assert of("translate") == ("soft", "location", "none")
    assert compared("caption") == ("none", "soft", "hard", "uniform")
    assert compared("translate") == ("soft", "none")


def test_a_control_runs_the_nets_of_its_mode() -> None:
    assert (net_of("uniform"), net_of("hard"), net_of("unheard-of")) == ("soft", "hard", "unheard-of")


def test_an_unknown_mode_is_told_with_those_there_are() -> None:
    with pytest.raises(UserError, match=r"^there is no attention far; choose of soft, hard, "):
        mode("far")
