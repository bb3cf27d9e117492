"""`attnviewer evaluate translate`: how good translations are, by length too, and how right their maps."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.glossary import NO_GLOSSARY
from attnviewer.core.i18n import later, tr
from attnviewer.core.modes import of
from attnviewer.core.paths import shelf
from attnviewer.core.request import Decoding
from attnviewer.core.sentence import tokenize
from attnviewer.data.gold import Gold, load_gold, load_xlwa
from attnviewer.data.pairs import load_pairs
from attnviewer.export import check_figure, save_figure
from attnviewer.measure.aligners import ALIGNERS, baselines
from attnviewer.measure.alignment import error_rate
from attnviewer.measure.table import table
from attnviewer.measure.translated import Asked, bleu, by_length, gather, map_links
from attnviewer.runs.asked import Asked as Read
from attnviewer.runs.asked import shuffled
from attnviewer.runs.decode import settled
from attnviewer.runs.device import choose_device
from attnviewer.runs.texts import translate_texts
from attnviewer.zoo.files import WEIGHTS
from attnviewer.zoo.store import Zoo
from attnviewer.zoo.translators import LoadedTranslator

BATCH, TIMED = 48, 48
COLUMNS = {
    "attention": "attention", "model": "model", "bleu": "BLEU", "bleu_cased": "cased",
    "bleu_shuffled": "BLEU shuffled", "error": "align. error",
    "origin_error": "origin error", "xlwa_error": "XL-WA: align.", "xlwa_origin_error": "XL-WA: origin",
    "ms": "ms/sentence", "megabytes": "MB",
}  # fmt: skip
OPTIONAL = {"bleu_shuffled", "xlwa_error", "xlwa_origin_error"}  # columns that appear only where they were measured
TOLD = later("""\
BLEU: sacreBLEU (13a) against all references of each Spanish sentence, lower-cased; cased: as written.
BLEU shuffled: the same when each Spanish sentence is read with its words in a random order.
align. error: alignment error rate of the maps on hand-aligned pairs, each translation given, one link a target word
  to the source word with the largest weight; origin error: that of the maps which tell where a word came from, asked
  once it is known. XL-WA: the same on the cased pairs of XL-WA for the split, to choose on dev and report on test.
ms/sentence: median, one at a time. MB: weights, those of the shared embeddings included.
words: of the Spanish sentence, punctuation marks counted.""")
ALIGNED = later("""\
The aligners have read the training text and the text of the gold pairs: forward has one link an English word, backward
one a Spanish word, both keeps what they agree on and the forward link of the English words that are left.""")


@dataclass(frozen=True)
class Tests:
    """What translators are measured on: sentences with their references, and gold pairs (or none), XL-WA's apart."""

    asked: list[Asked]
    words: list[list[str]]
    gold: list[Gold]
    xlwa: list[Gold] = field(default_factory=list)


def run(args: argparse.Namespace) -> int:
    """Print (and draw) the figures of each way to attend."""
    aligners = _check(args)
    tests, models = load_tests(args), load_models(args)
    measured = {mode: measure(model, tests, args) for mode, model in models.items()}
    rates: dict[str, float] = {}
    for where, gold in (("", tests.gold), (", XL-WA", tests.xlwa)):
        found = baselines(lambda: load_pairs(args.data, "train"), gold, aligners) if gold else {}
        rates |= {name + where: rate for name, rate in found.items()}
    told = f"{len(tests.asked)} Spanish sentences of the {args.split} split, beam {args.beam}."
    _print_json(args, tests, measured, rates) if args.json else print("\n\n".join(_report(measured, rates, told)))
    if args.out is not None:
        _draw({mode: one["lengths"] for mode, one in measured.items()}, args.out)
    return 0


def _check(args: argparse.Namespace) -> list[str]:
    """The aligners that are wanted; raises `UserError` where a choice can't be met."""
    wanted = str(args.aligners).split(",")
    if unknown := [name for name in wanted if name not in ALIGNERS]:
        raise UserError(
            tr("there is no aligner {unknown}; choose of {aligners}.", unknown=unknown[0], aligners=",".join(ALIGNERS))
        )
    if args.sentences is not None and args.sentences < 1:
        raise UserError(tr("--sentences must be at least 1, not {sentences}.", sentences=args.sentences))
    if args.out is not None:
        check_figure(args.out)
    return wanted


def load_tests(args: argparse.Namespace) -> Tests:
    """The distinct Spanish sentences of the split, and the gold pairs where a folder is given."""
    asked = spread(gather([pair.texts for pair in load_pairs(args.data, args.split)]), args.sentences)
    gold = load_gold(args.alignment) if args.alignment else []
    xlwa = load_xlwa(args.alignment, args.split) if args.alignment else []
    if xlwa and args.split == "dev":
        gold = []  # these are for reporting, not for choosing
    return Tests(asked, [tokenize(one.source) for one in asked], gold, xlwa)


