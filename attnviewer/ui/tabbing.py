"""The order in which Tab goes through a window: as the eye reads, band by band, and in a band column by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget

Box = tuple[QRect, QWidget]
Edge = Callable[[QRect], int]
TAB = Qt.FocusPolicy.TabFocus


def reading_order(root: QWidget) -> list[QWidget]:
    """The widgets below `root` that Tab reaches now, in reading order."""
    found = [root] if _takes_tab(root) else []
    below = [child for child in root.children() if isinstance(child, QWidget) and _seen(child)]
    for child in in_order([(child.geometry(), child) for child in below]):
        found += reading_order(child)
    return found


def _seen(child: QWidget) -> bool:
    return child.isVisible() and not child.isWindow()


def _takes_tab(widget: QWidget) -> bool:
    if not widget.isEnabled() or widget.focusProxy() is not None:
        return False
    if isinstance(widget, QAbstractButton) and (group := widget.group()) is not None and group.checkedButton():
        return widget.isChecked()  # one of several: Tab reaches the chosen one, the arrow keys the others
    return bool(widget.focusPolicy() & TAB)


def in_order(boxes: Sequence[Box]) -> list[QWidget]:
    """Cut boxes into bands where there is a line between them, else into columns, until nothing can be cut."""
    if len(boxes) < 2:
        return [widget for _, widget in boxes]
    for start, end in ((QRect.top, QRect.bottom), (QRect.left, QRect.right)):
        parts = _cut(boxes, start, end)
        if len(parts) > 1:
            return [widget for part in parts for widget in in_order(part)]
    return [widget for _, widget in sorted(boxes, key=lambda one: (one[0].top(), one[0].left()))]


def _cut(boxes: Sequence[Box], start: Edge, end: Edge) -> list[list[Box]]:
    parts: list[list[Box]] = []
    reached = 0
    for one in sorted(boxes, key=lambda one: start(one[0])):
        if not parts or start(one[0]) > reached:
            parts.append([])
            reached = end(one[0])
        parts[-1].append(one)
        reached = max(reached, end(one[0]))
    return parts


def go_on(window: QWidget, forward: bool) -> bool:
    """Give the focus to the next widget, or to the one before; True where there is any."""
    order = reading_order(window)
    if not order:
        return False
    at = next((place for place, one in enumerate(order) if one is window.focusWidget()), -1 if forward else 0)
    chosen = order[(at + (1 if forward else -1)) % len(order)]
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    chosen.setFocus(reason)
    _bring(chosen)
    return True


def _bring(widget: QWidget) -> None:
    """Scroll to a widget that has the focus now."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()
