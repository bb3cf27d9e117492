"""A folder of a few sentence pairs, and the options of a tiny training on them."""

from __future__ import annotations

import gzip
from argparse import ArgumentParser, Namespace
from pathlib import Path

from attnviewer.train.options import translate

NOUNS = {"perro": "dog", "gato": "cat", "caballo": "horse", "pájaro": "bird"}
VERBS = {"come": "eats", "duerme": "sleeps", "corre": "runs"}
PAIRS = [(f"El {es} {does}.", f"The {en} {did}.") for es, en in NOUNS.items() for does, did in VERBS.items()]
SMALL = ("--guide", "0", "--reader", "6", "--hidden", "10", "--batch", "24", "--rate", "0.02", "--smoothing", "0")


def write(folder: Path, split: str, pairs: list[tuple[str, str]]) -> None:
    """Write a split as the tatoeba folder has it."""
    with gzip.open(folder / f"es-en.{split}.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{source}\t{target}\tcredit\n" for source, target in pairs)


def arguments(*given: str) -> Namespace:
    """The options of a tiny training, and those that are given."""
    parser = ArgumentParser()
    translate.add_arguments(parser)
    return parser.parse_args([*SMALL, *given])
