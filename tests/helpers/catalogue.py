"""The catalogue of translations: sentences out of the source, the .po that people write, and the .mo that is read.

`python tests/helpers/catalogue.py` adds the sentences that are new (with an empty translation, and prints
them), drops those that are gone, and compiles.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "attnviewer"
PO = PACKAGE / "locale/zh_CN/LC_MESSAGES/attnviewer.po"
Entry = tuple[str, ...]  # a sentence, or its singular and plural
LOOKED_UP = {"tr": 1, "later": 1, "ntr": 2}


def sentences() -> dict[Entry, None]:
    """The sentences of the source, in its order."""
    modules = sorted(PACKAGE.rglob("*.py"))
    calls = (node for path in modules for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return dict.fromkeys(entry for call in calls if isinstance(call, ast.Call) for entry in _marked(call))


def _marked(call: ast.Call) -> Iterator[Entry]:
    texts = [one.value if isinstance(one, ast.Constant) else None for one in call.args[: LOOKED_UP.get(_name(call), 0)]]
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
