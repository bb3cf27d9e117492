"""The transport: first, back, play, on, last; speed and loop."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import button, label, named, row
from attnviewer.ui.icons import paint_glyph
from attnviewer.ui.player import SPEEDS, Player
from attnviewer.ui.settings import Settings
from attnviewer.ui.theme import LIGHT, Tokens


class Transport(QWidget):
    """Buttons that move the word clock, and its speed and loop, which are remembered."""

    def __init__(self, player: Player, settings: Settings) -> None:
        super().__init__()
        self._player, self._settings, self._tokens = player, settings, LIGHT
        player.speed, player.loop = settings["speed"], settings["loop"]
        self.play = button("", tr("Play or pause (Space)"), player.toggle, glyph="play", look="play", name=tr("Play"))
        self.first = button(
            "", tr("First word (Home)"), lambda: player.go(0), glyph="first", look="bare", name=tr("First word")
        )
        self.back = button(
            "", tr("Word before (Left)"), lambda: player.step(-1), glyph="previous", look="bare", name=tr("Word before")
        )
        self.on = button(
            "", tr("Next word (Right)"), lambda: player.step(1), glyph="next", look="bare", name=tr("Next word")
        )
        self.last = button(
            "",
            tr("Last word (End)"),
            lambda: player.go(player.count - 1),
            glyph="last",
            look="bare",
            name=tr("Last word"),
        )
        self.loop = button(
            "", tr("Start again after the last word"), self._set_loop, glyph="loop", look="bare", name=tr("Loop")
        )
        self.loop.setCheckable(True)
        self.loop.setChecked(player.loop)
        self.speed = self._speed_box()
        self.place: QLabel = label("", "muted")
        self.setLayout(
            row(self.first, self.back, self.play, self.on, self.last, self.loop, self.speed, self.place, spacing=4)
        )
        player.playing_changed.connect(self._show_playing)
        player.word_changed.connect(self._show_place)
        player.count_changed.connect(self._show_place)
        self._show_place()

    def _speed_box(self) -> QComboBox:
        box = named(QComboBox(), tr("Speed"), tr("How fast the words follow each other"))
        for speed in SPEEDS:
            box.addItem(f"{speed:g}×", speed)
        box.setCurrentIndex(SPEEDS.index(self._player.speed))
        box.activated.connect(self._set_speed)
        return box

    def _set_speed(self, index: int) -> None:
        self._player.speed = self._settings["speed"] = SPEEDS[index]

    def _set_loop(self) -> None:
        self._player.loop = self._settings["loop"] = self.loop.isChecked()

    def _show_playing(self, playing: bool) -> None:
        self.play.setProperty("glyph", "pause" if playing else "play")
        self.play.setAccessibleName(tr("Pause") if playing else tr("Play"))
        paint_glyph(self.play, self._tokens)

    def _show_place(self, *_: int) -> None:
        count = self._player.count
        self.place.setText(
            tr("word {number} of {count}", number=self._player.word + 1, count=count) if count else tr("no words yet")
        )
        for control in (self.play, self.first, self.back, self.on, self.last):
            control.setEnabled(count > 0)

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        paint_glyph(self.play, tokens)
