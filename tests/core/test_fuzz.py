"""Files from strangers, tried at random: only our own error comes out, in one line."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from helpers.nets import a_captioner
from helpers.traces import a_trace
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import save

from attnviewer.core.card import load_card
from attnviewer.core.errors import UserError
from attnviewer.core.glossary import Glossary
from attnviewer.core.images import load_picture
from attnviewer.core.lines import read_lines
from attnviewer.core.paths import models_dir, resources_dir
from attnviewer.core.text import Vocabulary
from attnviewer.core.trace import Trace
from attnviewer.zoo.inert import read_inert
from attnviewer.zoo.store import read_weights

SHORT, LONG = 50, 20_000
CALM = {"deadline": None, "database": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def _checkpoint() -> bytes:
    torch.save({"encoder": torch.rand(8), "decoder": {"a": torch.zeros(2, 3)}}, buffer := io.BytesIO())
    return buffer.getvalue()


def _older_checkpoint() -> bytes:
    saved = {"encoder": torch.rand(8), "decoder": 1}
    torch.save(saved, buffer := io.BytesIO(), _use_new_zipfile_serialization=False)
    return buffer.getvalue()


def _npz() -> bytes:
    trace = json.dumps(a_trace(words=("a", "dog")).to_dict())
    np.savez(buffer := io.BytesIO(), trace=np.array(trace), weights=a_trace(words=("a", "dog")).weights)
    return buffer.getvalue()


def _weights(path: Path) -> None:
    read_weights(a_captioner(), path)


SOUND: dict[str, tuple[str, Callable[[], bytes], Callable[[Path], Any]]] = {
    "card": ("card.toml", lambda: (models_dir() / "encoder" / "card.toml").read_bytes(), load_card),
    "vocabulary": ("vocab.txt", lambda: b"a\ndog\nruns\n", Vocabulary.load),
    "glossary": ("g.tsv.gz", lambda: (models_dir() / "es-en-words" / "glossary.tsv.gz").read_bytes(), Glossary.load),
    "trace": ("t.json", lambda: a_trace(words=("a", "dog")).to_json().encode(), Trace.load),
    "packed trace": ("t.npz", _npz, Trace.load),
    "weights": ("w.safetensors", lambda: save(a_captioner().state_dict()), _weights),
    "checkpoint": ("c.pth", _checkpoint, read_inert),
    "older checkpoint": ("c.pth", _older_checkpoint, read_inert),
    "lines": ("l.csv", lambda: b'id,note\n1,"a dog"\n', read_lines),
    "picture": ("p.png", lambda: (resources_dir() / "images" / "duck.jpg").read_bytes(), load_picture),
}


def mutants(data: bytes, times: int, seed: int) -> Iterator[bytes]:
    """The data with bytes changed, cut out, doubled, or cut short; most changes lie in its head, where its form is."""
    chance = random.Random(seed)
    for _ in range(times):
        made = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            reach = min(len(made), 400) if chance.random() < 0.7 else len(made)
            at = chance.randrange(reach) if reach else 0
            kind = chance.randrange(5)
            if kind < 2 and made:
                made[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
            elif kind == 2:
                del made[at : at + chance.randint(1, 40)]
            elif kind == 3:
                made[at:at] = made[at : at + chance.randint(1, 40)]
            else:
                del made[at : None if chance.random() < 0.2 else at + 1]
        yield bytes(made)


@pytest.mark.parametrize("kind", SOUND)
def test_a_file_that_was_changed_at_random_is_read_or_refused_in_one_line(
    kind: str, long: bool, tmp_path: Path
) -> None:
    name, make, read = SOUND[kind]
    told: list[str] = []
    for data in mutants(make(), LONG // 10 if long else SHORT, seed=len(kind)):
        (tmp_path / name).write_bytes(data)
        try:
            read(tmp_path / name)
        except UserError as error:
            told.append(str(error))
    assert all(len(line.splitlines()) == 1 for line in told)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
PARTS = [*a_trace(words=("a",)).to_dict(), "kind", "extent", "weights", "word", "logprob", "alternatives"]
places = st.lists(st.sampled_from(PARTS), max_size=2)


def _replaced(data: Any, path: list[str], value: Any) -> Any:
    """The data with what lies at the path changed for something else."""
    if isinstance(data, list):
        return [_replaced(one, path, value) for one in data]
    if not isinstance(data, dict) or not path:
        return data
    head, *rest = path
    return {key: (_replaced(one, rest, value) if rest else value) if key == head else one for key, one in data.items()}


def test_a_trace_with_anything_in_place_of_its_parts_is_read_or_refused(long: bool, tmp_path: Path) -> None:
    whole = a_trace(words=("a", "dog")).to_dict()

    @settings(max_examples=LONG if long else SHORT, **CALM)
    @given(places, plain)
    def check(path: list[str], value: Any) -> None:
        (tmp_path / "t.json").write_text(json.dumps(_replaced(whole, path, value)), encoding="utf-8")
        with suppress(UserError):
            Trace.load(tmp_path / "t.json")

    check()


def test_a_safetensors_header_of_anything_is_refused(long: bool, tmp_path: Path) -> None:
    entry = st.fixed_dictionaries({}, optional={
        "dtype": st.sampled_from(["F32", "F16", "I64", "BOOL", "F8_E4M3", "X"]),
        "shape": st.lists(st.integers(-2, 2**63), max_size=3),
        "data_offsets": st.lists(st.integers(-9, 2**62), max_size=3),
    })  # fmt: skip
    headers = st.dictionaries(st.text(max_size=6), entry | plain, max_size=4)

    @settings(max_examples=LONG if long else SHORT, **CALM)
    @given(headers, st.integers(-40, 40), st.binary(max_size=60))
    def check(header: Any, off: int, body: bytes) -> None:
        text = json.dumps(header).encode()
        (tmp_path / "w.safetensors").write_bytes(struct.pack("<Q", max(0, len(text) + off)) + text + body)
        with pytest.raises(UserError):
            _weights(tmp_path / "w.safetensors")

    check()


def test_a_packed_trace_with_parts_of_other_forms_is_refused(tmp_path: Path) -> None:
    for name, values in (("trace", np.array(5)), ("trace", np.array("[]")), ("weights", np.array("x"))):
        trace = np.array(json.dumps(a_trace(words=("a",)).to_dict()))
        np.savez(tmp_path / "t.npz", **{"trace": trace, "weights": np.zeros((1, 1, 12)), name: values})
        with pytest.raises(UserError):
            Trace.load(tmp_path / "t.npz")
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        archive.writestr("trace.npy", b"not an array")
    with pytest.raises(UserError):
        Trace.load(tmp_path / "t.npz")
