"""The word clock: one object says which word is current, and every view follows it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

BEAT_MS = 850
SPEEDS = (0.5, 1.0, 2.0, 4.0)


class Player(QObject):
    """Which word is current, and whether it moves on by itself.

    Signals
    -------
    word_changed(int) : the current word, from 0; -1 while there is none.
    count_changed(int) : how many words there are.
    playing_changed(bool) : the clock started or stopped.
    """

    word_changed = Signal(int)
    count_changed = Signal(int)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.word = -1
        self.count = 0
        self.loop = True
        self._speed = 1.0
        self._following = True
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def speed(self) -> float:
        return self._speed

    @speed.setter
    def speed(self, factor: float) -> None:
        self._speed = factor
        self._timer.setInterval(round(BEAT_MS / factor))

    def clear(self) -> None:
        """Forget all words, and follow the newest of those to come."""
        self.pause()
        self._following = True
        self._set_count(0)
        self._move(-1)

    def grow(self, count: int) -> None:
        """There are `count` words now; the clock moves to the newest unless the user has moved it."""
        self._set_count(count)
        self._move(count - 1 if self._following else min(self.word, count - 1))

    def finish(self, count: int) -> None:
        """All words are there: play them from the first, unless the user has moved the clock."""
        self._set_count(count)
        if self._following and count:
            self._move(0)
            self.play()
        else:
            self._move(min(self.word, count - 1))
        self._following = False

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys of `shortcuts.PLAYING` do."""
        return {
            "play": self.toggle,
            "back": lambda: self.step(-1),
            "on": lambda: self.step(1),
            "first": lambda: self.go(0),
            "last": lambda: self.go(self.count - 1),
        }

    def go(self, word: int) -> None:
        """Move to a word because the user asked; playing stops."""
        if self.count:
            self.pause()
            self._following = False
            self._move(max(0, min(word, self.count - 1)))

    def step(self, by: int) -> None:
        """Move by some words because the user asked."""
        self.go(self.word + by)

    def play(self) -> None:
        """Move on by itself, from the first word if the last is current."""
        if self.count and not self.playing:
            if self.word >= self.count - 1 and not self._following:
                self._move(0)
            self._timer.start(round(BEAT_MS / self._speed))
            self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stay on the current word."""
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        """Play or pause."""
        self.pause() if self.playing else self.play()

    def _beat(self) -> None:
        if self.word + 1 < self.count:
            self._move(self.word + 1)
        elif self.loop:
            self._move(0)
        else:
            self.pause()

    def _set_count(self, count: int) -> None:
        if count != self.count:
            self.count = count
            self.count_changed.emit(count)

    def _move(self, word: int) -> None:
        if word != self.word:
            self.word = word
            self.word_changed.emit(word)
