"""Links between the words of sentence pairs, by the statistical aligner eflomal (Östling and Tiedemann 2016)."""

from __future__ import annotations

import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.glossary import Glossary, openers, spoken
from attnviewer.core.i18n import tr
from attnviewer.data.pairs import Links, Pair


def align(pairs: Sequence[Pair]) -> list[Links]:
    """The links (source word, target word) of each pair, both directions joined; raises `UserError` without eflomal.

    A target word keeps the links that both directions found; where there are none, the ones of its own direction.
    """
    forward, backward = both_ways(pairs)
    return [merge(there, back) for there, back in zip(forward, backward, strict=True)]


def both_ways(pairs: Sequence[Pair]) -> tuple[list[Links], list[Links]]:
    """Links with one source word a target word, and links with one target word a source word."""
    try:
        import eflomal
    except ImportError:
        raise UserError(
            tr('this needs the aligner eflomal; run `python -m pip install "attnviewer[train]"`.')
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        there, back = Path(folder, "there"), Path(folder, "back")
        texts = ["\n".join(" ".join(words).lower() for words in side) + "\n" for side in _sides(pairs)]
        names = [Path(folder, name) for name in ("source", "target")]
        for name, text in zip(names, texts, strict=True):
            name.write_text(text, encoding="utf-8")
        with names[0].open(encoding="utf-8") as source, names[1].open(encoding="utf-8") as target:
            try:
                eflomal.Aligner().align(
                    source, target, links_filename_fwd=str(there), links_filename_rev=str(back), quiet=True
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise UserError(
                    tr("eflomal couldn't align the pairs ({error}); install it again.", error=error)
                ) from None
        return _read(there), _read(back)


def merge(forward: Links, backward: Links) -> Links:
    """What both directions found, and for target words without any their own link of `forward`."""
    sure = forward & backward
    covered = {target for _, target in sure}
    return frozenset(sure | {(s, t) for s, t in forward if t not in covered})


def glossary_of(pairs: Sequence[Pair], links: Sequence[Links]) -> Glossary:
    """For each source word the target word that it is most often linked with, each to the other alone.

    A capital at the head of a sentence counts for nothing, elsewhere it is that of a name, which calls for another one.
    Marks have no entry, and what holds a digit stands for what holds one.
    """
    heads = [(openers(pair.source), openers(pair.target)) for pair in pairs]
    within = {
        word
        for pair, (_, opens) in zip(pairs, heads, strict=True)
        for place, word in enumerate(pair.target)
        if place not in opens
    }
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, found, (asked, answered) in zip(pairs, links, heads, strict=True):
        sources, targets = (Counter(link[side] for link in found) for side in (0, 1))
        for s, t in sorted(found):
            word, said = pair.source[s], pair.target[t]
            word = word.lower() if s in asked else word
            said = said.lower() if t in answered and said.lower() in within else said
            if sources[s] == targets[t] == 1 and _akin(word, said):
                counts[word][said] += 1
    return Glossary({word: said.most_common(1)[0][0] for word, said in counts.items()})


def _akin(word: str, said: str) -> bool:
    """Whether two words may stand for each other: neither is a mark, a name has a name, a number a number."""
    numbers = [any(map(str.isdigit, one)) for one in (word, said)]
    return spoken(word) and spoken(said) and word[0].isupper() <= said[0].isupper() and numbers[0] == numbers[1]


def fit(links: Sequence[Links], pairs: Sequence[Pair]) -> bool:
    """Whether the links can be those of the pairs: as many, and none to a word that isn't there."""
    return len(links) == len(pairs) and all(
        s < len(pair.source) and t < len(pair.target) for row, pair in zip(links, pairs, strict=True) for s, t in row
    )


def _sides(pairs: Sequence[Pair]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    return [pair.source for pair in pairs], [pair.target for pair in pairs]


def _read(path: Path) -> list[Links]:
    rows = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [frozenset((int(a), int(b)) for a, b in (link.split("-") for link in row.split())) for row in rows]
