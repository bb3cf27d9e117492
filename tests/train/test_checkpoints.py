"""Checkpoints on disk: the older one stays until the new one is whole."""

from pathlib import Path

import pytest
import torch
from helpers.disks import full_after

from attnviewer.train.journal import load_checkpoint, save_checkpoint


def test_a_checkpoint_that_does_not_fit_on_the_disk_leaves_the_older_one(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "last.pt", step=1)
    with full_after(5000), pytest.raises((OSError, RuntimeError)):
        save_checkpoint(tmp_path / "last.pt", step=2, weights=torch.zeros(5000))
    assert load_checkpoint(tmp_path / "last.pt") == {"step": 1}
    assert list(tmp_path.iterdir()) == [tmp_path / "last.pt"]
