"""What `attnviewer doctor` and the log tell for a report."""

import json
import logging
import shutil
from pathlib import Path

import pytest

from attnviewer.cli import main
from attnviewer.core.details import details
from attnviewer.core.logfile import begin_log, log, log_tail
from attnviewer.core.paths import models_dir

Capture = pytest.CaptureFixture[str]


def test_the_doctor_tells_versions_devices_models_fonts_and_the_log(capsys: Capture) -> None:
    main(["doctor", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {"torch", "system", "device", "model encoder", "font for Chinese", "window", "log"} <= set(found)
    assert found["model encoder"]["found"].startswith("sound")


def test_a_damaged_model_is_found(tmp_path: Path, capsys: Capture) -> None:
    shutil.copytree(models_dir() / "caption-none", tmp_path / "caption-none")
    with (tmp_path / "caption-none" / "weights.safetensors").open("r+b") as file:
        file.seek(-10, 2)
        file.write(b"x")
    assert main(["doctor", "--models", str(tmp_path)]) == 2
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("!")]
    assert any("caption-none" in line and "is not the file of its card" in line for line in lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose log is taken away again."""
    yield tmp_path / "logs"
    for handler in [one for one in log.handlers if getattr(one, "baseFilename", "").startswith(str(tmp_path))]:
        log.removeHandler(handler)
        handler.close()


def test_the_log_is_begun_once_and_rotates(folder: Path) -> None:
    assert begin_log(folder) == begin_log(folder) == folder / "attnviewer.log"
    for _ in range(40):
        log.info("x" * 100_000)
    assert len(list(folder.iterdir())) == 3
    logging.getLogger("attnviewer.core.jobs").error("went wrong")
    assert log_tail(1, folder).endswith("attnviewer.core.jobs: went wrong")


def test_a_log_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert begin_log(tmp_path / "file" / "logs") is None
    assert log_tail(folder=tmp_path / "file" / "logs") == ""


def test_details_name_what_a_report_needs() -> None:
    told = details()
    for name in ("torch:", "python:", "system:", "models in:"):
        assert name in told


def test_a_fault_of_ours_is_written_down(engine: object, photo: Path, capsys: Capture) -> None:
    engine.fault = ZeroDivisionError("hidden cause")
    assert main(["caption", str(photo)]) == 1
    assert "attnviewer.log tells where" in capsys.readouterr().err
    assert "ZeroDivisionError: hidden cause" in log_tail()
