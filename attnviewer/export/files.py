"""One way to write any form: the suffix chooses it."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviewer.core.covers import covered, covers_of
from attnviewer.core.errors import UserError, reason
from attnviewer.core.heads import ALL, each_head, shown_head
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Tokens, Trace
from attnviewer.core.writing import replacing, spare
from attnviewer.export.options import Options


@dataclass(frozen=True)
class Form:
    """What a suffix stands for; menus and help are made from these rows.

    Parameters
    ----------
    writer : the function that writes it, as "module:name" in this package, imported when needed.
    menu : how the window's menu names it.
    what : what the file holds, for the help of the command line.
    tasks : the tasks whose traces it can hold; all where there are none.
    but : why it can hold no others.
    needs : a package needed beside ours.
    """

    writer: str
    menu: str
    what: str
    tasks: tuple[str, ...] = ()
    but: str = ""
    needs: str | None = None

    @property
    def module(self) -> str:
        """Where its writer lives."""
        return self.writer.partition(":")[0]

    def suits(self, task: str) -> bool:
        """Whether it can hold a trace of a task; of one that isn't known, any form can be tried."""
        return not self.tasks or not task or task in self.tasks

    def write(self, trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
        """Import the writer and call it."""
        module, _, name = self.writer.partition(":")
        getattr(importlib.import_module(f"attnviewer.export.{module}"), name)(trace, picture, path, options)


FILM, FILMED = ("caption",), later("an animation needs a picture with a caption")
LINKS, LINKED = ("translate",), later("links are between the words of a translation")
FORMS = {
    ".json": Form("data:save_data", later("Trace as JSON…"), later("trace as JSON")),
    ".npz": Form("data:save_data", later("Arrays as npz…"), later("trace as numpy arrays")),
    ".csv": Form("data:save_csv", later("Table as CSV…"), later("table with a row per word and location")),
    ".png": Form("picture:save_picture", later("Figure as PNG…"), later("figure as pixels")),
    ".svg": Form("picture:save_picture", later("Figure as SVG…"), later("figure as vectors")),
    ".pdf": Form("picture:save_picture", later("Figure as PDF…"), later("figure as a page")),
    ".html": Form("page:save_page", later("Page as HTML…"), later("page with the words to click")),
    ".talp": Form("links:save_links", later("Links as text…"), later("links between words as text"), LINKS, LINKED),
    ".gif": Form("movie:save_gif", later("Animation as GIF…"), later("animation"), FILM, FILMED),
    ".mp4": Form("movie:save_mp4", later("Film as MP4…"), later("film"), FILM, FILMED, needs="imageio_ffmpeg"),
}
DRAWN = ("picture", "movie")
FIGURES = tuple(suffix for suffix, form in FORMS.items() if form.module == "picture")


def offered(task: str) -> tuple[str, ...]:
    """The suffixes that suit a task, in the order of the rows."""
    return tuple(suffix for suffix, form in FORMS.items() if form.suits(task))


def check(path: str | Path, task: str = "") -> None:
    """Raise `UserError` where a trace of a task can't be written to `path`: before a model runs, not after."""
    path, suffixes = Path(path), " ".join(offered(task))
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise UserError(
            tr("can't tell the form of {name}; end the name in one of {suffixes}.", name=path.name, suffixes=suffixes)
        )
    if not form.suits(task):
        raise UserError(tr("{why}; end the name in one of {suffixes}.", why=tr(form.but), suffixes=suffixes))
    if form.needs and importlib.util.find_spec(form.needs) is None:
        package = form.needs.replace("_", "-")
        raise UserError(
            tr("{suffix} needs the package {package}; run `pip install {package}` or choose .gif.",
               suffix=path.suffix, package=package)
        )  # fmt: skip
    if path.is_dir():
        raise UserError(tr("{path} is a folder; name a file in it.", path=path))
    if not path.parent.is_dir():
        raise UserError(tr("the folder {folder} doesn't exist; make it first or choose another.", folder=path.parent))


def seen(trace: Trace, picture: Picture | None) -> Picture | None:
    """The photo as the net saw it: with the patches that the trace's request covers it with."""
    return picture if picture is None else covered(picture, covers_of(trace.request))


def save(trace: Trace, picture: Picture | None, path: str | Path, options: Options | None = None) -> tuple[str, ...]:
    """Write the trace in the form that the suffix of `path` names; returns what must be said of the file.

    Parameters
    ----------
    picture : the photo behind the maps; None draws them on grey. Traces over tokens need none.

    Raises `UserError` where the form is unknown or the place can't be written.
    """
    path = Path(path)
    if shown_head(trace) == ALL and path.suffix.lower() in FIGURES and trace.steps:
        if trace.task == "attend":
            return _save_multiples(trace, picture, path, options or Options())
        return save_compare(each_head(trace), picture, path, options)
    check(path, trace.task)
    form = FORMS[path.suffix.lower()]
    below = picture if form.module == "data" else seen(trace, picture)
    _writing(path, lambda draft: form.write(trace, below, draft, options or Options()), _read(picture, trace))
    return _remarks([trace]) if form.module in DRAWN else ()


def _save_multiples(trace: Trace, picture: Picture | None, path: Path, options: Options) -> tuple[str, ...]:
    from attnviewer.export.multiples import save_multiples

    check(path, trace.task)
    _writing(path, lambda draft: save_multiples(trace, picture, draft, options), _read(picture, trace))
    return _remarks([trace])


def _remarks(traces: Iterable[Trace]) -> tuple[str, ...]:
    """What a figure of these traces couldn't show."""
    from attnviewer.export.fonts import faces_for, letters_of, remark

    line = remark(faces_for(" ".join(map(letters_of, traces))).missing)
    return (line,) if line else ()


def check_figure(path: str | Path) -> None:
    """Raise `UserError` where a figure that isn't of a single trace can't be written to `path`."""
    if Path(path).suffix.lower() not in FIGURES:
        raise UserError(
            tr(
                "what is drawn is a figure; end the name {name} in {FIGURES}.",
                name=Path(path).name,
                FIGURES=" or ".join(FIGURES),
            )
        )
    check(path)


def save_figure(
    make: Callable[[], Any], path: str | Path, options: Options | None = None, text: str = "",
    read: Iterable[str | Path] = (),
) -> None:  # fmt: skip
    """Write the matplotlib figure that `make` makes, with letters for `text`, not over a file that was `read`.

    Raises `UserError` as `save`.
    """
    from attnviewer.export.picture import write

    path = Path(path)
    check_figure(path)
    _writing(path, lambda draft: write(make, draft, options or Options(), text), read)


def save_compare(
    traces: Mapping[str, Trace], picture: Picture | None, path: str | Path, options: Options | None = None
) -> tuple[str, ...]:
    """Write traces of one source, by attention mode, as a figure with a row for each; as `save`."""
    from attnviewer.export.compare import compare_figure
    from attnviewer.export.fonts import letters_of
    from attnviewer.export.tokens import stacked_figure

    chosen, first = options or Options(), next(iter(traces.values()))
    text = " ".join(map(letters_of, traces.values()))
    if isinstance(first.locations, Tokens):
        save_figure(lambda: stacked_figure(traces, chosen), path, chosen, text)
    else:
        below = seen(first, picture)
        save_figure(lambda: compare_figure(traces, below, chosen), path, chosen, text, _read(picture, first))
    return _remarks(traces.values())


def as_png(trace: Trace, picture: Picture | None, options: Options, traces: Mapping[str, Trace] | None = None) -> bytes:
    """The figure of a trace as the bytes of a PNG file, or that of several `traces` by attention mode."""
    from attnviewer.export.compare import compare_figure
    from attnviewer.export.fonts import letters_of
    from attnviewer.export.picture import figure, rendered
    from attnviewer.export.tokens import stacked_figure

    several, picture = traces or {}, seen(trace, picture)
    text = " ".join(map(letters_of, (trace, *several.values())))
    over_tokens = isinstance(trace.locations, Tokens)
    makers: dict[tuple[bool, bool], Callable[[], Any]] = {
        (True, True): lambda: stacked_figure(several, options),
        (True, False): lambda: compare_figure(several, picture, options),
    }
    make = makers.get((bool(several), over_tokens), lambda: figure(trace, picture, options))
    return rendered(make, ".png", options, text)


def _read(picture: Picture | None, trace: Trace) -> Iterable[str]:
    """The file of the photo that is drawn."""
    return [path for path in (picture.path if picture else None, trace.source.path) if path]


def _writing(path: Path, write: Callable[[Path], object], read: Iterable[str | Path]) -> None:
    spare([path], read)
    try:
        with replacing(path) as draft:
            write(draft)
    except OSError as error:
        raise UserError(
            tr("can't write {path}: {reason}; choose another place.", path=path, reason=reason(error))
        ) from None
