"""Every form is written whole or not at all."""

from pathlib import Path

import pytest
from helpers.disks import full_after
from helpers.pictures import corners
from helpers.traces import a_trace
from PIL import Image

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.trace import Tokens
from attnviewer.export import FORMS, save, save_compare

PICTURE = Picture(corners(80, 60))
LONG = a_trace(words=tuple(f"word{i}" for i in range(40)))
LINKED = a_trace(words=("word",) * 400, locations=Tokens(("palabra", "otra")))


@pytest.mark.parametrize("room", [0, 700])
@pytest.mark.parametrize("suffix", [suffix for suffix, form in FORMS.items() if not form.needs])
def test_on_a_full_disk_the_older_file_stays_and_nothing_else(suffix: str, room: int, tmp_path: Path) -> None:
    target = tmp_path / f"out{suffix}"
    target.write_text("older")
    with full_after(room), pytest.raises(UserError, match=r"can't write .*out"):
        save(LINKED if suffix == ".talp" else LONG, PICTURE, target)
    assert target.read_text() == "older"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_trace_that_saves_itself_is_whole_too(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"out{suffix}"
    LONG.save(target)
    before = target.read_bytes()
    with full_after(700), pytest.raises(UserError, match=r"can't write .*out"):
        LONG.save(target)
    assert target.read_bytes() == before


@pytest.mark.parametrize("write", [save, lambda trace, *rest: save_compare({"soft": trace}, *rest)])
def test_the_photo_behind_the_maps_is_not_written_over(write: object, tmp_path: Path) -> None:
    photo = tmp_path / "dog.png"
    Image.fromarray(corners(80, 60)).save(photo)
    with pytest.raises(UserError, match="one of the files that are read"):
        write(LONG, load_picture(photo), photo)
    assert load_picture(photo).width == 80


def test_a_trace_is_not_saved_over_its_own_source(tmp_path: Path) -> None:
    from dataclasses import replace

    from attnviewer.core.trace import Source

    odd = tmp_path / "photo.json"  # a photo by an odd name
    Image.fromarray(corners(80, 60)).save(odd, "PNG")
    with pytest.raises(UserError, match="one of the files that are read"):
        replace(LONG, source=Source("image", str(odd), 80, 60)).save(odd)
