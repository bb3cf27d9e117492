"""What is on a stage as a file: as it is seen, and its numbers."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPoint, QRect, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.core.explore.finding import SCHEMA, plain
from attnviewer.ui.panels.base import Made
from attnviewer.ui.sources import as_png as encoded

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>attnviewer: {title}</title>
<style>body {{ font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
img {{ max-width: 100%; }} td {{ padding: 0.1em 0.8em; text-align: right; }}</style></head>
<body><p>{told}</p><img alt="{told}" src="data:image/png;base64,{picture}"><table>{rows}</table></body></html>"""
SHARP = 2  # pixels a point
DPI = 96


class Staged(Protocol):
    """What can be saved: a stage, a sentence about it, numbers, and a table of them."""

    name: str
    says: QLabel

    @property
    def stage(self) -> QWidget: ...

    def numbers(self) -> dict[str, Any]: ...
    def table(self) -> list[Sequence[Any]]: ...


def made_of(key: str, experiment: Staged, panel: str) -> Made | None:
    """What can be saved of a panel's experiment; None before there is anything."""
    numbers = experiment.numbers()
    if not numbers:
        return None
    stage = experiment.stage
    forms = {
        ".png": lambda: as_png(stage),
        ".svg": lambda: as_svg(stage),
        ".pdf": lambda: as_pdf(stage),
        ".html": lambda: as_html(experiment),
        ".json": lambda: _text(json.dumps({"schema": SCHEMA, "task": key, **plain(numbers)}, ensure_ascii=False)),
        ".csv": lambda: as_csv(experiment),
    }
    return Made(f"{panel}-{key}", forms)


def _text(text: str) -> bytes:
    return f"{text}\n".encode()


def as_csv(experiment: Staged) -> bytes:
    """The experiment's table."""
    lines = io.StringIO(newline="")
    csv.writer(lines, lineterminator="\n").writerows(experiment.table())
    return lines.getvalue().encode()


def as_html(experiment: Staged) -> bytes:
    """A page of its own: the sentence, the stage as a picture, and the table."""
    picture = base64.b64encode(as_png(experiment.stage)).decode("ascii")
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in line)}</tr>" for line in experiment.table()
    )
    told = html.escape(experiment.says.text())
    return _text(PAGE.format(title=html.escape(experiment.name), told=told, picture=picture, rows=rows))


def as_png(widget: QWidget) -> bytes:
    """The widget as pixels, on the colour of its ground."""
    image = QImage(widget.size() * SHARP, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SHARP)
    image.fill(_ground(widget))
    _paint(widget, image)
    return encoded(image)


def as_svg(widget: QWidget) -> bytes:
    """The widget as a drawing."""
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(buffer)
    made.setSize(widget.size())
    made.setViewBox(QRect(0, 0, widget.width(), widget.height()))
    _paint(widget, made)
    return bytes(store.data())


def as_pdf(widget: QWidget) -> bytes:
    """The widget as a page of its own size."""
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    made = QPdfWriter(buffer)
    size: QSize = widget.size()
    made.setPageSize(QPageSize(QSizeF(size.width() * 72 / DPI, size.height() * 72 / DPI), QPageSize.Unit.Point))
    made.setPageMargins(QMarginsF(0, 0, 0, 0))
    made.setResolution(DPI)
    _paint(widget, made)
    return bytes(store.data())


def _ground(widget: QWidget) -> QColor:
    return widget.palette().color(widget.backgroundRole())


def _paint(widget: QWidget, device: QPaintDevice) -> None:
    painter = QPainter(device)
    painter.fillRect(0, 0, widget.width(), widget.height(), _ground(widget))
    widget.render(painter, QPoint())
    painter.end()
