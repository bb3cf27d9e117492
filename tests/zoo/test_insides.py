"""What is taken out of models of the user's own equals what transformers computes with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from helpers.tiny_models import write_model

from attnviewer.core.attend import AttendTrace
from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.request import AttendRequest
from attnviewer.core.transformer.findings import Lens
from attnviewer.core.transformer.requests import LensRequest
from attnviewer.runs.engine import Engine
from attnviewer.runs.foreign import attend_foreign
from attnviewer.zoo.foreign import check_ours, load_foreign_model
from attnviewer.zoo.foreign.base import Foreign
from attnviewer.zoo.foreign.folder import library

TEXT = "he sat on the bank"
KINDS = ("bert", "roberta", "distilbert", "electra", "gpt2")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: write_model(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


def attend(model: Foreign) -> AttendTrace:
    trace = outcome(attend_foreign(AttendRequest(TEXT), model))
    assert isinstance(trace, AttendTrace)
    return trace


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_taken_out_of_a_model_adds_up_to_what_the_model_says(kind: str, folders: dict[str, Path]) -> None:
    model: Any = load_foreign_model(str(folders[kind]))
    inside = attend(model).inside
    assert inside is not None
    powers = np.exp(inside.scores - inside.scores.max(-1, keepdims=True))
    np.testing.assert_allclose(powers / powers.sum(-1, keepdims=True), inside.weights, atol=1e-5)
    made = np.einsum("ntd,npHds->npHts", inside.normed, inside.projections) + inside.biases[:, :, :, None]
    np.testing.assert_allclose(made[:, 0], inside.queries, atol=1e-4)
    np.testing.assert_allclose(made[:, 2], inside.values, atol=1e-4)
    ids = torch.tensor([model.tokeniser.encode(TEXT)[0]])
    with torch.inference_mode():
        theirs = model.net(input_ids=ids, output_hidden_states=True).hidden_states
    last = torch.tensor(inside.hidden[-1])
    last = model.net.ln_f(last) if kind == "gpt2" else last
    np.testing.assert_allclose(inside.hidden[:-1], torch.stack([one[0] for one in theirs[:-1]]).numpy(), atol=1e-4)
    np.testing.assert_allclose(last.numpy(), theirs[-1][0].numpy(), atol=1e-4)


def test_a_model_whose_scores_have_a_term_of_their_own_shows_its_maps_alone(
    tmp_path: Path, folders: dict[str, Path]
) -> None:
    folder = shutil.copytree(folders["gpt2"], tmp_path / "scaled")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"scale_attn_by_inverse_layer_idx": True}))
    trace = attend(load_foreign_model(str(folder)))
    assert trace.inside is None
    assert trace.weights.shape[1] == 4


def test_the_last_row_of_the_lens_is_what_gpt2_says_with_its_own_head(folders: dict[str, Path]) -> None:
    found = outcome(Engine().explore(LensRequest(TEXT, str(folders["gpt2"]))))
    assert isinstance(found, Lens)
    model: Any = load_foreign_model(str(folders["gpt2"]))
    whole = library().GPT2LMHeadModel.from_pretrained(str(folders["gpt2"])).eval()
    with torch.inference_mode():
        theirs = whole(input_ids=torch.tensor([model.tokeniser.encode(TEXT)[0]])).logits[0].softmax(-1)
    for said, row in zip(found.tops[-1], theirs, strict=True):
        assert [share for _, share in said] == pytest.approx(row.topk(len(said)).values.tolist(), abs=1e-5)
        assert said[0][0] == model.tokeniser.word(int(row.argmax()))


def test_what_only_nets_that_ship_can_do_is_refused_in_a_sentence(tmp_path: Path) -> None:
    check_ours("caption-soft")
    with pytest.raises(UserError, match="neither a tree of beams"):
        check_ours(str(tmp_path))
