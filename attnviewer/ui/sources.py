"""What was dropped or pasted, out of Qt's hands: files and image data; links are refused."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData
from PySide6.QtGui import QImage, QImageWriter

from attnviewer.core.drops import Drop, read_drop
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import SUFFIXES, is_file
from attnviewer.core.lines import seems_text
from attnviewer.core.tracefiles import SAVED

REFUSED = later("Links are not followed: nothing is fetched from the network. Save the image and drop the file.")
NOTHING = later("There is no image in that; drop or paste a photo, files, or a folder of photos.")
FAST = 85  # little packed: a PNG is whole at any quality
TOML = ".toml"  # a lesson or a state
READ = ("text/", "image/")


def offered(mime: QMimeData | None) -> Drop:
    """The files, image data and links in a drop or on the clipboard, which may hold nothing at all."""
    drop = _read(mime)
    picture = mime.imageData() if mime is not None and not drop and mime.hasImage() else None
    if isinstance(picture, QImage) and not picture.isNull():
        return Drop(images=(as_png(picture),))
    return drop


def _read(mime: QMimeData | None) -> Drop:
    """The same without an image that only the window system holds: to make a file of it takes long."""
    if mime is None:
        return Drop()
    return read_drop({form: bytes(mime.data(form).data()) for form in mime.formats() if form.startswith(READ)})


def worth_taking(mime: QMimeData | None) -> bool:
    """Whether to accept the drag: also for links, so that the refusal can say why."""
    drop = _read(mime)
    return bool(drop or drop.links) or (mime is not None and mime.hasImage())


def text_file(mime: QMimeData) -> Path | None:
    """The text file in a drop or on the clipboard, where it is the only one and no image."""
    paths = [Path(path) for path in _read(mime).paths]
    text = len(paths) == 1 and is_file(paths[0]) and paths[0].suffix.lower() not in (*SUFFIXES, *SAVED, TOML)
    return paths[0] if text and seems_text(paths[0]) else None


def refusal(drop: Drop) -> str:
    """Why nothing could be taken."""
    return tr(REFUSED if drop.links else NOTHING)


def as_png(picture: QImage) -> bytes:
    """The bytes of a PNG file of an image."""
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"png"))
    writer.setQuality(FAST)
    writer.write(picture)
    return bytes(store.data())
