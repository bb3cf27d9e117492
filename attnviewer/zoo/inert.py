"""Checkpoints that hold whole modules, read without running any code of theirs: classes become inert stand-ins.

Pickle can call whatever it names. Here it finds only what stands on a list: containers, tensors, and stand-ins that
keep their attributes and do nothing. Both containers of torch are read: zip, and the one before version 1.6.
"""

from __future__ import annotations

import collections
import io
import pickle
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.reading import read_bytes
from attnviewer.core.shown import one_line

MAGIC = 0x1950A86A20F9469CFC6C  # of the older container
LONGEST = 80  # letters of a name that a file gives
DTYPES = {
    "FloatStorage": torch.float32, "DoubleStorage": torch.float64, "HalfStorage": torch.float16,
    "LongStorage": torch.int64, "IntStorage": torch.int32, "ShortStorage": torch.int16, "ByteStorage": torch.uint8,
    "BoolStorage": torch.bool, "BFloat16Storage": torch.bfloat16,
}  # fmt: skip
STANDINS = re.compile(
    r"(torch\.nn\.(modules|parallel)(\.\w+)*|torchvision\.models(\.\w+)*|torch\.optim(\.\w+)*|models|__main__)\.\w+"
)


class Inert:
    """Stands for a module or an optimiser: keeps what it is given and does nothing."""

    def __init__(self, *args: Any, **named: Any) -> None: ...

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state if isinstance(state, dict) else {})


def read_inert(path: Path) -> Any:
    """What a checkpoint holds, with inert stand-ins for its modules; raises `UserError` for anything else."""
    try:
        data = read_bytes(path, 8_000_000_000)
        return _zipped(data) if data.startswith(b"PK") else _sequence(io.BytesIO(data))
    except UserError as error:
        raise UserError(f"{path.name}: {error}") from None
    except OSError as error:
        reason = (error.strerror or "unknown").lower()
        raise UserError(tr("can't read {path}: {reason}; check its name.", path=path, reason=reason)) from None
    except Exception as error:  # a damaged pickle raises nearly anything
        told = type(error).__name__
        raise UserError(tr("{path} is no checkpoint, or damaged ({what}).", path=path.name, what=told)) from None


def tensors_of(module: Any, prefix: str = "") -> Iterator[tuple[str, Tensor]]:
    """The parameters and buffers of a stand-in by their names, as a state dict has them."""
    own = vars(module) if isinstance(module, Inert) else {}
    for table in ("_parameters", "_buffers"):
        for name, value in _table(own, table):
            if isinstance(value, Tensor):
                yield prefix + name, value
    for name, inner in _table(own, "_modules"):
        yield from tensors_of(inner, f"{prefix}{name}.")


def _table(own: Mapping[str, Any], name: str) -> list[tuple[str, Any]]:
    found = own.get(name)
    return [(str(key), value) for key, value in found.items()] if isinstance(found, Mapping) else []


class _Reader(pickle._Unpickler):
    """Finds what is on the list and nothing else.

    It is Python's own reader in Python: the one in C makes room for as many objects as a damaged byte may name, which
    takes all memory there is.
    """

    def __init__(self, file: Any, storage: Callable[[Any], Tensor]) -> None:
        super().__init__(file, encoding="utf-8")
        self._storage = storage

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ALLOWED:
            return _ALLOWED[module, name]
        if module == "torch" and name in DTYPES:
            return DTYPES[name]
        if STANDINS.fullmatch(f"{module}.{name}"):
            return Inert
        raise UserError(
            tr("it asks for {name}, which is not run; nothing was loaded.", name=_brief(f"{module}.{name}"))
        )

    def persistent_load(self, saved: Any) -> Any:
        kind, *rest = saved
        if kind == "module":  # the older container keeps the source code of a class beside it
            return Inert
        if kind != "storage":
            raise UserError(tr("it holds something that isn't known ({kind}).", kind=_brief(kind)))
        return self._storage(rest)


