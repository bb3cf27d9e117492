"""The choices of the experiment with convolution: the kernel, and how it slides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QComboBox, QWidget

from attnviewer.core.explore.convolution import LARGEST, PRESETS, Doubles, Slide, preset
from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import Segments, button, label, named
from attnviewer.ui.panels.foundations.kernel import KernelTable
from attnviewer.ui.widgets.knob import Knob

SIDES = (8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 200, 240)
AT_FIRST = 96
OWN = "own"
GREY, RGB = "grey", "rgb"
PADDING_CHOICES = (
    ("zero", later("Zero"), later("Black pixels around the photo")),
    ("reflect", later("Reflect"), later("The photo mirrored at its edge")),
    ("none", later("None"), later("Nothing around the photo")),
)
CHANNEL_CHOICES = (
    (GREY, later("Grey"), later("One channel: brightness")),
    (RGB, later("RGB"), later("Three channels: the kernel needs weights for each")),
)
PRESET_NAMES = {
    "edges": later("Edges"),
    "blur": later("Blur"),
    "sharpen": later("Sharpen"),
    "upright": later("Upright edges"),
    "level": later("Level edges"),
    "identity": later("Nothing"),
}


class ConvChoices:
    """Controls of the side; `slid` is called when the way changes, `put` with weights that were chosen.

    Parameters
    ----------
    typed : called with weights that were typed.
    rescaled : called when the photo is to have another size.
    coloured : called with "grey" or "rgb".
    play : lets the window slide, or holds it.
    """

    def __init__(
        self, *, slid: Callable[..., object], typed: Callable[[Doubles], object], put: Callable[[Doubles], object],
        rescaled: Callable[..., object], coloured: Callable[[str], object], play: Callable[[], object],
    ) -> None:  # fmt: skip
        self._slid, self._put = slid, put
        self.padding_key = "zero"
        self.kernel = KernelTable(typed)
        self.preset = named(QComboBox(), tr("Kernel"), tr("Kernels that are known by name"))
        for key, name in PRESET_NAMES.items():
            self.preset.addItem(tr(name), key)
        self.preset.addItem(tr("Your own"), OWN)
        self.preset.activated.connect(lambda _: self.choose_preset())
        self.padding = Segments(PADDING_CHOICES, self._pad, tr("Padding"))
        self.padding.show_choice(self.padding_key)
        self.channels = Segments(CHANNEL_CHOICES, coloured, tr("Channels"))
        self.channels.show_choice(GREY)
        self.play = button(tr("Slide"), tr("Let the window slide, or hold it (Space)"), play, glyph="play")
        self.formula = label("", "muted", wrap=True)
        self._make_knobs(rescaled)

    def _make_knobs(self, rescaled: Callable[..., object]) -> None:
        self.size = Knob(
            tr("Kernel K"), tr("Side of the kernel"), LARGEST - 1, lambda _: self.first_preset(), lambda at: at + 1,
            lambda k: f"{k} x {k}",
        )  # fmt: skip
        self.stride = Knob(tr("Stride"), tr("Pixels between two stops"), 7, self._slid, lambda at: at + 1)
        self.dilation = Knob(tr("Dilation"), tr("Pixels between two weights"), 5, self._slid, lambda at: at + 1)
        self.photo = Knob(
            tr("Photo"), tr("Its longer side: the same weights go over any size"), len(SIDES) - 1, rescaled,
            SIDES.__getitem__, lambda side: tr("{side} pixels", side=side),
        )  # fmt: skip
        for knob, place in ((self.size, 2), (self.stride, 0), (self.dilation, 0), (self.photo, SIDES.index(AT_FIRST))):
            knob.put(place)

    @property
    def way(self) -> Slide:
        """How the kernel slides."""
        return Slide(self.size.value, self.stride.value, self.padding_key, self.dilation.value)

    def parts(self) -> Sequence[QWidget | int]:
        """All controls from top to bottom."""
        return (
            self.channels, self.preset, self.kernel, self.play, self.size, self.stride, self.dilation,
            label(tr("Padding"), "title"), self.padding, self.photo, self.formula, 1,
        )  # fmt: skip

    def first_preset(self) -> None:
        """Weights of another size or for other channels: those of a known kernel, as one's own can't stretch."""
        if self.preset.currentData() == OWN:
            self.preset.setCurrentIndex(0)
        self.choose_preset()

    def choose_preset(self) -> None:
        """Take the kernel that is named."""
        if self.preset.currentData() in PRESETS:
            self._put(preset(self.preset.currentData(), self.size.value))

    def own(self) -> None:
        """Say that the weights are the user's own."""
        self.preset.setCurrentIndex(self.preset.count() - 1)

    def _pad(self, key: str) -> None:
        self.padding_key = key
        self._slid()

    def show_formula(self, rows: int, columns: int) -> None:
        """Tell the size of the output with its numbers."""
        lines = dict.fromkeys((self.way.formula(rows), self.way.formula(columns)))
        self.formula.setText("\n".join(line.replace("*", "·") for line in lines))
