"""What browsers and file managers drop or put on the clipboard."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from attnviewer.core.drops import Drop, data_url, image_sources, local_path, read_drop, uri_list

PNG = b"\x89PNG bytes"
PACKED = "data:image/png;base64," + base64.b64encode(PNG).decode()


def test_comments_and_blank_lines_of_a_uri_list_are_skipped() -> None:
    assert uri_list("# from a file manager\r\nfile:///a.jpg\r\n\r\nfile:///b.jpg\0") == [
        "file:///a.jpg",
        "file:///b.jpg",
    ]


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("file:///home/a%20b/%C3%A4.jpg", "/home/a b/ä.jpg"),
        ("file://localhost/a.jpg", "/a.jpg"),
        ("file:///C:/My%20Photos/a.jpg", "C:/My Photos/a.jpg"),
        ("file://server/share/a.jpg", "//server/share/a.jpg"),
        ("/a.jpg", "/a.jpg"),
        ("C:\\a.jpg", "C:\\a.jpg"),
        ("http://example.org/a.jpg", None),
        ("a.jpg", None),
        ("file:", None),
    ],
)
def test_file_addresses_become_paths(address: str, path: str | None) -> None:
    assert local_path(address) == path


@pytest.mark.parametrize(
    ("address", "data"),
    [
        (PACKED, PNG),
        (PACKED.rstrip("="), PNG),
        (PACKED.replace("png;", "png; charset=x ;"), PNG),
        ("data:,a%20b", b"a b"),
        ("data:image/png;base64,*", None),
        ("data:image/png", None),
        ("http://example.org", None),
    ],
)
def test_data_addresses_become_bytes(address: str, data: bytes | None) -> None:
    assert data_url(address) == data


def test_image_sources_are_found_however_they_are_quoted() -> None:
    html = "<p><IMG alt='>' src='a&amp;b.png'><img src=\"c.png\"><img src=d.png></p>"
    assert image_sources(html) == ["a&b.png", "c.png", "d.png"]


def test_several_files_come_in_order_and_once() -> None:
    drop = read_drop({"text/uri-list": b"file:///b.jpg\nfile:///a.jpg\nfile:///b.jpg"})
    assert drop == Drop(paths=("/b.jpg", "/a.jpg"))


def test_files_win_over_image_data_and_image_data_over_links() -> None:
    assert read_drop({"image/png": PNG, "text/uri-list": b"file:///a.jpg"}) == Drop(paths=("/a.jpg",))
    drop = read_drop({"text/html": b"<img src='https://example.org/a.png'>", "image/png": PNG, "image/bmp": b"BM"})
    assert drop == Drop(images=(PNG,), links=("https://example.org/a.png",))


def test_a_link_alone_is_reported_and_not_followed() -> None:
    drop = read_drop({"text/uri-list": b"https://example.org/a.png"})
    assert not drop
    assert drop.links == ("https://example.org/a.png",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_html_with_embedded_images_is_read_in_every_encoding(encoding: str) -> None:
    assert read_drop({"text/html": f'<img src="{PACKED}">'.encode(encoding)}).images == (PNG,)


def test_pasted_paths_count_but_prose_does_not() -> None:
    assert read_drop({"text/plain": b"/a.jpg\n/b.jpg"}).paths == ("/a.jpg", "/b.jpg")
    assert read_drop({"text/plain": b"a dog runs"}) == Drop()
    assert read_drop({}) == Drop()


@pytest.mark.parametrize(
    ("written", "name"),
    [("photo #1.jpg", "photo #1.jpg"), ("what?.jpg", "what?.jpg"), ("photo%20%231.jpg", "photo #1.jpg"),
     ("100%.jpg", "100%.jpg"), ("a%20b.jpg", "a%20b.jpg"), ("plain.jpg#at=3", "plain.jpg"),
     ("plain.jpg?x", "plain.jpg")],
)  # fmt: skip
def test_a_file_that_is_there_is_found_however_its_address_is_written(written: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    assert read_drop({"text/uri-list": f"file://{tmp_path}/{written}".encode()}).paths == (str(tmp_path / name),)


def test_the_address_of_a_file_that_is_not_there_is_read_as_addresses_are() -> None:
    assert read_drop({"text/uri-list": b"file:///none/a%20b.jpg?x#y"}).paths == ("/none/a b.jpg",)
