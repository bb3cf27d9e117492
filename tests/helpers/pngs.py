"""PNG files made by hand, of the kinds that Pillow doesn't write."""

from __future__ import annotations

import struct
import zlib

Chunk = tuple[bytes, bytes]


def png(depth: int, colour: int, rows: bytes, *extra: Chunk, width: int = 2) -> bytes:
    """A PNG of one row; `rows` begins with its filter, `extra` chunks stand before the pixels."""
    head = struct.pack(">IIBBBBB", width, 1, depth, colour, 0, 0, 0)
    chunks = [(b"IHDR", head), *extra, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
