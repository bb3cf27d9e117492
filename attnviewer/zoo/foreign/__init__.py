"""Transformers that people bring: a local Hugging Face folder, read by the adapter of its kind. One file a kind."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from attnviewer.core.added import added_folder, is_name
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
    """Whether the name of a model is a folder of the user's or a model that was added, and no id of ours."""
    return model is not None and (
        Path(model).is_dir() or "/" in model or "\\" in model or added_folder(model) is not None
    )


def check_ours(model: str | None) -> None:
    """Raise `UserError` for a model of the user's own, where only nets that ship can be looked into."""
    if is_folder(model):
        raise UserError(
            tr("{model} is a model of your own: it writes greedily and takes no words from outside, so there is "
               "neither a tree of beams nor an answer to “does it matter?”; choose one that ships.",
               model=Path(str(model)).name)
        )  # fmt: skip


def load_foreign_model(model: str) -> Foreign:
    """The model in a folder, or one that was added, by its name; raises `UserError` where it can't be read safely."""
    folder = Path(model)
    if not folder.is_dir():
        folder = added_folder(model) or folder
        if not folder.is_dir() and is_name(model) and model.count("/") == 1:
            raise UserError(
                tr(
                    "there is no folder {folder}, nor was it added; fetch it: attnviewer models add {folder}",
                    folder=model,
                )
            )
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
