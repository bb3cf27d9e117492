"""Models on disk: what is published loads again; what is broken says so in one line."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from helpers.disks import full_after
from helpers.nets import SIZES, a_captioner, publish_captioner
from safetensors.torch import save_file

from attnviewer.core.card import card_from_dict, find_cards
from attnviewer.core.errors import UserError
from attnviewer.core.paths import models_dir, shelf
from attnviewer.core.request import Decoding
from attnviewer.core.text import Vocabulary
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.runs.decode import settled
from attnviewer.train.caption.publish import publish_encoder
from attnviewer.zoo.encoders import _packaged, load_encoder_weights
from attnviewer.zoo.files import WEIGHTS, read_weights
from attnviewer.zoo.kinds import kind_of, resolve
from attnviewer.zoo.store import Zoo

CAPTIONERS = [card.id for card in find_cards(models_dir()) if card.task == "caption"]


def words(count: int) -> Vocabulary:
    return Vocabulary(tuple(f"w{i}" for i in range(count)))


def state() -> dict[str, torch.Tensor]:
    return {name: value.half() for name, value in a_captioner().state_dict().items()}


def test_a_published_captioner_is_found_with_its_sizes_and_hash(tmp_path: Path) -> None:
    net = a_captioner(vocabulary=20)
    card = publish_captioner(net, words(16), seed=0, hours=0.1, penalty=0.8, folder=tmp_path)
    (found,) = find_cards(tmp_path)
    assert found == card
    assert found.parameters == sum(p.numel() for p in net.parameters())
    assert found.architecture["match"] == SIZES["match"]


def test_published_weights_load_back_in_half_precision(tmp_path: Path) -> None:
    net = a_captioner()
    publish_captioner(net, words(16), 0, 0.0, 0.9, tmp_path)
    again = a_captioner(seed=7)
    read_weights(again, tmp_path / "caption-soft" / WEIGHTS)
    for name, value in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], value.half().float())


def test_a_model_that_does_not_fit_on_the_disk_leaves_the_older_one_whole(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), words(16), 0, 0.0, 0.9, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    room = len((tmp_path / "caption-soft" / "card.toml").read_bytes())
    with full_after(room), pytest.raises(OSError, match="too large"):
        publish_captioner(a_captioner(seed=1), words(16), 1, 0.0, 0.9, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


BROKEN = {
    "empty": (b"", "no safetensors file"),
    "text": (b"these are no weights", "no safetensors file"),
    "web page": (b"<!doctype html><html>", "no safetensors file"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    "cut": (b'\x40\x00\x00\x00\x00\x00\x00\x00{"a":', "no safetensors file"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_holds_no_weights_is_named_in_one_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / WEIGHTS
    path.write_bytes(BROKEN[kind][0])
    with pytest.raises(UserError, match=BROKEN[kind][1]) as caught:
        read_weights(a_captioner(), path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't read"):
        read_weights(a_captioner(), tmp_path / WEIGHTS)


def change(name: str, how: str) -> dict[str, torch.Tensor]:
    weights = state()
    if how == "missing":
        weights.pop(name)
    elif how == "extra":
        weights["stranger"] = torch.zeros(1)
    elif how == "shape":
        weights[name] = torch.zeros(3, 3)
    else:
        weights[name] = torch.full_like(weights[name], float("nan"))
    return weights


@pytest.mark.parametrize(
    ("how", "said"), [("missing", "lacks bias"), ("extra", "stranger"), ("shape", "shape"), ("nan", "finite")]
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, how: str, said: str) -> None:
    save_file(change("bias", how), tmp_path / WEIGHTS)
    with pytest.raises(UserError, match=said):
        read_weights(a_captioner(), tmp_path / WEIGHTS)


def test_without_any_model_one_line_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="install attnviewer again"):
        Zoo(tmp_path / "nowhere").captioner()


def test_a_broken_card_is_told_where_its_model_is_wanted_and_costs_no_other(tmp_path: Path) -> None:
    for attention in ("soft", "none"):
        publish_captioner(a_captioner(attention), words(16), 0, 0.0, 0.9, tmp_path)
    (tmp_path / "caption-soft" / "card.toml").write_text("[[[")
    assert list(Zoo(tmp_path).cards) == ["caption-none"]
    for wanted in (None, "caption-soft"):
        with pytest.raises(UserError, match="no valid TOML") as caught:
            Zoo(tmp_path).captioner(wanted)
        assert "\n" not in str(caught.value)


def test_a_broken_card_of_the_encoder_is_told(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), words(16), 0, 0.0, 0.9, tmp_path)
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "card.toml").write_text("[[[")
    with pytest.raises(UserError, match="no valid TOML"):
        Zoo(tmp_path).encoder("encoder")


@pytest.mark.parametrize(("name", "value"), [("hidden", '"wide"'), ("match", "-3"), ("context", "[1]")])
def test_a_card_that_describes_no_net_is_told(tmp_path: Path, name: str, value: str) -> None:
    publish_captioner(a_captioner(), words(16), 0, 0.0, 0.9, tmp_path)
    card = tmp_path / "caption-soft" / "card.toml"
    card.write_text(re.sub(rf"(?m)^{name} = .*", f"{name} = {value}", card.read_text()))
    with pytest.raises(UserError, match="doesn't describe a net"):
        Zoo(tmp_path).captioner()


def test_an_attention_that_is_not_installed_names_what_there_is(tmp_path: Path) -> None:
    publish_captioner(a_captioner("none"), words(16), 0, 0.0, 0.9, tmp_path)
    with pytest.raises(UserError, match="there are: caption-none"):
        Zoo(tmp_path).captioner(attention="soft")


@pytest.mark.parametrize("wanted", CAPTIONERS)
def test_the_models_that_ship_match_their_cards(wanted: str) -> None:
    import hashlib

    model = Zoo().captioner(wanted, next(c.attention for c in find_cards(models_dir()) if c.id == wanted))
    card = model.card
    assert card.parameters == sum(p.numel() for p in model.net.parameters())
    assert card.sha256 == hashlib.sha256((models_dir() / wanted / WEIGHTS).read_bytes()).hexdigest()
    assert type(model.net) is resolve(kind_of(card).net)
    assert model.net.config.attention == card.attention
    assert {"bleu1", "bleu2", "bleu3", "bleu4"} <= set(card.figures)
    encoder = model.encoder.card
    assert encoder.parameters == sum(p.numel() for p in model.encoder.net.parameters())


def test_a_captioner_ships() -> None:
    assert "caption-soft" in CAPTIONERS


def published(folder: Path) -> Path:
    """A captioner in a folder; returns its weights."""
    publish_captioner(a_captioner(), words(16), 0, 0.0, 0.9, folder)
    return folder / "caption-soft" / WEIGHTS


def test_weights_that_are_not_those_of_the_card_are_refused(tmp_path: Path) -> None:
    path = published(tmp_path)
    save_file({name: value.half() for name, value in a_captioner(seed=5).state_dict().items()}, path)
    with pytest.raises(UserError, match="is not the file that its card describes"):
        Zoo(tmp_path).captioner()


SENSELESS = {
    "nothing but zeros": lambda value: torch.zeros_like(value),
    "numbers too large": lambda value: value.float() * 1e30 + 1e30,
    "whole numbers": lambda value: torch.ones_like(value, dtype=torch.int64),
    "aren't finite": lambda value: value * torch.nan,
}


@pytest.mark.parametrize("fault", SENSELESS)
def test_numbers_that_are_no_weights_are_refused(fault: str, tmp_path: Path) -> None:
    save_file({name: SENSELESS[fault](value) for name, value in state().items()}, tmp_path / "w.safetensors")
    with pytest.raises(UserError, match=fault) as caught:
        read_weights(a_captioner(), tmp_path / "w.safetensors")
    assert "w.safetensors" in str(caught.value)


@pytest.mark.parametrize(
    ("written", "changed"),
    [("hidden = 14", "hidden = 1000000000"), ("hidden = 14", 'hidden = "x"'), ("hidden = 14", "hidden = -3"),
     ("hidden = 14", "hidden = 1e400")],
)  # fmt: skip
def test_a_card_that_describes_no_net_costs_no_memory(written: str, changed: str, tmp_path: Path) -> None:
    published(tmp_path)
    card = tmp_path / "caption-soft" / "card.toml"
    card.write_text(card.read_text().replace(written, changed))
    with pytest.raises(UserError, match=r"doesn't describe a net|allowed"):
        Zoo(tmp_path).captioner()


@pytest.mark.parametrize("name", ["weights.safetensors", "card.toml", "vocab.txt"])
def test_a_pipe_in_place_of_a_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    published(tmp_path)
    (tmp_path / "caption-soft" / name).unlink()
    os.mkfifo(tmp_path / "caption-soft" / name)
    with pytest.raises(UserError, match="no regular file"):
        Zoo(tmp_path).captioner()


def test_an_encoder_that_reads_huge_pictures_is_refused() -> None:
    card = tomllib.loads((models_dir() / "encoder" / "card.toml").read_text(encoding="utf-8"))
    card["preprocessing"]["size"] = 30_000
    with pytest.raises(UserError, match="size of 16 to 1024"):
        card_from_dict(card)


CHECKPOINTS = {
    "a tensor": (torch.zeros(3), "no weights by name"),
    "a list": ([torch.zeros(3)], "no weights by name"),
    "nothing": ({}, "no weights by name"),
    "text": ({"a": "b"}, "no weights by name"),
    "others": ({"a": torch.zeros(1)}, "doesn't fit efficientnet_lite0"),
}


@pytest.mark.parametrize("kind", CHECKPOINTS)
def test_a_checkpoint_that_is_none_of_the_encoder_is_one_line(kind: str, tmp_path: Path) -> None:
    value, told = CHECKPOINTS[kind]
    torch.save(value, tmp_path / "e.pth")
    with pytest.raises(UserError, match=told):
        load_encoder_weights(Encoder("efficientnet_lite0"), "efficientnet_lite0", tmp_path / "e.pth")


def test_a_checkpoint_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"can't read .*e\.pth: no such file"):
        load_encoder_weights(Encoder("efficientnet_lite0"), "efficientnet_lite0", tmp_path / "e.pth")


def test_a_checkpoint_of_several_devices_is_read_like_one_of_one(tmp_path: Path) -> None:
    plain = torch.load(_packaged("efficientnet_lite0"), weights_only=True)
    wrapped = {"state_dict": {f"module.{name}": value for name, value in plain.items()}, "epoch": 3}
    torch.save(wrapped, tmp_path / "e.pth")
    encoder = Encoder("efficientnet_lite0")
    load_encoder_weights(encoder, "efficientnet_lite0", tmp_path / "e.pth")
    assert torch.equal(next(iter(encoder.maps.state_dict().values())), next(iter(plain.values())))


@pytest.mark.parametrize("penalty", ["x", -1, 1e9, None])
def test_a_length_penalty_that_is_none_is_told(penalty: object) -> None:
    card = replace(find_cards(models_dir())[0], architecture={"length_penalty": penalty})
    with pytest.raises(UserError, match="length_penalty"):
        settled(Decoding(), card)


def test_models_of_a_folder_in_front_are_chosen_before_those_that_ship(tmp_path: Path) -> None:
    """By attention alone the first fits: a folder named first goes first, whatever the ids are."""
    shutil.copytree(models_dir() / "caption-none", tmp_path / "zebra")
    card = (tmp_path / "zebra" / "card.toml").read_text().replace('id = "caption-none"', 'id = "zebra"')
    (tmp_path / "zebra" / "card.toml").write_text(card)
    assert Zoo(shelf(tmp_path)).choose("caption", None, "none").id == "zebra"


def test_an_encoder_of_another_size_in_front_is_told_in_one_line(tmp_path: Path) -> None:
    shutil.copytree(models_dir() / "caption-none", tmp_path / "caption-none")
    publish_encoder(fuse_batchnorm(Encoder().eval()), "efficientnet_lite0", 0.0, tmp_path)
    with pytest.raises(UserError, match=r"reads vectors of 1,400 numbers but .* gives 1,392; rename that"):
        Zoo(shelf(tmp_path)).captioner("caption-none", "none")
