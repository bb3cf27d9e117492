"""The page for a browser: whole in itself, safe with any text, and with the trace's own numbers."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_trace

from attnviewer.core.images import Picture
from attnviewer.core.trace import Tokens, Trace
from attnviewer.export import Options, save
from attnviewer.export.page import page

PICTURE = Picture(corners(80, 60))


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found.group(1))


def test_the_page_holds_words_weights_and_the_photo() -> None:
    trace = a_trace(("a", "dog"))
    data = data_of(page(trace, PICTURE, Options()))
    assert [step["word"] for step in data["steps"]] == ["a", "dog"]
    np.testing.assert_allclose([step["weights"] for step in data["steps"]], trace.weights, atol=1e-5)
    assert data["photo"].startswith("data:image/jpeg;base64,")
    assert (data["grid"]["rows"], data["grid"]["columns"], data["grid"]["extent"]) == (3, 4, [0, 0, 1, 1])
    assert data["steps"][1]["story"].startswith("Before it chose “dog”")


def test_the_page_of_a_sentence_holds_its_tokens_and_where_words_came_from() -> None:
    trace = a_trace(("the", "house"), Tokens(("la", "casa")))
    origin = np.array([0.25, 0.75], np.float32)
    told = replace(trace, steps=tuple(replace(step, origin=origin) for step in trace.steps))
    data = data_of(page(told, None, Options()))
    assert data["tokens"] == ["la", "casa"]
    assert data["came"][0]["weights"] == [[0.25, 0.75]]
    assert data_of(page(trace, None, Options()))["came"] is None


@pytest.mark.parametrize("word", ["</script><script>alert(1)</script>", "<b>x</b>", "a & b", '"quoted"', "<!--"])
def test_no_text_of_a_user_becomes_markup(word: str) -> None:
    text = page(a_trace((word, "dog")), PICTURE, Options())
    assert data_of(text)["steps"][0]["word"] == word
    assert text.count("<script") == page(a_trace(("a", "dog")), PICTURE, Options()).count("<script")
    assert f"<title>{word}" not in text or "<" not in word


def test_the_page_fetches_nothing() -> None:
    text = page(a_trace(("a",)), PICTURE, Options())
    outside = re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)[^"']+|https?://(?!www\.w3\.org/2000/svg)[^\s"']+""", text)
    assert outside == []


def test_traces_without_maps_words_or_photo_have_a_page_too(tmp_path: Path) -> None:
    bare = a_trace(("a", "dog"))
    none = replace(bare, heads=(), steps=tuple(replace(step, weights=np.zeros((0, 12))) for step in bare.steps))
    for number, trace in enumerate((none, a_trace(()), a_trace(("x",), Tokens(("y",))))):
        save(trace, None, tmp_path / f"{number}.html")
        assert data_of((tmp_path / f"{number}.html").read_text("utf-8"))["text"] == trace.text


def test_the_same_trace_gives_the_same_page() -> None:
    pages = {page(a_trace(("a", "dog")), PICTURE, Options()) for _ in range(2)}
    assert len(pages) == 1


def test_a_page_of_several_heads_offers_them_all() -> None:
    trace: Trace = a_trace(("a",), heads=("one", "two"))
    assert data_of(page(trace, PICTURE, Options()))["heads"] == ["one", "two"]
