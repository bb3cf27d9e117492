"""Which language the program speaks: the one that was chosen, or what the system is set to, of those in `locale/`."""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from attnviewer.core.i18n import current, use

FOLDER = Path(__file__).resolve().parent.parent / "locale"
DOMAIN = "attnviewer"
DECIDES = "LANGUAGE"
VARIABLES = (DECIDES, "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as gettext has it
LANGUAGES = {"en": "English", "zh": "简体中文"}  # what can be chosen, each named in itself
CHINESE = ("zh", "zh_SG", "zh_Hans", "zh_Hans_CN")


def wanted(environment: Mapping[str, str]) -> list[str]:
    """The languages that the environment asks for, the best first, such as ["zh_CN"]."""
    first = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return [one.split(".")[0].split("@")[0] for one in first.split(":") if one]


def catalogue(languages: list[str]) -> gettext.NullTranslations:
    """The catalogue of the first language that there is one for; English has none and needs none."""
    first = languages[:1] if languages[:1] and languages[0].startswith("en") else languages
    chinese = ["zh_CN" if one in CHINESE else one for one in first]
    return gettext.translation(DOMAIN, FOLDER, chinese or ["C"], fallback=True)


def speak(language: str = "") -> None:
    """Take every sentence from the catalogue of `language`, or of the system's; before any table of sentences is read.

    What the standard library says, such as the headings of `--help`, comes from the same catalogue.
    """
    chosen = catalogue([language] if language else wanted(os.environ))
    if language or chosen.info():
        os.environ[DECIDES] = chosen.info().get("language", "en")
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)
    _have_system_heed()
    use(chosen)


@contextmanager
def speaking(language: str = "") -> Iterator[None]:
    """Speak so while this is entered; afterwards all is as it was."""
    before, catalogue_before, domain = os.environ.get(DECIDES), current(), gettext.textdomain()
    speak(language)
    try:
        yield
    finally:
        os.environ.pop(DECIDES, None)
        os.environ.update({DECIDES: before} if before is not None else {})
        gettext.textdomain(domain)
        _have_system_heed()
        use(catalogue_before)


def _have_system_heed() -> None:
    """Have the C library, which says "no such file", look at the environment again, as it does for a new locale."""
    with suppress(locale.Error, AttributeError):  # Windows has no such category
        now = locale.setlocale(locale.LC_MESSAGES)
        for name in ("C", now):  # the one in use again would change nothing
            locale.setlocale(locale.LC_MESSAGES, name)
