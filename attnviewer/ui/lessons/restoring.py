"""Sets the window to a state, and tells the state of the window: a row for each panel that has states.

What waits for a run (a word, a token) is done once the worker has nothing left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from attnviewer.core.covers import cover_of
from attnviewer.core.i18n import tr
from attnviewer.core.imposing import from_plain, plain_of
from attnviewer.core.lessons.asking import change_of, photo_path
from attnviewer.core.lessons.states import State
from attnviewer.core.text import tokenise
from attnviewer.ui.lessons.experiments import keep_foundations, restore_foundations
from attnviewer.ui.whatif import Change

if TYPE_CHECKING:
    from attnviewer.ui.window import Window

Values = dict[str, Any]
Later = Callable[[], object] | None


class Adapter(NamedTuple):
    """How a panel is set to a state (what it returns is done after the run), and what its state is."""

    restore: Callable[[Any, State], Later]
    keep: Callable[[Any], Values]


def restore(window: Window, state: State) -> Later:
    """Show a state: its photo, its panel, and what is chosen there; the rest is returned, for when the run is done.

    Raises `UserError` where the photo can't be opened.
    """
    path = photo_path(state)
    if path is not None and not _in_hand(window, path):
        _open(window, path)
    window.show_panel(state.panel)
    return ADAPTERS[state.panel].restore(window.panel, state)


def _in_hand(window: Window, path: Path) -> bool:
    picture = window.desk.picture
    return picture is not None and picture.path is not None and Path(picture.path).absolute() == path.absolute()


def _open(window: Window, path: Path) -> None:
    """Open a photo; a sample is called by its title, as when it is picked."""
    sample = next((one for one in window.desk.installed.samples if one.path.absolute() == path.absolute()), None)
    if sample is not None:
        window.opener.open_sample(sample)
    else:
        window.opener.open_paths([path], wait=True)


def current(window: Window) -> State | None:
    """The state of the panel in sight; None where it has none that can be kept."""
    adapter = ADAPTERS.get(window.panel.key)
    if adapter is None:
        return None
    values, picture = adapter.keep(window.panel), window.desk.picture
    if values.pop("photo", None) and picture is not None and picture.path is not None:
        values = {"photo": str(Path(picture.path).absolute()), **values}
    edits = getattr(getattr(window.panel, "state", None), "edits", None)
    imposed = tuple(map(plain_of, edits.now.interventions)) if edits is not None else ()
    return State(window.panel.key, {name: value for name, value in values.items() if value not in (None, "")}, imposed)


def _word(panel: Any, word: int | str | None) -> Later:
    """Move the clock to a word, by its number or by itself."""
    if word is None:
        return None

    def go() -> None:
        words = panel.state.trace.words if panel.state.trace is not None else ()
        at = word if isinstance(word, int) else next((n for n, one in enumerate(words) if one == word), 0)
        panel.player.go(at)

    return go


def _restore_image(panel: Any, state: State) -> Later:
    panel.choose_mode(state.get("mode", "soft"))
    words = tuple(tokenise(state["words"])) if state["words"] else None
    imposed, covers = map(from_plain, state.interventions), map(cover_of, state["covers"] or ())
    if panel.state.change(Change(words, tuple(imposed), tuple(covers), tr("as in the file"))):
        panel.restart()
    return _word(panel, state["word"])


def _keep_image(panel: Any) -> Values:
    now = panel.state.edits.now
    covers = [{"box": list(one.box), "how": one.how} for one in now.covers]
    return {"photo": True, "mode": panel.state.mode, "words": " ".join(now.words or ()),
            "word": max(panel.player.word, 0), "head": panel.state.head, "covers": covers or None}  # fmt: skip


def _restore_translate(panel: Any, state: State) -> Later:
    if panel.state.shuffling and not state["shuffle"]:
        panel.shuffle(False)
    panel.choose_mode(state.get("mode", "soft"))
    text = state["text"]
    if text and text != panel.state.sentence:
        panel.head.show_sentence(text)
        panel.translate(text)
    panel.ask_maps(state.get("maps", "looked"))
    if state["shuffle"] and not panel.state.shuffling:
        panel.state.seed = 0
        panel.shuffle(True)
    words, imposed = state["words"], tuple(map(from_plain, state.interventions))
    given, hidden = tuple(words.split()) if words else None, tuple(state["hidden"] or ())
    if panel.state.change(Change(given, imposed, name=tr("as in the file"), hidden=hidden)):
        panel.changed()
    return _word(panel, state["word"])


def _keep_translate(panel: Any) -> Values:
    shown = panel.state
    return {"text": shown.sentence, "mode": shown.mode, "word": max(panel.player.word, 0),
            "shuffle": shown.shuffling or None, "maps": shown.asking, "words": " ".join(shown.edits.now.words or ()),
            "hidden": list(shown.edits.now.hidden) or None}  # fmt: skip


def _restore_query(panel: Any, state: State) -> Later:
    shown, kind = panel.state, state.get("items", "regions")
    shown.texts["query-first"], shown.texts["query-second"] = state.get("query", ""), state.get("second", "")
    shown.own = bool(state["query"])
    shown.score, shown.temperature = state.get("score", "cosine"), state["temperature"]
    shown.hard = bool(state["hard"])
    if kind in shown.keys and state["keys"]:
        shown.keys[kind] = state["keys"]
    shown.sentence = state.get("sentence", shown.sentence)
    if state["lines"]:
        shown.lines, shown.numbers = tuple(state["lines"]), None
    panel.source.show_saved(shown)
    panel.choose_kind(kind)
    shown.scales = {int(item): float(scale) for item, scale in (state["scales"] or {}).items()}
    panel.show_all()
    panel.ask()
    return None


def _keep_query(panel: Any) -> Values:
    shown = panel.state
    items = {"words": {"sentence": shown.sentence}, "lines": {"lines": list(shown.lines)}, "regions": {"photo": True}}
    scales = {str(item): float(scale) for item, scale in shown.scales.items()}
    return {"items": shown.kind, **items[shown.kind], "query": shown.texts["query-first"],
            "second": shown.texts["query-second"], "keys": shown.keys.get(shown.kind), "score": shown.score,
            "temperature": shown.temperature, "hard": shown.hard or None, "scales": scales or None}  # fmt: skip


def _restore_transformer(panel: Any, state: State) -> Later:
    text = state["text"]
    if text:
        panel.head.show_text(text)
        panel.read(text)
    panel.alter(change_of(state))
    panel.choose_view(state.get("view", "glance"))
    panel.choose_head(state.get("layer", panel.state.layer), state.get("head", panel.state.head))
    if state["view"] == "context" and state["beside"]:
        panel.views["context"].put(str(state["token"]), text, state["beside"])
        panel.views["context"].read()
    if state["way"]:
        panel.choose_way(state["way"])
    if state["step"] is not None:
        panel.choose_step(state["step"])
    token = state["token"]
    if token is None:
        return None

    def point() -> None:
        words = [one.lower() for one in panel.state.tokens]
        at = token if isinstance(token, int) else (words.index(token.lower()) if token.lower() in words else 0)
        panel.point(min(at, max(len(words) - 1, 0)))

    return point


def _keep_transformer(panel: Any) -> Values:
    shown, change = panel.state, panel.state.change
    pairs = {name: [list(pair) for pair in getattr(change, name)] or None for name in ("off", "uniform", "hidden")}
    flags = {"positions": None if change.positions else False, "residuals": None if change.residuals else False,
             "tied": change.tied or None, "mask": None if change.mask == "none" else change.mask}  # fmt: skip
    view = panel.desk.settings["transformer"]
    if view == "context" and (two := panel.views.get(view)) is not None:
        return {"view": view, "token": two.word.text(), "text": two.one.text(), "beside": two.other.text()}
    return {"text": shown.text, "view": view, "layer": shown.layer, "head": shown.head,
            "token": max(shown.token, 0), "step": shown.step, "way": shown.way, **pairs, **flags}  # fmt: skip


ADAPTERS: Mapping[str, Adapter] = {
    "image": Adapter(_restore_image, _keep_image),
    "translate": Adapter(_restore_translate, _keep_translate),
    "query": Adapter(_restore_query, _keep_query),
    "transformer": Adapter(_restore_transformer, _keep_transformer),
    "foundations": Adapter(restore_foundations, keep_foundations),
}
