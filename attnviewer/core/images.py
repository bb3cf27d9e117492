"""The one safe way from a path, bytes, a PIL image or an array to an upright RGB picture."""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from attnviewer.core import decoding
from attnviewer.core.decoding import decode, too_large, upright
from attnviewer.core.errors import UNREADABLE, UserError, reason
from attnviewer.core.greys import Pixels as Pixels
from attnviewer.core.greys import array8
from attnviewer.core.i18n import tr
from attnviewer.core.shown import one_line

SUFFIXES = (
    ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".apng", ".webp", ".gif", ".bmp", ".dib", ".tif", ".tiff", ".ico", ".mpo",
    ".heic", ".heif", ".heics", ".heifs", ".hif", ".avif", ".avifs",
    ".jp2", ".j2k", ".j2c", ".jpc", ".jpf", ".jpx", ".ppm", ".pgm", ".pbm", ".pnm", ".pfm",
)  # fmt: skip
Readable = str | Path | bytes | Image.Image | NDArray[Any]


@dataclass(frozen=True, eq=False)
class Picture:
    """An upright RGB picture.

    Parameters
    ----------
    pixels : uint8 [height, width, 3], read-only; what is shown is what the model gets.
    path : where it came from, or None.
    """

    pixels: Pixels
    path: str | None = None

    def __post_init__(self) -> None:
        pixels = np.array(self.pixels, dtype=np.uint8)
        if pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape:
            raise ValueError(f"a picture needs pixels of shape [height, width, 3], not {pixels.shape}")
        pixels.flags.writeable = False
        object.__setattr__(self, "pixels", pixels)

    @cached_property
    def sha256(self) -> str:
        """The hash of width, height and pixels: what tells another photo from this one."""
        return hashlib.sha256(f"{self.width}x{self.height} ".encode() + self.pixels.tobytes()).hexdigest()

    def mirrored(self) -> Picture:
        """Left and right changed."""
        return Picture(self.pixels[:, ::-1], self.path)

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.pixels.shape[0])


def load_picture(source: Readable | Picture) -> Picture:
    """Read an image from a path, bytes, a PIL image or an array; raises `UserError` where there is none."""
    if isinstance(source, Picture):
        return source
    for kind, read in _READERS:
        if isinstance(source, kind):
            return read(source)
    raise UserError(
        tr(
            "can't read an image from a {name}; give a path, bytes, a PIL image or an array.",
            name=type(source).__name__,
        )
    )


def list_images(folder: str | Path) -> list[Path]:
    """The image files directly inside `folder`, 2 before 10; raises `UserError` where there are none."""
    try:
        found = [entry for entry in Path(folder).iterdir() if _looks_like_image(entry)]
    except OSError as error:
        raise UserError(
            tr(
                "can't open the folder {folder}: {reason}; check its name and permissions.",
                folder=one_line(folder),
                reason=reason(error, UNREADABLE),
            )
        ) from None
    if not found:
        raise UserError(
            tr("the folder {folder} holds no images; pick one with JPEG or PNG files.", folder=one_line(folder))
        )
    return sorted(found, key=lambda entry: _natural(entry.name))


def expand(paths: Iterable[str | Path]) -> tuple[list[Path], list[str]]:
    """Files as they are, folders replaced by the images inside them; and what is wrong with the others.

    Raises `UserError` where nothing is left.
    """
    files: list[Path] = []
    faults: list[str] = []
    for path in paths:
        try:
            files += list_images(path) if is_folder(path) else [Path(_named(path))]
        except UserError as error:
            faults.append(str(error))
    if not files:
        raise UserError(faults[0] if faults else tr("there is no image; name a file or a folder."))
    return files, faults


def _named(path: str | Path) -> str | Path:
    if not str(path):
        raise UserError(tr("an empty name is no file; give the name of an image."))
    return path


def is_folder(path: str | Path) -> bool:
    """Whether this is a folder; a name that can't be looked up is none."""
    return os.path.isdir(path)


def is_file(path: str | Path) -> bool:
    """Whether this is a regular file; a name that can't be looked up is none."""
    return os.path.isfile(path)


def _looks_like_image(entry: Path) -> bool:
    return entry.suffix.lower() in SUFFIXES and not entry.name.startswith(".") and is_file(entry)


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name.lower())
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]


def _from_path(source: str | Path) -> Picture:
    try:
        path = Path(_named(source)).expanduser()
        _check_regular(path, path.stat().st_mode)
        with path.open("rb") as file:
            return Picture(_decode(file, path.name), str(path))
    except OSError as error:
        why = reason(error, UNREADABLE)
        raise UserError(
            tr("can't open {source}: {why}; check its name and permissions.", source=one_line(source), why=why)
        ) from None
    except (ValueError, RuntimeError):
        raise UserError(tr("{source} is no file name; check how it is written.", source=one_line(source))) from None


def _check_regular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UserError(tr("{path} is a folder; open one of its images, or open it as a set.", path=one_line(path)))
    if not stat.S_ISREG(mode):
        raise UserError(tr("{path} is no regular file; pick an image file.", path=one_line(path)))


def _from_bytes(source: bytes) -> Picture:
    return Picture(_decode(io.BytesIO(source), "the data"))


def _decode(file: Any, name: str) -> Pixels:
    try:
        return decode(file)
    except UserError as error:
        raise UserError(f"{one_line(name)} {error}") from None


def _from_pil(image: Image.Image) -> Picture:
    try:
        return Picture(upright(image), getattr(image, "filename", None) or None)
    except UserError as error:
        raise UserError(tr("the image {error}", error=error)) from None
    except Exception:
        raise UserError(tr("the image can't be decoded; open it again or convert it to RGB first.")) from None


def _from_array(values: NDArray[Any]) -> Picture:
    """Arrays [height, width] or [height, width, 1|3|4]; floats are 0..1 (or 0..255), 16 bit are scaled."""
    if values.ndim == 3 and values.shape[2] == 1:
        values = values[:, :, 0]
    if values.ndim not in (2, 3) or (values.ndim == 3 and values.shape[2] not in (3, 4)) or 0 in values.shape:
        raise UserError(tr("an array of shape {shape} is no image; give [height, width, 3].", shape=values.shape))
    if values.shape[0] * values.shape[1] > decoding.MAX_PIXELS:
        raise UserError(tr("the array {too_large}", too_large=too_large((values.shape[1], values.shape[0]))))
    return _from_pil(Image.fromarray(array8(values)))


_READERS: tuple[tuple[Any, Callable[[Any], Picture]], ...] = (
    ((str, Path), _from_path),
    ((bytes, bytearray, memoryview), _from_bytes),
    (Image.Image, _from_pil),
    (np.ndarray, _from_array),
)
