"""Letters that the usual typeface lacks: an installed one is taken, or the figure says what is missing."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from helpers.pictures import corners
from helpers.traces import a_trace
from matplotlib import font_manager

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.speech import speaking
from attnviewer.core.trace import Tokens
from attnviewer.export import save
from attnviewer.export.fonts import TRUTH, USUAL, _look_again, faces_for, remark, usual
from attnviewer.export.movie import font

CAT, FAMILY = "猫", "Test Sans CJK"


@pytest.fixture
def with_cats(tmp_path: Path) -> Iterator[Path]:
    """The one installed typeface beside matplotlib's own: it has one letter, drawn as a full square."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((0, 900), (900, 900), (900, 0)):
        pen.lineTo(point)
    pen.closePath()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "cat"])
    builder.setupCharacterMap({ord(CAT): "cat"})
    builder.setupGlyf({".notdef": pen.glyph(), "cat": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (1000, 0), "cat": (1000, 0)})
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": FAMILY, "styleName": "Regular"})
    builder.setupOS2(usWeightClass=400)
    builder.setupPost()
    builder.save(tmp_path / "cats.ttf")
    _look_again()  # once, so that it adds nothing to the list from here on
    known = font_manager.fontManager.ttflist
    before, known[:] = [*known], [entry for entry in known if entry.fname.startswith(matplotlib.get_data_path())]
    font_manager.fontManager.addfont(tmp_path / "cats.ttf")
    yield tmp_path / "cats.ttf"
    known[:] = before
    font_manager._findfont_cached.cache_clear() if hasattr(font_manager, "_findfont_cached") else None


def test_letters_of_the_usual_typeface_need_no_other() -> None:
    assert faces_for("señor ñandú ¿qué?").families == [USUAL]


def test_an_installed_typeface_is_taken_for_letters_that_the_usual_one_lacks(with_cats: Path) -> None:
    found = faces_for(f"a {CAT}")
    assert (found.families, found.missing) == ([USUAL, FAMILY], ())
    assert found.covering(CAT).family == FAMILY
    assert Path(font(20, CAT).path) == with_cats


def test_a_typeface_that_was_installed_since_matplotlib_made_its_list_is_found(
    with_cats: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = font_manager.fontManager.ttflist
    known[:] = [entry for entry in known if entry.name != FAMILY]
    assert FAMILY not in faces_for(CAT).families
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(with_cats)])
    _look_again.cache_clear()
    assert FAMILY in faces_for(CAT).families


def test_the_foot_of_a_figure_has_a_typeface_for_the_language_in_use() -> None:
    with speaking("zh"):
        wanted = {ord(letter) for letter in tr(TRUTH)} - usual().letters
        found = faces_for("a cat")
        assert wanted
        assert wanted <= {ord(letter) for letter in found.missing}.union(*(face.letters for face in found.chosen))
    assert faces_for("a cat").families == [USUAL]


def test_a_figure_is_drawn_with_it_and_says_nothing(with_cats: Path, tmp_path: Path) -> None:
    assert save(a_trace((CAT, "cat"), Tokens(("gato", CAT))), None, tmp_path / "x.png") == ()


def test_letters_that_no_typeface_has_are_named_once_a_figure(tmp_path: Path) -> None:
    strange = "\U0001f408"
    assert faces_for(f"a {strange}").missing in ((strange,), ())
    said = save(a_trace((CAT, "\U000e0fff")), Picture(corners(80, 60)), tmp_path / "x.png")
    assert all(line.startswith("No installed font has ") for line in said)
    assert save(a_trace(("a",)), Picture(corners(80, 60)), tmp_path / "y.png") == ()
    assert save(a_trace((CAT,)), None, tmp_path / "x.json") == ()


def test_a_remark_names_at_most_a_dozen_letters() -> None:
    assert remark([]) == ""
    assert remark(map(chr, np.arange(0x4E00, 0x4E64))).count("一") == 1
    assert " …:" in remark(map(chr, np.arange(0x4E00, 0x4E64)))
