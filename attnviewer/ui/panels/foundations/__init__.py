"""Foundations: five live experiments on the way from fully connected nets to attention, a file and a row each."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from attnviewer.core.i18n import tr

if TYPE_CHECKING:
    from attnviewer.ui.desk import Desk
    from attnviewer.ui.panels.foundations.base import Experiment

HERE = "attnviewer.ui.panels.foundations"


@dataclass(frozen=True)
class ExperimentSpec:
    """One experiment.

    Parameters
    ----------
    key, name, tip : its name in the settings and on its button, and what it shows.
    home : the class that makes it from a `Desk`, as "module:Class".
    question : what is left open at its end.
    answer : the text of the button that leads to the answer.
    """

    key: str
    name: str
    tip: str
    home: str
    question: str
    answer: str

    def make(self, desk: Desk) -> Experiment:
        """Import the experiment and make it."""
        module, _, name = self.home.partition(":")
        made: Experiment = getattr(import_module(f"{HERE}.{module}"), name)(desk)
        return made


def experiments() -> tuple[ExperimentSpec, ...]:
    """The experiments in the order in which one asks for the next."""
    return (
        ExperimentSpec(
            "mlp", tr("MLP"), tr("A weight for each pixel: what it costs, and what it can't do"), "mlp:MlpExperiment",
            tr("A trillion weights, and a digit that moves is a stranger. Could a few weights be used at every place?"),
            tr("Convolution"),
        ),
        ExperimentSpec(
            "conv", tr("Convolution"), tr("A few weights that slide over the photo"), "conv:ConvExperiment",
            tr("Nine weights see three pixels. How far does a unit deep in the net see?"), tr("Receptive field"),
        ),
        ExperimentSpec(
            "field", tr("Field"), tr("What a unit of the encoder can see, and what it does see"),
            "field:FieldExperiment",
            tr("What lies far apart meets late, through many hands. And a text: can it be one vector at once?"),
            tr("Documents"),
        ),
        ExperimentSpec(
            "documents", tr("Documents"), tr("Texts as bags of words"), "documents:DocumentsExperiment",
            tr("A bag of words forgets their order. What reads one word after the other, and remembers?"),
            tr("Recurrent net"),
        ),
        ExperimentSpec(
            "rnn", tr("RNN"), tr("The captioner without attention, unrolled"), "rnn:RnnExperiment",
            tr("The photo has to pass through one state. What if the net could look at it again, for every word?"),
            tr("Let it look again"),
        ),
    )  # fmt: skip
