"""The learner of all trainings, on a net of one number that is to become 3."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from attnviewer.train.journal import Journal, load_checkpoint
from attnviewer.train.learner import Learner, Rule, Verdict, cosine


class Number(nn.Module):
    """One number, and one that isn't to be learnt."""

    def __init__(self) -> None:
        super().__init__()
        self.value = nn.Parameter(torch.zeros(1))
        self.still = nn.Parameter(torch.zeros(1), requires_grad=False)


class ToThree:
    """Ten batches an epoch; dev likes what is near 3, unless it is told what to say. `stop` is when the power fails."""

    steps = 10

    def __init__(self, net: Number, merits: list[float] | None = None, stop: int | None = None) -> None:
        self.net, self.merits, self.stop = net, merits, stop
        self.seen: list[int] = []
        self.judged: list[float] = []

    def batches(self, epoch: int) -> Iterator[int]:
        yield from range(epoch * 10, epoch * 10 + 10)

    def loss(self, batch: int, step: int) -> tuple[Tensor, str]:
        if step == self.stop:
            raise KeyboardInterrupt
        assert self.net.training
        self.seen.append(batch)
        return ((self.net.value - 3) ** 2).sum() * (1 + batch % 3), f"value {float(self.net.value.detach()):.2f}"

    def judge(self) -> Verdict:
        assert not self.net.training
        self.judged.append(value := float(self.net.value))
        merit = self.merits.pop(0) if self.merits else -abs(value - 3)
        return Verdict(merit, {"merit": merit}, {"value": value})


def a_learner(folder: Path, rate: float = 0.1, phase: str = "") -> Learner:
    return Learner(nn.ModuleDict({"net": Number()}), Rule(rate, decay=0.9), folder, phase)


def task_of(learner: Learner, **more: object) -> ToThree:
    return ToThree(learner.modules["net"], **more)


def test_what_is_learnt_comes_near_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    learner = a_learner(tmp_path)
    task = task_of(learner)
    learner.run(task, 30)
    best = learner.take_best()
    assert best["modules"]["net.value"].item() == pytest.approx(3, abs=0.05)
    assert learner.modules["net"].value.item() == best["found"]["value"] == min(task.judged, key=lambda v: abs(v - 3))
    assert learner.modules["net"].still.item() == 0


def test_a_run_that_was_interrupted_within_an_epoch_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attnviewer.train.learner.KEPT_EVERY", 4)
    whole = a_learner(tmp_path / "whole")
    whole.run(task_of(whole), 3)
    first = a_learner(tmp_path / "parts")
    with pytest.raises(KeyboardInterrupt):
        first.run(task_of(first, stop=17), 3)
    second = a_learner(tmp_path / "parts")
    task = task_of(second)
    second.run(task, 3)
    assert task.seen[0] == 16
    for state in ("modules", "average"):
        assert load_checkpoint(second.last_file)[state] == load_checkpoint(whole.last_file)[state]
    assert second.best == whole.best


def test_a_run_that_is_done_learns_no_more(tmp_path: Path) -> None:
    learner = a_learner(tmp_path)
    learner.run(task_of(learner), 2)
    again = a_learner(tmp_path)
    task = task_of(again)
    again.run(task, 2)
    assert task.seen == task.judged == []
    assert again.modules["net"].value == learner.modules["net"].value


def test_patience_ends_a_run_that_brings_nothing_better(tmp_path: Path) -> None:
    learner = a_learner(tmp_path)
    task = task_of(learner, merits=[1.0, 3.0, 2.0, 3.0, 9.0])
    learner.run(task, 9, patience=2)
    assert len(task.judged) == 4
    assert load_checkpoint(learner.best_file)["found"]["value"] == task.judged[1]


def test_dev_sees_the_averaged_weights_and_training_goes_on_with_its_own(tmp_path: Path) -> None:
    learner = a_learner(tmp_path)
    learner.step((learner.modules["net"].value - 3).square().sum())
    own = learner.modules["net"].value.detach().clone()
    with learner.averaged():
        assert learner.modules["net"].value == learner.average.state["net.value"]
        assert learner.modules["net"].value != own
    assert learner.modules["net"].value == own
    assert not torch.is_inference_mode_enabled()


def test_a_long_gradient_is_clipped_and_a_scale_sets_a_modules_own_rate(tmp_path: Path) -> None:
    modules = nn.ModuleDict({name: Number() for name in ("net", "encoder", "still")})
    learner = Learner(modules, Rule(0.1, {"net": 1.0, "encoder": 0.3}, clip=2.0, weight_decay=0.0), tmp_path)
    learner.step(sum(1e6 * module.value.sum() for module in modules.values()), factor=0.5)
    assert modules["net"].value.grad.item() == pytest.approx(2 / 2**0.5)
    assert [modules[name].value.item() for name in modules] == pytest.approx([-0.05, -0.015, 0.0], rel=1e-3)


def test_a_phase_has_files_and_rows_of_its_own(tmp_path: Path) -> None:
    for phase in ("words", "tune"):
        learner = a_learner(tmp_path, phase=phase)
        learner.run(task_of(learner), 1)
    files = {"words-last.pt", "words-best.pt", "tune-last.pt", "tune-best.pt", "log.csv"}
    assert {path.name for path in tmp_path.iterdir()} == files
    with (tmp_path / "log.csv").open(newline="") as rows:
        assert [(row["phase"], row["epoch"]) for row in csv.DictReader(rows)] == [("words", "1"), ("tune", "1")]


def test_other_weights_to_start_from_are_averaged_from_there(tmp_path: Path) -> None:
    learner = a_learner(tmp_path)
    learner.begin({"net.value": torch.full((1,), 7.0), "net.still": torch.zeros(1)})
    assert learner.modules["net"].value == learner.average.state["net.value"] == 7
    with pytest.raises(RuntimeError, match="value"):
        learner.begin({"net.value": torch.zeros(2)})


def test_the_rate_warms_up_then_falls_to_its_floor() -> None:
    factors = [cosine(step, 1000, warmup=100, floor=0.02) for step in range(1000)]
    assert factors[0] == pytest.approx(0.01)
    assert max(factors) == factors[99] == factors[100] == 1
    assert factors[100:] == sorted(factors[100:], reverse=True)
    assert factors[550] == pytest.approx(0.51)
    assert factors[-1] == pytest.approx(0.02, abs=1e-4)


def test_progress_tells_the_step_and_the_time_that_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path, 100)
    journal.began -= 30  # half a minute for the first of a hundred steps
    journal.progress(0, "nats 3.000")
    journal.progress(1, "not told")
    assert capsys.readouterr().err == "step 0/100  nats 3.000  50.0 min left\n"
