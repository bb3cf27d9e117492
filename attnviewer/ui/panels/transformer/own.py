"""Models of the user's own in the Transformer panel: how they come in, and what they can't show."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from attnviewer.core.added import STEPPED, kind_in
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.ui.panels.transformer.views import readers

if TYPE_CHECKING:
    from attnviewer.ui.panels.transformer.panel import TransformerPanel


def join(panel: TransformerPanel) -> None:
    """Take folders that are opened or dropped, and the photo where a model reads it."""
    panel.desk.reader_opened.connect(partial(open_reader, panel))
    panel.desk.picture_changed.connect(partial(take_photo, panel))
    panel.head.own_wanted.connect(partial(ask_folder, panel))
    panel.state.picture = panel.desk.picture


def open_reader(panel: TransformerPanel, folder: str) -> None:
    """Let the model in a folder read, and offer it among the models from now on."""
    panel.state.opened = tuple(dict.fromkeys((*panel.state.opened, folder)))
    panel.head.show_models(readers(panel.state.opened), folder)
    panel.desk.wanted.emit(panel.key)
    panel.choose_model(folder)
    if panel.state.kind not in STEPPED:
        panel.choose_view("glance")


def take_photo(panel: TransformerPanel, picture: Picture) -> None:
    """Another photo: a model that reads photos reads it when it is next in sight."""
    panel.state.picture = picture
    if panel.state.reads_photo and panel.state.saved is None:
        panel.state.forget()
        panel.read(panel.state.text)


def ask_folder(panel: TransformerPanel) -> None:
    """Let the user choose the folder of a model."""
    panel.head.mark_model(panel.state.model)
    chosen = QFileDialog.getExistingDirectory(panel, tr("The folder of a Hugging Face model"))
    if not chosen:
        return
    if kind_in(Path(chosen)):
        open_reader(panel, chosen)
    else:
        panel.head.show_fault(tr("{folder} holds no model: it has no config.json that names a kind.", folder=chosen))
