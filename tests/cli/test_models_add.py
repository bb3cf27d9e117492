"""`attnviewer models add` against a hub on this computer."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
from helpers.tiny_models import write_model
from safetensors.torch import load_file

from attnviewer.cli import main
from attnviewer.core.added import added_folder
from attnviewer.core.errors import UserError
from attnviewer.zoo import hub

NAME, SHA = "somebody/tiny-bert", "0123abc"
Capture = pytest.CaptureFixture[str]


class Hub(SimpleHTTPRequestHandler):
    """Files of a folder, from any byte on; what was asked is written down, and an answer may be cut off."""

    asked: ClassVar[list[tuple[str, str | None]]] = []
    cut = 0

    def do_GET(self) -> None:
        self.asked.append((self.path.rpartition("/")[2], self.headers.get("Range")))
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        data, start = path.read_bytes(), int((self.headers.get("Range") or "bytes=0-")[6:-1])
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        end = start + self.cut if self.cut and path.suffix == ".safetensors" else len(data)
        self.wfile.write(data[start:end])
        return None

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What the hub serves: a tiny model, and beside it code, which nobody must fetch."""
    root = tmp_path / "hub"
    folder = write_model("bert", root / NAME / "resolve" / SHA)
    (folder / "modeling_tiny.py").write_text("raise SystemExit")
    (root / "api" / "models" / NAME).parent.mkdir(parents=True)
    describe(root)
    monkeypatch.setattr(Hub, "asked", [])
    monkeypatch.setattr(Hub, "cut", 0)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hub, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr("attnviewer.core.paths.user_models_dir", lambda: tmp_path / "mine")
    monkeypatch.setattr("attnviewer.verbs.models.user_models_dir", lambda: tmp_path / "mine")
    yield root
    server.shutdown()
    server.server_close()
    thread.join()


def describe(root: Path) -> None:
    """Write what the hub says of its model."""
    files = sorted((root / NAME / "resolve" / SHA).iterdir())
    rows = [
        {"rfilename": file.name, "size": file.stat().st_size,
         "lfs": {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}}
        for file in files
    ]  # fmt: skip
    told = {"sha": SHA, "cardData": {"license": "apache-2.0"}, "siblings": rows}
    (root / "api" / "models" / NAME).write_text(json.dumps(told))


def test_a_model_is_fetched_once_and_works_without_the_hub(
    site: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["models", "add", NAME, "--yes"]) == 0
    out = capsys.readouterr().out
    assert "licence apache-2.0" in out
    assert "MB in 3 files, kind bert" in out
    folder = tmp_path / "mine" / "somebody--tiny-bert"
    assert sorted(file.name for file in folder.iterdir()) == [
        "added.json", "config.json", "model.safetensors", "tokenizer.json"
    ]  # fmt: skip
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["models", "add", NAME]) == 0
    assert "here already" in capsys.readouterr().out
    assert main(["attend", "he sat on the bank", "--model", NAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["heads"] == ["0.0", "0.1", "1.0", "1.1"]
    assert main(["models"]) == 0
    assert NAME in capsys.readouterr().out


@pytest.mark.parametrize(("answer", "fetched"), [("y", True), ("", False), ("no", False)])
def test_nothing_is_fetched_unless_the_user_agrees(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, fetched: bool
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    assert main(["models", "add", NAME]) == 0
    assert (added_folder(NAME) is not None) == fetched
    assert any("safetensors" in path for path, _ in Hub.asked) == fetched


def test_where_nobody_can_be_asked_nothing_is_fetched(site: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["models", "add", NAME]) == 2
    assert "--yes" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


def test_without_a_network_there_is_one_line_in_words(
    site: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["models", "add", NAME]) == 2
    told = "attnviewer: the hub can't be reached: connection refused; check the network, then call again.\n"
    assert capsys.readouterr().err == told


def test_an_empty_name_is_shown_as_one(site: Path, capsys: Capture) -> None:
    assert main(["models", "add", ""]) == 2
    assert capsys.readouterr().err == "attnviewer: '' is no name of a model; give it as the hub does: OWNER/NAME.\n"


def test_what_was_cut_off_goes_on_where_it_ended(
    site: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hub, "cut", 1000)
    assert main(["models", "add", NAME, "--yes"]) == 2
    assert "the same call goes on from there" in capsys.readouterr().err
    assert added_folder(NAME) is None
    monkeypatch.setattr(Hub, "cut", 0)
    Hub.asked.clear()
    assert main(["models", "add", NAME, "--yes"]) == 0
    assert ("model.safetensors", "bytes=1000-") in Hub.asked
    assert ("tokenizer.json", None) not in Hub.asked
    whole = (site / NAME / "resolve" / SHA / "model.safetensors").read_bytes()
    assert (tmp_path / "mine" / "somebody--tiny-bert" / "model.safetensors").read_bytes() == whole


def test_bytes_that_are_not_those_the_hub_names_are_thrown_away(site: Path, tmp_path: Path, capsys: Capture) -> None:
    file = site / NAME / "resolve" / SHA / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert main(["models", "add", NAME, "--yes"]) == 2
    assert "came otherwise" in capsys.readouterr().err
    assert not list((tmp_path / "mine").rglob("model.safetensors*"))


def test_pickled_weights_are_taken_only_when_allowed_and_kept_as_safetensors(
    site: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = site / NAME / "resolve" / SHA
    weights = load_file(folder / "model.safetensors")
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    describe(site)
    assert main(["models", "add", NAME, "--yes"]) == 2
    assert "--allow-pickle" in capsys.readouterr().err
    assert main(["models", "add", NAME, "--yes", "--allow-pickle"]) == 0
    kept = load_file(tmp_path / "mine" / "somebody--tiny-bert" / "model.safetensors")
    assert kept.keys() == weights.keys()
    assert all(torch.equal(kept[name], weights[name]) for name in kept)
    assert not list((tmp_path / "mine").rglob("*.bin"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("nobody/nothing", "no open model"), ("../etc", "no name of a model"), ("a/b/c", "no name of a model")],
)
def test_a_model_that_is_not_there_is_told_in_one_line(site: Path, capsys: Capture, name: str, message: str) -> None:
    assert main(["models", "add", name, "--yes"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_kind_that_cannot_be_read_is_refused_before_its_weights_are_fetched(site: Path, capsys: Capture) -> None:
    config = site / NAME / "resolve" / SHA / "config.json"
    config.write_text(config.read_text().replace('"bert"', '"strange"'))
    assert main(["models", "add", NAME, "--yes"]) == 2
    assert "of kind strange" in capsys.readouterr().err
    assert [path for path, _ in Hub.asked] == ["tiny-bert?blobs=true", "config.json"]


def test_only_addresses_of_the_web_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(UserError, match="http or https"):
        hub.ask(NAME)
