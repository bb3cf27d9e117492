"""Attention weights that another program computed, as a trace: an .npz file with a few arrays of fixed names.

    np.savez("mine.npz", weights=weights, tokens=tokens)            # [layers, heads, T, L] and [L] texts

Optional: `words` [T], the texts of the rows where they aren't the tokens. Over an image, in place of tokens: `rows` and
`columns` of the grid, so that L = rows * columns, and `image`, an upright RGB picture [height, width, 3] of bytes.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.attend import attend_trace
from attnviewer.core.errors import DAMAGED, UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats, Grid, Locations, Tokens, Trace

MOST = 1 << 28  # weights in one file, a gigabyte
TOLERANCE = 1e-2  # half precision sums to 1 within this


def is_foreign(path: Path) -> bool:
    """Whether a file is an .npz with weights that no trace of ours wraps."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return "weights" in arrays.files and "trace" not in arrays.files
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return False


def load_foreign(path: Path) -> tuple[Trace, Picture | None]:
    """The trace of a foreign file and its picture; raises `UserError` that says which array is at fault."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {
                name: file[name]
                for name in ("weights", "tokens", "words", "rows", "columns", "image")
                if name in file.files
            }
    except OSError as error:
        raise UserError(
            tr(
                "can't read {path}: {reason}; check the file.",
                path=path,
                reason=reason(error, DAMAGED),
            )
        ) from None
    except (ValueError, EOFError, zipfile.BadZipFile, KeyError):
        raise UserError(
            tr("{path} can't be read as arrays without pickled objects; save it with numpy.savez.", path=path.name)
        ) from None
    return read_arrays(arrays, path.stem)


def read_arrays(arrays: dict[str, Any], name: str) -> tuple[Trace, Picture | None]:
    """The trace of arrays by name, called `name`, and its picture; raises `UserError`."""
    weights = _weights(arrays)
    grid = "rows" in arrays or "columns" in arrays
    picture = _picture(arrays.get("image")) if grid else None
    places = _grid(arrays, weights.shape[3], picture) if grid else Tokens(_texts(arrays, "tokens", weights.shape[3]))
    words = _words(arrays, weights.shape, places)
    trace = attend_trace(name, " ".join(words), words, weights, locations=places, words=words)
    return trace, picture


def _weights(arrays: dict[str, Any]) -> Floats:
    found = arrays.get("weights")
    if found is None or found.ndim not in (2, 3, 4) or found.dtype.kind not in "fiu" or 0 in found.shape:
        raise UserError(tr("weights must be numbers [layers, heads, T, L]; this file has none such."))
    if found.size > MOST:
        raise UserError(tr("{count} weights are too many; save fewer layers or heads.", count=f"{found.size:,}"))
    weights = found.reshape((1,) * (4 - found.ndim) + found.shape).astype(np.float32)
    sums = weights.sum(axis=-1, dtype=np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any() or (abs(sums - 1) > TOLERANCE).any():
        raise UserError(tr("each row of weights must be finite, not negative and sum to 1; save them without dropout."))
    return np.asarray(weights / sums[..., None], dtype=np.float32)


def _texts(arrays: dict[str, Any], name: str, length: int) -> tuple[str, ...]:
    given = arrays.get(name)
    if given is None or given.shape != (length,):
        raise UserError(tr("{name} must be {length} texts, one for each place; give them.", name=name, length=length))
    return tuple(map(str, given.tolist()))


def _words(arrays: dict[str, Any], shape: tuple[int, ...], places: Locations) -> tuple[str, ...]:
    if "words" in arrays:
        return _texts(arrays, "words", shape[2])
    if isinstance(places, Tokens):
        if shape[2] != shape[3]:
            raise UserError(
                tr(
                    "there are {rows} rows and {columns} columns; give words for the rows.",
                    rows=shape[2],
                    columns=shape[3],
                )
            )
        return places.tokens
    if shape[2] == shape[3]:
        return tuple(f"{number // places.columns},{number % places.columns}" for number in range(shape[2]))
    return tuple(str(number) for number in range(shape[2]))


def _grid(arrays: dict[str, Any], length: int, picture: Picture | None) -> Grid:
    try:
        rows, columns = (int(arrays[name]) for name in ("rows", "columns"))
    except (KeyError, TypeError, ValueError):
        raise UserError(tr("a grid needs rows and columns, a whole number each; give both.")) from None
    if rows < 1 or columns < 1 or rows * columns != length:
        raise UserError(
            tr(
                "{rows} rows of {columns} don't make {length} places; give others.",
                rows=rows,
                columns=columns,
                length=length,
            )
        )
    wide, high = (picture.width, picture.height) if picture is not None else (columns * 16, rows * 16)
    return Grid(rows, columns, (0.0, 0.0, float(wide), float(high)))


def _picture(pixels: NDArray[Any] | None) -> Picture | None:
    if pixels is None:
        return None
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise UserError(tr("image must be bytes [height, width, 3] of an upright RGB picture."))
    return Picture(np.ascontiguousarray(pixels), None)
