"""Cutting sentences into words and marks, putting them together again, and spelling words in character n-grams."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.sentence import LONGEST, character_ngrams, detokenize, tokenize
from attnviewer.core.text import SPECIAL_TOKENS, UNKNOWN, Vocabulary

CUTS = {
    "Don't go.": ["Don't", "go", "."],
    "Don’t go.": ["Don't", "go", "."],
    "¿Dónde está? ¡Aquí!": ["¿", "Dónde", "está", "?", "¡", "Aquí", "!"],
    'She said, "No."': ["She", "said", ",", '"', "No", ".", '"'],
    "It costs $3.50, or 1,000 pesos at 10:30.": [
        "It", "costs", "$", "3.50", ",", "or", "1,000", "pesos", "at", "10:30", ".",
    ],
    "my e-mail and/or the U.S.": ["my", "e-mail", "and/or", "the", "U.S", "."],
    "her parents' house": ["her", "parents", "'", "house"],
    "snake_case 50%": ["snake_case", "50", "%"],
    "wait... -- no—yes": ["wait", ".", ".", ".", "-", "-", "no", "—", "yes"],
    "I ❤️ 🍕": ["I", "❤️", "🍕"],
    "👨‍👩‍👧 👍🏽👍": ["👨‍👩‍👧", "👍🏽", "👍"],
    "🇪🇸🇫🇷 ❤️‍🔥 1️⃣": ["🇪🇸", "🇫🇷", "❤️‍🔥", "1️⃣"],
    "a\u200db \u200d": ["ab"],
    "שלום עולם!": ["שלום", "עולם", "!"],
    "مَرْحَبًا بالعالم؟": ["مَرْحَبًا", "بالعالم", "؟"],
    "नमस्ते दुनिया": ["नमस्ते", "दुनिया"],
    "\u202bשלום\u202c \u200e(a)": ["שלום", "(", "a", ")"],
    "bell\x07 nul\x00l\x1b[0m": ["bell", "null", "[", "0m"],
    "one\r\ntwo\u2028three\tfour\xa0five": ["one", "two", "three", "four", "five"],
    "zero\u200bwidth soft\xadly \ufeff": ["zerowidth", "softly"],
    "<end> <b>bold</b>": ["<", "end", ">", "<", "b", ">", "bold", "<", "/", "b", ">"],
    "cafe\u0301": ["café"],
    "\ud800 lone": ["lone"],
    " \n\t\u200b": [],
    "": [],
}  # fmt: skip

ENGLISH = [
    "I don't know.",
    "Where are you going, Tom?",
    "The black dog isn't in the white house!",
    '"Who is it?" she asked.',
    'Tom said, "I\'m not hungry," and left.',
    "It costs $3.50; that's 20% more than on 10/30.",
    "He lives in a well-known town (near Boston).",
    "It's 10:30 a.m. already.",
    "—Go home.",
    "We met at her parents' house.",
    "Five minutes' walk from my friends' school.",
    "Being long, 'perhaps' is a word.",
    "It was 30° in the shade.",
    "Wait... What?",
]

JOINER = "\u200d"  # between emoji that are one picture
texts = st.text(st.characters(exclude_categories=())) | st.text("aé'’.,-:/ \t\n\u200b\u0301\ufe0f<>¿\"s😀ש")


@pytest.mark.parametrize("text", CUTS)
def test_a_text_is_cut_into_words_and_marks(text: str) -> None:
    assert tokenize(text) == CUTS[text]


@given(texts)
def test_any_text_is_cut_into_pieces_that_can_be_seen(text: str) -> None:
    pieces = tokenize(text)
    assert all(piece and piece.split() == [piece] for piece in pieces)
    letters = (letter for piece in pieces for letter in piece.replace(JOINER, ""))
    assert not any(unicodedata.category(letter)[0] in "CZ" for letter in letters)


@given(texts)
def test_no_letter_gets_lost_and_cutting_twice_changes_nothing(text: str) -> None:
    seen = "".join(" " if letter.isspace() else letter for letter in text)
    seen = "".join(letter for letter in seen if unicodedata.category(letter)[0] != "C")
    pieces = "".join(tokenize(text)).replace(JOINER, "")
    assert pieces == unicodedata.normalize("NFC", seen).replace("’", "'").replace(" ", "")
    assert tokenize(" ".join(tokenize(text))) == tokenize(text)


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_sentence_is_put_together_as_it_was(text: str) -> None:
    assert detokenize(tokenize(text)) == text


@given(st.lists(st.sampled_from(["a", "dogs", "'", '"', ".", "(", ")", "¿", "$", "5", "-"])))
def test_joining_keeps_all_words_in_order_with_single_spaces(words: list[str]) -> None:
    text = detokenize(words)
    assert text.replace(" ", "") == "".join(words)
    assert text == " ".join(text.split())


def test_the_spelling_of_a_word_is_its_letter_groups_with_marked_ends() -> None:
    assert len(character_ngrams("perro", 10**9)) == 12  # of <perro>: 5 of three letters, 4 of four, 3 of five
    assert set(character_ngrams("perro", 10**9)) & set(character_ngrams("perra", 10**9))
    assert character_ngrams("Perro", 64) == character_ngrams("perro", 64)
    assert character_ngrams("el", 10**9, sizes=(4,)) == character_ngrams("el", 10**9, sizes=(4, 9))


@given(st.text(), st.integers(1, 5000))
def test_a_spelling_is_sorted_distinct_never_empty_and_below_the_buckets(word: str, buckets: int) -> None:
    groups = character_ngrams(word, buckets)
    assert groups
    assert list(groups) == sorted(set(groups))
    assert 0 <= groups[0] <= groups[-1] < buckets
    assert groups == character_ngrams(word, buckets)


def test_spellings_stay_what_they_were_when_the_models_were_trained() -> None:
    assert character_ngrams("a", 2048) == (683,)
    assert character_ngrams("sí", 2048) == character_ngrams("SÍ", 2048)


@pytest.mark.parametrize("mark", ["<end>", "<pad>", "<start>", "(unknown)", "</s>"])
def test_no_text_becomes_a_mark(mark: str) -> None:
    vocabulary = Vocabulary(("end", "<", ">"))
    assert all(number >= SPECIAL_TOKENS or number == UNKNOWN for number in vocabulary.encode([*tokenize(mark), mark]))


@pytest.mark.parametrize("sentence", ["", "  \n", "\u200b\x00"])
def test_there_must_be_something_to_translate(sentence: str) -> None:
    with pytest.raises(UserError, match="no word to translate"):
        TranslateRequest(sentence)


@pytest.mark.parametrize("sentence", [None, 3, b"hola"])
def test_what_is_to_be_translated_must_be_a_text(sentence: object) -> None:
    with pytest.raises(UserError, match=r"^sentence must be a text, not"):
        TranslateRequest(sentence)  # type: ignore[arg-type]


@pytest.mark.parametrize("sentence", ["¿?", "...", "7", "🙂", "palabra " * LONGEST])
def test_marks_numbers_emoji_and_500_words_can_be_translated(sentence: str) -> None:
    assert TranslateRequest(sentence).sentence == sentence


def test_a_text_of_more_than_500_words_is_refused_with_its_length() -> None:
    with pytest.raises(UserError, match="has 501 words; translate at most 500"):
        TranslateRequest("palabra " * (LONGEST + 1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"attention": "hard"}, "no translator has hard attention; choose soft, location, none"),
        ({"words": ("the", " ")}, "one of these is no word"),
        ({"words": (3,)}, "one of these is no word"),
        ({"interventions": ("dog",)}, "one of these is not"),
        ({"shuffle": -1}, "a number from 0 up"),
        ({"shuffle": "x"}, "a number from 0 up"),
        ({"shuffle": True}, "a number from 0 up"),
    ],
)
def test_a_request_says_at_once_what_is_wrong(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        TranslateRequest("hola", **wrong)  # type: ignore[arg-type]


def test_a_request_becomes_plain_data() -> None:
    asked = TranslateRequest("hola", "location", Decoding(beam=2), interventions=(Intervention(1, "dog"),), shuffle=5)
    plain = asked.to_dict()
    assert plain["task"] == "translate"
    nothing = {"weights": None, "head": None, "gaze": None, "rest": False, "kept": False}
    assert plain["interventions"] == [{"at": 1, "word": "dog", **nothing}]
    assert (plain["sentence"], plain["shuffle"], plain["decoding"]["beam"]) == ("hola", 5, 2)
