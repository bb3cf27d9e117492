"""An entry in the start menu, and the icon it has: written on request into the folders that desktops read.

As the Desktop Entry Specification and the Icon Theme Specification of freedesktop.org have it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import SUFFIXES
from attnviewer.core.paths import resources_dir
from attnviewer.core.writing import write_bytes

NAME = "attnviewer"
ENTRY, ICON = Path("applications") / f"{NAME}.desktop", Path("icons/hicolor/scalable/apps") / f"{NAME}.svg"
KINDS = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".webp": "webp", ".gif": "gif", ".bmp": "bmp", ".tif": "tiff",
         ".tiff": "tiff", ".avif": "avif", ".heic": "heic", ".heif": "heif"}  # fmt: skip
RESERVED = '"`$\\'


def data_home() -> Path:
    """The folder of the user's own data: XDG_DATA_HOME, else ~/.local/share."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def command() -> list[str]:
    """What starts the window: the command where it is installed, else this Python."""
    found = shutil.which(NAME)
    return [os.path.abspath(found)] if found else [sys.executable, "-m", NAME]


def quoted(part: str) -> str:
    """An argument as the key Exec wants it."""
    inside = "".join("\\" + letter if letter in RESERVED else letter for letter in part)
    return '"' + inside.replace("\\", "\\\\").replace("%", "%%") + '"'


def entry_text() -> str:
    """The text of the entry."""
    kinds = sorted({f"image/{KINDS[suffix]}" for suffix in SUFFIXES if suffix in KINDS})
    rows = {
        "Type": "Application",
        "Version": "1.4",
        "Name": NAME,
        "Comment": tr("Watch attention choose where to look"),
        "Exec": " ".join([*map(quoted, command()), "%f"]),
        "Icon": NAME,
        "Terminal": "false",
        "Categories": "Education;ArtificialIntelligence;",
        "MimeType": "".join(f"{kind};" for kind in kinds),
        "StartupWMClass": NAME,
    }
    return "".join(["[Desktop Entry]\n", *(f"{key}={value}\n" for key, value in rows.items())])


def install_entry() -> list[Path]:
    """Write entry and icon; returns where they lie.

    Raises `UserError` where the system has no such menus, or the folder can't be written.
    """
    if sys.platform in ("win32", "darwin"):
        raise UserError(tr("menus of this system take no such entry; pin the program with the system's own means."))
    home = data_home()
    files = {home / ENTRY: entry_text().encode(), home / ICON: (resources_dir() / "icons" / "app.svg").read_bytes()}
    for path, data in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, data)
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            raise UserError(tr("{path} can't be written ({why}); check the folder.", path=path, why=why)) from error
    return list(files)


def remove_entry() -> list[Path]:
    """Take both away; returns those that were there."""
    gone = [path for path in (data_home() / ENTRY, data_home() / ICON) if path.exists()]
    for path in gone:
        path.unlink()
    return gone
