"""How good a translator is on dev, cheaply: greedy BLEU, and its maps against the aligner's links."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.core.sentence import detokenize, tokenize
from attnviewer.core.text import Vocabulary
from attnviewer.data.pairs import Links, Pair
from attnviewer.measure.alignment import error_rate
from attnviewer.measure.translated import bleu, gather, map_links
from attnviewer.nets.translates import Translates
from attnviewer.runs.reading import translate_batch
from attnviewer.zoo.translators import Speller


def dev_scores(
    net: Translates, speller: Speller, target: Vocabulary, pairs: Sequence[Pair], links: Sequence[Links]
) -> dict[str, float]:
    """Lower-cased BLEU of greedy translations, and the error rates of the maps against the aligner's links."""
    asked = gather([pair.texts for pair in pairs])
    said = []
    for start in range(0, len(asked), 64):
        sources = [tokenize(one.source) for one in asked[start : start + 64]]
        said += [detokenize(words) for words in translate_batch(net, speller, target, sources, 1, 1.0)]
    scores = {"bleu": round(bleu(said, asked), 2)}
    if net.has_attention and any(links):
        for name in ("error", "origin_error") if net.tells else ("error",):
            told = [(pair.source, pair.target) for pair in pairs]
            found = map_links(net, speller, target, told, origin=name == "origin_error")
            scores[name] = round(error_rate(found, links), 4)
    return scores
