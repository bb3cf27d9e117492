"""The Chinese catalogue is whole: each sentence of the source is translated, with its places, and the .mo is fresh."""

from __future__ import annotations

from string import Formatter

from helpers.catalogue import PO, compiled, read, sentences

from attnviewer.core.speech import catalogue, wanted


def places(text: str) -> set[str]:
    """The named places of a sentence; none where its braces are no places."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        return set()


def test_every_sentence_is_translated_and_none_is_left_over() -> None:
    assert set(read()) - {("",)} == set(sentences())
    assert [entry for entry, said in read().items() if not said] == []


def test_a_translation_has_the_places_of_its_sentence() -> None:
    told = {entry: said for entry, said in read().items() if entry != ("",)}
    assert {entry[-1]: said for entry, said in told.items() if places(entry[-1]) != places(said)} == {}


def test_the_compiled_catalogue_is_fresh() -> None:
    assert PO.with_suffix(".mo").read_bytes() == compiled(read())


def test_the_language_is_that_of_the_system() -> None:
    assert wanted({"LANG": "zh_CN.UTF-8"}) == ["zh_CN"]
    assert wanted({"LANG": "de_DE", "LANGUAGE": "zh_CN:en"}) == ["zh_CN", "en"]
    assert catalogue(["zh_CN"]).gettext("Play") == "播放"
    assert catalogue(["zh"]).gettext("Play") == "播放"
    assert catalogue(["en", "zh_CN"]).gettext("Play") == "Play"
    assert catalogue([]).gettext("Play") == "Play"


def test_a_sentence_that_is_looked_up_later_by_a_partial_call_is_found() -> None:
    assert ("Layer {layer}, head {head}",) in sentences()
