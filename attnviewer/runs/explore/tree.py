"""A beam search that is watched: which hypotheses it kept at each word, which it dropped, and which ended."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.beam import DROPPED, ENDED, KEPT, BeamTree, Node
from attnviewer.core.explore.requests import TreeRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.request import BEAMS, CaptionRequest, Decoding, TranslateRequest
from attnviewer.core.text import END, UNKNOWN, UNKNOWN_SHOWN
from attnviewer.core.trace import Step
from attnviewer.runs.caption import make_plan
from attnviewer.runs.decode import LENGTH_PENALTY, Choice, DecodingPlan, Frontier, beam_steps, settled
from attnviewer.runs.explore.ranking import check_word
from attnviewer.runs.reading import plan_of, read
from attnviewer.runs.speaking import Speaker
from attnviewer.runs.translate import Text
from attnviewer.zoo.foreign import check_ours

Say = Callable[[Choice, bool], str]


@dataclass(frozen=True)
class _Search:
    """What is searched: a net, what it reads, how, and how words are called."""

    model: str
    net: Any
    memory: Any
    plan: DecodingPlan
    word: Callable[[int], str]
    say: Say
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class _Watcher:
    """Grows the tree."""

    def __init__(self, search: _Search) -> None:
        self._search = search
        self.nodes: list[Node] = []
        self.ids: list[int] = []
        self._alive = [-1]

    def __call__(self, seen: Frontier) -> None:
        looks = {(parent, look.word): look for parent, look in seen.kept}
        made: dict[tuple[int, int], int] = {}
        for total, parent, word in seen.candidates:
            above = self._alive[parent]
            before = 0.0 if above < 0 else self.nodes[above].total
            look = looks.get((parent, word))
            ended = word == END and total in seen.ended
            fate = KEPT if look is not None else ENDED if ended else DROPPED
            said = self._called(word) if look is None else self._search.say(look, above < 0)
            made[parent, word] = len(self.nodes)
            self.nodes.append(Node(above, said, total - before, total, fate))
            self.ids.append(word)
        self._alive = [made[parent, look.word] for parent, look in seen.kept]

    def _called(self, word: int) -> str:
        return "" if word == END else UNKNOWN_SHOWN if word == UNKNOWN else self._search.word(word)

    def tree(self, best: Sequence[Choice], ended: bool) -> BeamTree:
        """The tree so far, with the way to the best text marked."""
        nodes, above = list(self.nodes), -1
        for word in (*(look.word for look in best), *((END,) if ended else ())):
            found = (n for n, node in enumerate(nodes) if node.parent == above and self.ids[n] == word)
            above = next(found, above)
            if above >= 0:
                nodes[above] = replace(nodes[above], best=True)
        search, decoding = self._search, self._search.plan.decoding
        penalty = LENGTH_PENALTY if decoding.length_penalty is None else decoding.length_penalty
        return BeamTree(search.model, decoding.beam, penalty, tuple(nodes), search.before, search.after)


def tree(engine: Any, request: TreeRequest) -> Study:
    """Search again, watching; yields the growing tree."""
    yield Loading()
    makers: dict[type, Callable[..., Any]] = {CaptionRequest: _of_photo, TranslateRequest: _of_sentence}
    search: _Search = yield from makers[type(request.asked)](engine, request)
    watcher = _Watcher(search)
    plan = replace(search.plan, watch=watcher)
    generator = torch.Generator(search.memory.mean.device).manual_seed(plan.decoding.seed)
    steps = beam_steps(search.net, search.memory, plan, generator)
    found = watcher.tree((), False)
    while True:
        with torch.inference_mode():  # entered anew each word: a generator must not leave it on for its caller
            best = next(steps, None)
        if best is None:
            return found
        yield Progress(tr("beam search, word {word}", word=len(best[0].choices)))
        found = watcher.tree(best[0].choices, best[0].ended)
        yield found


def _beam(task: str, decoding: Decoding) -> Decoding:
    """The decoding of a search; what is greedy is searched with the task's usual beam."""
    return decoding if decoding.beam > 1 else replace(decoding, beam=BEAMS[task])


def _of_photo(engine: Any, request: TreeRequest) -> Generator[Progress, None, _Search]:
    asked: Any = request.asked
    check_ours(asked.model)
    model = engine.zoo.captioner(asked.model, asked.attention)
    yield Progress(tr("encoding the photo"))
    annotations = engine.annotations(asked.picture, model.encoder)
    asked = replace(asked, decoding=settled(_beam("caption", asked.decoding), model.card))
    plan, _ = make_plan(asked, model.vocabulary, model.net.heads, annotations.shape[1])
    with torch.inference_mode():
        memory = model.net.encode_source(annotations)
    word = model.vocabulary.word
    return _Search(model.card.id, model.net, memory, plan, word, lambda look, first: word(look.word))


def _of_sentence(engine: Any, request: TreeRequest) -> Generator[Progress, None, _Search]:
    asked: Any = request.asked
    model = engine.zoo.translator(asked.model, asked.attention)
    asked = replace(asked, decoding=settled(_beam("translate", asked.decoding), model.card))
    text, words = Text(asked, model), []
    for step in text.steps():
        if isinstance(step, Step):
            words.append(step.word)
            yield Progress(tr("translating, word {count}", count=len(words)))
    check_word(request.word, words)
    start = 0
    for layer in text.layers:
        if request.word < start + len(layer.written):
            break
        start += len(layer.written)
    read_words, target, order = layer.asked.words, model.words.target, text.order(layer.asked)
    if not read_words:
        check_word(0, ())
    plan = plan_of([read_words], asked.attention, asked.decoding)
    with torch.inference_mode():
        places = None if order is None else torch.tensor([order])
        memory = read(model.net, model.words.speller, [read_words], places)
    speak = Speaker(read_words, target, model.words.glossary, order, model.net.pointer)
    stood = {answer: one.said for one in layer.asked.stand_ins.values() for answer in one.answers}
    return _Search(
        model.card.id, model.net, memory, plan, lambda word: stood.get(target.word(word), target.word(word)),
        lambda look, first: stood.get(said := speak(look, first)[0], said), tuple(words[:start]),
        tuple(words[start + len(layer.written) :]),
    )  # fmt: skip
