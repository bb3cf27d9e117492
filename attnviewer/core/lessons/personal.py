"""A stop on what the learner brings: a sentence or a query of their own in place of the lesson's."""

from __future__ import annotations

from dataclasses import replace

from attnviewer.core.explore.documents import words_of
from attnviewer.core.lessons.states import State
from attnviewer.core.lessons.stops import Stop

TYPED = ("text", "sentence", "query")
BOUND = ("words", "word")  # what goes with the lesson's own text


def personal(stop: Stop, now: State) -> Stop:
    """The stop with what is typed now wherever the lesson's own text stood."""
    own = {name: now[name] for name in TYPED if now[name] and stop.state[name] and now[name] != stop.state[name]}
    if not own or not _has_token(stop, own):
        return stop
    claims = tuple(
        replace(claim, first=_swapped(claim.first, stop.state, own), second=_swapped(claim.second, stop.state, own))
        for claim in stop.claims
    )
    return replace(stop, shown=_swapped(stop.shown, stop.state, own), claims=claims)


def _has_token(stop: Stop, own: dict[str, str]) -> bool:
    """Whether a stop about one word finds it in the learner's sentence as well."""
    token, text = stop.state["token"], own.get("text", "")
    return not (text and isinstance(token, str)) or token.lower() in words_of(text)


def _swapped(state: State, old: State, own: dict[str, str]) -> State:
    if state.panel != old.panel:
        return state
    changed = {name: text for name, text in own.items() if state[name] == old[name]}
    if not changed:
        return state
    return state.over(changed).without(*BOUND)
