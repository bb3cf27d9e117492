"""Training a captioner: batches, losses, two processes, and the whole way on a tiny data folder."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.multiprocessing as mp
from helpers.nets import CELLS, a_captioner, a_data_folder, annotations

from attnviewer.cli import main
from attnviewer.train import processes
from attnviewer.train.caption.batches import Example, collate
from attnviewer.train.caption.losses import LossOptions, Terms, doubly_stochastic_penalty, teacher_forced


def example(*ids: int, cell: int = 0) -> Example:
    regions = np.zeros((len(ids), CELLS), np.uint8)
    regions[:-1, cell] = 255
    return Example(np.array(ids), regions)


GROUPS = [
    [example(5, 6, 7, 2), example(8, 2)],
    [example(9, 5, 2, cell=3), example(6, 2, cell=3)],
    [example(7, 7, 8, 9, 2, cell=8), example(5, 2, cell=8)],
    [example(4, 2), example(4, 2)],
]


def loss_of(rows: slice) -> tuple[Terms, dict[str, torch.Tensor]]:
    """Loss and gradients of some of the four photos, counted as part of all four."""
    whole = collate("abcd", GROUPS, mirrored=False).counts
    net = a_captioner()
    batch = collate("abcd"[rows], GROUPS[rows], mirrored=False)
    terms = teacher_forced(net, net.encode_source(annotations(4)[rows]), batch, LossOptions(), whole)
    terms.loss.backward()
    processes.share_gradients(net.parameters())
    return terms, {name: p.grad for name, p in net.named_parameters() if p.grad is not None}


def test_a_step_runs_only_the_captions_that_still_go() -> None:
    assert collate("ab", GROUPS[:2], mirrored=False).active == (2, 2, 1, 1)


def test_padding_changes_nothing() -> None:
    net = a_captioner()
    alone = collate("d", GROUPS[3:], mirrored=False)
    padded = collate("cd", GROUPS[2:], mirrored=False)
    memory = net.encode_source(annotations(4))
    one = teacher_forced(net, type(memory)(*(m[3:] for m in memory)), alone, LossOptions(0.0, 0.3, 0.0))
    other = teacher_forced(
        net, type(memory)(*(m[2:3] for m in memory)), collate("c", GROUPS[2:3], False), LossOptions(0, 0.3, 0)
    )
    both = teacher_forced(net, type(memory)(*(m[2:] for m in memory)), padded, LossOptions(0.0, 0.3, 0.0))
    words = alone.counts.words, padded.counts.words - alone.counts.words
    expected = (one.nats * words[0] + other.nats * words[1]) / sum(words)
    assert both.nats == pytest.approx(expected, rel=1e-5)


def test_a_mirrored_batch_mirrors_its_regions() -> None:
    straight, mirrored = (collate("b", GROUPS[1:2], flag).regions[0, 0, 0] for flag in (False, True))
    assert straight.view(3, 3)[1].tolist() == [1, 0, 0]
    assert mirrored.view(3, 3)[1].tolist() == [0, 0, 1]


def test_a_map_inside_the_boxes_costs_less_than_one_outside() -> None:
    net, batch = a_captioner(), collate("a", GROUPS[:1], mirrored=False)
    options = LossOptions(align=100.0, spread=0.0)
    memory = net.encode_source(annotations())
    plain = teacher_forced(net, memory, batch, LossOptions(align=0.0, spread=0.0))
    aligned = teacher_forced(net, memory, batch, options)
    assert (aligned.loss - plain.loss).item() == pytest.approx(100 * -np.log(aligned.inside), rel=0.1)


def _share(rank: int, port: int, folder: str) -> None:
    import os

    os.environ.update(WORLD_SIZE="2", RANK=str(rank), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    assert processes.world() == (rank, 2)
    _, gradients = loss_of(slice(rank, None, 2))
    torch.save(gradients, Path(folder) / f"{rank}.pt")
    torch.distributed.destroy_process_group()


def test_two_processes_and_one_give_the_same_gradients(tmp_path: Path, free_port: int) -> None:
    mp.spawn(_share, args=(free_port, str(tmp_path)), nprocs=2)
    _, expected = loss_of(slice(None))
    for rank in (0, 1):
        shared = torch.load(tmp_path / f"{rank}.pt", weights_only=True)
        assert shared.keys() == expected.keys()
        for name, gradient in expected.items():
            torch.testing.assert_close(shared[name], gradient, atol=1e-5, rtol=1e-4)


@pytest.fixture
def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_an_even_spread_of_looks_costs_nothing_and_looking_twice_at_one_place_costs() -> None:
    even = torch.full((1, 2, 4), 0.5)
    one = torch.tensor([[[2.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]]])
    assert doubly_stochastic_penalty(even).item() == pytest.approx(0)
    assert doubly_stochastic_penalty(one).item() == pytest.approx(((1 - 4) ** 2 + 3 * 1**2) / 4)


def test_the_doubly_stochastic_penalty_is_part_of_the_loss_by_its_weight() -> None:
    net, batch = a_captioner(), collate("ab", GROUPS[:2], mirrored=False)
    memory = net.encode_source(annotations(2))
    none, some, more = (
        teacher_forced(net, memory, batch, LossOptions(spread=weight)).loss.item() for weight in (0, 50, 100)
    )
    assert some - none > 0.01  # of a net that hardly tells places apart
    assert more - none == pytest.approx(2 * (some - none), rel=1e-4)


def test_training_goes_through_its_phases_resumes_and_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out, models = a_data_folder(tmp_path / "data"), tmp_path / "out", tmp_path / "models"
    command = ["train", "caption", "--data", str(data), "--out", str(out), "--cache", str(tmp_path / "cache")]
    command += ["--epochs", "2", "1", "1", "--batch", "3", "--publish", str(models)]
    assert main(command) == 0
    with (out / "log.csv").open(newline="") as rows:
        assert [row["phase"] for row in csv.DictReader(rows)] == ["words", "words", "tune", "critic"]
    before = (out / "best.pt").read_bytes()
    assert main(command) == 0  # everything is done already: nothing is trained again
    assert len((out / "log.csv").read_text().splitlines()) == 5
    assert len((out / "best.pt").read_bytes()) == len(before)
    capsys.readouterr()
    assert main(["evaluate", "caption", "--data", str(data), "--models-dir", str(models), "--beam", "2"]) == 0
    assert "BLEU-4" in capsys.readouterr().out


def test_a_folder_without_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "caption", "--data", str(tmp_path)]) == 2
    assert "annotations.jsonl.gz" in capsys.readouterr().err
