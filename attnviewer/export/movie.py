"""Animations: one frame a word, with the caption below, the spoken word marked, and the colour scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from attnviewer.core.errors import UserError
from attnviewer.core.heads import told
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import word_map
from attnviewer.core.trace import Grid, Trace
from attnviewer.export.fonts import faces_for
from attnviewer.export.legend import number
from attnviewer.export.options import Options
from attnviewer.export.paint import Pixels, overlay, photo_of, ramp, source_size, span

LONGEST, NARROWEST, PAD = 560, 320, 12
SCALE = later("0 to {high}, mark: uniform {uniform}. Attention weights, not an explanation")
MORE = later("0 to {high} and more, mark: uniform {uniform}. Attention weights, not an explanation")
TEXT, SMALL, FONT_LINE, SCALE_HIGH, SCALE_WIDE = 20, 12, 28, 10, 120
INK, FAINT, MARK, PAPER = (20, 24, 32), (120, 128, 140), (223, 229, 253), (255, 255, 255)
FPS, HOLD = 10, 2.0


def save_gif(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write an endless animation; the last frame stays a little longer."""
    shown = [Image.fromarray(frame) for frame in frames(trace, picture, options)]
    times = [round(options.seconds * 1000)] * (len(shown) - 1) + [round((options.seconds + HOLD) * 1000)]
    first, *rest = [shown[0].quantize(256), *_same_palette(shown[1:], options)]
    with path.open("wb") as file:
        first.save(file, "GIF", save_all=True, append_images=rest, duration=times, loop=0, disposal=1)


def _same_palette(shown: list[Image.Image], options: Options) -> list[Image.Image]:
    """One palette for all maps, with the whole colour scale in it, so that a colour means the same in every frame."""
    side = 64
    sheet = Image.new("RGB", (side, side * (len(shown) + 1)), PAPER)
    sheet.paste(Image.fromarray(np.repeat(ramp(side, options)[:, None], side, axis=1)))
    for place, image in enumerate(shown, start=1):
        sheet.paste(image.resize((side, side), Image.Resampling.NEAREST), (0, side * place))
    palette = sheet.quantize(256, Image.Quantize.MEDIANCUT)
    return [image.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG) for image in shown]


def save_mp4(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write an H.264 film through imageio-ffmpeg."""
    import imageio.v2 as imageio

    each = max(1, round(options.seconds * FPS))
    film: Any
    with imageio.get_writer(path, fps=FPS, macro_block_size=2) as film:
        for frame in frames(trace, picture, options):
            for _ in range(each):
                film.append_data(_even(frame))


def frames(trace: Trace, picture: Picture | None, options: Options) -> Iterator[Pixels]:
    """The photo alone, then one frame a word [height, width, 3]; raises `UserError` for traces over tokens."""
    if not isinstance(trace.locations, Grid):
        raise UserError(tr("an animation needs a picture; save this trace as .png, .svg or .pdf."))
    photo, source = photo_of(trace, picture, LONGEST), source_size(trace, picture)
    width = max(photo.width, NARROWEST) + 2 * PAD
    strip = _strip(trace, width)
    yield _frame(photo, width, strip(None), trace, None, options)
    for word in range(len(trace.steps)):
        weights = word_map(trace, word, options.head)
        high = span(trace, word, options).high
        painted = (
            photo
            if weights is None
            else Image.fromarray(overlay(photo, weights, trace.locations, source, high, options))
        )
        yield _frame(painted, width, strip(word), trace, word, options)


def _frame(
    photo: Image.Image, width: int, caption: Image.Image, trace: Trace, word: int | None, options: Options
) -> Pixels:
    high = photo.height + caption.height + 3 * PAD + SCALE_HIGH + SMALL
    page = Image.new("RGB", (width, high), PAPER)
    page.paste(photo, ((width - photo.width) // 2, PAD))
    page.paste(caption, (0, photo.height + 2 * PAD))
    _scale(page, (PAD, high - PAD - SCALE_HIGH), trace, word, options)
    return np.asarray(page)


def _strip(trace: Trace, width: int) -> Callable[[int | None], Image.Image]:
    """A maker of the caption strip in which one word is marked; words keep their places."""
    places, x, y = [], PAD, 0
    for step in trace.steps:
        wide = round(font(TEXT, step.word).getlength(step.word))
        if x > PAD and x + wide > width - PAD:
            x, y = PAD, y + FONT_LINE
        places.append((x, y, wide))
        x += wide + 9

    def strip(marked: int | None) -> Image.Image:
        image = Image.new("RGB", (width, y + FONT_LINE), PAPER)
        draw = ImageDraw.Draw(image)
        for place, (step, (left, top, wide)) in enumerate(zip(trace.steps, places, strict=True)):
            if place == marked:
                draw.rounded_rectangle((left - 4, top, left + wide + 4, top + FONT_LINE - 2), 5, fill=MARK)
                draw.line((left, top + FONT_LINE - 4, left + wide, top + FONT_LINE - 4), fill=INK, width=2)
            ink = INK if marked is None or place <= marked else FAINT
            draw.text((left, top + 1), step.word, font=font(TEXT, step.word), fill=ink)
        return image

    return strip


def _scale(page: Image.Image, at: tuple[int, int], trace: Trace, word: int | None, options: Options) -> None:
    """The colour scale with the uniform level marked, and what it is a scale of."""
    if not trace.heads:
        return
    shown, draw, (left, top) = span(trace, word, options), ImageDraw.Draw(page), at
    page.paste(Image.fromarray(np.repeat(ramp(SCALE_WIDE, options)[None], SCALE_HIGH, axis=0)), at)
    mark = left + round(shown.uniform / shown.high * SCALE_WIDE)
    draw.line((mark, top - 4, mark, top + SCALE_HIGH + 3), fill=INK, width=2)
    says = MORE if shown.clipped else SCALE
    text = tr(says, high=number(shown.high), uniform=number(shown.uniform))
    text += f" ({heads})" if (heads := told(trace)) else ""
    draw.text((left + SCALE_WIDE + 8, top - 3), text, font=font(SMALL), fill=INK)


@lru_cache
def font(size: int, text: str = "") -> Any:
    """The typeface that comes with matplotlib, or an installed one for a text whose letters it lacks."""
    return ImageFont.truetype(faces_for(text).covering(text).file, size)


def _even(frame: Pixels) -> Pixels:
    """Film needs even sizes: repeat the last row or column where there is an odd number."""
    return np.pad(frame, ((0, frame.shape[0] % 2), (0, frame.shape[1] % 2), (0, 0)), mode="edge")
