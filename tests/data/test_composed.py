"""Pairs made by rule: what is in them belongs together, and the same seed makes the same ones."""

from attnviewer.core.glossary import Glossary
from attnviewer.core.sentence import tokenize
from attnviewer.core.spanish.numbers import cardinal, spelled_spanish
from attnviewer.data.composed import TEMPLATES, composed
from attnviewer.data.pairs import Pair

TEXTS = [("Hola.", "Hello."), ("Vi a Marta ayer por la noche.", "I saw Marta last night.")] * 3
PAIRS = [Pair(tuple(tokenize(es)), tuple(tokenize(en)), (es, en)) for es, en in TEXTS]
LINKS = [frozenset({(0, 0), (1, 1)})] * len(PAIRS)
GLOSSARY = Glossary({"noche": "night"})


def made(count: int, seed: int = 0):
    return list(composed(PAIRS, LINKS, GLOSSARY, count, seed))


def test_a_number_in_spanish_words_is_read_as_itself():
    for value in range(1000):
        words = spelled_spanish(value).split()
        assert cardinal(words) == (value, len(words))


def test_every_link_joins_words_that_are_there_and_every_word_of_a_template_is_linked():
    for pair, links in made(400)[::4]:
        assert {s for s, _ in links} == set(range(len(pair.source)))
        assert {t for _, t in links} == set(range(len(pair.target)))


def test_half_are_templates_a_quarter_single_words_and_a_quarter_short_pairs_shown_again():
    pairs = [pair for pair, _ in made(40)]
    assert pairs[2::4] == [Pair(("noche",), ("night",), ("noche", "night"))] * 10
    assert {pair.texts for pair in pairs[3::4]} == {TEXTS[0]}
    openings = tuple(part.partition("=")[0].split(" ")[0].strip("{}¿") for part in TEMPLATES)
    assert all(pair.source[0].strip("¿") in openings or pair.source[0] in ("Marta", "¿") for pair in pairs[::4])


def test_names_are_those_that_both_languages_share():
    assert {pair.texts for pair, _ in made(4000)} >= {("Me llamo Marta.", "My name is Marta.")}


def test_digits_and_number_words_both_occur_and_say_the_same():
    texts = {pair.texts for pair, _ in made(4000)}
    ages = [pair for pair in texts if pair[0].startswith("Mi hija tiene")]
    assert any(es.split()[3].isdigit() for es, _ in ages)
    assert ("Mi hija tiene noventa y dos años.", "My daughter is ninety-two years old.") in ages


def test_a_seed_makes_the_same_pairs_and_another_one_others():
    assert made(50, 3) == made(50, 3)
    assert made(50, 3) != made(50, 4)
