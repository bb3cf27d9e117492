"""Fetches a model of other people's from a hub: only what is needed, only when asked, going on where it was cut off.

The hub is at HF_ENDPOINT, as everywhere. Nothing that is fetched is run, and weights are kept as safetensors alone.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviewer.core.added import Added, folder_name, is_name
from attnviewer.core.errors import UserError, reason
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr

USUAL, VARIABLE = "https://huggingface.co", "HF_ENDPOINT"
SECONDS, CHUNK, MOST_TOLD = 30, 1 << 18, 8_000_000
WHOLE = "model.safetensors"
WEIGHTS = re.compile(r"model(-\d+-of-\d+)?\.safetensors(\.index\.json)?")
PICKLED = "pytorch_model.bin"
OTHERS = (
    "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "source.spm", "target.spm", "spiece.model",
    "sentencepiece.bpe.model", "preprocessor_config.json",
)  # fmt: skip
FAULTS = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class File:
    """A file of a model: its bytes, and their SHA-256 where the hub tells it."""

    name: str
    size: int
    sha256: str = ""


@dataclass(frozen=True)
class Offer:
    """What the hub has of a model, before any of it is fetched.

    Parameters
    ----------
    files : those that are needed.
    kind : what its config says it is.
    """

    name: str
    kind: str
    licence: str
    revision: str
    files: tuple[File, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def ask(name: str, *, pickled: bool = False) -> Offer:
    """What the hub has of a model; raises `UserError` where there is none such, or nothing that can be read.

    `pickled` allows weights that come as pickled objects alone; they are read without running any of their code.
    """
    if not is_name(name):
        raise UserError(tr("{name} is no name of a model; give it as the hub does: OWNER/NAME.", name=name or "''"))
    told = _json(f"api/models/{name}?blobs=true", name)
    files, revision = _needed(told, name, pickled=pickled), str(told.get("sha") or "main")
    kind = str(_json(f"{name}/resolve/{urllib.parse.quote(revision)}/config.json", name).get("model_type"))
    return Offer(name, kind, _licence(told), revision, files)


def fetch(offer: Offer, place: Path) -> Generator[Progress, None, Path]:
    """Fetch the files of an offer into a folder below `place`; what is there already is not fetched again.

    Raises `UserError` where the network or the disk fails; the next call goes on from there.
    """
    folder, done = place / folder_name(offer.name), 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in offer.files:
            for some in _fetch(offer, file, folder):
                yield Progress(tr("fetching {name}", name=file.name), min((done + some) / max(offer.size, 1), 0.999))
            done += file.size
        _unpickle(folder)
        Added(offer.name, offer.kind, offer.licence, offer.size, offer.revision).save(folder)
    except urllib.error.URLError as error:
        raise _cut(error.reason) from None
    except http.client.HTTPException as error:
        raise _cut(error) from None
    except OSError as error:
        told = tr("can't fetch {name} into {folder}: {reason}; the same call goes on from there.",
                  name=offer.name, folder=folder, reason=reason(error))  # fmt: skip
        raise UserError(told) from None
    yield Progress(tr("fetched {name}", name=offer.name), 1.0)
    return folder


def _fetch(offer: Offer, file: File, folder: Path) -> Generator[int, None, None]:
    """Fetch one file, telling how many bytes of it are there."""
    target, part = folder / file.name, folder / f"{file.name}.part"
    if target.is_file() and target.stat().st_size == file.size:
        return
    have = part.stat().st_size if part.is_file() else 0
    have = have if have < file.size else 0
    where = f"{offer.name}/resolve/{urllib.parse.quote(offer.revision)}/{urllib.parse.quote(file.name)}"
    with _open(where, {"Range": f"bytes={have}-"} if have else {}) as answer:
        have = have if answer.status == http.client.PARTIAL_CONTENT else 0
        with part.open("ab" if have else "wb") as out:
            while chunk := answer.read(CHUNK):
                out.write(chunk)
                have += len(chunk)
                if have > file.size:
                    break
                yield have
    if have < file.size:
        raise http.client.IncompleteRead(b"", file.size - have)
    if have > file.size or (file.sha256 and _digest(part) != file.sha256):
        part.unlink()
        raise UserError(tr("{name} came otherwise than the hub says; call again to fetch it anew.", name=file.name))
    os.replace(part, target)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpickle(folder: Path) -> None:
    """Turn pickled weights into safetensors, without running what they hold."""
    if not (folder / PICKLED).is_file() or (folder / WHOLE).is_file():
        return
    from safetensors.torch import save_file
    from torch import Tensor

    from attnviewer.core.writing import replacing
    from attnviewer.zoo.inert import read_inert

    found = read_inert(folder / PICKLED)
    if not isinstance(found, Mapping) or not all(isinstance(value, Tensor) for value in found.values()):
        raise UserError(tr("{path} holds no weights by their names; choose another model.", path=folder / PICKLED))
    weights = {str(name): value.detach().clone().contiguous() for name, value in found.items()}
    with replacing(folder / WHOLE) as draft:
        save_file(weights, draft, metadata={"format": "pt"})
    (folder / PICKLED).unlink()


def _needed(told: Mapping[str, Any], name: str, *, pickled: bool) -> tuple[File, ...]:
    """The files of an answer of the hub that are needed to read the model; raises `UserError`."""
    rows = told.get("siblings")
    files = [file for row in (rows if isinstance(rows, list) else []) if (file := _file(row)) is not None]
    weights = [file for file in files if WEIGHTS.fullmatch(file.name)]
    if any(file.name == WHOLE for file in weights):
        weights = [file for file in weights if file.name == WHOLE]
    if not weights and any(file.name == PICKLED for file in files):
        if not pickled:
            raise UserError(
                tr("{name} has its weights as pickled objects alone; with --allow-pickle they are fetched, read "
                   "without running any of their code, and kept as safetensors.", name=name)
            )  # fmt: skip
        weights = [file for file in files if file.name == PICKLED]
    others = [file for file in files if file.name in OTHERS]
    if not weights or not any(file.name == "config.json" for file in others):
        raise UserError(tr("{name} has no config.json with weights that can be read; choose another.", name=name))
    return (*others, *weights)


def _file(row: Any) -> File | None:
    """A file of the hub's answer; None for what isn't described as one."""
    if not isinstance(row, Mapping) or not isinstance(row.get("rfilename"), str):
        return None
    size, large = row.get("size"), row.get("lfs")
    known = large.get("sha256") if isinstance(large, Mapping) else None
    return File(row["rfilename"], int(size), str(known or "")) if isinstance(size, int) and size >= 0 else None


def _licence(told: Mapping[str, Any]) -> str:
    card, tags = told.get("cardData"), told.get("tags")
    said = card.get("license") if isinstance(card, Mapping) else None
    tagged = [str(tag)[8:] for tag in tags if str(tag).startswith("license:")] if isinstance(tags, list) else []
    return str(said or next(iter(tagged), "")) or tr("not told")


def _json(where: str, name: str) -> dict[str, Any]:
    try:
        with _open(where, {}) as answer:
            found = json.loads(answer.read(MOST_TOLD))
    except urllib.error.HTTPError as error:
        if error.code in (401, 403, 404):
            raise UserError(tr("the hub has no open model {name}; check its name.", name=name)) from None
        raise _away(f"{error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise _away(error.reason) from None
    except FAULTS as error:
        raise _away(error) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UserError(tr("the hub's answer about {name} can't be read; try again later.", name=name))
    return found


def _open(where: str, headers: dict[str, str]) -> Any:
    base = os.environ.get(VARIABLE, "").rstrip("/") or USUAL
    if urllib.parse.urlsplit(base).scheme not in ("http", "https"):
        raise UserError(
            tr("{variable} must be an address of http or https; it is {base}.", variable=VARIABLE, base=base)
        )
    request = urllib.request.Request(f"{base}/{where}", headers={"User-Agent": "attnviewer", **headers})
    return urllib.request.urlopen(request, timeout=SECONDS)


def _away(why: object) -> UserError:
    return UserError(tr("the hub can't be reached: {reason}; check the network, then call again.", reason=_told(why)))


def _cut(why: object) -> UserError:
    return UserError(tr("the hub was lost: {reason}; the same call goes on from there.", reason=_told(why)))


def _told(why: object) -> str:
    """What went wrong with the network, in words: without the number of the system's error."""
    return reason(why, str(why)) if isinstance(why, OSError) else str(why)
