"""Train a translator: `attnviewer train translate --data FOLDER`, resumed where it stopped.

Teacher forcing on sentence pairs, some of them joined into longer ones, some without marks and capitals. An extra loss
guides the attention to the links that a statistical aligner found in the training text. A second run, with `--start`
and `--critic`, adds self-critical training (Rennie et al. 2017) on BLEU's precisions. `torchrun` spreads a run over
several processes.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnviewer.core.errors import UserError
from attnviewer.core.glossary import NO_GLOSSARY
from attnviewer.core.text import Vocabulary
from attnviewer.data.links import align, fit, glossary_of
from attnviewer.data.pairs import Links, Pair, load_pairs
from attnviewer.nets.translator import Translator, TranslatorConfig, Words
from attnviewer.runs.decode import MARKS
from attnviewer.runs.translate import REPEAT
from attnviewer.train.corpus import Batch, Corpus, common, forget
from attnviewer.train.critic import Reward, Rules, self_critical
from attnviewer.train.learner import Learner
from attnviewer.train.loop import Average, Journal, cosine, load_checkpoint, save_checkpoint, world
from attnviewer.train.translated import dev_scores, publish_translator
from attnviewer.zoo.translators import Speller, embeddings

RULES = Rules(MARKS, REPEAT)


@dataclass(frozen=True)
class Session:
    """What a training run learns from, and the net that learns."""

    args: argparse.Namespace
    source: Vocabulary
    target: Vocabulary
    corpus: Corpus
    dev: list[Pair]
    dev_links: list[Links]
    net: Translator
    speller: Speller
    reward: Reward | None
    pairs: list[Pair]
    links: list[Links]

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of pairs joined, made plain and renamed; none where a critic judges, who knows whole sentences."""
        return (0.0, 0.0, 0.0) if self.reward else (self.args.joined, self.args.plain, self.args.renamed)

    @property
    def steps(self) -> int:
        """Batches an epoch, for each of the processes of a run."""
        whole = self.corpus.steps(self.args.batch, self.shares[0]) // world()[1]
        return min(whole, self.args.steps or whole)

    @property
    def modules(self) -> nn.ModuleDict:
        """The nets that are saved: the translator and the embeddings it stands on."""
        return nn.ModuleDict({"net": self.net, "words": self.net.words})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train translate`."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help="the tatoeba folder: es-en.train.tsv.gz and es-en.dev.tsv.gz")
    add("--out", type=Path, default=Path("training/es-en"), help="checkpoints and log.csv; resumes what is there")
    add("--attention", choices=("soft", "none", "location"), default="soft")
    add("--words", type=Path, help="stand on the embeddings of this checkpoint and leave them as they are")
    add("--start", type=Path, help="begin with the weights of this checkpoint")
    add("--origin", action="store_true", help="train only the map that tells where a word came from")
    add("--critic", action="store_true", help="add self-critical training to teacher forcing")
    add("--epochs", type=int, default=12)
    add("--steps", type=int, help="only so many batches an epoch")
    add("--batch", type=int, default=128, help="sentence pairs a step")
    add("--rate", type=float, default=2e-3)
    add("--smoothing", type=float, default=0.1)
    add("--dropout", type=float, default=0.2)
    add("--guide", type=float, default=0.3, help="weight of the links of the aligner; 0 needs no aligner")
    add("--joined", type=float, default=0.15, help="share of the pairs that get another one behind them")
    add("--plain", type=float, default=0.15, help="share of the pairs that lose marks, half of them capitals too")
    add("--renamed", type=float, default=0.05, help="share of the pairs that get a name to be copied")
    add("--forget", type=float, nargs=2, default=(0.05, 0.3), metavar=("SHARE", "MUCH"),
        help="share of the words of which only the spelling is seen, and that in one sentence of five")  # fmt: skip
    add("--least", type=int, nargs=2, default=(6, 3), metavar=("ES", "EN"), help="how often a word of either occurs")
    add("--embedding", type=int, default=192, help="size of an embedding")
    add("--reader", type=int, default=256, help="size of each direction of the reader")
    add("--hidden", type=int, default=448, help="size of the writer's state")
    add("--publish", type=Path, help="write the result as models into this folder, such as models/")
    add("--seed", type=int, default=0)
    add("--pairs", type=int, help="only so many training pairs, to try things out")


def run(args: argparse.Namespace) -> int:
    """Train to the end; leaves `best.pt` in `--out`, and models in `--publish`."""
    torch.manual_seed(args.seed)
    session = set_up(args)
    torch.manual_seed(args.seed + world()[0])  # each process forgets other words
    learner = Learner(session.modules, args.rate)
    if args.start:
        begin_with(learner, args.start)
    learner.resume(args.out / "last.pt")
    journal = Journal(args.out, args.epochs * session.steps)
    while learner.epoch < args.epochs:
        train_epoch(session, learner, journal)
        scores = judge(session, learner)
        journal.record(epoch=learner.epoch, seconds=round(time.monotonic() - journal.began), **scores)
        merit = -scores["origin_error"] if args.origin else scores["bleu"]
        if merit > learner.best:
            learner.best = merit
            save_checkpoint(args.out / "best.pt", modules=learner.average.state, scores=scores)
        learner.save(args.out / "last.pt")
    chosen = load_checkpoint(args.out / "best.pt") if args.publish and world()[0] == 0 else None
    if chosen:
        learner.modules.load_state_dict(chosen["modules"])
        hours = (time.monotonic() - journal.began) / 3600
        glossary = NO_GLOSSARY if args.words else glossary_of(session.pairs, session.links)
        publish_translator(session.net, session.source, session.target, args, hours, glossary)
    return 0


def set_up(args: argparse.Namespace) -> Session:
    """Read the pairs, have them aligned (or read the links made before), and build the net."""
    if args.origin and not args.guide:
        raise UserError("--origin learns from the aligner's links; give --guide more than 0.")
    pairs, dev = load_pairs(args.data, "train")[: args.pairs], load_pairs(args.data, "dev")
    links = found_links(args, pairs, dev)
    source, target = common((p.source for p in pairs), args.least[0]), common((p.target for p in pairs), args.least[1])
    sizes = TranslatorConfig(
        len(source), len(target), args.attention, args.embedding, reader=args.reader, hidden=args.hidden,
        dropout=args.dropout,
    )  # fmt: skip
    words = embeddings(source, target, sizes.spelling, sizes.embedding)
    if args.words:
        stand_on(words, args.words)
    corpus = Corpus(pairs, links[: len(pairs)], source, target, sizes.spelling)
    speller = Speller(source, sizes.spelling)
    net = Translator(sizes, words)
    if args.origin:
        rest_but_origin(net)
    reward = Reward(answers(pairs), target, cider=0) if args.critic else None
    linked, dev_links = links[: len(pairs)], links[len(pairs) :]
    return Session(args, source, target, corpus, dev, dev_links, net, speller, reward, pairs, linked)


def rest_but_origin(net: Translator) -> None:
    """Hold everything still but the map that tells where a word came from; raises `UserError` where there is none."""
    if not net.tells:
        raise UserError("only attention by content tells where words came from; give --origin with --attention soft.")
    nn.ModuleList([net, net.words]).requires_grad_(False)
    net.asked.requires_grad_(True)


def answers(pairs: Sequence[Pair]) -> dict[str, list[tuple[str, ...]]]:
    """All translations of each source sentence, as words."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for pair in pairs:
        found[pair.texts[0]].append(pair.target)
    return found


def begin_with(learner: Learner, path: Path) -> None:
    """Take up the weights of a checkpoint; raises `UserError` where it holds no such nets."""
    saved = load_checkpoint(path)
    if saved is None:
        raise UserError(f"there is no checkpoint {path} to start from; check its name.")
    own = learner.modules.state_dict()
    fresh = {name: value for name, value in own.items() if name.startswith("net.asked.")}  # may have yet to be learnt
    try:
        learner.modules.load_state_dict(fresh | saved["modules"])
    except RuntimeError:
        raise UserError(f"{path} holds another net; give the same --data, sizes and --attention.") from None
    learner.average = Average(learner.modules, learner.average.decay)


def stand_on(words: Words, path: Path) -> None:
    """Fill `words` from a checkpoint and hold them still; raises `UserError` where it holds no such embeddings."""
    saved = load_checkpoint(path)
    if saved is None:
        raise UserError(f"there is no checkpoint {path}; give the best.pt of another translator with --words.")
    state = {name.removeprefix("words."): v for name, v in saved["modules"].items() if name.startswith("words.")}
    try:
        words.load_state_dict(state)
    except RuntimeError:
        raise UserError(f"the words of {path} are not those of this data; give the same --data and --pairs.") from None
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


def train_epoch(session: Session, learner: Learner, journal: Journal) -> None:
    """One pass over the training pairs."""
    args, number, (rank, processes) = session.args, learner.epoch, world()
    session.net.train()
    batches = session.corpus.batches(args.batch, args.seed * 1000 + number, *session.shares)
    for index, batch in enumerate(islice(batches, rank, session.steps * processes, processes)):
        step = number * session.steps + index
        loss, nats, guided = loss_of(session.net, batch, args)
        text = f"nats {nats:.3f} guide {guided:.3f}"
        if session.reward:
            memory = session.net.remember(batch.ids, batch.groups)
            judged, earned = self_critical(session.net, memory, batch.asked, session.reward, RULES)
            loss, text = loss + processes * judged, f"{text} reward {earned:.3f}"
        learner.step(loss, args.rate * cosine(step, journal.steps))
        journal.progress(step, text, every=50)
    learner.epoch += 1


def loss_of(net: Translator, batch: Batch, args: argparse.Namespace) -> tuple[Tensor, float, float]:
    """The loss of a batch; for the log, the smoothed nats a word and the nats of the guide a linked word."""
    with torch.autocast("cpu", torch.bfloat16):
        memory = net.remember(forget(batch.ids, *args.forget), batch.groups)
        output, weights, origins = net.teach(memory, forget(batch.inputs, *args.forget), batch.spelled)
        said = batch.targets > 0
        logits = net.logits(output[said])  # [N, V]
    nats = F.cross_entropy(logits.float(), batch.targets[said], label_smoothing=args.smoothing)
    guides = [_guide(weights, batch.links)] if weights is not None else []
    if origins is not None:
        guides.append(_guide(origins[:, 1:], batch.links[:, :-1]))  # a word is read a step after it was said
    guide = torch.stack(guides).sum() if guides else nats.new_zeros(())
    return nats + args.guide * guide, float(nats.detach()), float(guide.detach())


def _guide(weights: Tensor, links: Tensor) -> Tensor:
    """Nats a linked word that `weights` [B, T, S] are away from `links` [B, T, S]."""
    return -(links * weights.clamp_min(1e-6).log()).sum() / links.sum().clamp_min(1)


def judge(session: Session, learner: Learner) -> dict[str, float]:
    """Dev scores of the averaged weights."""
    session.net.eval()
    with learner.averaged(), torch.inference_mode():
        return dev_scores(session.net, session.speller, session.target, session.dev, session.dev_links)
