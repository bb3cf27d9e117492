"""Transformers that people bring: a local Hugging Face folder, read by the adapter of its kind. One file a kind."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.zoo.foreign.base import Foreign
from attnviewer.zoo.foreign.folder import read_config

ENCODER, DECODER, PAIR = "encoder:Encoder", "decoder:Decoder", "pair:Pair"
T5 = "pair:T5"
VIT, BLIP, CAPTIONER = "vit:Vit", "blip:Blip", "captioner:Captioner"
KINDS: dict[str, str] = {  # a config's model_type, and the module and class that read it
    "bert": ENCODER,
    "distilbert": ENCODER,
    "electra": ENCODER,
    "roberta": ENCODER,
    "gpt2": DECODER,
    "marian": PAIR,
    "t5": T5,
    "vit": VIT,
    "deit": VIT,
    "blip": BLIP,
    "vision-encoder-decoder": CAPTIONER,
}


def is_folder(model: str | None) -> bool:
    """Whether the name of a model is a folder of the user's, and no id."""
    return model is not None and (Path(model).is_dir() or "/" in model or "\\" in model)


def load_foreign_model(model: str) -> Foreign:
    """The model in a folder; raises `UserError` where it isn't one that can be read safely."""
    folder = Path(model)
    config = read_config(folder)
    kind = str(config.get("model_type"))
    if kind not in KINDS:
        raise UserError(
            tr("{folder} holds a model of kind {kind}; the kinds that can be read are {known}.",
               folder=folder, kind=kind, known=", ".join(KINDS))
        )  # fmt: skip
    module, _, name = KINDS[kind].partition(":")
    made: Foreign = getattr(import_module(f"{__name__}.{module}"), name)(folder, config)
    return made
