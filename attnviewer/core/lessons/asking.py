"""What a state asks of the engine: the same request that its panel would make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attnviewer.core.ablation import Ablation
from attnviewer.core.covers import cover_of
from attnviewer.core.errors import UserError
from attnviewer.core.explore.requests import AlikeRequest, Exploration, LearnRequest, PatchRequest
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.imposing import from_plain
from attnviewer.core.interventions import Intervention
from attnviewer.core.lessons.states import COMPARE, State
from attnviewer.core.paths import resources_dir
from attnviewer.core.request import (
    AttendRequest,
    CaptionRequest,
    Decoding,
    QueryRequest,
    Request,
    TranslateRequest,
    usual_beam,
)
from attnviewer.core.text import tokenise

Asked = Request | Exploration | None
FIRST_SHUFFLE = 1  # the seed of the order that a panel shuffles into first
CHANGES = ("mask", "off", "uniform", "hidden", "positions", "residuals", "tied")
ALIKE = ("sentence",)  # keys of documents that need a net


def photo_path(state: State) -> Path | None:
    """The file of a state's photo: a sample by its name, a path, or one beside the file that the state came from."""
    name = state["photo"]
    if not name:
        return None
    tried = [resources_dir() / "images" / Path(name).name] if Path(name).name == name else []
    beside = [(state.folder or Path()) / Path(name).expanduser()]
    return next((path for path in (*beside, *tried) if path.is_file()), beside[0])


def request_of(state: State, picture: Picture | None) -> Asked:
    """The run of a state on its photo, None where counting is enough; raises `UserError` where something is missing."""
    return _ASKS[state.panel](state, picture)


def _needed(picture: Picture | None) -> Picture:
    if picture is None:
        raise UserError(tr("this state needs a photo; name one."))
    return picture


def _interventions(state: State) -> tuple[Intervention, ...]:
    return tuple(map(from_plain, state.interventions))


def _mode(state: State) -> str:
    mode = str(state.get("mode", "soft"))
    return "soft" if mode == COMPARE else mode


def _caption(state: State, picture: Picture | None) -> Asked:
    words, mode, imposed = state["words"], _mode(state), _interventions(state)
    beam = usual_beam("caption", mode, steered=words is not None or bool(imposed))
    given = tuple(tokenise(words)) if words is not None else None
    decoding = Decoding(beam, seed=state.get("seed", 0))
    return CaptionRequest(_needed(picture), mode, decoding, given, interventions=imposed,
                          covers=tuple(map(cover_of, state["covers"] or ())))  # fmt: skip


def _translate(state: State, _: Picture | None) -> Asked:
    words, mode, imposed, text = state["words"], _mode(state), _interventions(state), str(state.get("text", ""))
    beam = usual_beam("translate", mode, steered=words is not None or bool(imposed), words=len(text.split()))
    given = tuple(words.split()) if words is not None else None
    shuffle = FIRST_SHUFFLE if state["shuffle"] else None
    hidden = tuple(state["hidden"] or ())
    return TranslateRequest(text, mode, Decoding(beam), given, interventions=imposed, shuffle=shuffle, hidden=hidden)


def _query(state: State, picture: Picture | None) -> Asked:
    kind = state.get("items", "regions")
    if kind == "regions":
        items: dict[str, Any] = {"picture": _needed(picture)}
    else:
        items = {"sentence": state["sentence"]} if kind == "words" else {"lines": tuple(state.get("lines", ()))}
    keys = state["keys"] or {"words": "words", "lines": "sentence"}.get(kind)
    return QueryRequest(
        str(state.get("query", "")), **items, keys=keys, score=state.get("score", "cosine"),
        temperature=state["temperature"], hard=bool(state["hard"]), scales=_scales(state, kind),
    )  # fmt: skip


def _scales(state: State, kind: str) -> tuple[float, ...] | None:
    given: dict[str, float] = dict(state["scales"] or {})
    stretched = {int(item): float(scale) for item, scale in given.items()}
    if not stretched or kind == "regions":
        return None
    count = len(state["lines"]) if kind == "lines" else len(str(state["sentence"]).split())
    return tuple(stretched.get(item, 1.0) for item in range(count))


def change_of(state: State) -> Ablation:
    """What a state changes inside a Transformer."""
    given = {name: state[name] for name in CHANGES if name in state.values}
    for name in ("off", "uniform", "hidden"):
        if name in given:
            given[name] = tuple((int(one), int(other)) for one, other in given[name])
    return Ablation(**given)


def _attend(state: State, _: Picture | None) -> Asked:
    return AttendRequest(str(state.get("text", "")), change=change_of(state))


def _explore(state: State, picture: Picture | None) -> Asked:
    experiment = state.get("experiment", "mlp")
    if experiment == "mlp" and state["net"]:
        return LearnRequest()
    if experiment == "field":
        return PatchRequest(_needed(picture))
    if experiment == "documents" and state["keys"] in ALIKE:
        return AlikeRequest((str(state["text"]), str(state["beside"])), str(state["keys"]))
    return None


_ASKS: Mapping[str, Callable[[State, Picture | None], Asked]] = {
    "image": _caption,
    "translate": _translate,
    "query": _query,
    "transformer": _attend,
    "foundations": _explore,
}
