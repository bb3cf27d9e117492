"""What is said of encoder, decoder and the look between them: in order, changed, or not installed."""

from __future__ import annotations

from attnviewer.core.ablation import Changes
from attnviewer.core.i18n import tr
from attnviewer.core.sentence import detokenize
from attnviewer.core.transformer.findings import Pair
from attnviewer.core.transformer.pair import moved_before, share_ahead

MODEL = "es-en-transformer"
SMALL = 1e-6  # probabilities that differ by less are the same


def sentence(found: Pair, plain: Pair | None, change: Changes) -> str:
    """What is seen; `plain` is the same translation with nothing changed."""
    moved = moved_before(found.probabilities, found.other)
    told = tr("not at all") if moved < SMALL else tr("by up to {moved}", moved=f"{moved:.2f}")
    if found.ahead:
        return tr(
            "Now {share} of the decoder's attention lies on words that aren't said yet. {fall} Another last word "
            "moves earlier ones {told}: the answer leaks into the question. A net taught so would copy, and have "
            "nothing to copy from while it translates.", share=f"{share_ahead(found.decoder):.0%}",
            fall=fall(found, plain), told=told,
        )  # fmt: skip
    hidden = len(change.encoder.hidden) + len(change.decoder.hidden)
    if hidden:
        return tr("{count} cells are masked. {fall}", count=hidden, fall=fall(found, plain))
    return tr(
        "“{text}” The encoder's words look both ways. The decoder's look only at words that are said (nothing "
        "above the diagonal): another last word moves earlier ones {told}. Click or paint cells to mask them.",
        text=detokenize(found.words[:-1]), told=told,
    )  # fmt: skip


def fall(found: Pair, plain: Pair | None) -> str:
    """Which word lost most of its probability by the change."""
    if plain is None or plain.words != found.words:
        return ""
    lost = plain.probabilities - found.probabilities
    at = int(lost.argmax())
    if lost[at] < SMALL:
        return tr("No word lost by it.")
    return tr("“{word}” falls from {before} to {after}.", word=found.words[at],
              before=f"{plain.probabilities[at]:.0%}", after=f"{found.probabilities[at]:.0%}")  # fmt: skip


def NAMES() -> tuple[str, str, str]:
    """What the three maps are called."""
    return (
        tr("Encoder: source words look at source words"),
        tr("Decoder: the word to come looks at words said"),
        tr("Cross-attention: the word to come looks at the source"),
    )


def MISSING() -> str:
    """What is said where the Transformer isn't installed."""
    return tr(
        "The Transformer that translates, {model}, isn't installed. Put its folder into the models' folder, or train "
        "it: attnviewer train translate --net transformer.", model=MODEL,
    )  # fmt: skip
