"""Translators can be measured by their ids: a Transformer beside the others."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from helpers.transformers import a_transformer
from helpers.translators import publish_translators

from attnviewer.measure.options.translate import add_arguments
from attnviewer.measure.translate import load_models
from attnviewer.ui.installed import by_attention
from attnviewer.zoo.files import publish
from attnviewer.zoo.store import Zoo


def test_a_model_is_measured_by_its_id_and_lessons_are_no_choice_of_the_window(tmp_path: Path) -> None:
    from dataclasses import replace

    publish_translators(tmp_path)
    model = a_transformer()
    card = replace(model.card, kind="transformer-translator")
    publish(model.net, card, tmp_path)
    lesson = replace(card, id="es-en-lesson-none", architecture={**card.architecture, "lesson": True})
    publish(model.net, lesson, tmp_path)
    parser = ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["--data", "x", "--model", "es-en-transformer", "--model", "es-en-none"])
    args.models_dir = tmp_path
    found = load_models(args)
    assert list(found) == ["es-en-transformer", "es-en-none"]
    assert found["es-en-transformer"].net.heads == ("0.0", "0.1", "1.0", "1.1")
    shown = by_attention(list(Zoo(tmp_path).cards.values()), "translate")
    assert shown["soft"] == ("es-en-attention", "es-en-transformer")
