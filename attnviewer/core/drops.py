"""What was dropped or pasted, read from its mime formats. Nothing is fetched from the network."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import TypeVar
from urllib.parse import unquote, unquote_to_bytes

Item = TypeVar("Item", str, bytes)
_HINT = re.compile("[?#]")
COPIED, QUOTES = "x-special/", ('"', "'")
_DATA = re.compile(r"data:([^,]*),(.*)", re.I | re.S)


@dataclass(frozen=True)
class Drop:
    """The local files, the images given as bytes, and the addresses on the network that were not followed."""

    paths: tuple[str, ...] = ()
    images: tuple[bytes, ...] = ()
    links: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.paths or self.images)


def read_drop(formats: Mapping[str, bytes]) -> Drop:
    """Read a drop or the clipboard; local files come before image data, since they keep their name.

    Parameters
    ----------
    formats : mime type -> raw bytes, as the window system gives them.
    """
    addresses = uri_list(_text(formats.get("text/uri-list", b""))) + image_sources(_text(formats.get("text/html", b"")))
    addresses += [] if addresses else plain_addresses(_text(formats.get("text/plain", b"")))
    paths = [path for path in map(local_path, addresses) if path]
    raw = [data for mime, data in formats.items() if mime.startswith("image/") and data]
    embedded = [data for data in map(data_url, addresses) if data]
    links = [address for address in addresses if scheme(address) in ("http", "https", "ftp")]
    return Drop(_once(paths), _once(embedded or raw[:1]) if not paths else (), _once(links))


def uri_list(text: str) -> list[str]:
    """The addresses of a `text/uri-list`: one a line; lines that begin with `#` are comments."""
    lines = (line.strip() for line in text.replace("\0", "").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def plain_addresses(text: str) -> list[str]:
    """Lines of plain text, if every one of them is an address or an absolute path.

    File managers copy paths in quotation marks, with a leading ~, or below a line or two of their own.
    """
    lines = [_bare(line) for line in uri_list(text)]
    if lines and lines[0].startswith(COPIED):
        lines = [line for line in lines[1:] if line not in ("copy", "cut")]
    return lines if lines and all(_is_address(line) for line in lines) else []


def _bare(line: str) -> str:
    """A line without quotation marks around it, its ~ made the home folder."""
    for mark in QUOTES:
        if len(line) > 2 and line[0] == line[-1] == mark:
            line = line[1:-1]
    return str(Path(line).expanduser()) if line.startswith(("~/", "~\\")) else line


def image_sources(html: str) -> list[str]:
    """Where the images of a piece of HTML come from."""
    reader = _Images()
    reader.feed(html)
    return reader.sources


class _Images(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        source = dict(attrs).get("src") if tag == "img" else None
        self.sources += [source.strip()] if source else []


def local_path(address: str) -> str | None:
    """The path of a `file:` address or an absolute path; None for anything elsewhere."""
    if _is_path(address):
        return address
    if scheme(address) != "file":
        return None
    host, path = _host_and_path(address)
    readings = [unquote(path, errors="surrogateescape"), path, unquote(_HINT.split(path)[0], errors="surrogateescape")]
    places = [_place(host, reading) for reading in readings]
    return next((place for place in places if os.path.lexists(place)), places[-1]) or None


def _host_and_path(address: str) -> tuple[str, str]:
    """The two parts of a `file:` address; some programs write # and ? in names as they are."""
    rest = address.partition(":")[2]
    if not rest.startswith("//"):
        return "", rest
    host, slash, path = rest[2:].partition("/")
    return "" if host == "localhost" else host, slash + path


def _place(host: str, path: str) -> str:
    if host:
        return f"//{host}{path}"
    return path[1:] if re.match(r"/[A-Za-z]:[/\\]", path) else path


def data_url(address: str) -> bytes | None:
    """The bytes inside a `data:` address, or None where it is none or is damaged."""
    found = _DATA.fullmatch(address.strip())
    if not found:
        return None
    head, body = found.groups()
    if not head.lower().replace(" ", "").endswith(";base64"):
        return unquote_to_bytes(body)
    packed = re.sub(rb"\s", b"", unquote_to_bytes(body)).replace(b"-", b"+").replace(b"_", b"/")
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
    except binascii.Error:
        return None


def scheme(address: str) -> str:
    """The scheme of an address in lower case, "" where it has none."""
    found = re.match(r"([a-z][a-z0-9+.-]+):", address, re.I)
    return found.group(1).lower() if found else ""


def _is_path(text: str) -> bool:
    return PurePosixPath(text).is_absolute() or bool(re.match(r"[A-Za-z]:[/\\]", text))


def _is_address(text: str) -> bool:
    return _is_path(text) or scheme(text) in ("file", "http", "https", "ftp", "data")


def _text(raw: bytes) -> str:
    """Text in UTF-8, or in UTF-16 as some browsers give it."""
    wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff") or raw[1:2] == b"\0"
    if not wide:
        return raw.decode("utf-8", "replace")
    return raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-16-le", "replace")


def _once(items: list[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))
