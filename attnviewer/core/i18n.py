"""Every sentence that a user can see goes through `tr`, so that the program can learn another language.

A sentence is written whole, in English, with named places for what changes: `tr("Saved {path}", path=path)`. Nothing is
put into the text before it is looked up, or a catalogue could never hold it.
"""

from __future__ import annotations

import gettext

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def tr(text: str, /, **values: object) -> str:
    """The sentence `text` in the language in use, its named places filled in with `values`."""
    return _fill(_catalogue.gettext(text), values) if text else ""


def ntr(one: str, many: str, count: int, /, **values: object) -> str:
    """The sentence for `count` things: `one` or `many`; the place `{count}` is filled in as well."""
    return _fill(_catalogue.ngettext(one, many, count), {"count": count, **values})


def later(text: str) -> str:
    """The sentence as it is, marked for the catalogue: it stands in a table and is looked up where it is shown."""
    return text


def language() -> str:
    """The language in use as two letters, such as "zh"; "" for the language that the sentences are written in."""
    return _catalogue.info().get("language", "")[:2]


def current() -> gettext.NullTranslations:
    """The catalogue in use."""
    return _catalogue


def use(catalogue: gettext.NullTranslations) -> None:
    """Take every sentence from another catalogue from now on."""
    global _catalogue
    _catalogue = catalogue


def _fill(text: str, values: dict[str, object]) -> str:
    return text.format_map(values) if values else text
