"""Checkpoints of others: whole modules are read without running them, and say what they said where they come from."""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
import tracemalloc
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
import torchvision
from torch import Tensor, nn

from attnviewer.cli import main
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.runs.caption import pixels_of
from attnviewer.runs.engine import Engine
from attnviewer.zoo.inert import MAGIC, Inert, read_inert, tensors_of
from attnviewer.zoo.tutorial import RECIPE

WORDS = ["a", "dog", "runs", "on", "grass", "cat", "red"]
NUMBERS = {word: place for place, word in enumerate(WORDS, start=1)}
NUMBERS |= {"<unk>": 8, "<start>": 9, "<end>": 10, "<pad>": 0}
SIZE = 12


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.enc_image_size = 14
        self.resnet = nn.Sequential(*list(torchvision.models.resnet101(weights=None).children())[:-2])
        self.adaptive_pool = nn.AdaptiveAvgPool2d((14, 14))


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder_att, self.decoder_att = nn.Linear(2048, SIZE), nn.Linear(SIZE, SIZE)
        self.full_att, self.relu, self.softmax = nn.Linear(SIZE, 1), nn.ReLU(), nn.Softmax(dim=1)


class DecoderWithAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention, self.embedding = Attention(), nn.Embedding(len(NUMBERS), SIZE)
        self.dropout, self.sigmoid = nn.Dropout(0.5), nn.Sigmoid()
        self.decode_step = nn.LSTMCell(SIZE + 2048, SIZE)
        self.init_h, self.init_c = nn.Linear(2048, SIZE), nn.Linear(2048, SIZE)
        self.f_beta, self.fc = nn.Linear(SIZE, 2048), nn.Linear(SIZE, len(NUMBERS))


