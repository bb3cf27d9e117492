"""What strange but valid files show, and what broken ones are told to be."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from helpers.blocked import in_python
from helpers.pictures import encoded
from helpers.pngs import png
from PIL import Image

from attnviewer.core.decoding import FORMATS
from attnviewer.core.errors import UserError
from attnviewer.core.images import SUFFIXES, load_picture

RED = Image.new("RGB", (32, 24), "red")
NOISE = Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8))


def avif(major: bytes, compatible: bytes) -> bytes:
    """An AVIF photo that names its brands in another order."""
    data = bytearray(encoded(RED, "AVIF"))
    data[8:12] = major
    size = int.from_bytes(data[:4], "big")
    data[16:size] = compatible.ljust(size - 16, b" ")[: size - 16]
    return bytes(data)


@pytest.mark.parametrize("major", [b"avif", b"mif1", b"msf1"])
def test_an_avif_opens_whatever_brand_it_names_first(major: bytes) -> None:
    picture = load_picture(avif(major, b"avifmif1miaf"))
    assert abs(picture.pixels.astype(int) - (255, 0, 0)).max() < 12


QUOTING = {
    "png text": png(8, 2, b"\0" + b"\xff\0\0" * 2, (b"tEXt", b'Source\0<svg width="9"/>')),
    "png international text": png(8, 2, b"\0" + b"\xff\0\0" * 2, (b"iTXt", b"Source\0\0\0\0\0<html><svg >")),
    "jpeg comment": encoded(RED, "JPEG", comment=b'<svg width="9"/>'),
    "gif comment": encoded(RED, "GIF", comment=b"<svg >%PDF"),
}


@pytest.mark.parametrize("kind", QUOTING)
def test_a_photo_whose_metadata_quote_a_drawing_is_a_photo(kind: str) -> None:
    assert abs(load_picture(QUOTING[kind]).pixels[0, 0].astype(int) - (255, 0, 0)).max() < 4


DRAWINGS = [
    b"<svg>",
    b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- made by hand -->\n<svg xmlns='x'>",
    b"<!DOCTYPE svg PUBLIC 'x' 'y'>\n<svg >",
]


@pytest.mark.parametrize("data", DRAWINGS)
def test_a_drawing_is_named_as_one(data: bytes) -> None:
    with pytest.raises(UserError, match="is an SVG drawing"):
        load_picture(data)


def test_a_page_that_holds_a_drawing_is_a_page() -> None:
    with pytest.raises(UserError, match="is a web page"):
        load_picture(b"<!doctype html><html><svg >")


def test_every_ending_of_a_form_that_opens_is_seen_in_folders() -> None:
    Image.init()
    assert {end for end, form in Image.registered_extensions().items() if form in FORMATS} <= set(SUFFIXES)


TRANSPARENT = {
    "grey, 1 bit": png(1, 0, b"\0\x40", (b"tRNS", b"\0\1")),
    "grey, 2 bits": png(2, 0, b"\0\x10", (b"tRNS", b"\0\1")),
    "grey, 4 bits": png(4, 0, b"\0\x05", (b"tRNS", b"\0\5")),
    "grey, 8 bits": png(8, 0, b"\0\0\5", (b"tRNS", b"\0\5")),
    "grey, 16 bits": png(16, 0, b"\0\0\0\3\xe8", (b"tRNS", b"\3\xe8")),
    "colour, 8 bits": png(8, 2, b"\0" + b"\0" * 3 + b"\7" * 3, (b"tRNS", b"\0\7" * 3)),
    "colour, 16 bits": png(16, 2, b"\0" + b"\0" * 6 + b"\7\xe8" * 3, (b"tRNS", b"\7\xe8" * 3)),
}


@pytest.mark.parametrize("kind", TRANSPARENT)
def test_a_transparent_colour_shows_white_at_every_depth(kind: str) -> None:
    assert load_picture(TRANSPARENT[kind]).pixels.tolist() == [[[0, 0, 0], [255, 255, 255]]]


def test_a_hidden_grey_has_no_say_in_what_white_is() -> None:
    data = png(16, 0, b"\0" + struct.pack(">HHH", 0, 1023, 60_000), (b"tRNS", struct.pack(">H", 60_000)), width=3)
    assert load_picture(data).pixels[0, :, 0].tolist() == [0, 255, 255]


@pytest.mark.parametrize("bits", [8, 10, 12, 14, 16])
@pytest.mark.parametrize("form", ["PNG", "TIFF"])
def test_greys_of_few_bits_in_a_deep_container_reach_white(bits: int, form: str) -> None:
    ramp = np.linspace(0, 2**bits - 1, 256).round().astype(np.uint16).reshape(16, 16)
    picture = load_picture(encoded(Image.fromarray(ramp), form))
    assert abs(picture.pixels[..., 0].astype(int).ravel() - np.arange(256)).max() <= 1


def test_a_dark_photo_of_sixteen_bits_stays_dark() -> None:
    assert load_picture(np.array([[0, 20_000]], np.uint16)).pixels.max() == 78


@pytest.mark.parametrize("top", [1.0, 1.00001, 1.05, 2.0])
@pytest.mark.parametrize("unit", [1, 255])
def test_floats_that_overshoot_white_a_little_are_clipped(top: float, unit: int) -> None:
    values = np.array([[0.0, 0.5, 1.0, top]], np.float32) * unit
    for source in (values, Image.fromarray(values), encoded(Image.fromarray(values), "TIFF")):
        assert load_picture(source).pixels[0, :, 0].tolist() == [0, 128, 255, 255]


def test_floats_to_300_are_bytes_that_overshoot() -> None:
    assert load_picture(np.array([[0, 127.5, 255, 300]])).pixels[0, :, 0].tolist() == [0, 128, 255, 255]


def test_numbers_that_are_none_are_black_and_infinite_ones_white() -> None:
    values = np.array([[np.nan, -np.inf, 0.5, 1, np.inf]])
    assert load_picture(values).pixels[0, :, 0].tolist() == [0, 0, 128, 255, 255]


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt", b"iCCP"])
def test_a_photo_with_much_text_opens(kind: bytes) -> None:
    much = zlib.compress(bytes(3_000_000))
    body = {b"zTXt": b"Comment\0\0", b"iTXt": b"Comment\0\1\0\0\0", b"iCCP": b"profile\0\0"}[kind] + much
    assert load_picture(png(8, 2, b"\0" + b"\xff\0\0" * 2, (kind, body))).pixels[0, 0].tolist() == [255, 0, 0]


@pytest.mark.parametrize("form", ["TIFF", "ICO", "PNG", "JPEG", "GIF", "BMP", "WEBP", "JPEG2000", "AVIF"])
@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 0.9])
def test_a_file_that_is_cut_says_so(form: str, share: float) -> None:
    data = encoded(NOISE, form, **({"lossless": True} if form == "WEBP" else {}))
    with pytest.raises(UserError, match="damaged or cut short"):
        load_picture(data[: int(len(data) * share)])


def packed(compression: int) -> bytes:
    """A TIFF that says that it is packed so."""
    data = bytearray(encoded(Image.new("RGB", (8, 8)), "TIFF", compression="tiff_lzw"))
    place = data.find(struct.pack("<HHIH", 259, 3, 1, 5))
    data[place + 8 : place + 10] = struct.pack("<H", compression)
    return bytes(data)


@pytest.mark.parametrize("compression", [50001, 50002, 34712, 9999])
def test_a_compression_that_is_not_known_is_said_to_be_one(compression: int) -> None:
    with pytest.raises(UserError, match="uses a compression that can't be read here"):
        load_picture(packed(compression))


def test_libraries_that_write_to_stderr_by_themselves_are_kept_from_it() -> None:
    code = (
        "import sys\nfrom attnviewer.core.images import load_picture, UserError\n"
        f"for data in {[packed(number) for number in (50001, 50000, 34925, 7, 32809)]!r}:\n"
        "    try: load_picture(data)\n    except UserError: print('refused')\n"
        "print('still there', file=sys.stderr)\n"
    )
    run = in_python(code)
    assert run.stdout.split() == ["refused"] * 5
    assert run.stderr == "still there\n"


def test_an_open_image_is_read_at_its_depth_too() -> None:
    image = Image.open(io.BytesIO(TRANSPARENT["grey, 16 bits"]))
    assert load_picture(image).pixels.tolist() == [[[0, 0, 0], [255, 255, 255]]]
