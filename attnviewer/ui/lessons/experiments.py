"""States of the panel Foundations: which experiment is in sight, and what is chosen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attnviewer.core.i18n import tr
from attnviewer.core.lessons.states import State


def restore_foundations(panel: Any, state: State) -> None:
    """Show an experiment as a state says."""
    key = state.get("experiment", "mlp")
    panel.choose(key)
    made = panel.experiment
    if key in _RESTORE:
        _RESTORE[key](made, state)


def keep_foundations(panel: Any) -> dict[str, Any]:
    """What is chosen in the experiment in sight."""
    made = panel.experiment
    photo = {"photo": True} if made.photos else {}
    return {"experiment": panel.chosen, **photo, **_KEEP.get(panel.chosen, dict)(made)}


def _nearest(values: Any, wanted: float) -> int:
    return min(range(len(values)), key=lambda n: abs(values[n] - wanted))


def _restore_mlp(made: Any, state: State) -> None:
    knobs = {"side": made.side_knob, "layers": made.layer_knob}
    for name, knob in knobs.items():
        if state[name]:
            places = range(knob.slider.maximum() + 1)
            knob.slider.setValue(min(places, key=lambda at, knob=knob: abs(knob._at(at) - state[name])))  # type: ignore[misc]

    if state["learning"] is False:
        made.desk.worker.cancel(made.lane())
        made.learning = None
        for plot in (made.loss_plot, made.shift_plot):
            plot.show_lines(())
        made.lesson.setText("")
    elif state["learning"]:
        made.learn()


def _keep_mlp(made: Any) -> dict[str, Any]:
    return {"side": made.side_knob.value, "layers": made.layer_knob.value}


def _restore_documents(made: Any, state: State) -> None:
    texts = state["lines"] or [text for text in (state["text"], state["beside"]) if text]
    if texts:
        made.shelf.texts = list(texts)
        made.shelf.names = [tr("text {number}", number=n) for n in range(len(texts))]
        made.shelf.at = 0
    else:
        made.shelf.restore()
    made.begin()
    keys = state.get("keys", "bow")
    made.choose_keys("tfidf" if keys == "tfidf" else "bow")
    made.choose_way("sentence" if keys == "sentence" else "same")


def _keep_documents(made: Any) -> dict[str, Any]:
    return {"lines": list(made.shelf.texts), "keys": "sentence" if made.by == "sentence" else made.keys}


def _restore_field(made: Any, state: State) -> None:
    made.choose(state.get("way", "patch"))


def _keep_field(made: Any) -> dict[str, Any]:
    return {"way": made.way}


_RESTORE: Mapping[str, Callable[[Any, State], None]] = {
    "mlp": _restore_mlp,
    "documents": _restore_documents,
    "field": _restore_field,
}
_KEEP: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "mlp": _keep_mlp,
    "documents": _keep_documents,
    "field": _keep_field,
}
