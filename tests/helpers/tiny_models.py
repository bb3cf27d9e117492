"""Models of other people's kinds with random weights, as small as can be, written as the folders they come in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from attnviewer.zoo.foreign.folder import library

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "he",
    "sat",
    "on",
    "the",
    "bank",
    "a",
    "dog",
    "runs",
    "grass",
    "of",
    "river",
)
COUNT = len(WORDS)
SIZES: dict[str, Any] = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16, "hidden_size": 16}
SPEAKS: dict[str, Any] = {
    "vocab_size": COUNT, "add_cross_attention": True, "is_decoder": True, "bos_token_id": 2, "eos_token_id": 3,
    "pad_token_id": 0,
}  # fmt: skip
SIGHT: dict[str, Any] = SIZES | {"image_size": 32, "patch_size": 8}


def write_tokeniser(folder: Path, ends: str = "[CLS] $A [SEP]") -> None:
    """A tokeniser of whole words that adds marks at the ends."""
    made = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(single=ends, special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    made.save(str(folder / "tokenizer.json"))


def bert(transformers: Any) -> Any:
    return transformers.BertModel(
        transformers.BertConfig(vocab_size=COUNT, max_position_embeddings=20, **SIZES), add_pooling_layer=False
    )


def roberta(transformers: Any) -> Any:
    config = transformers.RobertaConfig(
        vocab_size=COUNT, max_position_embeddings=20, pad_token_id=0, bos_token_id=2, eos_token_id=3, **SIZES
    )
    return transformers.RobertaModel(config, add_pooling_layer=False)


def distilbert(transformers: Any) -> Any:
    return transformers.DistilBertModel(
        transformers.DistilBertConfig(vocab_size=COUNT, dim=16, n_layers=2, n_heads=2, hidden_dim=16)
    )


def electra(transformers: Any) -> Any:
    return transformers.ElectraModel(transformers.ElectraConfig(vocab_size=COUNT, embedding_size=16, **SIZES))


def gpt2(transformers: Any) -> Any:
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=COUNT, n_embd=16, n_layer=2, n_head=2, n_positions=20, bos_token_id=2, eos_token_id=3
        )
    )


def marian(transformers: Any) -> Any:
    sides = {f"{side}_{name}": 2 for side in ("encoder", "decoder") for name in ("layers", "attention_heads")}
    return transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=COUNT, d_model=16, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=60,
            pad_token_id=0, decoder_start_token_id=0, eos_token_id=3, bos_token_id=2, forced_eos_token_id=3, **sides,
        )
    )  # fmt: skip


def t5(transformers: Any) -> Any:
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=COUNT, d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2, decoder_start_token_id=0,
            pad_token_id=0, eos_token_id=3,
        )
    )  # fmt: skip


def seeing_gpt2(transformers: Any) -> Any:
    return _seeing(transformers, transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_positions=60, **SPEAKS))


def seeing_trocr(transformers: Any) -> Any:
    sizes = {"d_model": 16, "decoder_layers": 2, "decoder_attention_heads": 2, "decoder_ffn_dim": 16}
    return _seeing(transformers, transformers.TrOCRConfig(max_position_embeddings=60, **sizes, **SPEAKS))


def seeing_bert(transformers: Any) -> Any:
    return _seeing(transformers, transformers.BertConfig(**SIZES, **SPEAKS))


def _seeing(transformers: Any, decoder: Any) -> Any:
    config = transformers.VisionEncoderDecoderConfig.from_encoder_decoder_configs(
        transformers.ViTConfig(**SIGHT), decoder
    )
    config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = 2, 3, 0
    return transformers.VisionEncoderDecoderModel(config)


def vit(transformers: Any) -> Any:
    return transformers.ViTModel(transformers.ViTConfig(**SIGHT), add_pooling_layer=False)


def deit(transformers: Any) -> Any:
    return transformers.DeiTModel(transformers.DeiTConfig(**SIGHT), add_pooling_layer=False)


def blip(transformers: Any) -> Any:
    text = SIZES | {"vocab_size": COUNT, "encoder_hidden_size": 16, "bos_token_id": 2, "sep_token_id": 3}
    return transformers.BlipForConditionalGeneration(
        transformers.BlipConfig(text_config=text | {"pad_token_id": 0, "eos_token_id": 3}, vision_config=SIGHT)
    )


MAKERS: dict[str, Callable[[Any], Any]] = {
    made.__name__: made
    for made in (
        bert, roberta, distilbert, electra, gpt2, marian, t5, vit, deit, blip, seeing_gpt2, seeing_trocr, seeing_bert
    )
}  # fmt: skip
ENDS = {"gpt2": "$A", "marian": "$A [SEP]", "t5": "$A [SEP]"}
WRITING = ("blip", "seeing_gpt2", "seeing_trocr", "seeing_bert")  # captions of pictures
SEEING = ("vit", "deit", *WRITING)


def write_model(kind: str, folder: Path) -> Path:
    """A folder with a model of a kind."""
    torch.manual_seed(7)
    folder.mkdir(parents=True, exist_ok=True)
    made = MAKERS[kind](library())
    for value in made.parameters():  # larger weights than at the start of training: maps that differ
        torch.nn.init.normal_(value, std=0.3) if value.dim() > 1 else None
    made.save_pretrained(str(folder))
    write_tokeniser(folder, ENDS.get(kind, "[CLS] $A [SEP]"))
    if kind in SEEING:
        (folder / "preprocessor_config.json").write_text(json.dumps({"image_mean": [0.5] * 3, "image_std": [0.5] * 3}))
    return folder
