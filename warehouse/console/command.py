"""Runs a command: shared options, exit codes, and expected failures in one line.

Exit codes: 0 done, 1 something failed (said in one line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeAlias

from warehouse.console.exhausted import allow_more_files, exhausted
from warehouse.console.interrupts import INTERRUPTED, raise_interrupts, was_interrupted
from warehouse.console.output import print_any_text, remark
from warehouse.errors import NormhouseError, explain_duckdb_error, plain

P = ParamSpec("P")

# What packages add their commands to; the class has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def command(interrupted: str = "interrupted") -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Decorate a command: it returns 1 if it fails and 130 if interrupted, with a line on stderr."""

    def decorate(main: Callable[P, int]) -> Callable[P, int]:
        @wraps(main)
        def ended(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                raise_interrupts()
                print_any_text()
                allow_more_files()
                return main(*args, **kwargs)
            except KeyboardInterrupt:
                remark(interrupted)
                return INTERRUPTED
            except BrokenPipeError:
                # the reader of our output has closed it (`| head`); without this, Python complains at exit
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return 0
            except Exception as error:
                if was_interrupted():
                    remark(interrupted)
                    return INTERRUPTED
                message = exhausted(error)
                message = message or (
                    str(error) if isinstance(error, NormhouseError) else explain_duckdb_error(error)
                )
                if not message:
                    raise
                remark(plain(f"error: {message}"))
                return 1

        return ended

    return decorate


def add_command(
    commands: Commands,
    name: str,
    help: str,
    description: str,
    run: Callable[[argparse.Namespace], int],
    epilog: str = "",
) -> argparse.ArgumentParser:
    kept_as_written = argparse.RawDescriptionHelpFormatter
    parser = commands.add_parser(
        name, help=help, description=description, epilog=epilog, formatter_class=kept_as_written
    )
    parser.set_defaults(run=run)
    return parser


def add_lake(parser: argparse.ArgumentParser) -> None:
    """Which lake a command reads."""
    parser.add_argument(
        "--lake", metavar="NAME", help="which lake, or ./FOLDER (default: the one ingested last)"
    )
