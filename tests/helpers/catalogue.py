"""The catalogue of translations: sentences of the source, the data and argparse; the .po that people write; the .mo.

`python tests/helpers/catalogue.py` adds the sentences that are new (with an empty translation, and prints
them), drops those that are gone, and compiles.
"""

from __future__ import annotations

import ast
import struct
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[2] / "attnviewer"
PO = PACKAGE / "locale/zh_CN/LC_MESSAGES/attnviewer.po"
Entry = tuple[str, ...]  # a sentence, or its singular and plural
LOOKED_UP = {"tr": 1, "later": 1, "ntr": 2}
DATA = {  # files with sentences for people, and the keys that hold them
    "resources/terms.toml": ("term", "says"),
    "resources/sentences.toml": ("gloss", "shows"),
    "resources/images/samples.toml": ("title", "shows"),
    "models/*/card.toml": ("name", "licence", "notes"),
}
OF_ARGPARSE = (  # what Python's own parser says to a user, word for word
    "usage: ", "options", "positional arguments", "show this help message and exit",
    "show program's version number and exit", "argument %(argument_name)s: %(message)s", "expected one argument",
    "expected at least one argument", "expected at most one argument", "ignored explicit argument %r",
    "invalid %(type)s value: %(value)r", "invalid choice: %(value)r (choose from %(choices)s)",
    "not allowed with argument %s", "one of the arguments %s is required",
    "the following arguments are required: %s", "unrecognized arguments: %s",
)  # fmt: skip


def sentences() -> dict[Entry, None]:
    """All sentences there are to translate: of the source in its order, of the data, of argparse."""
    modules = sorted(PACKAGE.rglob("*.py"))
    calls = (node for path in modules for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    marked = dict.fromkeys(entry for call in calls if isinstance(call, ast.Call) for entry in _marked(call))
    known = {entry[0] for entry in marked}
    more = (text for text in (*of_data(), *OF_ARGPARSE) if text not in known)
    return marked | dict.fromkeys((text,) for text in more)


def of_data() -> Iterator[str]:
    """The sentences that stand in files of data."""
    for pattern, keys in DATA.items():
        for path in sorted(PACKAGE.parent.glob(pattern)):
            yield from _values(tomllib.loads(path.read_text("utf-8")), keys)


def _values(node: Any, keys: tuple[str, ...]) -> Iterator[str]:
    """The texts under such keys, of the whole file or of its tables one level down; not of a card's data or figures."""
    tables = [node, *(one for value in node.values() for one in (value if isinstance(value, list) else [value]))]
    for table in tables:
        for key in keys if isinstance(table, dict) and "terms" not in table else ():
            yield from [table[key]] if isinstance(table.get(key), str) else table.get(key, [])


def _marked(call: ast.Call) -> Iterator[Entry]:
    """The sentence of a call such as `tr("...")` or `partial(tr, "...")`."""
    name, args = _name(call), call.args
    if name == "partial" and args and isinstance(args[0], ast.Name):
        name, args = args[0].id, args[1:]
    texts = [one.value if isinstance(one, ast.Constant) else None for one in args[: LOOKED_UP.get(name, 0)]]
    if texts and all(isinstance(text, str) and text for text in texts):
        yield tuple(map(str, texts))


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def read(path: Path = PO) -> dict[Entry, str]:
    """Sentences and their translations, as the .po has them."""
    made: dict[Entry, str] = {}
    for block in path.read_text("utf-8").strip().split("\n\n"):
        lines = [line.split(" ", 1) for line in block.splitlines()]
        *entry, said = (ast.literal_eval(text) for _, text in lines)
        made[tuple(entry)] = said
    return made


def write(entries: dict[Entry, str], path: Path = PO) -> None:
    """Write the .po, and the .mo beside it."""
    path.write_text("\n\n".join(_block(*one) for one in entries.items()) + "\n", "utf-8")
    path.with_suffix(".mo").write_bytes(compiled(entries))


def _block(entry: Entry, said: str) -> str:
    names = ("msgid", "msgid_plural")
    lines = [f"{name} {_quoted(text)}" for name, text in zip(names, entry, strict=False)]
    return "\n".join([*lines, f"msgstr{'[0]' if len(entry) > 1 else ''} {_quoted(said)}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def compiled(entries: dict[Entry, str]) -> bytes:
    """The .mo of a catalogue: offsets of sorted sentences, then of their translations, then the texts."""
    rows = sorted(("\0".join(entry).encode(), said.encode()) for entry, said in entries.items() if said)
    at, tables, texts = 28 + 16 * len(rows), b"", b""
    for column in (0, 1):
        for row in rows:
            tables += struct.pack("<II", len(row[column]), at + len(texts))
            texts += row[column] + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, len(rows), 28, 28 + 8 * len(rows), 0, 0) + tables + texts


if __name__ == "__main__":
    known = read()
    write({("",): known[("",)]} | {entry: known.get(entry, "") for entry in sentences()})
    print(*(" | ".join(entry) for entry, said in read().items() if not said), sep="\n")
