"""Nets keep to one device: tensors that only pretend to be on a GPU raise where they meet the processor's memory."""

from __future__ import annotations

import pytest
import torch
from helpers.nets import CELLS, SIZES, a_captioner
from torch._subclasses.fake_tensor import FakeTensorMode

from attnviewer.nets.rectified import RectifiedCaptioner, RectifiedConfig


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


def test_a_mixture_of_devices_is_found_out() -> None:
    with FakeTensorMode():
        net = a_captioner()
        with pytest.raises(RuntimeError, match="device"):
            net.encode_source(torch.rand(1, CELLS, SIZES["annotation"], device="cuda"))
