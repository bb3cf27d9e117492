"""What shuffling costs the small translators is told from their cards."""

from __future__ import annotations

from attnviewer.core.card import sound_cards
from attnviewer.core.paths import shelf
from attnviewer.ui.panels.transformer.lessonnets import MIXED, PLAIN, shuffled_bleu


def test_what_shuffling_costs_is_told_as_the_cards_have_it() -> None:
    cards = sound_cards(shelf())[0]
    told = shuffled_bleu(cards)
    none = next(card.figures for card in cards if card.id == "es-en-lesson-none")
    assert f"no positions {none[PLAIN]:.1f} → {none[MIXED]:.1f}" in told
    assert shuffled_bleu(card for card in cards if "lesson" not in card.id) == ""


def test_only_a_net_without_positions_keeps_its_quality() -> None:
    lost = {card.id: card.figures[PLAIN] - card.figures[MIXED] for card in sound_cards(shelf())[0]
            if MIXED in card.figures}  # fmt: skip
    assert len(lost) == 5
    assert {key for key, loss in lost.items() if loss < 1} == {"es-en-lesson-none"}
