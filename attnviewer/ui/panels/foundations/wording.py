"""What the experiment with documents says of its numbers. No Qt."""

from __future__ import annotations

from attnviewer.core.explore.documents import Documents
from attnviewer.core.i18n import ntr, tr

BOW, TFIDF = "bow", "tfidf"
NAMED = 5


def of_cell(found: Documents, document: int, column: int, keys: str) -> str:
    """The formula of one number of the matrix."""
    cell = found.cell(document, column, keys)
    told = {"word": cell.word, "name": found.names[document], "count": cell.count, "holding": cell.holding,
            "documents": cell.documents, "idf": f"{cell.idf:.2f}", "weight": f"{cell.weight:.2f}"}  # fmt: skip
    if keys == BOW:
        return tr("“{word}” in {name}: {count} times, so its weight is {count}.", **told)
    return tr("“{word}” in {name}: {count} · ln({documents} / {holding}) = {count} · {idf} = {weight}, as {holding} of "
              "{documents} documents hold it.", **told)  # fmt: skip


def of_all(found: Documents, first: str, keys: str) -> str:
    """What the whole matrix shows; `first` is the word that weighs most."""
    if len(found.names) == 1:
        return tr("One document alone: every word is in all documents, so TF-IDF is 0 throughout. Add another.")
    if keys == BOW:
        words = f"{len(found.words):,}"
        return tr(
            "Each document is a vector of {words} numbers, however long it is. “{first}” leads.",
            words=words,
            first=first,
        )
    return ntr(
        "{count} word of all documents fell to 0; “{first}”, which tells one document from the others, rose.",
        "{count} words of all documents fell to 0; “{first}”, which tells one document from the others, rose.",
        int((found.holding == len(found.names)).sum()),
        first=first,
    )


def of_pair(found: Documents, pair: tuple[int, int], cosine: float, keys: str | None) -> str:
    """What makes two documents alike; without `keys` their vectors were learnt."""
    told = {"first": found.names[pair[0]], "second": found.names[pair[1]], "cosine": f"{cosine:.2f}"}
    if keys is None:
        return tr("{first} and {second}: {cosine}. Learnt vectors can make texts alike that share no word.", **told)
    shared = ", ".join(f"{word} ({share:.0%})" for word, share in found.shared(*pair, keys, NAMED))
    return tr("{first} and {second}: {cosine}. What they share: {words}.",
              words=shared or tr("no word that weighs anything"), **told)  # fmt: skip
