"""From the bytes of a file to upright pixels; every way in which that can fail becomes one line."""

from __future__ import annotations

import io
import logging
import re
import struct
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import ExifTags, Image, TiffImagePlugin, UnidentifiedImageError

from attnviewer.core.errors import UserError
from attnviewer.core.greys import Pixels, to_rgb
from attnviewer.core.i18n import later, tr
from attnviewer.core.quiet import overheard

MAX_PIXELS = 80_000_000
FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "DIB", "TIFF", "PPM", "JPEG2000", "AVIF", "HEIF", "ICO")
TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
PNG = b"\x89PNG\r\n\x1a\n"
STARTS = (*TIFF, PNG, b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"RIFF", b"\0\0\1\0", b"\0\0\0\x0cjP  ")
BRANDS = re.compile(rb"....ftyp(.{4})*?(avi|hei|hev|mif|msf)", re.S)
TEXTS = (b"zTXt", b"iTXt", b"tEXt", b"iCCP")
logging.getLogger("PIL").addHandler(logging.NullHandler())  # its decoders would write to a silent stderr

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

_STRANGERS = (
    (re.compile(rb"\A\Z"), later("is empty; pick another file.")),
    (
        re.compile(rb"\A(\xef\xbb\xbf)?(\s|<\?xml.*?\?>|<!--.*?-->|<!doctype svg.*?>)*<svg[\s>]", re.I | re.S),
        later("is an SVG drawing, not a photo; save it as PNG first."),
    ),
    (
        re.compile(rb"\A(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body)", re.I),
        later("is a web page, not an image; save the image itself."),
    ),
    (re.compile(rb"\A%PDF"), later("is a PDF, not an image; save the page as PNG first.")),
    (
        re.compile(rb"\Aversion https://git-lfs"),
        later("is a Git LFS pointer, not the image; run `git lfs pull` first."),
    ),
)
NO_IMAGE = later("is no image that can be read here; pick a JPEG or PNG file.")
DAMAGED = later("is damaged or cut short; pick another file or save it again.")
PACKED = later("uses a compression that can't be read here; save it again with another, or as PNG.")


def decode(file: Any) -> Pixels:
    """Decode the first frame of an open file; raises `UserError` whose line goes on after the file's name."""
    head = file.read(1024)
    file.seek(0)
    try:
        return _decoded(file, head)
    except UserError:
        raise
    except Image.DecompressionBombError:
        raise UserError(too_large()) from None
    except Exception as error:  # a damaged file makes decoders raise nearly anything
        raise UserError(_fault(file, head, error)) from None


def pixel_count(file: Any) -> int:
    """How many pixels an open file's head tells of, without decoding them; 0 where it tells nothing."""
    head = file.read(1024)
    file.seek(0)
    with warnings.catch_warnings(), _listening(head):
        warnings.simplefilter("ignore")
        try:
            with Image.open(file, formats=_formats(head)) as image:
                return image.width * image.height
        except Exception:  # a damaged file makes decoders raise nearly anything
            return 0


def _decoded(file: Any, head: bytes) -> Pixels:
    with warnings.catch_warnings(), _listening(head) as heard:
        warnings.simplefilter("ignore")
        try:
            return _first_frame(file, head)
        except ValueError as error:
            if not (head.startswith(PNG) and "too large" in str(error)):
                raise
            file.seek(0)
            return _first_frame(io.BytesIO(b"".join(_without_texts(file.read()))), head)
        except OSError:
            if "not configured" in heard():
                raise UserError(tr(PACKED)) from None
            raise


def _first_frame(file: Any, head: bytes) -> Pixels:
    with Image.open(file, formats=_formats(head)) as image:
        return upright(image)


def _listening(head: bytes) -> AbstractContextManager[Callable[[], str]]:
    """Libtiff writes what it finds wrong to stderr by itself."""
    return overheard() if head.startswith(TIFF) else nullcontext(str)


def _without_texts(data: bytes) -> Iterator[bytes]:
    """The parts of a PNG without its texts and colour profile, which may unpack to more than Pillow takes."""
    yield data[: len(PNG)]
    place = len(PNG)
    while place + 12 <= len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        if kind not in TEXTS:
            yield data[place : place + 12 + size]
        place += 12 + size


def _fault(file: Any, head: bytes, error: Exception) -> str:
    """What a file that no decoder took is: a stranger, packed in a way that isn't known, damaged, or no image."""
    if stranger := next((complaint for pattern, complaint in _STRANGERS if pattern.search(head)), None):
        return tr(stranger)
    if head.startswith(TIFF) and _compression(file, head) not in TiffImagePlugin.COMPRESSION_INFO:
        return tr(PACKED)
    photo = head.startswith(STARTS) or BRANDS.match(head)
    known = photo or not isinstance(error, UnidentifiedImageError)
    return tr(DAMAGED if known else NO_IMAGE)


def _compression(file: Any, head: bytes) -> int:
    """The number of a TIFF's compression; 1 (none) where it can't be found."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            table = TiffImagePlugin.ImageFileDirectory_v2(head[:8])
            file.seek(table.next)
            table.load(file)
            return int(table.get(259, 1))
        except Exception:  # a damaged file makes it raise nearly anything
            return 1


def _formats(head: bytes) -> list[str]:
    """The decoders there are; that of HEIC, which phones save, is a package of its own and slow to load."""
    Image.init()
    if BRANDS.match(head):
        _learn_heif()
    return [name for name in FORMATS if name in Image.OPEN]


@lru_cache
def _learn_heif() -> None:
    with suppress(ImportError):
        import pillow_heif

        pillow_heif.register_heif_opener()


def too_large(size: tuple[int, int] | None = None) -> str:
    """The complaint about too many pixels, which goes on after a name."""
    most = MAX_PIXELS // 1_000_000
    if size is None:
        return tr("has too many pixels, more than the {most} million allowed; make it smaller first.", most=most)
    return tr(
        "has {width} x {height} pixels, more than the {most} million allowed; make it smaller first.",
        width=size[0],
        height=size[1],
        most=most,
    )


def upright(image: Image.Image) -> Pixels:
    """The pixels of an opened image, turned as its EXIF says, in RGB; raises `UserError` for too many."""
    if image.width * image.height > MAX_PIXELS:
        raise UserError(too_large(image.size))
    stored = _stored(image)
    image.load()
    turned = _UPRIGHT.get(_orientation(image))
    return np.asarray(to_rgb(image.transpose(turned) if turned is not None else image, stored))


def _stored(image: Image.Image) -> str:
    """How the file holds a pixel, known until it is decoded; "" where Pillow doesn't say."""
    tiles = getattr(image, "tile", None) or [(None, None, None, "")]
    return args if isinstance(args := tiles[0][3], str) else ""


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # junk EXIF is no error
        return 1
