"""Every kind of image comes out upright, in RGB, or as one clear line."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from helpers.blocked import in_python
from helpers.pictures import corners, encoded
from PIL import Image

from attnviewer.core import decoding
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, expand, list_images, load_picture

UNTURN = {1: None, **{tag: decoding._UPRIGHT[tag] for tag in range(2, 9)}}
UNTURN[6], UNTURN[8] = UNTURN[8], UNTURN[6]


def tagged(orientation: int) -> tuple[Image.Image, Image.Exif]:
    """The corners picture stored so that `orientation` makes it upright again."""
    image, exif = Image.fromarray(corners()), Image.Exif()
    exif[0x0112] = orientation
    turn = UNTURN[orientation]
    return (image if turn is None else image.transpose(turn)), exif


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied_once(orientation: int, form: str) -> None:
    image, exif = tagged(orientation)
    options = {"quality": 100, "subsampling": 0} if form == "JPEG" else {"lossless": True} if form == "WEBP" else {}
    picture = load_picture(encoded(image, form, exif=exif, **options))
    assert (picture.width, picture.height) == (40, 20)
    assert abs(picture.pixels.astype(int) - corners()).max() < 12


def test_junk_exif_is_no_error() -> None:
    picture = load_picture(encoded(Image.fromarray(corners()), "JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xffjunk"))
    assert picture.pixels.shape == (20, 40, 3)


@pytest.mark.parametrize("form", ["PNG", "TIFF", "PPM"])
def test_sixteen_bit_grey_is_scaled_not_clipped(form: str) -> None:
    ramp = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    picture = load_picture(encoded(Image.fromarray(ramp), form))
    assert abs(picture.pixels[..., 0].astype(int).ravel() - np.arange(256)).max() <= 1


@pytest.mark.parametrize(
    ("values", "mode"),
    [((0, 128, 255), "I"), ((0, 32896, 65535), "I"), ((0, 0.5, 1), "F"), ((0, 128, 255), "F"), ((0, 5e8, 1e9), "F")],
)
def test_deep_greys_reach_from_black_to_white(values: tuple[float, ...], mode: str) -> None:
    image = Image.fromarray(np.array([values], dtype=np.int32 if mode == "I" else np.float32))
    assert abs(load_picture(image).pixels[0, :, 0].astype(int) - (0, 128, 255)).max() <= 1


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "HSV"])
def test_every_mode_keeps_black_and_white(mode: str) -> None:
    start = Image.fromarray(np.array([[0, 255]], dtype=np.uint8).repeat(3, 0)).convert("RGB")
    image = start.convert("RGBA").convert(mode) if mode == "RGBa" else start.convert(mode)
    pixels = load_picture(image).pixels
    assert pixels.shape == (3, 2, 3)
    assert pixels[:, 0].max() <= 2
    assert pixels[:, 1].min() >= 253


def test_transparent_pixels_show_white_and_not_the_hidden_colour() -> None:
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 0))
    image.putpixel((1, 0), (0, 0, 0, 128))
    assert load_picture(encoded(image)).pixels.tolist() == [[[255, 255, 255], [127, 127, 127]]]


def test_a_transparent_palette_entry_shows_white() -> None:
    image = Image.new("P", (1, 1), 1)
    image.putpalette([0, 0, 0, 255, 0, 0])
    assert load_picture(encoded(image, transparency=1)).pixels.tolist() == [[[255, 255, 255]]]


@pytest.mark.parametrize(("mode", "key"), [("RGB", (9, 8, 7)), ("L", 9)])
def test_a_transparent_colour_key_shows_white(mode: str, key: tuple[int, ...] | int) -> None:
    data = encoded(Image.new(mode, (1, 1), key), transparency=key)
    assert load_picture(data).pixels.tolist() == [[[255, 255, 255]]]


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG", "TIFF"])
def test_an_animation_gives_its_first_frame(form: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    data = encoded(frames[0], form, save_all=True, append_images=frames[1:])
    assert abs(load_picture(data).pixels[4, 4].astype(int) - (255, 0, 0)).max() < 4


FAULTS = {
    "empty": (b"", "is empty"),
    "web page": (b"\n<!DOCTYPE html><html><body>404</body></html>", "is a web page"),
    "drawing": (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "is an SVG"),
    "heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "damaged or cut short"),
    "pdf": (b"%PDF-1.7\n", "is a PDF"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS"),
    "text": (b"hello there, this is no image at all", "is no image"),
    "header alone": (b"\x89PNG\r\n\x1a\n", "no image|damaged"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_image_gives_one_line(fault: str, tmp_path: Path) -> None:
    data, message = FAULTS[fault]
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(UserError, match=message) as caught:
        load_picture(path)
    assert str(caught.value).startswith("photo.jpg ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_truncated_file_gives_one_line(form: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), form)
    with pytest.raises(UserError, match=r"damaged|no image"):
        load_picture(data[: int(len(data) * share)])


def test_too_many_pixels_are_refused_before_decoding() -> None:
    data = bytearray(encoded(Image.new("1", (8, 8))))
    data[16:24] = (30_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    with pytest.raises(UserError, match=r"too many pixels|30000 x 30000"):
        load_picture(bytes(data))


def test_the_cap_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_PIXELS", 99)
    with pytest.raises(UserError, match="10 x 10 pixels"):
        load_picture(encoded(Image.new("L", (10, 10))))


def test_a_fifo_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(UserError, match="no regular file"):
        load_picture(tmp_path / "pipe.jpg")


@pytest.mark.parametrize(
    ("name", "message"), [("", "is a folder"), ("none.jpg", "no such file"), ("a\0b", "no file name")]
)
def test_a_wrong_path_gives_one_line(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_picture(f"{tmp_path}/{name}")


def test_a_name_with_a_line_break_stays_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load_picture(tmp_path / "two\nlines.jpg")
    assert "\n" not in str(caught.value)


def test_a_path_is_kept(tmp_path: Path) -> None:
    Image.fromarray(corners()).save(tmp_path / "ä b.png")
    picture = load_picture(str(tmp_path / "ä b.png"))
    assert picture.path == str(tmp_path / "ä b.png")
    assert (picture.pixels == corners()).all()


@pytest.mark.parametrize(
    "array",
    [corners(), corners() / 255, corners().astype(np.uint16) * 257, corners().astype(np.int64), corners() / 1.0],
    ids=["uint8", "unit", "uint16", "int64", "float 255"],
)
def test_arrays_of_every_type_give_the_same_picture(array: np.ndarray) -> None:
    assert (load_picture(array).pixels == corners()).all()


def test_grey_arrays_and_masks_become_rgb() -> None:
    mask = np.eye(3, dtype=bool)
    assert (load_picture(mask).pixels == load_picture(mask[..., None].astype(float)).pixels).all()


@pytest.mark.parametrize("array", [np.zeros(3), np.zeros((2, 2, 5)), np.zeros((0, 4, 3)), np.full((2, 2), "x")])
def test_arrays_that_are_no_image_are_refused(array: np.ndarray) -> None:
    with pytest.raises(UserError, match="is no image"):
        load_picture(array)


def test_other_things_are_refused() -> None:
    with pytest.raises(UserError, match="from a dict"):
        load_picture({})  # type: ignore[arg-type]


def test_pixels_cannot_be_written_to_and_do_not_follow_their_origin() -> None:
    origin = corners()
    picture = Picture(origin)
    origin[:] = 0
    assert picture.pixels.max() == 255
    with pytest.raises(ValueError, match="read-only"):
        picture.pixels[0, 0] = 0


def test_loading_leaves_the_given_image_as_it_was() -> None:
    image = Image.open(io.BytesIO(encoded(Image.new("RGBA", (3, 2), "red"))))
    load_picture(image)
    assert image.mode == "RGBA"


def test_a_folder_lists_its_images_in_natural_order(tmp_path: Path) -> None:
    for name in ("img10.jpg", "img2.PNG", "notes.txt", ".hidden.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "inner.jpg").mkdir()
    assert [path.name for path in list_images(tmp_path)] == ["img2.PNG", "img10.jpg"]
    assert expand([tmp_path / "notes.txt", tmp_path])[0][0] == tmp_path / "notes.txt"


def test_a_folder_without_images_or_a_missing_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no images"):
        list_images(tmp_path)
    with pytest.raises(UserError, match="can't open the folder"):
        list_images(tmp_path / "none")


def test_damaged_files_leave_stderr_silent() -> None:
    data = bytearray(encoded(Image.new("RGB", (4, 4)), "TIFF"))
    code = (
        "from attnviewer.core.images import load_picture, UserError\n"
        f"for place in range(8, 160):\n    data = bytearray({bytes(data)!r}); data[place] = 0xAB\n"
        "    try: load_picture(bytes(data))\n    except UserError: print('refused')\n"
    )
    run = in_python(code)
    assert run.stderr == ""
    assert "refused" in run.stdout


def test_a_mirrored_picture_changes_left_and_right_and_keeps_its_path():
    pixels = np.arange(12, dtype=np.uint8).reshape(1, 4, 3)
    mirrored = Picture(pixels, "a.png").mirrored()
    assert mirrored.path == "a.png"
    assert mirrored.pixels.tolist() == pixels[:, ::-1].tolist()
    assert not mirrored.pixels.flags.writeable


@pytest.mark.parametrize("orientation", [1, 6, 8])
def test_what_phones_save_opens_like_any_photo(orientation: int, tmp_path: Path) -> None:
    pillow_heif.register_heif_opener()
    image, exif = tagged(orientation)
    image.save(tmp_path / "photo.heic", "HEIF", quality=95, exif=exif.tobytes())
    (path,) = list_images(tmp_path)
    found = load_picture(path)
    assert (found.width, found.height) == corners().shape[1::-1]
    assert abs(found.pixels.astype(int) - corners()).mean() < 8


@pytest.mark.parametrize("look", [load_picture, lambda name: expand([name])])
def test_an_empty_name_is_no_folder(look: Callable[[str], object]) -> None:
    with pytest.raises(UserError, match="an empty name is no file"):
        look("")


def test_what_is_at_fault_among_many_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.jfif").touch()
    files, faults = expand([tmp_path / "empty", tmp_path, ""])
    assert files == [tmp_path / "a.jfif"]
    assert len(faults) == 2
