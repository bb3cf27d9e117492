"""Translators on disk: found by attention or id, loaded once, and refused in one line where something is wrong."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.translators import (
    ATTENTIONS,
    BUCKETS,
    IDS,
    SENTENCE,
    SOURCE,
    TARGET,
    WORDS,
    a_translator,
    assert_equal,
    whole,
)
from helpers.translators import publish_translators as publish

import attnviewer
from attnviewer import api
from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading
from attnviewer.core.glossary import Glossary
from attnviewer.core.jobs import outcome
from attnviewer.core.request import TranslateRequest
from attnviewer.core.trace import Trace
from attnviewer.runs.engine import Engine
from attnviewer.zoo import store
from attnviewer.zoo.store import Zoo
from attnviewer.zoo.translators import GLOSSARY, MOST_NGRAMS, Speller, publish_words

WEIGHTS = "weights.safetensors"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return publish(tmp_path)


def run(folder: Path, attention: str = "soft", **asked: Any) -> Trace:
    return outcome(Engine(folder, "cpu").run(TranslateRequest(SENTENCE, attention, **asked)))


def test_a_glossary_is_kept_with_the_words_it_is_for(folder: Path) -> None:
    assert Zoo(folder).embeddings(WORDS).glossary.words == {}
    made, told = a_translator(), Glossary({"canoa": "canoe"})
    publish_words(made.words.net, made.words.card, SOURCE, TARGET, folder, told)
    assert Zoo(folder).embeddings(WORDS).glossary == told
    (folder / WORDS / GLOSSARY).write_bytes(b"broken")
    with pytest.raises(UserError, match="copy the model's folder again"):
        Zoo(folder).embeddings(WORDS)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_translator_comes_back_as_it_was_published(folder: Path, attention: str) -> None:
    found = Zoo(folder).translator(attention=attention)
    made = a_translator(attention)
    assert found.card.id == IDS[attention]
    assert found.net.config == made.net.config
    assert found.card.parameters == sum(value.numel() for value in made.net.parameters())
    assert (found.words.speller.vocabulary, found.words.target) == (SOURCE, TARGET)
    for name, value in made.net.state_dict().items():
        torch.testing.assert_close(found.net.state_dict()[name], value.half().float())
    assert not found.net.training
    assert not any(value.requires_grad for value in [*found.net.parameters(), *found.words.net.parameters()])


def test_what_is_loaded_translates_as_what_was_published(folder: Path) -> None:
    assert run(folder).words == whole().words


def test_all_translators_share_one_copy_of_their_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(net: torch.nn.Module, path: Path, *rest: Any) -> None:
        read.append(path.parent.name)
        original(net, path, *rest)

    original = store.read_weights
    monkeypatch.setattr(store, "read_weights", counted)
    engine = Engine(folder, "cpu")
    for attention in (*ATTENTIONS, *ATTENTIONS):
        outcome(engine.run(TranslateRequest(SENTENCE, attention)))
    assert sorted(read) == sorted([WORDS, *IDS.values()])


def test_the_engine_tells_first_that_it_loads(folder: Path) -> None:
    run = Engine(folder, "cpu").run(TranslateRequest(SENTENCE))
    assert next(run) == Loading()
    assert isinstance(next(run), Trace)
    run.close()
    assert not torch.is_inference_mode_enabled()


def test_a_translator_is_found_by_its_id(folder: Path) -> None:
    assert run(folder, "none", model="es-en-none").model == "es-en-none"


def test_a_translator_of_another_attention_is_refused(folder: Path) -> None:
    with pytest.raises(UserError, match="es-en-none has none attention, not soft; ask for none attention"):
        run(folder, model="es-en-none")


def test_what_is_not_installed_is_refused_with_what_is(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no translator fr-en is .*: es-en-attention, es-en-location, es-en-none"):
        run(folder, model="fr-en")
    shutil.rmtree(folder / "es-en-location")
    with pytest.raises(UserError, match="no translator with location attention is installed"):
        run(folder, "location")
    with pytest.raises(UserError, match="no translator with soft attention is installed; there are: none"):
        run(tmp_path / "empty")


def test_embeddings_are_no_translator(folder: Path) -> None:
    with pytest.raises(UserError, match="no translator es-en-words"):
        run(folder, model=WORDS)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def shorten(path: Path) -> None:
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")


FAULTS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no embeddings": (shutil.rmtree, WORDS, "the embeddings es-en-words can't be found among the models"),
    "cut weights": (cut_short, f"es-en-attention/{WEIGHTS}", "is no safetensors file"),
    "cut embeddings": (cut_short, f"{WORDS}/{WEIGHTS}", "is no safetensors file"),
    "no weights": (Path.unlink, f"es-en-attention/{WEIGHTS}", "can't read .*weights.safetensors"),
    "a pointer": (lambda p: p.write_text("version https://git-lfs"), f"{WORDS}/{WEIGHTS}", "Git LFS pointer"),
    "fewer target words": (shorten, f"{WORDS}/vocab.txt", r"target.weight has shape \(15, 8\), not \(14, 8\)"),
    "fewer source words": (shorten, f"{WORDS}/source.txt", r"source.weight has shape \(16, 8\), not \(15, 8\)"),
    "no source words": (Path.unlink, f"{WORDS}/source.txt", "can't read the vocabulary .*source.txt"),
    "no target words": (Path.unlink, f"{WORDS}/vocab.txt", "can't read the vocabulary .*vocab.txt"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_model_is_refused_in_one_line(folder: Path, fault: str) -> None:
    damage, place, said = FAULTS[fault]
    damage(folder / place)
    with pytest.raises(UserError, match=said) as caught:
        run(folder)
    assert "\n" not in str(caught.value)


def test_weights_of_another_attention_are_refused(folder: Path) -> None:
    shutil.copy(folder / "es-en-none" / WEIGHTS, folder / "es-en-attention" / WEIGHTS)
    with pytest.raises(UserError, match="it is another model's file"):
        run(folder)


def test_a_speller_pads_words_and_their_letter_groups() -> None:
    ids, groups = Speller(SOURCE, BUCKETS)([["perro"], ["el", "qwerty", "."]])
    assert ids.tolist() == [[SOURCE.encode(["perro"])[0], 0, 0], SOURCE.encode(["el", "qwerty", "."])]
    assert groups.shape == (2, 3, MOST_NGRAMS)
    assert (groups[0, 1:] == BUCKETS).all()
    assert (groups[:, 0, 0] < BUCKETS).all()


def test_a_long_word_counts_with_its_first_groups() -> None:
    _, groups = Speller(SOURCE, 10**6)([["desafortunadamente" * 3]])
    assert len(groups.unique()) == MOST_NGRAMS


def test_the_python_call_takes_what_the_contract_says() -> None:
    parameters = inspect.signature(attnviewer.translate).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items() if name != "sentence"}
    nothing = dict.fromkeys(("words", "model", "models", "shuffle", "change"))
    assert defaults == {
        "beam": None,
        "attention": "soft",
        "device": "auto",
        "interventions": (),
        "hidden": (),
        **nothing,
    }
    assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in defaults)


def test_the_python_call_runs_on_an_engine_that_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(device: str) -> Engine:
        made.append(device)
        return Engine(folder, "cpu")

    monkeypatch.setattr(api, "make_engine", make)
    monkeypatch.setattr(api, "_engines", {})
    given = attnviewer.translate(SENTENCE, words="The dog's black.", attention="location", shuffle=4)
    assert given.words == ("The", "dog's", "black", ".")
    assert given.request["shuffle"] == 4
    assert_equal(attnviewer.translate(SENTENCE, beam=3), attnviewer.translate(SENTENCE, beam=3))
    assert made == ["auto"]
    with pytest.raises(UserError, match="no words in the given translation"):
        attnviewer.translate(SENTENCE, words=" ")
    with pytest.raises(UserError, match="no word to translate"):
        attnviewer.translate("")


@pytest.mark.parametrize(
    ("model", "old", "new"), [(IDS["soft"], "hidden = ", "hidden = -"), (WORDS, "spelling", "spilling")]
)
def test_a_card_that_describes_no_net_is_refused(folder: Path, model: str, old: str, new: str) -> None:
    card = folder / model / "card.toml"
    card.write_text(card.read_text().replace(old, new))
    with pytest.raises(UserError, match="doesn't describe a net"):
        run(folder)
