"""`just hub`: the replica hub on loopback, for any Hugging Face client, until Ctrl-C."""

from __future__ import annotations

import argparse
import errno
import re
import sys

from warehouse.console.command import Commands
from warehouse.console.interrupts import loading

DEFAULT_PORT = 8900
MOST_PORT = 65_535


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "serve",
        prog="just hub",
        help="the replica hub on loopback, for any Hugging Face client",
        description="Serve the replica hub on loopback until Ctrl-C, for any Hugging Face client.",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="N",
        help="of the hub; 0 takes any (default: %(default)s)",
    )
    parser.add_argument(
        "--delay-ms", type=_milliseconds, default=0.0, metavar="MS", help="added to every answer"
    )
    parser.add_argument(
        "--no-redirect", action="store_true", help="serve shards from the hub port, not the CDN port"
    )
    parser.add_argument(
        "--population",
        type=_count,
        default=0,
        metavar="N",
        help="also serve this many small made-up models: families of bases and children",
    )
    parser.add_argument(
        "--quota", action="store_true", help="refuse what exceeds the hub's documented rate limits"
    )
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="print the addresses as one JSON line and end with the parent's pipe",
    )
    parser.set_defaults(run=serve)


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of models: give a whole one below a million")
    return int(text)


def _port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > MOST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 0 to {MOST_PORT}")
    return int(text)


def _milliseconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,20})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of milliseconds such as 30")
    return float(text)


def serve(options: argparse.Namespace) -> int:
    """0 when interrupted, which is how it is meant to end; 1 when the port cannot be had."""
    with loading():
        import asyncio

        from ingest.replica.running import serve_until_ended

    try:
        asyncio.run(
            serve_until_ended(
                options.port,
                delay=options.delay_ms / 1000,
                redirect=not options.no_redirect,
                until_stdin_closes=options.until_stdin_closes,
                population=options.population,
                quota=options.quota,
            )
        )
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "in use" if error.errno == errno.EADDRINUSE else "not allowed"
        print(
            f"port {options.port} is {why}; choose another with --port, or 0 for any free one",
            file=sys.stderr,
        )
        return 1
    return 0
