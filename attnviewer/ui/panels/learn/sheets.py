"""Worksheets: a lesson on paper, with figures, questions, answers to tick and blanks to fill in."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument

from attnviewer.core.i18n import language, tr
from attnviewer.core.lessons.asking import photo_path
from attnviewer.core.lessons.states import State
from attnviewer.core.lessons.stops import PLACE, Lesson, Stop
from attnviewer.ui.panels.base import Made
from attnviewer.ui.panels.learn.state import safe_name

DPI, MARGIN_MM = 96, 15
BLANK = "_" * 9
LINE = "_" * 78
WIDE = 520  # pixels of a figure
READ = ("text", "beside", "sentence")  # what a state says in words
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ font-family: sans-serif; max-width: 48em; margin: 2em auto; padding: 0 1em; line-height: 1.45; }}
h2 {{ margin-top: 1.6em; }} .line {{ color: #888; }} .given {{ background: #f0f2f6; padding: 6px; }}
@media print {{ h2, .stop {{ break-inside: avoid; }} }}</style></head>
<body><h1>{title}</h1><p>{name} {blank}{blank} &nbsp; {date} {blank}</p>{stops}</body></html>"""


def sheets_of(lesson: Lesson, figures: Mapping[str, bytes]) -> Made:
    """The worksheet of a lesson; `figures` are PNG pictures by the titles of the stops that were gone through."""
    name = tr("worksheet-{title}", title=str(safe_name(lesson.title)))
    forms = {
        ".html": lambda: page(lesson, figures).encode(),
        ".pdf": lambda: as_pdf(page(lesson, figures), lesson.title),
    }
    return Made(name, forms)


def page(lesson: Lesson, figures: Mapping[str, bytes]) -> str:
    """The worksheet as a page that holds all it needs."""
    stops = "".join(_stop(number, stop, figures.get(stop.title)) for number, stop in enumerate(lesson.stops, 1))
    return PAGE.format(language=language() or "en", title=html.escape(lesson.title), name=html.escape(tr("Name")),
                       date=html.escape(tr("Date")), blank=BLANK, stops=stops)  # fmt: skip


def _stop(number: int, stop: Stop, figure: bytes | None) -> str:
    line = f'<p class="line">{LINE}</p>'
    answers = "".join(f"<p>&#9744; {html.escape(answer)}</p>" for answer in stop.answers)
    parts = (
        f"<h2>{number}. {html.escape(stop.title)}</h2>",
        f"<p>{html.escape(stop.text)}</p>",
        _given(stop.state),
        _figure(stop, figure),
        f"<p><b>{html.escape(stop.asks)}</b></p>{answers}",
        f"<p>{html.escape(tr('Why do you think so?'))}</p>{line}",
        f"<p>{html.escape(tr('What you saw; fill in the numbers:'))}</p>",
        f"<p>{html.escape(PLACE.sub(BLANK, stop.reveal))}</p>",
        f"<p>{html.escape(tr('In your own words:'))}</p>{line}{line}",
    )
    return f'<div class="stop">{"".join(filter(None, parts))}</div>'


def _given(state: State) -> str:
    """The sentences that the stop runs on."""
    said = [str(state[name]) for name in READ if state[name]] + [str(one) for one in state["lines"] or ()]
    return "".join(f'<p class="given">{html.escape(one)}</p>' for one in said)


def _figure(stop: Stop, figure: bytes | None) -> str:
    """What was on the screen when the question was asked, or else the stop's photo."""
    kind, path = "png", photo_path(stop.state)
    if figure is None and path is not None and path.is_file():
        kind, figure = path.suffix.lstrip(".").lower().replace("jpg", "jpeg"), path.read_bytes()
    if figure is None:
        return ""
    data = base64.b64encode(figure).decode("ascii")
    title = html.escape(stop.title)
    shown = f'<img alt="{title}" width="{WIDE}" src="data:image/{kind};base64,{data}">'
    return f'<p style="line-height: 100%">{shown}</p>'


def as_pdf(text: str, title: str) -> bytes:
    """A page of HTML as PDF, on A4."""
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setResolution(DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(*[MARGIN_MM] * 4), QPageLayout.Unit.Millimeter)
    document = QTextDocument()
    document.setHtml(text)
    document.setPageSize(writer.pageLayout().paintRectPixels(DPI).size().toSizeF())
    document.print_(writer)
    buffer.close()
    return bytes(store.data())
