"""Panels: the table of what the window can show. A new panel is one folder beside this file and one row here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from attnviewer.core.i18n import later, tr
from attnviewer.ui.fields import Field, one_of, texts, yes
from attnviewer.ui.shortcuts import COMPARING, DOUBTING, MAPPING, PLAYING, Key, attending, together

if TYPE_CHECKING:
    from attnviewer.ui.desk import Desk
    from attnviewer.ui.panels.base import Panel


@dataclass(frozen=True)
class PanelSpec:
    """One panel; nothing of it is imported before it is made.

    Parameters
    ----------
    key : its name in the settings.
    name, glyph, tip : what the rail says of it.
    home : the class that makes it from a `Desk`, as "module:Class".
    keys : the actions that it answers to; groups that panels share are in `ui.shortcuts`.
    fields : what it remembers between runs, by name.
    task : the task whose ways to attend its keys choose.
    """

    key: str
    name: str
    glyph: str
    tip: str
    home: str
    keys: tuple[Key, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    task: str = ""

    def make(self, desk: Desk) -> Panel:
        """Import the panel and make it."""
        module, _, name = self.home.partition(":")
        panel: Panel = getattr(import_module(module), name)(desk)
        panel.key = self.key
        return panel


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec(
        "image",
        later("Image"),
        "image",
        later("Caption a photo and see where the model looked for each word"),
        "attnviewer.ui.panels.image.panel:ImagePanel",
        keys=(
            *PLAYING,
            *DOUBTING,
            COMPARING,
            Key("again", ("R",), later("Sample again, with hard attention")),
            Key("draws", ("T",), later("Sample 100 times")),
            Key("under", ("D",), later("Map below the place taken")),
            *MAPPING,
            Key("undo", ("Ctrl+Z",), later("Undo what you changed")),
            Key("redo", ("Ctrl+Shift+Z",), later("Redo what you undid")),
            Key("before", ("Z",), later("Before the last change, and after")),
            Key("keep", ("K",), later("Keep this text as a variant")),
            Key("variants", ("V",), later("Compare the variants that you kept")),
            Key("hand", ("E",), later("Next tool of What if?")),
        ),
        fields={
            "attention": Field("soft", str),
            "model": Field("", str),
            "pick": Field("sample", one_of("sample", "argmax")),
        },
        task="caption",
    ),
    PanelSpec(
        "translate",
        later("Translate"),
        "translate",
        later("Translate a sentence and see which word each word came from"),
        "attnviewer.ui.panels.translate.panel:TranslatePanel",
        keys=(
            *PLAYING,
            *DOUBTING,
            COMPARING,
            Key("shuffle", ("X",), later("Shuffle the source")),
            Key("origin", ("O",), later("Looked at, or came from")),
            Key("undo", ("Ctrl+Z",), later("Undo what you changed")),
            Key("redo", ("Ctrl+Shift+Z",), later("Redo what you undid")),
            Key("keep", ("K",), later("Keep this text as a variant")),
            Key("variants", ("V",), later("Compare the variants that you kept")),
            Key("type", ("Ctrl+L",), later("Type a sentence")),
        ),
        fields={"translate": Field("soft", str), "translated": Field((), texts)},
        task="translate",
    ),
    PanelSpec(
        "query",
        later("Query"),
        "query",
        later("Ask regions, words or lines by content"),
        "attnviewer.ui.panels.query.panel:QueryPanel",
        keys=MAPPING,
        fields={
            "query": Field("regions", one_of("regions", "words", "lines"), was="ask"),
            "queries": Field((), texts, was="asked"),
        },
        task="query",
    ),
    PanelSpec(
        "transformer",
        later("Transformer"),
        "transformer",
        later("Build self-attention up on a text of your own, and look at every head of a real net"),
        "attnviewer.ui.panels.transformer.panel:TransformerPanel",
        keys=(
            *PLAYING,
            Key("layer_on", ("]",), later("Next layer")),
            Key("layer_back", ("[",), later("Layer before")),
            Key("head_on", (".",), later("Next head")),
            Key("head_back", (",",), later("Head before")),
            Key("undo", ("Ctrl+Z",), later("Undo what you changed")),
            Key("type", ("Ctrl+L",), later("Type a sentence")),
        ),
        fields={
            "attended": Field((), texts),
            "transformer": Field("steps", str),
        },
        task="attend",
    ),
    PanelSpec(
        "foundations",
        later("Foundations"),
        "foundations",
        later("Five experiments on the way to attention: MLP, convolution, fields, documents, a recurrent net"),
        "attnviewer.ui.panels.foundations.panel:FoundationsPanel",
        keys=(
            *PLAYING,
            Key("further", ("Ctrl+Right",), later("Next experiment")),
            Key("nearer", ("Ctrl+Left",), later("Experiment before")),
            Key("again", ("R",), later("Learn again")),
            Key("shuffle", ("X",), later("Shuffle the words")),
        ),
        fields={
            "foundations": Field("mlp", one_of("mlp", "conv", "field", "documents", "rnn")),
            "documents": Field((), texts),
        },
    ),
    PanelSpec(
        "learn",
        later("Learn"),
        "learn",
        later("A tour in twelve stops: predict, see it run, and read what was measured"),
        "attnviewer.ui.panels.learn.panel:LearnPanel",
        fields={"stop": Field(0, int), "learnt": Field((), texts), "offered": Field(False, yes)},
    ),
)
OLD_KEYS = {"ask": "query"}  # as version 0.1 named a panel


def keys_of(panels: Sequence[PanelSpec]) -> tuple[Key, ...]:
    """The actions of all `panels`, each once."""
    modes = attending(panel.task for panel in panels if panel.task)
    return together(PLAYING, modes, *(panel.keys for panel in panels))
