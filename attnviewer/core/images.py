"""The one safe way from a path, bytes, a PIL image or an array to an upright RGB picture."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import stat
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError

from attnviewer.core.errors import UserError

MAX_PIXELS = 80_000_000
SUFFIXES = (
    ".jpg",
    ".jpeg",
    ".png",
    ".webp",
    ".bmp",
    ".gif",
    ".tif",
    ".tiff",
    ".ppm",
    ".pgm",
    ".jp2",
    ".avif",
    ".heic",
    ".heif",
)
FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "DIB", "TIFF", "PPM", "JPEG2000", "AVIF", "HEIF", "ICO")
WHITE = (255, 255, 255, 255)
logging.getLogger("PIL").addHandler(logging.NullHandler())  # its decoders would write to a silent stderr

Pixels = NDArray[np.uint8]
Readable = str | Path | bytes | Image.Image | NDArray[Any]

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
    (re.compile(rb"\A\Z"), "is empty; pick another file."),
    (re.compile(rb"<svg[\s>]", re.I), "is an SVG drawing, not a photo; save it as PNG first."),
    (re.compile(rb"\A\s*<(!doctype html|html|head|body)", re.I), "is a web page, not an image; save the image itself."),
    (re.compile(rb"\A%PDF"), "is a PDF, not an image; save the page as PNG first."),
    (re.compile(rb"\Aversion https://git-lfs"), "is a Git LFS pointer, not the image; run `git lfs pull` first."),
)


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

    def mirrored(self) -> Picture:
        """Left and right changed."""
        return Picture(self.pixels[:, ::-1], self.path)

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])


def load_picture(source: Readable | Picture) -> Picture:
    """Read an image from a path, bytes, a PIL image or an array; raises `UserError` where there is none."""
    if isinstance(source, Picture):
        return source
    for kind, read in _READERS:
        if isinstance(source, kind):
            return read(source)
    raise UserError(f"can't read an image from a {type(source).__name__}; give a path, bytes, a PIL image or an array.")


def list_images(folder: str | Path) -> list[Path]:
    """The image files directly inside `folder`, 2 before 10; raises `UserError` where there are none."""
    try:
        found = [entry for entry in Path(folder).iterdir() if _looks_like_image(entry)]
    except OSError as error:
        raise UserError(f"can't open the folder {folder}: {_reason(error)}; check its name and permissions.") from None
    if not found:
        raise UserError(f"the folder {folder} holds no images; pick one with JPEG or PNG files.")
    return sorted(found, key=lambda entry: _natural(entry.name))


def expand(paths: Iterable[str | Path]) -> list[Path]:
    """Files as they are, folders replaced by the images inside them."""
    listed = [list_images(path) if is_folder(path) else [Path(path)] for path in paths]
    return [path for paths_of_one in listed for path in paths_of_one]


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
        path = Path(source).expanduser()
        _check_regular(path, path.stat().st_mode)
        with path.open("rb") as file:
            return Picture(_decode(file, path.name), str(path))
    except OSError as error:
        raise UserError(f"can't open {_plain(source)}: {_reason(error)}; check its name and permissions.") from None
    except (ValueError, RuntimeError):
        raise UserError(f"{_plain(source)} is no file name; check how it is written.") from None


def _plain(source: str | Path) -> str:
    """The name on one line, with what can't be printed escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(source))


def _check_regular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UserError(f"{path} is a folder; open one of its images, or open it as a set.")
    if not stat.S_ISREG(mode):
        raise UserError(f"{path} is no regular file; pick an image file.")


def _reason(error: OSError) -> str:
    return (error.strerror or "it can't be read").lower()


def _from_bytes(source: bytes) -> Picture:
    return Picture(_decode(io.BytesIO(source), "the data"))


