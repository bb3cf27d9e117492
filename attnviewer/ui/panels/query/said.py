"""What the query panel says: hints, an item in words, the formula with its numbers, whether it is there at all."""

from __future__ import annotations

from attnviewer.core.content import ContentTrace
from attnviewer.core.i18n import later, tr
from attnviewer.ui.panels.query.state import LINES, REGIONS, WORDS, QueryState, Row, item_label

NO_ITEMS = {
    REGIONS: later("Open a photo; then its regions can be asked."),
    WORDS: later("Type a sentence; its words are the items."),
    LINES: later("Type or paste lines, or drop a text file."),
}
THERE = ((0.3, later("Probably not there: {share}.")), (0.6, later("Hard to say whether it is there: {share}.")),
         (2.0, later("Probably there: {share}.")))  # fmt: skip


def hint(state: QueryState) -> str:
    """Why there is no answer yet, and what to do or to wait for."""
    if not state.has_items:
        return tr(NO_ITEMS[state.kind])
    if not state.lanes:
        return tr("Type what you look for, or choose a query under Try.")
    told = [state.failed[lane] for lane in state.lanes if lane in state.failed]
    if told:
        return told[0]
    doing = next((state.doing[lane] for lane in state.lanes if lane in state.doing), "")
    if not doing:
        return tr("Getting ready. What you typed is kept, and answered when this is done.")
    return tr("{what}. What you typed is kept, and answered when this is done.", what=doing[0].upper() + doing[1:])


def brief(text: str, most: int = 48) -> str:
    """A text cut to a length."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def formula(trace: ContentTrace, row: Row) -> tuple[str, ...]:
    """The formula with the live numbers of one item, a line a step."""
    lookup = trace.lookups[0]
    if not lookup.size:
        return tr("Saved without its look-up: there is no formula."), "", ""
    q, k, s, p, t = lookup.query_norm, row.norm, row.score, row.weight, trace.temperature
    cosine = {"dot": s, "scaled": s * lookup.size**0.5}.get(trace.score, s * q * k) / (q * k) if q * k else 0.0
    scores = {
        "dot": f"s = q·k = |q| |k| cos = {q:.3g} × {k:.3g} × {cosine:.3f} = {s:.4g}",
        "scaled": f"s = q·k / √D = {q:.3g} × {k:.3g} × {cosine:.3f} / √{lookup.size} = {s:.4g}",
        "cosine": f"s = q·k / (|q| |k|) = {s:.4f}",
    }
    soft = f"p = exp(s / T − log Σ) = exp({s:.4g} / {t:.3g} − {lookup.total:.4g}) = {p:.4f}"
    hard = tr("p = 1 for the greatest score, else 0: here {p}", p=f"{p:.0f}")
    size = row.contribution / p if p else 0.0
    added = f"|p v| = {p:.4f} × {size:.3g} = {row.contribution:.4g}"
    return scores[trace.score], hard if trace.hard else soft, added


def answer(trace: ContentTrace) -> str:
    """What z means: the items whose values lie nearest to it."""
    if not trace.lookups[0].size:
        return ""
    names = " · ".join(brief(item_label(trace, item)) for item in trace.lookups[0].nearest[:3])
    if not names:
        return tr("z = Σ p v is zero: nothing is added up.")
    return tr("z = Σ p v lies nearest to: {names}", names=names)


def presence(trace: ContentTrace) -> str:
    """Whether what was asked for is there at all, in words with the probability."""
    share = trace.presence
    if share is None:
        return ""
    return tr(next(text for top, text in THERE if share < top), share=f"{share:.0%}")


def of_each(state: QueryState, parts: dict[str, str]) -> str:
    """What is said of each query, a line each, with its letter where there are two."""
    lettered = len(state.answered) > 1
    return "\n".join(f"{state.letter(lane)}: {text}" if lettered else text for lane, text in parts.items() if text)
