"""The command line: a verb from a table, or the window. Imports no Qt and no torch before a verb needs them.

Exit status: 0 done, 2 the input or the call is at fault, 1 a fault of ours, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.logfile import begin_log, log
from attnviewer.core.paths import looking_first
from attnviewer.core.shown import one_line
from attnviewer.core.speech import speaking
from attnviewer.verbs.parser import Parser
from attnviewer.verbs.spared import spare_named
from attnviewer.verbs.streams import harmless_streams
from attnviewer.verbs.where import add_everywhere, chosen_language

DONE, OURS, THEIRS, INTERRUPTED = 0, 1, 2, 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
DEBUG = "ATTNVIEWER_DEBUG"


class Verb(NamedTuple):
    """A module of `attnviewer.verbs` that offers `add_arguments(parser)` and `run(args) -> int`."""

    module: str
    summary: str


VERBS = {
    "caption": Verb("caption", later("say what photos show, word by word, with the attention weights")),
    "translate": Verb("translate", later("translate Spanish sentences, each word with the source words it came from")),
    "query": Verb("query", later("ask which regions, words or lines a text attends to")),
    "explore": Verb(
        "explore", later("experiments in numbers: mlp, conv, field, documents, rnn; matter asks whether a map matters")
    ),
    "attend": Verb("attend", later("show every map of a Transformer on a text, with heads that may be switched off")),
    "open": Verb("window", later("open photos, a saved trace, a lesson or a state in the window")),
    "models": Verb("models", later("list what is installed, with licence and measured quality")),
    "install-entry": Verb("entry", later("put the program into the start menu, with its icon; --remove takes it away")),
    "doctor": Verb("doctor", later("say what is here and whether it is sound, for a report")),
    "evaluate": Verb("evaluate", later("measure a model on a data folder")),
    "train": Verb("train", later("train a model from a data folder")),
}
WINDOW = Verb("window", later("open the window"))


def main(argv: Sequence[str] | None = None, ready: Callable[[], object] | None = None) -> int:
    """Run the command line and return the exit status.

    Parameters
    ----------
    ready : called when the verb is about to run, from when on Ctrl+C raises `KeyboardInterrupt`.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    with harmless_streams(), speaking(chosen_language(given)):
        try:
            status = _dispatch(given, ready or (lambda: None))
            if sys.stdout is not None:
                sys.stdout.flush()
            return status
        except tuple(_ENDINGS) as error:
            return next(end for kind, end in _ENDINGS.items() if isinstance(error, kind))(error)


def _dispatch(argv: list[str], ready: Callable[[], object]) -> int:
    name = argv[0] if argv else ""
    verb = VERBS.get(name, WINDOW)
    module = importlib.import_module(f"attnviewer.verbs.{verb.module}")
    parser = Parser(f"attnviewer {name}" if name in VERBS else "attnviewer", tr(verb.summary))
    if verb is WINDOW:
        parser.list_verbs({name: tr(verb.summary) for name, verb in VERBS.items()})
    module.add_arguments(parser)
    add_everywhere(parser)
    args = parser.parse_args(argv[1:] if name in VERBS else argv)
    spare_named(args)
    ready()
    with looking_first(args.models_dir):
        return int(module.run(args))


def _say(message: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(f"attnviewer: {message}", file=sys.stderr)


def _theirs(error: Any) -> int:
    _say(one_line(" ".join(str(error).split())))
    return THEIRS


def _reader_gone(error: Any) -> int:
    """Whoever read our output has had enough."""
    _drop_output()
    return DONE


def _drop_output() -> None:
    """What is still to be printed goes nowhere, so that Python doesn't complain at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupted(error: Any) -> int:
    return INTERRUPTED


def _left(error: Any) -> int:
    """Argparse leaves this way after --help and --version."""
    return error.code if isinstance(error.code, int) else DONE


def _ours(error: Any) -> int:
    if isinstance(error, OSError) and error.errno in FULL:
        _drop_output()
        return _theirs(
            tr("can't write the output ({reason}); make room or choose another place.", reason=error.strerror)
        )
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    place = begin_log()
    log.error("a fault of the program", exc_info=error)
    what = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    _say(tr("a fault of the program ({what}); {place} tells where. Report it with what `attnviewer doctor` prints.",
            what=what, place=place or f"{DEBUG}=1"))  # fmt: skip
    return OURS


_ENDINGS: dict[type[BaseException], Callable[[Any], int]] = {
    UserError: _theirs,
    BrokenPipeError: _reader_gone,
    KeyboardInterrupt: _interrupted,
    SystemExit: _left,
    Exception: _ours,
}
