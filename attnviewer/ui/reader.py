"""Reads photos: small ones at once, large ones on a thread of their own, so that the window stays alive meanwhile."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attnviewer.core.decoding import pixel_count
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, is_file, load_picture

LARGE = 4_000_000  # pixels; fewer are read in less time than a blink takes
Source = Path | bytes


@dataclass(frozen=True)
class Reading:
    """What is to be read, and what to do with the photo or with the complaint."""

    source: Source
    take: Callable[[Picture], object]
    refuse: Callable[[str], object]

    def now(self) -> None:
        """Read at once."""
        self.finish(_picture_or_fault(self.source))

    def finish(self, found: Picture | str) -> None:
        """Hand on what was found."""
        if isinstance(found, Picture):
            self.take(found)
        else:
            self.refuse(found)


def is_large(source: Source) -> bool:
    """Whether a photo has many pixels, as its head tells; what has no such head is refused soon enough."""
    if isinstance(source, bytes):
        return pixel_count(io.BytesIO(source)) >= LARGE
    if not is_file(source):
        return False
    with suppress(OSError), source.open("rb") as file:
        return pixel_count(file) >= LARGE
    return False


class Reader(QObject):
    """One large photo is read at a time; of those asked for meanwhile the newest is read next.

    Signals
    -------
    busy_changed(bool) : a large photo is being read, or none.
    """

    busy_changed = Signal(bool)
    _read = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Reading | None = None
        self._next: Reading | None = None
        self._lock, self._works = threading.Lock(), False
        self._read.connect(self._arrive, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a large photo is being read."""
        return self._wanted is not None

    def ask(self, reading: Reading) -> None:
        """Read in the background; whatever was wanted before is forgotten."""
        self._want(reading)
        with self._lock:
            self._next = reading
            if self._works:
                return
            self._works = True
        threading.Thread(target=self._work, name="reader", daemon=True).start()

    def cancel(self) -> None:
        """Nothing that is being read is wanted any more."""
        self._want(None)

    def _want(self, reading: Reading | None) -> None:
        before, self._wanted = self._wanted, reading
        if (before is None) != (reading is None):
            self.busy_changed.emit(reading is not None)

    def _work(self) -> None:
        """On the thread: read until nothing is asked for."""
        while (reading := self._take_next()) is not None:
            found = _picture_or_fault(reading.source)
            with suppress(RuntimeError):  # the window is gone
                self._read.emit(reading, found)

    def _take_next(self) -> Reading | None:
        with self._lock:
            reading, self._next = self._next, None
            self._works = reading is not None
            return reading

    @Slot(object, object)
    def _arrive(self, reading: Reading, found: Picture | str) -> None:
        if reading is not self._wanted:
            return
        self._want(None)
        reading.finish(found)


def _picture_or_fault(source: Source) -> Picture | str:
    try:
        return load_picture(source)
    except UserError as error:
        return str(error)
    except Exception as error:  # a thread that ends would leave the window waiting
        return f"{type(error).__name__}: {error}"
