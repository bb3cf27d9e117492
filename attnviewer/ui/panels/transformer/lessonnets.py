"""What the small translators that ship lose when the words they read are shuffled, from their cards."""

from __future__ import annotations

from collections.abc import Iterable

from attnviewer.core.card import ModelCard
from attnviewer.core.i18n import later, tr

PLAIN, MIXED = "test_bleu_500", "test_bleu_500_shuffled"
NAMES = {
    "es-en-lesson-none": later("no positions"), "es-en-lesson-sinusoidal": later("sinusoidal"),
    "es-en-lesson-learnt": later("learnt"), "es-en-lesson-relative": later("relative"),
}  # fmt: skip


def shuffled_bleu(cards: Iterable[ModelCard]) -> str:
    """BLEU in order and shuffled of each net that was measured; "" where none is installed."""
    found = {card.id: card.figures for card in cards if {PLAIN, MIXED} <= card.figures.keys()}
    told = [
        tr("{net} {plain} → {mixed}", net=tr(name), plain=f"{found[key][PLAIN]:.1f}", mixed=f"{found[key][MIXED]:.1f}")
        for key, name in NAMES.items() if key in found
    ]  # fmt: skip
    if not told:
        return ""
    return tr(
        "Small translators from Spanish, the same but for their positions; BLEU of 500 sentences in order → with their "
        "words shuffled: {told}. Without positions a translator hardly notices.", told=", ".join(told),
    )  # fmt: skip
