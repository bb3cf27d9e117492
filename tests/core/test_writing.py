"""Files are written whole or not at all, and never over what was read."""

import os
from pathlib import Path

import pytest
from helpers.disks import full_after

from attnviewer.core.errors import UserError
from attnviewer.core.writing import replacing, spare, write_bytes, write_text


@pytest.fixture
def old(tmp_path: Path) -> Path:
    (tmp_path / "old.txt").write_text("old")
    return tmp_path / "old.txt"


def test_what_was_written_takes_the_place_of_the_older_file(old: Path) -> None:
    with replacing(old) as draft:
        draft.write_text("new")
        assert old.read_text() == "old"
        assert (draft.parent, draft.suffix) == (old.parent, old.suffix)
    assert old.read_text() == "new"
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.parametrize("end", [ValueError, KeyboardInterrupt, GeneratorExit])
def test_whatever_goes_wrong_leaves_the_older_file_and_nothing_else(old: Path, end: type[BaseException]) -> None:
    def write() -> None:
        with replacing(old) as draft:
            draft.write_text("half")
            raise end

    with pytest.raises(end):
        write()
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_a_full_disk_leaves_the_older_file(old: Path) -> None:
    with full_after(1000), pytest.raises(OSError, match="too large"):
        write_bytes(old, bytes(2000))
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_a_link_is_followed_and_stays_a_link(old: Path) -> None:
    link = old.with_name("link.txt")
    link.symlink_to(old.name)
    write_text(link, "new")
    assert link.is_symlink()
    assert old.read_text() == "new"


def test_rights_are_kept_and_new_files_have_the_usual_ones(old: Path) -> None:
    old.chmod(0o640)
    write_text(old, "new")
    write_text(old.with_name("new.txt"), "new")
    (old.parent / "usual.txt").touch()
    assert old.stat().st_mode & 0o777 == 0o640
    assert (old.parent / "new.txt").stat().st_mode == (old.parent / "usual.txt").stat().st_mode


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    reader = os.open(tmp_path / "pipe.txt", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe.txt", "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert (tmp_path / "pipe.txt").is_fifo()


def test_a_name_as_long_as_the_file_system_allows_is_written(tmp_path: Path) -> None:
    write_text(tmp_path / f"{'x' * 251}.txt", "new")
    assert (tmp_path / f"{'x' * 251}.txt").read_text() == "new"


def _itself(old: Path) -> Path:
    return old


def _dotted(old: Path) -> Path:
    return old.parent / ".." / old.parent.name / old.name


def _symlink(old: Path) -> Path:
    (old.parent / "soft.png").symlink_to(old)
    return old.parent / "soft.png"


def _hard_link(old: Path) -> Path:
    (old.parent / "hard.png").hardlink_to(old)
    return old.parent / "hard.png"


@pytest.mark.parametrize("named", [_itself, _dotted, _symlink, _hard_link])
def test_a_file_that_is_read_is_spared_by_whatever_name(old: Path, named: object) -> None:
    with pytest.raises(UserError, match="one of the files that are read"):
        spare([named(old)], [old.with_name("other"), old])


def test_the_same_name_in_another_case_is_the_same_file_where_the_disk_says_so(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **rest: plain(str(path).replace("OLD", "old"), **rest))
    with pytest.raises(UserError):
        spare([old.with_name("OLD.txt")], [old])


def test_other_files_folders_and_names_that_are_none_may_be_written(old: Path) -> None:
    spare([old.with_name("new.txt"), old.parent], [old, old.parent, "\0", "x" * 5000])
