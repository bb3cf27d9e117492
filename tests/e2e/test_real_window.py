"""A stranger starts the window in a process of its own, with the models that ship, and nothing shakes it.

Each start costs seconds, so that each test asks several things of one.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from attnviewer.core.paths import models_dir, resources_dir

ROOT = Path(__file__).parents[2]
IMAGES = resources_dir() / "images"
NO_TEXT = b"\xff.jpg" if sys.platform.startswith("linux") else "\xff.jpg".encode()  # elsewhere names are always text
PROMPT = 4.0
START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is born deaf to it
from pathlib import Path
import attnviewer.app as app
import attnviewer.core.paths as paths
shipped = paths._shipped
paths._shipped = lambda name: Path({models!r}) if name == "models" else shipped(name)
begin = app._begin
def scene(window, image, milestones):
    begin(window, image, milestones)
    from PySide6.QtCore import QTimer
    desk, panel, line = window.desk, window.panels["image"], window.status.message
    state = panel.state
    def when(ready, then):
        timer = QTimer(window, interval=10)
        timer.timeout.connect(lambda: (timer.stop(), then()) if ready() else None)
        timer.start()
    def say(*words):
        print(*words, sep="|", flush=True)
    {scene}
app._begin = scene
from attnviewer.cli import main
sys.exit(main({arguments!r}))
"""


def start(home: Path, scene: str, *arguments: str, models: Path | None = None) -> subprocess.Popen[str]:
    """Start the program; `scene` is run once the window is painted and its first photo is there."""
    code = START.format(models=str(models or models_dir()), scene=scene, arguments=list(arguments))
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True, env={**os.environ, **own}
    )


def ended(process: subprocess.Popen[str]) -> list[str]:
    """The printed lines of a process that ended with status 0 and said nothing on stderr."""
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")
    return out.splitlines()


def ended_by(process: subprocess.Popen[str], number: int) -> list[str]:
    """The same for a process that gets a signal once it has printed its first line; that must be heeded at once."""
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(number)
    began = time.monotonic()
    lines = ended(process)
    assert time.monotonic() - began < PROMPT
    return [first.rstrip("\n"), *lines]


def copy_of_models(place: Path) -> Path:
    """The models that ship, as links: what is broken there breaks here alone."""
    for file in models_dir().glob("*/*.*"):
        (place / file.parent.name).mkdir(parents=True, exist_ok=True)
        (place / file.parent.name / file.name).symlink_to(file)
    return place


def rewrite(path: Path, data: bytes) -> None:
    """Put other contents in the place of a link."""
    path.unlink()
    path.write_bytes(data)


BROKEN = """
    lines = [line.text()]
    def none():
        lines.append(line.text())
        panel.choose_mode("none")
        when(lambda: "none" in state.done, told)
    def told():
        say(*lines, line.text(), state.traces["none"].text)
        window.close()
    when(lambda: "soft" in state.failed, none)
"""


def test_broken_models_are_told_in_a_line_each_and_cost_no_other(tmp_path: Path) -> None:
    models = copy_of_models(tmp_path / "models")
    rewrite(models / "caption-soft" / "weights.safetensors", b"version https://git-lfs.github.com/spec/v1\n")
    rewrite(models / "grounding" / "card.toml", b"[[[")
    (printed,) = ended(start(tmp_path, BROKEN, models=models))
    card, weights, after, caption = printed.split("|")
    assert "grounding" in card
    assert "mend the card" in card
    assert "git lfs pull" in weights
    assert "git lfs" not in after  # the fault ended with the next success
    assert len(caption.split()) > 3


HURRY = """
    seen, todo = [], ["beach.jpg", "retriever.jpg", "shepherd.jpg", "beach.jpg", "woods.jpg"] * 2
    def look(_):
        paths = {trace.source.path for trace in state.traces.values()}
        seen.append(paths <= {desk.picture.path} and panel.stages.columns[state.main].stage.picture is desk.picture)
    def hurry():
        if not todo:
            return when(lambda: not desk.worker.busy and state.done, told)
        window.opener.open_paths([Path(IMAGES) / todo.pop(0)])
        panel.choose_mode(("soft", "hard", "none")[len(todo) % 3])
        QTimer.singleShot(70, hurry)
    def told():
        first = f"{state.mode} {Path(state.trace.source.path).name} {state.trace.text}"
        panel.choose_mode("hard")
        panel.hands.measure("a dog " * 100)
        say(all(seen), len(seen), first)
    desk.worker.happened.connect(look)
    when(lambda: "soft" in state.done, hurry)
"""


def test_photos_and_modes_in_a_hurry_never_show_a_caption_of_another_photo(tmp_path: Path) -> None:
    photo = os.path.join(os.fsencode(tmp_path), NO_TEXT)
    shutil.copy(IMAGES / "woods.jpg", photo)
    scene = HURRY.replace("IMAGES", repr(str(IMAGES)))
    lines = ended_by(start(tmp_path, scene, os.fsdecode(photo)), signal.SIGTERM)
    right, seen, first = lines[0].split("|")
    assert (right, int(seen) > 10) == ("True", True)
    assert first.startswith("soft woods.jpg")
    assert "dog" in first


FUTURE = rb"""[General]
version=99
source=@Variant(\0\0\0\x7f\0\0\0\x5x)
panel=dreams
attention=cosmic
model=caption-xl
speed=9
theme=pink
geometry=@ByteArray(\x1\xd9\xd0\xcb)
asked=@Invalid()
opacity=nan
"""
SETTINGS = {"bytes": bytes(range(256)) * 8, "future": FUTURE, "name": b"[General]\nsource=file:/nowhere/\xff.jpg\n"}


@pytest.mark.parametrize(("name", "after"), [("bytes", 0), ("future", 200), ("name", 1000)])
def test_settings_of_any_kind_start_with_defaults_and_the_window_closes_at_any_moment(
    tmp_path: Path, name: str, after: int
) -> None:
    (tmp_path / "attnviewer").mkdir()
    (tmp_path / "attnviewer" / "attnviewer.ini").write_bytes(SETTINGS[name])
    scene = f"say(state.mode, desk.settings['theme'], desk.picture.path); QTimer.singleShot({after}, window.close)"
    (printed,) = ended(start(tmp_path, scene))
    assert printed.startswith("soft|system|")
    samples = tomllib.loads((IMAGES / "samples.toml").read_text(encoding="utf-8"))
    assert printed.endswith(samples["sample"][0]["file"])


def test_without_models_the_window_opens_and_ctrl_c_while_torch_loads_ends_it_at_once(tmp_path: Path) -> None:
    process = start(tmp_path, "say(state.mode, panel.stages.isVisible())", models=tmp_path / "none")
    assert ended_by(process, signal.SIGINT) == ["soft|True"]