def _brief(name: object) -> str:
    """What a file says of itself, on one line and not for long."""
    return one_line(name)[:LONGEST]


def _tensor(storage: Tensor, offset: int, size: Any, stride: Any, *rest: Any) -> Tensor:
    reach = offset + sum((count - 1) * step for count, step in zip(size, stride, strict=True)) + 1
    if min((offset, *size, *stride), default=0) < 0 or (0 not in size and reach > storage.numel()):
        raise UserError(tr("a tensor reaches beyond its numbers; the file is damaged."))
    return storage.as_strided(tuple(size), tuple(stride), offset)


def _parameter(value: Tensor, *rest: Any) -> Tensor:
    return value


def _made(kind: Any, *rest: Any) -> Any:
    return kind()


class _Call:
    """Something that a checkpoint may call; it can't be changed by what the checkpoint says."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make

    def __call__(self, *args: Any) -> Any:
        return self._make(*args)

    def __setstate__(self, state: Any) -> None:
        raise UserError(tr("it tries to change how it is read; nothing was loaded."))


_CALLS: dict[tuple[str, str], Callable[..., Any]] = {
    ("collections", "defaultdict"): lambda *args: {},
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_tensor"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("torch.nn.parameter", "Parameter"): _parameter,
    ("torch", "Size"): lambda sizes=(): tuple(sizes),
    ("torch", "device"): lambda *args: "cpu",
    ("copy_reg", "_reconstructor"): _made,
    ("copyreg", "_reconstructor"): _made,
}
_ALLOWED: dict[tuple[str, str], Any] = {
    **{name: _Call(make) for name, make in _CALLS.items()},
    ("collections", "OrderedDict"): collections.OrderedDict,
    **{(module, "set"): set for module in ("builtins", "__builtin__")},
    **{(module, name): Inert for module in ("builtins", "__builtin__") for name in ("dict", "object")},
}


def _zipped(data: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        (pickled,) = (name for name in archive.namelist() if name.endswith("/data.pkl") or name == "data.pkl")
        place = pickled.removesuffix("data.pkl") + "data/"
        kept: dict[str, Tensor] = {}

        def storage(rest: Any) -> Tensor:
            dtype, key, _, numel = rest[:4]
            if key not in kept:
                info = archive.getinfo(place + str(key))
                if info.file_size != numel * dtype.itemsize or info.file_size > len(data):
                    raise UserError(tr("a part of it hasn't the size it should have; the file is damaged."))
                kept[key] = torch.frombuffer(bytearray(archive.read(info)), dtype=dtype) if numel else torch.empty(0)
            return kept[key]

        return _Reader(io.BytesIO(archive.read(pickled)), storage).load()


def _sequence(file: io.BytesIO) -> Any:
    """The container before torch 1.6: pickles one after the other, then the numbers of all storages."""

    def none(rest: Any) -> Tensor:
        raise UserError(tr("it is no checkpoint of torch."))

    if _Reader(file, none).load() != MAGIC:
        raise UserError(tr("it is no checkpoint of torch."))
    _Reader(file, none).load()  # version
    _Reader(file, none).load()  # system
    room, kept = len(file.getbuffer()), {}

    def storage(rest: Any) -> Tensor:
        dtype, key, _, numel = rest[:4]
        if key not in kept:
            nonlocal room
            room -= numel * dtype.itemsize
            if numel < 0 or room < 0:
                raise UserError(tr("a part of it hasn't the size it should have; the file is damaged."))
            kept[key] = torch.empty(numel, dtype=dtype)
        return kept[key]

    found = _Reader(file, storage).load()
    for key in _Reader(file, none).load():
        count = int.from_bytes(file.read(8), "little")
        target = kept[key]
        if count != target.numel():
            raise UserError(tr("a part of it hasn't the size it should have; the file is damaged."))
        numbers = bytearray(file.read(count * target.element_size()))
        target.copy_(torch.frombuffer(numbers, dtype=target.dtype) if count else target)
    return found
