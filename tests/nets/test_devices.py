"""Nets keep to one device: tensors that only pretend to be on a GPU raise where they meet the processor's memory."""

from __future__ import annotations

import pytest
import torch
from helpers.nets import CELLS, SIZES, a_captioner
from helpers.transformers import SMALL
from helpers.translators import BUCKETS, EMBEDDING, SOURCE, TARGET
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from attnviewer.nets.looker import Looker, LookerConfig
from attnviewer.nets.rectified import RectifiedCaptioner, RectifiedConfig
from attnviewer.nets.transformer import Transformer, TransformerConfig
from attnviewer.nets.translator import Words


@pytest.mark.parametrize("attention", ["soft", "hard", "none", "rectified"])
def test_a_captioner_on_a_gpu_reads_and_speaks_there(attention: str) -> None:
    with FakeTensorMode(), torch.device("cuda"):
        rectified = RectifiedConfig(20, annotation=SIZES["annotation"], match=8, embedding=6, hidden=14)
        net = RectifiedCaptioner(rectified) if attention == "rectified" else a_captioner(attention)
        memory = net.encode_source(torch.rand(2, CELLS, SIZES["annotation"]))
        words = torch.zeros(2, 3, dtype=torch.long)
        glance = net(memory, net.start(memory, 3), words, pick="argmax" if attention == "hard" else None)
        again = net(memory, net.reorder(glance.state, words), words)
        logits = net.logits(again.output)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), words.flatten())
    assert loss.device.type == "cuda"
    assert (logits.device.type, tuple(logits.shape)) == ("cuda", (2, 3, 20))
    assert all(value.device.type == "cuda" for value in net.state_dict().values())


def loss_of(logits: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    """The loss of made-up targets. A tensor that only pretends can't go backwards: that needs a real device."""
    return nn.functional.cross_entropy(logits.flatten(0, -2), words.flatten(), label_smoothing=0.1)


def test_a_captioning_transformer_on_a_gpu_learns_and_speaks_there() -> None:
    with FakeTensorMode(), torch.device("cuda"):
        net = Looker(LookerConfig(20, annotation=SIZES["annotation"], width=16, heads=2, inner=24)).train()
        words = torch.zeros(2, 3, 5, dtype=torch.long)
        memory = net.encode_source(torch.rand(2, 9, SIZES["annotation"]))
        output, weights = net.teach(memory, words)
        loss = loss_of(net.logits(output), words)
        net.eval()
        memory = net.encode_source(torch.rand(2, 9, SIZES["annotation"]))
        glance = net(memory, net.start(memory, 3), words[..., 0])
        again = net(memory, net.reorder(glance.state, words[..., 0]), words[..., 1])
        logits = net.logits(again.output)
    assert {one.device.type for one in (loss, weights, logits, again.weights)} == {"cuda"}
    assert tuple(logits.shape) == (2, 3, 20)


@pytest.mark.parametrize("order", ["sinusoidal", "learnt", "relative", "none"])
def test_a_translating_transformer_on_a_gpu_learns_and_speaks_there(order: str) -> None:
    with FakeTensorMode(), torch.device("cuda"):
        words = Words(len(SOURCE), torch.zeros(len(TARGET), 4, dtype=torch.long), BUCKETS, EMBEDDING)
        sizes = TransformerConfig(
            len(SOURCE), len(TARGET), embedding=EMBEDDING, spelling=BUCKETS, order=order, reach=3, **SMALL
        )
        net = Transformer(sizes, words).train()
        source, said = torch.ones(2, 6, dtype=torch.long), torch.ones(2, 5, dtype=torch.long)
        grams = torch.zeros(2, 6, 4, dtype=torch.long), torch.zeros(2, 5, 4, dtype=torch.long)
        output, weights, _ = net.teach(net.encode_source(source, grams[0]), said, grams[1])
        loss = loss_of(net.logits(output), said)
        net.eval()
        memory = net.encode_source(source, grams[0])
        ids = torch.ones(2, 3, dtype=torch.long)
        glance = net(memory, net.start(memory, 3), ids)
        logits = net.logits(net(memory, net.reorder(glance.state, ids * 0), ids).output)
    assert {one.device.type for one in (loss, weights, logits)} == {"cuda"}


def test_a_mixture_of_devices_is_found_out() -> None:
    with FakeTensorMode():
        net = a_captioner()
        with pytest.raises(RuntimeError, match="device"):
            net.encode_source(torch.rand(1, CELLS, SIZES["annotation"], device="cuda"))
