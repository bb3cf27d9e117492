"""What can be told before Qt starts: is there a screen, and is a system library missing. Imports no Qt."""

from __future__ import annotations

import ctypes
import os
import re
import socket
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from attnviewer.core.i18n import later, tr

NO_SCREEN = later("no screen to show the window on; `attnviewer caption IMAGE` and `attnviewer models` need none.")
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
TIMEOUT = 1.0


def trouble(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """One line that says why no window can open, or "" where nothing speaks against it."""
    plugin = (environ.get("QT_QPA_PLATFORM") or "xcb").split(":")[0]
    if not platform.startswith("linux") or plugin not in ("xcb", "wayland"):
        return ""
    if not (has_wayland(environ) or has_x(environ)):
        return tr(NO_SCREEN)
    return "" if has_wayland(environ) else missing_library(_load_error())


def has_wayland(environ: Mapping[str, str]) -> bool:
    """Whether a Wayland compositor answers."""
    name = environ.get("WAYLAND_DISPLAY")
    return bool(name) and _answers(socket.AF_UNIX, str(Path(environ.get("XDG_RUNTIME_DIR", "/")) / str(name)))


def has_x(environ: Mapping[str, str]) -> bool:
    """Whether an X server answers."""
    found = re.fullmatch(r"(?:unix)?(?P<host>.*):(?P<number>\d+)(?:\.\d+)?", environ.get("DISPLAY", ""))
    if not found:
        return False
    if found["host"]:
        return _answers(socket.AF_INET, (found["host"], 6000 + int(found["number"])))
    path = f"/tmp/.X11-unix/X{found['number']}"
    return _answers(socket.AF_UNIX, path) or _answers(socket.AF_UNIX, f"\0{path}")


def _answers(family: int, address: object) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as line:
        line.settimeout(TIMEOUT)
        try:
            line.connect(address)  # type: ignore[arg-type]
        except OSError:
            return False
    return True


def missing_library(error: str) -> str:
    """The line for a loader's complaint, naming the library and its package; "" where the complaint is another."""
    found = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object", error)
    if not found:
        return ""
    package = PACKAGES.get(found[1])
    cure = (
        tr("install the package {package}, on Debian and Ubuntu: apt install {package}", package=package)
        if package
        else tr("install it")
    )
    return tr("the system library {library} is missing; {cure}.", library=found[1], cure=cure)


def _load_error() -> str:
    """What the loader says when it opens Qt's plugin for X."""
    spec = find_spec("PySide6")
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    plugins = [path for place in places for path in Path(place).glob("Qt/plugins/platforms/libqxcb.so")]
    try:
        for plugin in plugins:
            ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""
