"""A Transformer that captions: its losses at once are those word by word, it learns, and its card names its kind."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations, publish_captioner
from helpers.transformers import a_looker
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from attnviewer.core.errors import UserError
from attnviewer.core.text import Vocabulary
from attnviewer.nets.looker import Looker
from attnviewer.train.caption import command
from attnviewer.train.caption.batches import Batch, Example, collate
from attnviewer.train.caption.losses import LossOptions, teacher_forced
from attnviewer.train.caption.nets import NETS, row_of, share
from attnviewer.train.caption.phases import first_of
from attnviewer.train.options.caption import add_arguments
from attnviewer.zoo.files import EMBEDDING, WEIGHTS
from attnviewer.zoo.store import Zoo

WORDS = Vocabulary(tuple(f"w{i}" for i in range(16)))


def example(*ids: int, cell: int) -> Example:
    regions = np.zeros((len(ids), CELLS), np.uint8)
    regions[:-1, cell] = 255
    return Example(np.array(ids), regions)


def a_batch() -> Batch:
    groups = [[example(5, 6, 7, 2, cell=0), example(8, 2, cell=3)], [example(9, 5, 2, cell=3), example(6, 2, cell=8)]]
    return collate("ab", groups, mirrored=False)


def test_the_nats_at_once_are_those_word_by_word() -> None:
    net, batch = a_looker(), a_batch()
    memory = net.encode_source(annotations(2))
    terms = teacher_forced(net, memory, batch, LossOptions(smoothing=0.0))
    state, nats, inside = net.start(memory, 2), 0.0, 0.0
    for t in range(batch.inputs.shape[2]):
        glance = net(memory, state, batch.inputs[..., t])
        state, target = glance.state, batch.targets[..., t]
        logits = net.logits(glance.output).flatten(0, 1)
        nats += float(F.cross_entropy(logits, target.flatten(), ignore_index=0, reduction="sum").detach())
        mass = (glance.weights[:, :, net.pointer] * batch.regions[:, :, t]).sum(dim=-1)
        inside += float(mass[target > 0].sum().detach())
    assert terms.nats == pytest.approx(nats / batch.counts.words, rel=1e-4)
    assert terms.inside == pytest.approx(inside / batch.counts.boxed, rel=1e-4)


def test_it_learns_words_and_to_look_into_the_boxes() -> None:
    net, batch, cells = a_looker(), a_batch(), annotations(2)
    optimiser = torch.optim.Adam(net.parameters(), 0.01)
    terms = []
    for _ in range(60):
        terms.append(teacher_forced(net, net.encode_source(cells), batch, LossOptions(smoothing=0.0)))
        optimiser.zero_grad()
        terms[-1].loss.backward()
        optimiser.step()
    assert terms[-1].nats < 0.3 * terms[0].nats
    assert terms[-1].inside > terms[0].inside


def test_the_first_photos_of_a_memory_keep_what_is_no_tensor() -> None:
    memory = a_looker().encode_source(annotations(3))
    part = first_of(memory, 2)
    assert part.keys.shape[0] == part.mask.shape[0] == 2
    assert part.change is memory.change


def made(*given: str) -> Looker:
    parser = ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["--data", "x", "--net", "transformer", *given])
    net = NETS[args.net].make(args, 30, 12)
    assert isinstance(net, Looker)
    return net


def test_the_card_names_kind_and_sizes() -> None:
    told = row_of(made()).tell(made())
    assert (told.id, told.kind) == ("caption-transformer", "transformer-captioner")
    assert told.sizes["guided"] == (1, 0)
    assert "Head 1.0" in told.notes[0]


@pytest.mark.parametrize(("given", "message"), [(("--attention", "hard"), "softly"), (("--width", "20"), "multiple")])
def test_options_that_do_not_fit_are_refused(given: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        made(*given)


def test_an_rnns_checkpoint_gives_its_encoder_alone() -> None:
    net = a_looker()
    assert command.fits(net, net.state_dict())
    assert not command.fits(net, {"lstm.weight": torch.zeros(2)})


def test_a_table_of_words_is_shared_held_still_and_not_written_again(tmp_path: Path) -> None:
    soft, net = a_captioner(), a_looker()
    publish_captioner(soft, WORDS, 0, 0.0, 0.9, tmp_path)
    net.embedding = nn.Embedding(*soft.embedding.weight.shape)
    share(net.embedding, tmp_path / "caption-soft")
    assert not net.embedding.weight.requires_grad
    card = publish_captioner(net, WORDS, 0, 0.0, 0.9, tmp_path, embedding_of="caption-soft")
    assert EMBEDDING not in load_file(tmp_path / card.id / WEIGHTS)
    again = a_looker(seed=4)
    again.embedding = nn.Embedding(*soft.embedding.weight.shape)
    Zoo(tmp_path).fill(again, card)
    assert torch.equal(again.embedding.weight, soft.embedding.weight.half().float())
    publish_captioner(a_captioner(seed=5), WORDS, 0, 0.0, 0.9, tmp_path)
    with pytest.raises(UserError, match="caption-transformer stands on another caption-soft"):
        Zoo(tmp_path).fill(again, card)


def test_a_table_that_does_not_fit_or_was_changed_is_refused(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), WORDS, 0, 0.0, 0.9, tmp_path)
    with pytest.raises(UserError, match="give the same --data"):
        share(nn.Embedding(3, 7), tmp_path / "caption-soft")
    with pytest.raises(UserError, match="train with --words"):
        publish_captioner(a_looker(), WORDS, 0, 0.0, 0.9, tmp_path, embedding_of="caption-soft")
