"""Checkpoints on disk: the older one stays until the new one is whole."""

from pathlib import Path

import pytest
import torch
from helpers.disks import full_after

from attnviewer.train.journal import Journal, load_checkpoint, logged_hours, save_checkpoint


def test_a_checkpoint_that_does_not_fit_on_the_disk_leaves_the_older_one(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "last.pt", step=1)
    with full_after(5000), pytest.raises((OSError, RuntimeError)):
        save_checkpoint(tmp_path / "last.pt", step=2, weights=torch.zeros(5000))
    assert load_checkpoint(tmp_path / "last.pt") == {"step": 1}
    assert list(tmp_path.iterdir()) == [tmp_path / "last.pt"]


def test_the_hours_of_a_training_are_those_of_all_its_runs_and_phases(tmp_path: Path) -> None:
    assert logged_hours(tmp_path) == 0
    journal = Journal(tmp_path, 10)
    for seconds in (1800, 3600, 1800, 900, 5400):  # one hour; half an hour; one and a half
        journal.record(epoch=1, seconds=seconds)
    assert logged_hours(tmp_path) == 3.0
