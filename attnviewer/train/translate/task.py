"""What a translator learns: the words of pairs, the links that guide its maps, and BLEU where a critic judges."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.text import Vocabulary
from attnviewer.data.composed import composed
from attnviewer.data.links import align, fit, glossary_of
from attnviewer.data.pairs import Links, Pair, load_pairs
from attnviewer.nets.transformer import Transformer
from attnviewer.nets.translator import Translator, Words
from attnviewer.runs.legal import SPECIAL_TOKENS
from attnviewer.runs.reading import REPEAT
from attnviewer.train.critic import Reward, Rules, self_critical
from attnviewer.train.journal import load_checkpoint, save_checkpoint
from attnviewer.train.learner import Verdict
from attnviewer.train.processes import world
from attnviewer.train.translate.corpus import Batch, Corpus, common
from attnviewer.train.translate.dev import dev_scores
from attnviewer.train.translate.losses import loss_of
from attnviewer.train.translate.nets import NETS
from attnviewer.zoo.files import WEIGHTS, read_weights
from attnviewer.zoo.translators import Speller

RULES = Rules(SPECIAL_TOKENS, REPEAT)


@dataclass(frozen=True)
class Translated:
    """The task of the learner: the net, what it learns from, and what it is measured on."""

    args: argparse.Namespace
    source: Vocabulary
    target: Vocabulary
    corpus: Corpus
    dev: list[Pair]
    dev_links: list[Links]
    net: Translator | Transformer
    speller: Speller
    reward: Reward | None
    pairs: list[Pair]
    links: list[Links]

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of pairs joined, made plain and renamed; none where a critic judges, who knows whole sentences."""
        return (0.0, 0.0, 0.0) if self.reward else (self.args.joined, self.args.plain, self.args.renamed)

    @property
    def modules(self) -> nn.ModuleDict:
        """The nets that are saved: the translator and the embeddings it stands on."""
        return nn.ModuleDict({"net": self.net, "words": self.net.words})

    @property
    def steps(self) -> int:
        """Batches an epoch, for each of the processes of a run."""
        whole = self.corpus.steps(self.args.batch, self.shares[0]) // world()[1]
        return min(whole, self.args.steps or whole)

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of an epoch for this process."""
        rank, processes = world()
        every = self.corpus.batches(self.args.batch, self.args.seed * 1000 + epoch, *self.shares)
        return islice(every, rank, self.steps * processes, processes)

    def loss(self, batch: Batch, step: int) -> tuple[Tensor, str]:
        """Teacher forcing, and the critic where there is one."""
        loss, nats, guided = loss_of(self.net, batch, self.args)
        loss, text = loss / world()[1], f"nats {nats:.3f} guide {guided:.3f}"
        if self.reward:
            memory = self.net.encode_source(batch.ids, batch.ngrams)
            judged, earned = self_critical(self.net, memory, batch.asked, self.reward, RULES)
            loss, text = loss + judged, f"{text} reward {earned:.3f}"
        return loss, text

    def judge(self) -> Verdict:
        """BLEU on dev; where only the map of origins is learnt, its error rate."""
        scores = dev_scores(self.net, self.speller, self.target, self.dev, self.dev_links)
        return Verdict(-scores["origin_error"] if self.args.origin else scores["bleu"], scores)


def set_up(args: argparse.Namespace) -> Translated:
    """Read the pairs, have them aligned (or read the links made before), and build the net."""
    if args.origin and not args.guide:
        raise UserError(tr("--origin learns from the aligner's links; give --guide more than 0."))
    pairs, dev = load_pairs(args.data, "train")[: args.pairs], load_pairs(args.data, "dev")
    links = found_links(args, pairs, dev)
    source, target = common((p.source for p in pairs), args.least[0]), common((p.target for p in pairs), args.least[1])
    net = NETS[args.net].make(args, source, target)
    if args.words:
        stand_on(net.words, args.words)
    linked, dev_links = links[: len(pairs)], links[len(pairs) :]
    more = with_composed(pairs, linked, args)
    corpus = Corpus(*more, source, target, net.config.spelling)
    speller = Speller(source, net.config.spelling)
    if args.origin:
        rest_but_origin(net)
    reward = Reward(answers(pairs), target, cider=0) if args.critic else None
    return Translated(args, source, target, corpus, dev, dev_links, net, speller, reward, pairs, linked)


def with_composed(pairs: list[Pair], links: list[Links], args: argparse.Namespace) -> tuple[list[Pair], list[Links]]:
    """The pairs and their links, and behind them those made by rule: a share `--composed` of their number."""
    count = int(args.composed * len(pairs))
    if not count or not any(links):
        return pairs, links
    made = list(composed(pairs, links, glossary_of(pairs, links), count, args.seed))
    return [*pairs, *(pair for pair, _ in made)], [*links, *(found for _, found in made)]


def rest_but_origin(net: Any) -> None:
    """Hold everything still but the map that tells where a word came from; raises `UserError` where there is none."""
    if not net.tells:
        raise UserError(
            tr("only attention by content tells where words came from; give --origin with --attention soft.")
        )
    nn.ModuleList([net, net.words]).requires_grad_(False)
    net.asked.requires_grad_(True)


def answers(pairs: Sequence[Pair]) -> dict[str, list[tuple[str, ...]]]:
    """All translations of each source sentence, as words."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for pair in pairs:
        found[pair.texts[0]].append(pair.target)
    return found


def stand_on(words: Words, path: Path) -> None:
    """Fill `words` from a checkpoint, or from a model's folder, and hold them still; raises `UserError` where they
    don't fit.
    """
    if path.is_dir():
        read_weights(words, path / WEIGHTS)
        words.requires_grad_(False)
        return
    saved = load_checkpoint(path)
    if saved is None:
        raise UserError(
            tr("there is no checkpoint {path}; give the best.pt of another translator with --words.", path=path)
        )
    state = {name.removeprefix("words."): v for name, v in saved["modules"].items() if name.startswith("words.")}
    try:
        words.load_state_dict(state)
    except RuntimeError:
        raise UserError(
            tr("the words of {path} are not those of this data; give the same --data and --pairs.", path=path)
        ) from None
    words.requires_grad_(False)


def found_links(args: argparse.Namespace, pairs: list[Pair], dev: list[Pair]) -> list[Links]:
    """Links of the training pairs and of dev, made once; none where nothing is to be guided."""
    every = [*pairs, *dev]
    if not args.guide or args.attention == "none":
        return [frozenset()] * len(every)
    kept = args.out / "links.pt"
    if saved := load_checkpoint(kept):
        links: list[Links] = [frozenset(map(tuple, row)) for row in saved["links"]]
        if fit(links, every):
            return links
    links = align(every)
    args.out.mkdir(parents=True, exist_ok=True)
    save_checkpoint(kept, links=[sorted(row) for row in links])
    return links