def resnet(state: dict[str, Tensor], x: Tensor) -> Tensor:
    """The reference: ResNet-101 without its head, pooled to 14 x 14, then annotation vectors [1, 196, 2048]."""

    def norm(x: Tensor, name: str) -> Tensor:
        parts = (state[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias"))
        return F.batch_norm(x, *parts)

    x = F.conv2d(x, state["resnet.0.weight"], stride=2, padding=3)
    x = F.max_pool2d(F.relu(norm(x, "resnet.1")), 3, 2, 1)
    for layer, depth in zip(range(4, 8), (3, 4, 23, 3), strict=True):
        for block in range(depth):
            name, stride = f"resnet.{layer}.{block}", 2 if layer > 4 and block == 0 else 1
            y = F.relu(norm(F.conv2d(x, state[f"{name}.conv1.weight"]), f"{name}.bn1"))
            y = F.relu(norm(F.conv2d(y, state[f"{name}.conv2.weight"], stride=stride, padding=1), f"{name}.bn2"))
            y = norm(F.conv2d(y, state[f"{name}.conv3.weight"]), f"{name}.bn3")
            if block == 0:
                x = norm(F.conv2d(x, state[f"{name}.downsample.0.weight"], stride=stride), f"{name}.downsample.1")
            x = F.relu(x + y)
    return F.adaptive_avg_pool2d(x, 14).flatten(2).transpose(1, 2)


def decode(s: dict[str, Tensor], a: Tensor, words: list[int]) -> Iterator[tuple[Tensor, Tensor]]:
    """The reference: attention weights and chances of the next word after each of some words."""
    line = lambda name, x: F.linear(x, s[f"{name}.weight"], s[f"{name}.bias"])  # noqa: E731
    h, c = line("init_h", a.mean(1)), line("init_c", a.mean(1))
    for word in words:
        both = line("attention.encoder_att", a) + line("attention.decoder_att", h)[:, None]
        weights = line("attention.full_att", F.relu(both)).squeeze(2).softmax(1)
        context = line("f_beta", h).sigmoid() * (a * weights[..., None]).sum(1)
        gates = [s[f"decode_step.{name}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        read = torch.cat([s["embedding.weight"][[word]], context], 1)
        i, f, g, o = (F.linear(read, gates[0], gates[2]) + F.linear(h, gates[1], gates[3])).chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        yield weights[0], line("fc", h)[0].softmax(0)


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes under the names that checkpoints know them by."""
    module = types.ModuleType("models")
    for kind in (Encoder, Attention, DecoderWithAttention):
        monkeypatch.setattr(kind, "__module__", "models")
        setattr(module, kind.__name__, kind)
    monkeypatch.setitem(sys.modules, "models", module)


@pytest.fixture
def saved(foreign: None, tmp_path: Path) -> tuple[Path, dict[str, Tensor], dict[str, Tensor]]:
    """A checkpoint with random weights and its word map; and the weights of both nets."""
    torch.manual_seed(0)
    encoder, decoder = Encoder(), DecoderWithAttention()
    for name, value in encoder.state_dict().items():
        if name.endswith("bn3.weight"):
            value.fill_(0.2)  # or numbers grow from block to block
        elif name.endswith(("running_mean", "running_var")):
            value.add_(0.1 * torch.rand_like(value))
    optimiser = torch.optim.Adam(decoder.parameters())
    sum(value.sum() for value in decoder.parameters()).backward()
    optimiser.step()
    whole = {"epoch": 3, "bleu-4": 0.25, "encoder": encoder, "decoder": decoder, "encoder_optimizer": None,
             "decoder_optimizer": optimiser}  # fmt: skip
    torch.save(whole, tmp_path / "BEST_checkpoint.pth.tar")
    (tmp_path / "WORDMAP_coco.json").write_text(json.dumps(NUMBERS))
    return tmp_path / "BEST_checkpoint.pth.tar", encoder.state_dict(), decoder.state_dict()


def test_an_imported_checkpoint_looks_and_speaks_as_it_did(saved: Any, tmp_path: Path, capsys: Any) -> None:
    path, encoder, decoder = saved
    sys.modules.pop("models")  # whoever reads it has no such code
    assert main(["models", "import", str(path), "--name", "mine", "--models", str(tmp_path)]) == 0
    pixels = np.random.default_rng(0).integers(0, 256, (90, 120, 3), dtype=np.uint8)
    request = CaptionRequest(
        Picture(pixels), decoding=Decoding(alternatives=20), words=("a", "dog", "runs"), model="mine"
    )
    trace = outcome(Engine(tmp_path, "cpu").run(request))
    with torch.inference_mode():
        annotations = resnet(encoder, pixels_of(Picture(pixels), RECIPE))
        wanted = list(decode(decoder, annotations, [NUMBERS[word] for word in ("<start>", "a", "dog")]))
    for step, (weights, chances) in zip(trace.steps, wanted, strict=True):
        assert np.abs(step.weights[0] - weights.numpy()).max() < 1e-5
        assert np.exp(step.logprob) == pytest.approx(float(chances[NUMBERS[step.word]]), abs=1e-5)
        for word, chance in step.alternatives:
            if word in NUMBERS:
                assert chance == pytest.approx(float(chances[NUMBERS[word]]), abs=1e-5)


@pytest.mark.parametrize("modern", [True, False])
def test_both_containers_are_read(modern: bool, foreign: None, tmp_path: Path) -> None:
    decoder = DecoderWithAttention()
    torch.save({"decoder": decoder}, tmp_path / "c.pth", _use_new_zipfile_serialization=modern)
    sys.modules.pop("models")
    found = read_inert(tmp_path / "c.pth")["decoder"]
    assert type(found) is Inert
    state = dict(tensors_of(found))
    assert state.keys() == decoder.state_dict().keys()
    assert all(torch.equal(value, decoder.state_dict()[name]) for name, value in state.items())


class Payload:
    """Runs a command where it is unpickled by the usual means."""

    def __init__(self, call: Any, *args: Any) -> None:
        self.call, self.args = call, args

    def __reduce__(self) -> Any:
        return self.call, self.args


def payloads(mark: Path) -> list[Any]:
    return [
        Payload(os.system, f"touch {mark}"),
        Payload(eval, f"open({str(mark)!r}, 'w')"),
        Payload(exec, f"open({str(mark)!r}, 'w')"),
        Payload(getattr, "x", "upper"),
        Payload(__import__, "os"),
        Payload(open, str(mark), "w"),
    ]


@pytest.mark.parametrize("modern", [True, False])
@pytest.mark.parametrize("number", range(6))
def test_a_payload_is_named_and_never_run(number: int, modern: bool, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    saved = {"encoder": payloads(mark)[number], "decoder": 1}
    torch.save(saved, tmp_path / "c.pth", _use_new_zipfile_serialization=modern)
    with pytest.raises(UserError, match="is not run; nothing was loaded"):
        read_inert(tmp_path / "c.pth")
    assert not mark.exists()


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", pickle.dumps({"a": 1}), pickle.dumps(5), b"\x80\x02."])
def test_what_is_no_checkpoint_is_one_line(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "c.pth").write_bytes(data)
    with pytest.raises(UserError) as caught:
        read_inert(tmp_path / "c.pth")
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("modern", [True, False])
def test_a_checkpoint_that_is_cut_is_one_line(share: float, modern: bool, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    torch.save({"encoder": torch.rand(400), "decoder": 1}, buffer, _use_new_zipfile_serialization=modern)
    (tmp_path / "c.pth").write_bytes(buffer.getvalue()[: int(len(buffer.getvalue()) * share)])
    with pytest.raises(UserError):
        read_inert(tmp_path / "c.pth")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"a": 1}, "no word map"),
        ([1], "no word map"),
        ({**NUMBERS, "a": 99}, "aren't 0 to"),
        (None, "name the word map"),
    ],
)
def test_a_word_map_that_is_none_is_one_line(numbers: Any, told: str, tmp_path: Path, capsys: Any) -> None:
    torch.save({"encoder": 1, "decoder": 1}, tmp_path / "c.pth")
    if numbers is not None:
        (tmp_path / "WORDMAP.json").write_text(json.dumps(numbers))
    assert main(["models", "import", str(tmp_path / "c.pth"), "--models", str(tmp_path)]) == 2
    assert told in capsys.readouterr().err


def test_an_empty_file_is_told_before_any_word_map(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "c.pth").write_bytes(b"")
    assert main(["models", "import", str(tmp_path / "c.pth"), "--models", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "attnviewer: c.pth is no checkpoint, or damaged (EOFError).\n"


@pytest.mark.parametrize("modern", [True, False])
def test_a_damaged_number_of_an_object_takes_no_memory(modern: bool, tmp_path: Path) -> None:
    put_far = b"\x80\x02}r\xff\xff\xff\x7fs."  # an empty dict, kept as object 2,147,483,647
    if modern:
        with zipfile.ZipFile(tmp_path / "c.pth", "w") as archive:
            archive.writestr("c/data.pkl", put_far)
    else:
        (tmp_path / "c.pth").write_bytes(pickle.dumps(MAGIC, 2) + pickle.dumps(1001, 2) + put_far)
    tracemalloc.start()
    with pytest.raises(UserError):
        read_inert(tmp_path / "c.pth")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000
