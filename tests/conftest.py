"""What holds for all tests: no screen needed, no thread left behind, and packages can be blocked to prove a point.

`pytest -p no:pytest-qt --block qt tests/core` runs without Qt, `pytest --block torch tests/ui` without torch.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from helpers import blocked
from helpers.modes import DREAM
from hypothesis import HealthCheck, settings

from attnviewer.core.modes import MODES, Mode

if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

GRACE = 2.0
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a machine may be busy
settings.load_profile("busy")
BLOCKABLE = {"qt": blocked.QT, "torch": blocked.TORCH}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--block` and `--long`."""
    parser.addoption("--long", action="store_true", help="run the long forms of what tries at random")
    parser.addoption("--block", choices=sorted(BLOCKABLE), help="run as if this were not installed")


def pytest_configure(config: pytest.Config) -> None:
    """Block what `--block` names, before any test module is imported."""
    config.addinivalue_line("markers", "corpus: reads all of Pillow's test images; run with -m corpus")
    if name := config.getoption("--block"):
        blocked.block(BLOCKABLE[name])


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether to try for long."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(autouse=True, scope="session")
def nothing_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests neither read the models nor write the log of whoever runs them."""
    home = tmp_path_factory.mktemp("home")
    os.environ.update({name: str(home / name) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")})
    os.environ.pop("ATTNVIEWER_MODELS", None)


@pytest.fixture(autouse=True, scope="session")
def one_thread_for_torch() -> None:
    """Nets of a few hundred numbers run faster on one thread than on several that wait for each other."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


@pytest.fixture
def dream(monkeypatch: pytest.MonkeyPatch) -> Mode:
    """The row of a mode that was added after everything was imported."""
    monkeypatch.setitem(MODES, DREAM.key, DREAM)
    return DREAM


def _left(before: set[threading.Thread]) -> list[str]:
    """Threads that would outlive the program, and model threads whose runner was not closed."""
    alive = [thread for thread in threading.enumerate() if thread not in before]
    return [thread.name for thread in alive if not thread.daemon or thread.name == "model"]


@pytest.fixture(autouse=True)
def no_thread_left_behind() -> Iterator[None]:
    """Fail a test that leaves a thread alive."""
    before = set(threading.enumerate())
    yield
    until = time.monotonic() + GRACE
    while _left(before) and time.monotonic() < until:
        time.sleep(0.01)
    if left := _left(before):
        pytest.fail(f"threads left alive: {', '.join(left)}")
