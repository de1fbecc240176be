"""The command line: ``wrapinduce COMMAND`` and ``scrapy wrapinduce COMMAND``.

Every module of ``commands/`` is a command; its docstring is the help. Exit status: 0 done, 1 the answer
is no (a wrapper that no longer fits), 2 it could not be done, with one line on stderr that says why.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from ..errors import WrapinduceError, in_a_line
from . import commands
from .console import Console

DONE, NO, FAILED, STOPPED = 0, 1, 2, 130


class Command(Protocol):
    """What a module of ``commands/`` offers."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace, console: Console) -> int: ...


def command_names() -> list[str]:
    """The commands there are, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def load_command(name: str) -> Command:
    return cast("Command", import_module(f"{commands.__name__}.{name}"))


def build_parser(prog: str = "wrapinduce") -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog=prog, description="Learn wrappers from pages, and read pages with them."
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in command_names():
        command = load_command(name)
        text = (command.__doc__ or "").strip()
        summary = text.split("\n", 1)[0].rstrip(".")
        sub = parsers.add_parser(
            name,
            help=summary[:1].lower() + summary[1:],
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None, prog: str = "wrapinduce") -> int:
    """Run a command line; returns the exit status."""
    parser = build_parser(prog)
    options = parser.parse_args(arguments)
    if options.version:
        from importlib.metadata import version

        print(version("scrapy-wrapinduce"))
        return DONE
    if options.command is None:
        parser.print_help(sys.stderr)
        return FAILED
    if threading.current_thread() is threading.main_thread():
        # As an exception, so that no unfinished file is left behind.
        signal.signal(signal.SIGTERM, _terminate)
    console = Console(f"{prog} {options.command}")
    try:
        status = int(options.run(options, console))
        sys.stdout.flush()
    except WrapinduceError as error:
        console.say(in_a_line(str(error)))
        return FAILED
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not complain when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        console.say(_sentence(error))
        return FAILED
    except KeyboardInterrupt:
        console.say("stopped")
        return STOPPED
    finally:
        console.clear()
    return status


def _terminate(*_: object) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)


def _sentence(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error)
    return f"{os.fsdecode(error.filename)}: {error.strerror}"
