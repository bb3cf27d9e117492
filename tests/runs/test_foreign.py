"""Models of the user's own: tiny ones of each kind with random weights, made on the spot."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from helpers.blocked import loaded_by
from helpers.pictures import corners
from helpers.tiny_models import MAKERS, SEEING, WRITING, write_model

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import AttendTrace
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import AttendRequest, CaptionRequest, Decoding
from attnviewer.core.trace import Grid, Tokens, Trace
from attnviewer.core.transformer.findings import Lens
from attnviewer.core.transformer.requests import LensRequest
from attnviewer.runs.engine import Engine
from attnviewer.runs.foreign import attend_foreign, caption_foreign
from attnviewer.zoo.foreign import KINDS, is_folder, load_foreign_model
from attnviewer.zoo.foreign.base import Foreign
from attnviewer.zoo.foreign.folder import library

TEXT = "he sat on the bank"
PICTURE = Picture(corners(64, 48))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: write_model(kind, tmp_path_factory.mktemp(kind)) for kind in MAKERS}


@pytest.fixture(scope="module")
def models(folders: dict[str, Path]) -> dict[str, Foreign]:
    return {kind: load_foreign_model(str(folder)) for kind, folder in folders.items()}


def attend(model: Foreign, kind: str, **options: Any) -> AttendTrace:
    given = {"picture": PICTURE} if kind in SEEING else {"text": TEXT}
    with torch.inference_mode():
        trace = outcome(attend_foreign(AttendRequest(**given, **options), model))
    assert isinstance(trace, AttendTrace)
    return trace


def test_every_kind_in_the_table_is_tried_here() -> None:
    kinds = {"vision-encoder-decoder" if kind.startswith("seeing_") else kind for kind in MAKERS}
    assert kinds == set(KINDS)


@pytest.mark.parametrize("kind", list(MAKERS))
def test_every_kind_gives_rows_that_sum_to_one_for_each_head_of_each_layer(
    models: dict[str, Foreign], kind: str
) -> None:
    trace = attend(models[kind], kind)
    assert trace.heads == ("0.0", "0.1", "1.0", "1.1")
    assert trace.weights.sum(-1) == pytest.approx(1, abs=1e-4)
    assert trace.weights.shape == (len(trace.steps), 4, len(trace.locations))


@pytest.mark.parametrize("kind", list(MAKERS))
def test_a_head_that_is_off_changes_what_comes_after_it(models: dict[str, Foreign], kind: str) -> None:
    plain = models[kind].net.training, attend(models[kind], kind)
    changed = attend(models[kind], kind, change=Ablation(off=((0, 0), (0, 1))))
    shared = min(len(plain[1].steps), len(changed.steps))
    first, second = (trace.weights[:shared] for trace in (plain[1], changed))
    assert plain[0] is False
    assert np.allclose(first[0, :2], second[0, :2], atol=1e-6)
    assert not np.allclose(first[:, 2:], second[:, 2:], atol=1e-5)
    assert np.array_equal(attend(models[kind], kind).weights, plain[1].weights)


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2"])
def test_texts_keep_their_special_tokens_and_equal_what_transformers_computes(
    models: dict[str, Foreign], folders: dict[str, Path], kind: str
) -> None:
    trace = attend(models[kind], kind)
    assert isinstance(trace.locations, Tokens)
    words = tuple(TEXT.split())
    assert trace.locations.tokens == (words if kind == "gpt2" else ("[CLS]", *words, "[SEP]"))
    ids = torch.tensor([models[kind].tokeniser.encode(TEXT)[0]])  # type: ignore[attr-defined]
    fused = library().AutoModel.from_pretrained(str(folders[kind]), attn_implementation="sdpa").eval()
    with torch.inference_mode():
        eager = models[kind].net(input_ids=ids, output_attentions=True)
        assert torch.allclose(fused(input_ids=ids).last_hidden_state, eager.last_hidden_state, atol=1e-5)
    wanted = torch.stack(eager.attentions)[:, 0].flatten(0, 1).transpose(0, 1)
    assert np.allclose(trace.weights, wanted.numpy(), atol=1e-6)


def test_a_decoder_looks_at_nothing_that_comes(models: dict[str, Foreign]) -> None:
    weights = attend(models["gpt2"], "gpt2").weights  # [T, H, L]
    assert not np.triu(weights.swapaxes(0, 1), k=1).any()


@pytest.mark.parametrize("kind", ["vit", "deit"])
def test_patches_lie_over_the_whole_picture_and_special_tokens_leave_it(models: dict[str, Foreign], kind: str) -> None:
    trace = attend(models[kind], kind)
    assert trace.locations == Grid(4, 4, (0, 0, 64, 48))
    special = {"vit": 1, "deit": 2}[kind]
    assert trace.words[special] == "0,0"
    assert len(trace.words) == 16 + special
    assert trace.outside is not None
    assert trace.outside.shape == (len(trace.words), 4)
    assert 0 < trace.outside.max() < 1
    assert "lie on special tokens" in trace.notes[0]


def test_a_caption_and_a_translation_are_greedy_and_their_words_have_probabilities(models: dict[str, Foreign]) -> None:
    for kind in (*WRITING, "t5", "marian"):
        trace = attend(models[kind], kind)
        assert np.isfinite(trace.logprobs).all()
        assert (trace.logprobs <= 0).all()
        assert "[SEP]" not in trace.words or len(trace.words) == 1
        assert len(trace.words) <= 40
    assert trace.locations.tokens == (*TEXT.split(), "[SEP]")
    assert "[PAD]" not in trace.words


def test_the_map_of_a_word_is_the_one_that_chose_it(models: dict[str, Foreign]) -> None:
    net = models["marian"].net
    trace = attend(models["marian"], "marian")
    ids = torch.tensor([models["marian"].tokeniser.encode(TEXT)[0]])  # type: ignore[attr-defined]
    with torch.inference_mode():
        first = net(input_ids=ids, decoder_input_ids=torch.tensor([[0]]), output_attentions=True)
    assert np.allclose(trace.weights[0].reshape(2, 2, -1), torch.stack(first.cross_attentions)[:, 0, :, 0], atol=1e-5)


def test_one_layer_alone_keeps_its_number(models: dict[str, Foreign]) -> None:
    trace = attend(models["vit"], "vit", layer=1)
    assert trace.heads == ("1.0", "1.1")
    assert trace.outside is not None
    assert trace.outside.shape[1] == 2


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("bert", {"layer": 2}, "has layers 0 to 1; layer 2 is none"),
        ("bert", {"change": Ablation(mask="future")}, "heads can be switched off"),
        ("bert", {"change": Ablation(off=((5, 0),))}, "no head 5.0"),
    ],
)
def test_what_a_model_does_not_have_is_told(models: dict[str, Foreign], kind: str, options: Any, words: str) -> None:
    with pytest.raises(UserError, match=words):
        attend(models[kind], kind, **options)


def test_a_model_says_what_it_reads(models: dict[str, Foreign]) -> None:
    with pytest.raises(UserError, match="reads an image"):
        outcome(attend_foreign(AttendRequest("a text"), models["vit"]))
    with pytest.raises(UserError, match="reads a text"):
        outcome(attend_foreign(AttendRequest(picture=PICTURE), models["gpt2"]))
    with pytest.raises(UserError, match="reads at most 20"):
        outcome(attend_foreign(AttendRequest("dog " * 30), models["bert"]))


def test_only_safetensors_are_read(folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["bert"], tmp_path / "old")
    (tmp_path / "old" / "model.safetensors").rename(tmp_path / "old" / "pytorch_model.bin")
    with pytest.raises(UserError, match="only form of weights that is read"):
        load_foreign_model(str(tmp_path / "old"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_type": "mamba"}, "kind mamba; the kinds that can be read are bert"),
        ({"hidden_size": 15}, "can't be read"),
        (None, "config.json can't be read"),
    ],
)
def test_a_folder_that_is_no_model_is_told_in_one_line(
    folders: dict[str, Path], tmp_path: Path, change: dict[str, Any] | None, words: str
) -> None:
    shutil.copytree(folders["bert"], tmp_path / "m")
    config = tmp_path / "m" / "config.json"
    config.write_text("{" if change is None else json.dumps(json.loads(config.read_text()) | change))
    with pytest.raises(UserError, match=words) as caught:
        load_foreign_model(str(tmp_path / "m"))
    assert "\n" not in str(caught.value)


def test_code_beside_a_model_is_never_run(folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["bert"], tmp_path / "m")
    (tmp_path / "m" / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    config = tmp_path / "m" / "config.json"
    named = {"auto_map": {"AutoModel": "evil.Evil", "AutoConfig": "evil.Evil"}}
    config.write_text(json.dumps(json.loads(config.read_text()) | named))
    load_foreign_model(str(tmp_path / "m"))
    assert not (tmp_path / "ran").exists()


def test_a_folder_is_told_from_an_id(tmp_path: Path) -> None:
    assert is_folder(str(tmp_path))
    assert is_folder("models/none")
    assert not is_folder("all-MiniLM-L6-v2")
    assert not is_folder(None)


def test_transformers_is_imported_only_when_a_model_of_ones_own_is_read() -> None:
    assert loaded_by("attnviewer.runs.foreign", ("transformers",)) == []


def test_what_the_last_layer_of_a_decoder_says_is_what_the_model_says(
    folders: dict[str, Path], models: dict[str, Foreign]
) -> None:
    tokens, logits = models["gpt2"].says(TEXT)  # type: ignore[attr-defined]
    whole = library().GPT2LMHeadModel.from_pretrained(str(folders["gpt2"])).eval()
    ids = models["gpt2"].tokeniser.encode(TEXT)[0]  # type: ignore[attr-defined]
    with torch.inference_mode():
        expected = whole(input_ids=torch.tensor([ids])).logits[0]
    assert logits.shape == (3, len(tokens), expected.shape[-1])
    torch.testing.assert_close(logits[-1], expected, atol=1e-4, rtol=1e-4)


def test_the_lens_looks_through_a_decoder_of_the_users_own(folders: dict[str, Path]) -> None:
    engine = Engine(device="cpu")
    found = outcome(engine.explore(LensRequest(TEXT, str(folders["gpt2"]))))
    assert isinstance(found, Lens)
    assert (found.kind, len(found.tops)) == ("words", 3)
    assert all(0 <= share <= 1 for layer in found.tops for said in layer for _, share in said)
    with pytest.raises(UserError, match="says no next word"):
        outcome(engine.explore(LensRequest(TEXT, str(folders["bert"]))))


@pytest.mark.parametrize("kind", WRITING)
def test_a_caption_grows_word_by_word_with_the_maps_that_attend_shows(
    kind: str, models: dict[str, Foreign], tmp_path: Path
) -> None:
    grown = [one for one in caption_foreign(CaptionRequest(PICTURE), models[kind]) if isinstance(one, Trace)]
    last, seen = grown[-1], attend(models[kind], kind)
    assert [len(trace.steps) for trace in grown] == list(range(1, len(last.steps) + 1))
    assert (last.task, last.words, last.heads) == ("caption", seen.words, seen.heads)
    np.testing.assert_array_equal(last.weights, seen.weights)
    np.testing.assert_allclose(last.weights.sum(axis=-1), 1, atol=1e-4)
    assert isinstance(last.locations, Grid)
    for step in last.steps:
        best = step.alternatives[0]
        assert best[0] == step.word
        assert np.log(best[1]) == pytest.approx(step.logprob, abs=1e-4)
    last.save(tmp_path / "trace.json")
    assert Trace.load(tmp_path / "trace.json").words == last.words


def test_the_engine_captions_with_a_folder(folders: dict[str, Path]) -> None:
    engine = Engine(device="cpu")
    requests = [CaptionRequest(PICTURE, model=str(folders["blip"]))] * 2
    both = engine.caption_all(requests)
    assert both[0].words == both[1].words
    assert both[0].model == folders["blip"].name


@pytest.mark.parametrize(
    ("kind", "asked", "message"),
    [
        ("bert", {}, "writes no captions"),
        ("blip", {"attention": "hard", "decoding": Decoding()}, "soft attention alone"),
        ("blip", {"words": ("a", "dog")}, "its own words"),
    ],
)
def test_what_cannot_be_asked_of_such_a_captioner_is_told(
    kind: str, asked: dict[str, Any], message: str, models: dict[str, Foreign]
) -> None:
    with pytest.raises(UserError, match=message):
        outcome(caption_foreign(CaptionRequest(PICTURE, **asked), models[kind]))
