"""The ways to attend: one row each. Choices, names, tooltips, colours, dashes, keys, legends and help derive from it.

A new mode is a row of `MODES`; the models that attend so bring the rest. Ask for rows when they are shown, not when a
module is imported, so that a row that is added later is seen everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr


@dataclass(frozen=True)
class Use:
    """What a mode is in one task.

    Parameters
    ----------
    name : on a button.
    title : over a column or beside a row.
    about : what it does, after a colon.
    label : in the key of lines; the title where there is none.
    place : where it stands in a comparison, from left to right; None: it isn't compared.
    """

    name: str
    title: str
    about: str
    label: str = ""
    place: int | None = None


@dataclass(frozen=True)
class Mode:
    """A way to attend.

    Parameters
    ----------
    key : its name on the command line, in Python, in requests, cards and settings.
    uses : what it is in each task that has it.
    shortcut : the key that chooses it in the window.
    colour : a colour of the window's theme, by its name there.
    ink : the colour of its lines in figures.
    dash : solid, dashed, dotted or dashdot, so that lines are told apart without colour.
    mark : of points in figures, as matplotlib names it.
    has_attention : whether there are weights at all.
    draws : whether one location is taken instead of a mean over all.
    flat : whether every weight is the same, whatever the net says.
    by_place : whether weights follow from places alone, not from what stands there.
    control_of : the mode whose net it runs, to be held against it.
    """

    key: str
    uses: Mapping[str, Use] = field(default_factory=dict)
    shortcut: str = ""
    colour: str = "text"
    ink: str = "#555c66"
    dash: str = "solid"
    mark: str = "o"
    has_attention: bool = True
    draws: bool = False
    flat: bool = False
    by_place: bool = False
    control_of: str = ""

    @property
    def net(self) -> str:
        """The mode whose nets it runs: its own, or that of the mode it is a control of."""
        return self.control_of or self.key

    @property
    def by_content(self) -> bool:
        """Whether weights follow from what stands at the places."""
        return self.telling and not self.by_place

    @property
    def telling(self) -> bool:
        """Whether its maps tell something: they are there, and not all alike by construction."""
        return self.has_attention and not self.flat

    def name(self, task: str) -> str:
        """Its name on a button, in the language in use."""
        return tr(self.uses[task].name)

    def title(self, task: str) -> str:
        """Its name over a column or beside a row, in the language in use."""
        return tr(self.uses[task].title)

    def label(self, task: str) -> str:
        """Its name in the key of lines, in the language in use."""
        return tr(self.uses[task].label) if self.uses[task].label else self.title(task).lower()

    def about(self, task: str) -> str:
        """What it does, in the language in use."""
        return tr(self.uses[task].about)

    def tip(self, task: str) -> str:
        """A sentence about it, with the key that chooses it."""
        told = f"{self.title(task)}: {self.about(task)}"
        return f"{told} ({self.shortcut})" if self.shortcut else told


ROWS = (
    Mode(
        "soft",
        {
            "caption": Use(later("Soft"), later("Soft attention"), later("a weighted mean of all places"), place=1),
            "translate": Use(
                later("Attention"),
                later("Attention by content"),
                later("each word looks for what it needs"),
                later("attention"),
                place=0,
            ),
            "query": Use(later("Softmax"), later("Softmax"), later("every item gets a share")),
        },
        shortcut="S",
        colour="accent",
        ink="#3350d4",
    ),
    Mode(
        "hard",
        {
            "caption": Use(
                later("Hard"), later("Hard attention"), later("one place a word, drawn from the map"), place=2
            ),
            "query": Use(later("Hard max"), later("Hard max"), later("the best item gets all")),
        },
        shortcut="H",
        ink="#0f7b4f",
        dash="dotted",
        mark="^",
        draws=True,
    ),
    Mode(
        "location",
        {
            "translate": Use(
                later("Location"),
                later("Attention by location"),
                later("weights follow from what was written, not from what is read"),
                later("location"),
            )
        },
        shortcut="L",
        ink="#0f7b4f",
        dash="dotted",
        mark="^",
        by_place=True,
    ),
    Mode(
        "none",
        {
            "caption": Use(later("None"), later("No attention"), later("the photo is seen once, as a whole"), place=0),
            "translate": Use(
                later("None"), later("No attention"), later("the whole sentence goes through one vector"), place=1
            ),
        },
        shortcut="N",
        colour="caution",
        ink="#b4560a",
        dash="dashed",
        mark="s",
        has_attention=False,
    ),
    Mode(
        "uniform",
        {
            "caption": Use(
                later("Uniform"), later("Uniform control"), later("the soft net, every weight made equal"), place=3
            )
        },
        dash="dashdot",
        mark="D",
        flat=True,
        control_of="soft",
    ),
    Mode("content"),  # of models that are asked, where the user chooses nothing
)
MODES: dict[str, Mode] = {row.key: row for row in ROWS}


def mode(key: str) -> Mode:
    """The row of a mode; raises `UserError` for a key that isn't there."""
    if key not in MODES:
        raise UserError(tr("there is no attention {key}; choose of {keys}.", key=key, keys=", ".join(MODES)))
    return MODES[key]


def net_of(key: str) -> str:
    """The mode whose nets a mode runs; the key itself where there is no such mode."""
    return MODES[key].net if key in MODES else key


def of(task: str) -> tuple[str, ...]:
    """The modes of a task, controls among them, in the order of the rows."""
    return tuple(key for key, row in MODES.items() if task in row.uses)


def own(task: str) -> tuple[str, ...]:
    """The modes of a task that have nets of their own, in the order of the buttons."""
    return tuple(key for key in of(task) if MODES[key].net == key)


def compared(task: str) -> tuple[str, ...]:
    """The modes that a comparison shows, from left to right or from top to bottom."""
    places = {key: MODES[key].uses[task].place for key in of(task)}
    return tuple(sorted((key for key in places if places[key] is not None), key=lambda key: places[key] or 0))


def learnt() -> tuple[str, ...]:
    """The ways to attend that a model can have learnt."""
    return tuple(key for key, row in MODES.items() if row.net == key)


def help_of(task: str) -> str:
    """The modes of a task in words, for the help of the command line."""
    return "; ".join(f"{key}: {MODES[key].about(task)}" for key in of(task))