def _decode(file: Any, name: str) -> Pixels:
    """Decode the first frame; every way in which a decoder can fail becomes one line."""
    head = file.read(1024)
    file.seek(0)
    for pattern, complaint in _STRANGERS:
        if pattern.search(head):
            raise UserError(f"{_plain(name)} {complaint}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(file, formats=_formats()) as image:
                return _upright(image)
        except UserError as error:
            raise UserError(f"{_plain(name)} {error}") from None
        except UnidentifiedImageError:
            raise UserError(f"{_plain(name)} is no image that can be read here; pick a JPEG or PNG file.") from None
        except Image.DecompressionBombError:
            raise UserError(f"{_plain(name)} {_too_large()}") from None
        except Exception:  # a damaged file makes decoders raise nearly anything
            raise UserError(f"{_plain(name)} is damaged or cut short; pick another file or save it again.") from None


@lru_cache
def _formats() -> list[str]:
    """The decoders there are; HEIC, which phones save, comes from a package of its own."""
    Image.init()
    with contextlib.suppress(ImportError):
        import pillow_heif

        pillow_heif.register_heif_opener()
    return [name for name in FORMATS if name in Image.OPEN]


def _too_large(size: tuple[int, int] | None = None) -> str:
    what = f"has {size[0]} x {size[1]} pixels" if size else "has too many pixels"
    return f"{what}, more than the {MAX_PIXELS // 1_000_000} million allowed; make it smaller first."


def _from_pil(image: Image.Image) -> Picture:
    try:
        return Picture(_upright(image), getattr(image, "filename", None) or None)
    except UserError as error:
        raise UserError(f"the image {error}") from None
    except Exception:
        raise UserError("the image can't be decoded; open it again or convert it to RGB first.") from None


def _upright(image: Image.Image) -> Pixels:
    if image.width * image.height > MAX_PIXELS:
        raise UserError(_too_large(image.size))
    image.load()
    turned = _UPRIGHT.get(_orientation(image))
    return np.asarray(_to_rgb(image.transpose(turned) if turned is not None else image))


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # junk EXIF is no error
        return 1


def _to_rgb(image: Image.Image) -> Image.Image:
    """Scale deep greys, put transparency over white, convert the rest."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return Image.fromarray(_grey8(np.asarray(image), image.mode)).convert("RGB")
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layer.size, WHITE), layer).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _grey8(values: NDArray[Any], mode: str = "") -> Pixels:
    """Deep greys (16-bit, 32-bit, float) to 0..255 by the smallest usual white level that holds them."""
    levels = np.nan_to_num(values.astype(np.float64), posinf=0, neginf=0)
    top = float(levels.max(initial=0))
    usual = {"F": (1, 255, 65535), "I": (255, 65535)}.get(mode, (65535,))
    white = next((level for level in usual if top <= level), top)
    return (np.clip(levels / white, 0, 1) * 255).round().astype(np.uint8)


def _from_array(values: NDArray[Any]) -> Picture:
    """Arrays [height, width] or [height, width, 1|3|4]; floats are 0..1 (or 0..255), 16 bit are scaled."""
    if values.ndim == 3 and values.shape[2] == 1:
        values = values[:, :, 0]
    if values.ndim not in (2, 3) or (values.ndim == 3 and values.shape[2] not in (3, 4)) or 0 in values.shape:
        raise UserError(f"an array of shape {values.shape} is no image; give [height, width, 3].")
    if values.shape[0] * values.shape[1] > MAX_PIXELS:
        raise UserError(f"the array {_too_large((values.shape[1], values.shape[0]))}")
    return _from_pil(Image.fromarray(_array8(values)))


def _array8(values: NDArray[Any]) -> Pixels:
    if values.dtype == np.uint8:
        return values
    if values.dtype == bool:
        return values.astype(np.uint8) * np.uint8(255)
    if values.dtype.kind not in "iuf":
        raise UserError(f"an array of type {values.dtype} is no image; give uint8.")
    mode = "F" if values.dtype.kind == "f" else ("" if values.dtype == np.uint16 else "I")
    return _grey8(values, mode)


_READERS: tuple[tuple[Any, Callable[[Any], Picture]], ...] = (
    ((str, Path), _from_path),
    ((bytes, bytearray, memoryview), _from_bytes),
    (Image.Image, _from_pil),
    (np.ndarray, _from_array),
)
