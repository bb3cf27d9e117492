"""The sample photos: all there, credited, small."""

import tomllib

from PIL import Image

from attnviewer.core.images import load_picture
from attnviewer.core.paths import resources_dir

FOLDER = resources_dir() / "images"
SAMPLES = tomllib.loads((FOLDER / "samples.toml").read_text("utf-8"))["sample"]


def test_there_are_at_least_six_and_each_has_a_credit_and_a_licence() -> None:
    assert len(SAMPLES) >= 6
    assert all(
        sample[key].strip() for sample in SAMPLES for key in ("file", "title", "credit", "licence", "package", "source")
    )


def test_every_photo_is_listed_and_every_listed_photo_is_there() -> None:
    assert {sample["file"] for sample in SAMPLES} == {path.name for path in FOLDER.glob("*.jpg")}


def test_the_readme_tells_the_same() -> None:
    text = (FOLDER.parent / "README.md").read_text("utf-8")
    for sample in SAMPLES:
        (row,) = [line for line in text.splitlines() if f"images/{sample['file']} " in line]
        assert all(sample[key] in row for key in ("title", "credit", "licence", "package", "member", "source"))


def test_photos_are_small_enough_to_ship_and_carry_no_metadata() -> None:
    for sample in SAMPLES:
        picture = load_picture(FOLDER / sample["file"])
        assert max(picture.width, picture.height) <= 800
        with Image.open(FOLDER / sample["file"]) as image:
            assert not image.getexif()
