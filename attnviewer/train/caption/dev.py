"""How good a captioner is on the dev split, cheaply: greedy BLEU and the share of attention inside the boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from sacrebleu import corpus_bleu
from torch import Tensor

from attnviewer.core.request import Decoding
from attnviewer.core.text import Vocabulary
from attnviewer.data.photos import Photo
from attnviewer.nets.captioner import Captioner
from attnviewer.nets.looker import Looker
from attnviewer.runs.decode import DecodingPlan, beam_search
from attnviewer.runs.legal import content_words
from attnviewer.train.caption.batches import collate, prepare
from attnviewer.train.caption.losses import LossOptions, teacher_forced


def dev_scores(
    net: Captioner | Looker,
    photos: Sequence[Photo],
    vocabulary: Vocabulary,
    annotate: Callable[[tuple[str, ...]], Tensor],
    side: int = 14,
) -> dict[str, float]:
    """BLEU-4 and BLEU-1 of greedy captions, nats a word and the attention inside the boxes on `photos`."""
    prepared = prepare(photos, vocabulary, side)
    decoding = Decoding(beam=1, max_words=20, alternatives=1, pick="argmax")
    plan = DecodingPlan(decoding, net.config.attention, apart=content_words(vocabulary))
    said: list[str] = []
    nats, inside, generator = [], [], torch.Generator()
    for start in range(0, len(photos), 50):
        group = photos[start : start + 50]
        paths = tuple(photo.path for photo in group)
        memory = net.encode_source(annotate(paths))
        found = beam_search(net, memory, plan, generator)
        batch = collate(paths, [prepared[path] for path in paths], mirrored=False).to(memory.mean.device.type)
        terms = teacher_forced(net, memory, batch, LossOptions(smoothing=0.0))
        said += [" ".join(vocabulary.word(choice.word) for choice in hypothesis.choices) for hypothesis in found]
        nats.append(terms.nats)
        inside.append(terms.inside)
    most = max(len(photo.captions) for photo in photos)
    references = [[_caption(photo, number) for photo in photos] for number in range(most)]
    bleu = corpus_bleu(said, references, tokenize="none", force=True)
    return {
        "bleu4": round(bleu.score, 2),
        "bleu1": round(100 * _bleu1(bleu), 2),
        "nats": round(sum(nats) / len(nats), 4),
        "inside": round(sum(inside) / len(inside), 4),
    }


def _caption(photo: Photo, number: int) -> str | None:
    """A photo's caption, or None where it has fewer."""
    return " ".join(photo.captions[number].words) if number < len(photo.captions) else None


def _bleu1(bleu: object) -> float:
    return bleu.bp * bleu.precisions[0] / 100  # type: ignore[attr-defined]
