"""The best grounder of a training as a model that ships, with the figures of the test split on its card."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from attnviewer.core.card import ModelCard, Training
from attnviewer.core.i18n import tr
from attnviewer.measure.pointing import measure
from attnviewer.train.grounding.task import Grounded
from attnviewer.train.publish import RESEARCH, command_line
from attnviewer.zoo.files import publish
from attnviewer.zoo.grounding import NAME

NOTES = (
    "Knows what people, animals and things of everyday photos are called; what it never saw named it can only guess.",
    "Each region has seen the whole photo before it becomes a key. Read a map to a seventh of the photo's side.",
    "Temperature, and the fit of 'is it there at all', were chosen on dev; figures are of the test split.",
)


def publish_grounder(task: Grounded, found: Mapping[str, float], hours: float) -> ModelCard:
    """Write the task's net as it is, rounded to half precision; `found` is what dev chose for its card."""
    net, args = task.net.eval(), task.args
    net.load_state_dict({name: value.half().float() for name, value in net.state_dict().items()})
    scored = task.score("test", fast=False)
    figures = measure(scored, task.splits["test"], found["temperature"], 1 / float(net.scale.detach()))
    card = ModelCard(
        id=NAME, name="Grounding: regions of a photo for any phrase", task="grounding", attention="content",
        licence=f"weights: {RESEARCH}", data=task.data,
        training=Training(command_line(), args.seed, round(hours, 2)),
        architecture={"encoder": args.encoder, **vars(net.config), **found},
        figures={name: round(value, 4) for name, value in vars(figures).items()},
        capabilities=("regions",), notes=NOTES,
    )  # fmt: skip
    print(tr("published {name}: {figures}", name=NAME, figures=card.figures), file=sys.stderr)
    return publish(net, card, args.models_dir)
