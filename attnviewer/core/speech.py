"""Which language the program speaks: what the system is set to, of the catalogues that lie in `locale/`."""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path

from attnviewer.core.i18n import use

FOLDER = Path(__file__).resolve().parent.parent / "locale"
DOMAIN = "attnviewer"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as gettext has it


def wanted(environment: Mapping[str, str]) -> list[str]:
    """The languages that the environment asks for, the best first, such as ["zh_CN"]."""
    first = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return [one.split(".")[0].split("@")[0] for one in first.split(":") if one]


def catalogue(languages: list[str]) -> gettext.NullTranslations:
    """The catalogue of the first language that there is one for; English has none and needs none."""
    first = languages[:1] if languages[:1] and languages[0].startswith("en") else languages
    chinese = ["zh_CN" if one in ("zh", "zh_SG", "zh_Hans", "zh_Hans_CN") else one for one in first]
    return gettext.translation(DOMAIN, FOLDER, chinese or ["C"], fallback=True)


def speak(environment: Mapping[str, str] | None = None) -> None:
    """Take every sentence from the catalogue of the system's language; before any table of sentences is read."""
    use(catalogue(wanted(os.environ if environment is None else environment)))
