"""`attnviewer explore documents`: texts as bags of words or TF-IDF vectors, and how alike they are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from attnviewer.core.explore.documents import KEYS, Documents, Doubles, cosines, read
from attnviewer.core.explore.texts import shipped
from attnviewer.core.i18n import tr
from attnviewer.core.lines import read_text
from attnviewer.verbs.exploring.common import add_json, put

SHOWN, NAME = 12, 18


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help=tr("text files, one document each (default: texts that ship)"))
    add("--keys", choices=KEYS, default="tfidf", help=tr("count words, or weigh them (default: tfidf)"))
    add("--top", type=int, default=SHOWN, metavar="N", help=tr("words to print (default: 12)"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Count and print."""
    documents = given(args.files)
    matrix = documents.matrix(args.keys)
    alike = cosines(matrix)
    numbers = {
        "keys": args.keys,
        "documents": documents.names,
        "words": documents.words,
        "counts": documents.counts,
        "idf": documents.idf,
        "matrix": matrix,
        "cosines": alike,
        "leading": [[documents.words[i] for i in documents.leading(args.keys, 5, d)] for d in range(len(matrix))],
    }
    return put(args, "documents", numbers, lambda: _told(documents, matrix, alike, args.keys, max(args.top, 1)))


def given(files: Sequence[str]) -> Documents:
    """The documents in some files, or those that ship."""
    if not files:
        texts = shipped()
        return read([text.text for text in texts], [text.name for text in texts])
    return read([read_text(file) for file in files], [Path(file).name for file in files])


def _told(documents: Documents, matrix: Doubles, alike: Doubles, keys: str, most: int) -> str:
    from attnviewer.measure.table import table

    names = [name if len(name) <= NAME else f"{name[: NAME - 1]}…" for name in documents.names]
    lead = documents.leading(keys, most)
    words: list[tuple[str | float, ...]] = [(documents.words[i], *(float(row[i]) for row in matrix)) for i in lead]
    pairs: list[tuple[str | float, ...]] = [
        (name, *(float(one) for one in row)) for name, row in zip(names, alike, strict=True)
    ]
    count = {"documents": len(names), "words": len(documents.words)}
    return "\n\n".join(
        [
            tr(
                "{documents} documents, {words} different words: each document is a vector of {words} numbers.", **count
            ),
            table((tr("word"), *names), words, digits=2),
            f"{tr('cosine between documents')}\n{table(('', *names), pairs, digits=2)}",
        ]
    )
