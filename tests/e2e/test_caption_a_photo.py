"""A stranger captions photos with the model that ships: sensible words, valid traces, maps where the thing is."""

from __future__ import annotations

import json
import math

import jsonschema
import numpy as np
import pytest
from PIL import Image

import attnviewer
from attnviewer.cli import main
from attnviewer.core.lens import inside
from attnviewer.core.paths import resources_dir
from attnviewer.core.trace import Grid, Trace

SAMPLES = sorted((resources_dir() / "images").glob("*.jpg"))
SCHEMA = json.loads((resources_dir() / "trace.schema.json").read_text(encoding="utf-8"))
DOGS = {"retriever": (0.0, 0.1, 1.0, 1.0), "shepherd": (0.1, 0.05, 1.0, 1.0), "woods": (0.36, 0.3, 0.64, 0.76)}


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    return {path.stem: attnviewer.caption(path, beam=3, device="cpu") for path in SAMPLES}


def test_each_sample_gets_a_caption_of_several_words(traces: dict[str, Trace]) -> None:
    assert len(traces) >= 6
    for trace in traces.values():
        assert 4 <= len(trace.words) <= 20
        assert not any(step.unknown for step in trace.steps)


def test_different_photos_get_different_captions(traces: dict[str, Trace]) -> None:
    assert len({trace.text for trace in traces.values()}) >= len(traces) - 1


def test_every_map_is_a_distribution_and_every_trace_fits_the_schema(traces: dict[str, Trace]) -> None:
    for trace in traces.values():
        np.testing.assert_allclose(trace.weights.sum(axis=-1), 1, atol=1e-4)
        jsonschema.validate(json.loads(trace.to_json()), SCHEMA)


@pytest.mark.parametrize("name", DOGS)
def test_a_dog_is_called_a_dog_and_looked_at(traces: dict[str, Trace], name: str) -> None:
    trace = traces[name]
    assert "dog" in trace.words
    weights, grid = trace.weights[trace.words.index("dog"), 0], trace.locations
    assert isinstance(grid, Grid)
    area = inside(np.full(len(grid), 1 / len(grid)), [DOGS[name]], grid.rows, grid.columns)
    assert inside(weights, [DOGS[name]], grid.rows, grid.columns) > area


def test_a_right_caption_is_more_probable_than_a_wrong_one() -> None:
    photo = resources_dir() / "images" / "woods.jpg"
    right, wrong = (attnviewer.caption(photo, words=words, device="cpu") for words in ("a black dog", "a red bicycle"))
    assert right.logprobs.sum() > wrong.logprobs.sum() + math.log(10)


def test_turning_the_picture_by_exif_changes_nothing(tmp_path: object) -> None:
    upright = Image.open(resources_dir() / "images" / "woods.jpg")
    turned, exif = upright.transpose(Image.Transpose.ROTATE_90), Image.Exif()
    exif[274] = 6
    path = f"{tmp_path}/turned.png"
    turned.save(path, exif=exif)
    first, second = (attnviewer.caption(image, device="cpu") for image in (upright, path))
    assert first.words == second.words
    np.testing.assert_allclose(first.weights, second.weights, atol=1e-5)


def test_a_file_that_is_no_image_gives_one_line_and_status_2(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"{tmp_path}/notes.jpg"
    with open(path, "w") as file:
        file.write("these are no pixels")
    assert main(["caption", path]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