def spread(items: Sequence[Any], most: int | None) -> list[Any]:
    """At most so many of the items (None: all), at even distances: a split may be sorted by length."""
    count = len(items) if most is None else min(most, len(items))
    return [items[number * len(items) // count] for number in range(count)]


def load_models(args: argparse.Namespace) -> dict[str, LoadedTranslator]:
    """The translators by attention, those that are asked for or all that are installed."""
    zoo = Zoo(shelf(args.models_dir), choose_device(args.device))
    if args.model:
        return {wanted: zoo.translator(wanted, _attention(zoo, wanted)) for wanted in args.model}
    installed = {card.attention for card in zoo.cards.values() if card.task == "translate"}
    known = of("translate")
    modes = args.attention.split(",") if args.attention else [m for m in known if m in installed] or known[:1]
    if unknown := [mode for mode in modes if mode not in known]:
        raise UserError(
            tr(
                "there is no attention {unknown} to measure; choose of {known}.",
                unknown=unknown[0],
                known=",".join(known),
            )
        )
    models = {mode: zoo.translator(None, mode) for mode in modes}
    if not args.copy:
        return models
    return {mode: replace(one, words=replace(one.words, glossary=NO_GLOSSARY)) for mode, one in models.items()}


def _attention(zoo: Zoo, wanted: str) -> str:
    return zoo.cards[wanted].attention if wanted in zoo.cards else "soft"


@torch.inference_mode()
def measure(model: LoadedTranslator, tests: Tests, args: argparse.Namespace) -> dict[str, Any]:
    """The figures of one translator, in the names of its card; `lengths` holds the bands of by_length."""
    decoding = settled(Decoding(beam=args.beam, length_penalty=args.length_penalty), model.card)
    said = translate_all(model, [one.source for one in tests.asked], decoding)
    lengths = by_length(said, tests.asked, list(map(len, tests.words)))
    figures = {
        "attention": model.card.attention,
        "model": model.card.id,
        "bleu": round(bleu(said, tests.asked), 2),
        "bleu_cased": round(bleu(said, tests.asked, lower=False), 2),
        **({"bleu_shuffled": round(bleu_shuffled(model, tests, decoding), 2)} if args.shuffled else {}),
        **{f"bleu_{band.rstrip('+').replace('-', '_')}": round(score, 2) for band, _, score in lengths},
        "sentences": len(tests.asked),
        "length_penalty": decoding.length_penalty,
        "ms": round(_milliseconds(model, [one.source for one in tests.asked], decoding), 1),
        "megabytes": round(_megabytes(model, args), 2),
        "lengths": lengths,
    }
    for prefix, gold in (("", tests.gold), ("xlwa_", tests.xlwa)):
        if gold and model.net.has_attention:
            figures[f"{prefix}error"] = round(map_error(model, gold), 4)
            if model.net.tells:
                figures[f"{prefix}origin_error"] = round(map_error(model, gold, origin=True), 4)
    return figures


def bleu_shuffled(model: LoadedTranslator, tests: Tests, decoding: Decoding) -> float:
    """BLEU when the words of each source are read in a random order, the same for every model."""
    return bleu(translate_all(model, [one.source for one in tests.asked], decoding, shuffled), tests.asked)


def translate_all(
    model: LoadedTranslator, texts: Sequence[str], decoding: Decoding, mixed: Callable[[Read], Read] | None = None
) -> list[str]:
    """The translations of some texts, each as if it were alone; how far it is is told on stderr.

    `mixed` is as in `translate_texts`.
    """

    def tell(progress: Progress) -> None:
        if progress.fraction is not None:
            print(f"{model.card.attention}: {progress.text}", file=sys.stderr, flush=True)

    return translate_texts(model, texts, decoding, tell, mixed)


def map_error(model: LoadedTranslator, gold: Sequence[Gold], origin: bool = False) -> float:
    """The alignment error rate of the maps that chose a translator's words, or of those that tell their `origin`."""
    pairs = [(one.source, one.target) for one in gold]
    found = map_links(model.net, model.words.speller, model.words.target, pairs, origin)
    return error_rate(found, [one.links for one in gold])


def _milliseconds(model: LoadedTranslator, texts: Sequence[str], decoding: Decoding) -> float:
    """Median time of one text, over some of all lengths."""
    times = []
    for text in spread(texts, TIMED):
        began = time.perf_counter()
        translate_texts(model, [text], decoding)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def _megabytes(model: LoadedTranslator, args: argparse.Namespace) -> float:
    folder = shelf(args.models_dir)
    return sum((folder / card.id / WEIGHTS).stat().st_size for card in (model.card, model.words.card)) / 1e6


def _report(measured: dict[str, dict[str, Any]], rates: dict[str, float], told: str) -> list[str]:
    """The tables, and what their columns mean."""
    rows = measured.values()
    alike = len({row["attention"] for row in rows}) < len(rows)  # only then models need their names
    shown = {
        n: title for n, title in COLUMNS.items()
        if (n != "model" or alike) and (n not in OPTIONAL or any(n in row for row in rows))
    }  # fmt: skip
    quality = table(list(shown.values()), [[row.get(name) for name in shown] for row in measured.values()])
    held = [table(["held against", "align. error"], list(rates.items())), ALIGNED] if rates else []
    return [quality, *held, _length_table(measured), f"{told}\n{tr(TOLD)}"]


def _length_table(measured: dict[str, dict[str, Any]]) -> str:
    """A row for each band of source lengths, a column for each way to attend."""
    columns = [row["lengths"] for row in measured.values()]
    rows = [
        [band, count, *(round(column[place][2], 2) for column in columns)]
        for place, (band, count, _) in enumerate(columns[0])
    ]
    return table(["words", "sentences", *(f"BLEU {mode}" for mode in measured)], rows, digits=2)


def _print_json(
    args: argparse.Namespace, tests: Tests, measured: dict[str, dict[str, Any]], rates: dict[str, float]
) -> None:
    bands = {band: count for band, count, _ in next(iter(measured.values()))["lengths"]}
    figures = [{name: value for name, value in row.items() if name != "lengths"} for row in measured.values()]
    about = {
        "split": args.split,
        "sentences": len(tests.asked),
        "beam": args.beam,
        "gold": len(tests.gold),
        "xlwa": len(tests.xlwa),
    }
    print(json.dumps({**about, "figures": figures, "aligners": rates, "bands": bands}))


def _draw(curves: dict[str, Any], out: Path) -> None:
    from attnviewer.export.lengths import length_figure

    save_figure(lambda: length_figure(curves), out)
    print(tr("wrote {out}", out=out), file=sys.stderr)
