"""Do the tests bite? Small faults are put into the code, one at a time, and the tests of that place should fail.

    python benchmarks/mutate.py --count 300 --seed 0 --minutes 60

Mutants are drawn by the seed over `core`, `runs` and the losses of training. Each is run against the file of tests
named after its module, and, where that is content, against the whole folder. What survives is printed to be read.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("core", "runs", "train/caption/losses.py", "train/grounding/losses.py", "train/translate/losses.py")
MOST_SECONDS = 600.0  # of processor time, for the tests of one folder
SURVIVED, KILLED = 0, 1
COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One fault: which file, the number of the node that is changed, and what it says before and after."""

    file: str
    node: int
    line: int
    before: str
    after: str


def changed(node: ast.AST) -> ast.AST | None:
    """The node with a fault in it, or None where this kind of node gets none."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            return ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
        case ast.BinOp(op=op) if type(op) in COMPUTED:
            return ast.BinOp(node.left, COMPUTED[type(op)](), node.right)
        case ast.BoolOp(op=op):
            return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            return node.operand
        case ast.IfExp():
            return ast.IfExp(node.test, node.orelse, node.body)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            return ast.Constant(value + 1)
        case ast.Expr(value=ast.Call()):
            return ast.Pass()
    return None


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be changed, in a fixed order; types, decorators and `strict=` are left alone."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.keyword) and child.arg == "strict"):
                yield child
                yield from nodes(child)


def mutants_of(file: Path) -> list[Mutant]:
    """All mutants of a file."""
    found = []
    for number, node in enumerate(nodes(ast.parse(file.read_text("utf-8")))):
        if (other := changed(node)) is not None:
            before, after = (" ".join(ast.unparse(ast.fix_missing_locations(one)).split()) for one in (node, other))
            found.append(Mutant(str(file.relative_to(ROOT)), number, getattr(node, "lineno", 0), before, after))
    return found


def mutated(mutant: Mutant) -> ast.Module:
    """The syntax tree of a mutant's file with its fault in it."""
    tree = ast.parse((ROOT / mutant.file).read_text("utf-8"))
    target = list(nodes(tree))[mutant.node]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return (changed(node) or node) if node is target else self.generic_visit(node)

    return ast.fix_missing_locations(Change().visit(tree))


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the mutated module where its name is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.file.removesuffix(".py").replace("/", ".")
        self.mutant = mutant

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """Answer for the mutated module alone."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, ROOT / self.mutant.file, loader=self)

    def exec_module(self, module: object) -> None:
        """Run the mutated source."""
        exec(compile(mutated(self.mutant), self.mutant.file, "exec"), vars(module))


def where_tested(file: str, near: bool = False) -> list[str]:
    """What to run: the file named after the module, then, unless only `near` tests count, its folder."""
    parts = Path(file).parts[1:]
    folder = Path("tests", *parts[:-1])
    places = (folder / f"test_{parts[-1]}", *(() if near else (folder,)))
    return [str(place) for place in places if (ROOT / place).exists()]


@dataclass(frozen=True)
class Usual:
    """How tests do without a fault: which fail anyway, and the seconds of processor time they take."""

    failing: tuple[str, ...]
    seconds: float


class Failing:
    """A plugin of pytest that writes down which tests fail."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.path.write_text("", "utf-8")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write down a failure."""
        if report.failed:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")


@cache
def usual(tests: str) -> Usual:
    """How some tests do as the code stands."""
    with tempfile.TemporaryDirectory() as folder:
        path, before = Path(folder, "failing"), os.times().children_user
        _in_child(lambda: _pytest(tests, plugins=[Failing(path)]), MOST_SECONDS)
        return Usual(tuple(path.read_text("utf-8").split("\n")[:-1]), os.times().children_user - before)


def fails(mutant: Mutant, near: bool = False) -> bool:
    """Whether the tests notice a mutant, the nearest first; each attempt is a process of its own, which ends."""
    return any(_noticed(mutant, tests) for tests in where_tested(mutant.file, near))


def _noticed(mutant: Mutant, tests: str) -> bool:
    known = usual(tests)

    def work() -> int:
        sys.meta_path.insert(0, Finder(mutant))
        return _pytest("-x", *(f"--deselect={name}" for name in known.failing), tests)

    return _in_child(work, 20 + 3 * known.seconds) != SURVIVED


def _pytest(*arguments: str, plugins: Sequence[object] = ()) -> int:
    import pytest

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    return (
        KILLED if pytest.main(["-q", "-n0", "-p", "no:cacheprovider", *arguments], plugins=list(plugins)) else SURVIVED
    )


def _in_child(work: Callable[[], int], seconds: float) -> int:
    """What `work` returns in a process of its own; one that never ends is stopped, and counts as noticed."""
    child = os.fork()
    if child == 0:
        code = KILLED
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            code = work()
        finally:
            os._exit(code)
    end = time.monotonic() + 20 * seconds  # the machine may be busy with other things
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return KILLED


def drawn(count: int, seed: int, places: Sequence[str], near: bool = False) -> list[Mutant]:
    """So many mutants, the same ones for the same seed, of files that have tests."""
    roots = [ROOT / "attnviewer" / place for place in places]
    files = sorted(file for root in roots for file in ([root] if root.suffix else root.rglob("*.py")))
    tested = [file for file in files if where_tested(str(file.relative_to(ROOT)), near)]
    every = [mutant for file in tested for mutant in mutants_of(file)]
    return random.Random(seed).sample(every, min(count, len(every)))


def main() -> None:
    """Run the mutants that are drawn until they or the minutes run out; one line of JSON each on stdout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--places", nargs="+", default=PLACES, help="folders or files below attnviewer/")
    parser.add_argument("--near", action="store_true", help="only the file of tests named after the module")
    args = parser.parse_args()
    os.chdir(ROOT)
    for heavy in ("hypothesis", "numpy", "PIL.Image", "pytest", "torch"):  # loaded once, before all children
        importlib.import_module(heavy)
    end, killed, tried = time.monotonic() + 60 * args.minutes, 0, 0
    for mutant in drawn(args.count, args.seed, args.places, args.near):
        if time.monotonic() > end:
            break
        noticed = fails(mutant, args.near)
        killed, tried = killed + noticed, tried + 1
        print(json.dumps({"killed": noticed, **asdict(mutant)}), flush=True)
    print(f"{killed} of {tried} mutants killed ({100 * killed / max(1, tried):.0f} %)", file=sys.stderr)


if __name__ == "__main__":
    main()
