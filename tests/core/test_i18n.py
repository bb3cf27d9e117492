"""Sentences are looked up whole, and then filled in."""

import gettext
from collections.abc import Iterator

import pytest

from attnviewer.core import i18n
from attnviewer.core.i18n import ntr, tr


class Upper(gettext.NullTranslations):
    """A language of capitals."""

    def gettext(self, message: str) -> str:
        return message.replace("Saved", "SAVED")


@pytest.fixture
def capitals() -> Iterator[None]:
    i18n.use(Upper())
    yield
    i18n.use(gettext.NullTranslations())


def test_a_sentence_without_a_catalogue_is_itself_with_its_places_filled_in() -> None:
    assert tr("Saved {path}", path="a.png") == "Saved a.png"


def test_braces_stay_where_nothing_is_filled_in() -> None:
    assert tr("a {curly} word") == "a {curly} word"


def test_a_value_is_never_looked_up(capitals: None) -> None:
    assert tr("Saved {path}", path="Saved") == "SAVED Saved"


@pytest.mark.parametrize(("count", "text"), [(0, "0 words"), (1, "1 word"), (2, "2 words")])
def test_a_count_chooses_its_form(count: int, text: str) -> None:
    assert ntr("{count} word", "{count} words", count) == text
