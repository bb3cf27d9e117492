"""The variants that a panel keeps: the page that compares them is filled, followed and closed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from attnviewer.core.i18n import tr
from attnviewer.ui.doubting import Doubting
from attnviewer.ui.whatif import Change, Variant
from attnviewer.ui.widgets.variants import VariantsPage


class Keeping(QObject):
    """Opens and fills the page; `change` shows a variant in the panel again, `show` brings its tools up to date."""

    def __init__(
        self, panel: Doubting, page: VariantsPage, change: Callable[[Change], object], show: Callable[[], object]
    ) -> None:
        super().__init__(panel)
        self._panel, self.page, self._change, self._show = panel, page, change, show
        page.set_tokens(panel.desk.tokens)
        panel.desk.tokens_changed.connect(page.set_tokens)
        page.taken.connect(self.go_to)
        page.dropped.connect(self.forget)
        page.moved.connect(panel.player.go)
        page.closed.connect(lambda: panel.player.grow(panel.state.count))

    def toggle(self) -> None:
        """Show the variants, or close them."""
        if self.page.leave():
            return None
        if not self._panel.state.variants.all:
            return self._panel.say(tr("Nothing is kept yet: change something, then keep it (K)."))
        self._panel.leave()
        self._panel.player.pause()
        self.page.open()
        return self._fill()

    def _fill(self) -> None:
        kept, player = self._panel.state.variants, self._panel.player
        parents = {number: kept.all.index(parent) for number, one in enumerate(kept.all)
                   if (parent := kept.parent(one)) is not None}  # fmt: skip
        self.page.show_variants(kept.all, parents, player.word)
        player.grow(max(self._panel.state.count, self.page.count))

    def go_to(self, variant: Variant) -> None:
        """Show a variant in the panel."""
        self.page.leave()
        self._change(variant.change)

    def forget(self, variant: Variant) -> None:
        """Keep a variant no longer."""
        self._panel.state.variants.drop(variant)
        if self._panel.state.variants.all:
            self._fill()
        else:
            self.page.leave()
        self._show()
