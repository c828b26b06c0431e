"""`just crawl LIST`: many models of a hub into a lake, within its rate limits."""

from __future__ import annotations

import argparse
from pathlib import Path

from warehouse.console.command import Commands, command
from warehouse.console.interrupts import loading
from warehouse.errors import UsageError

USAGE = """\
LIST     a file with one repo (owner/name) a line; # begins a comment. Or none, and the hub's own list:
         --author, --tag, --downloads and --most choose from it, the most downloaded first

examples
  just crawl repos.txt                         the repos of a file
  just crawl --author Qwen                     all of one author
  just crawl --tag llama --downloads 1000      with a tag, downloaded a thousand times in thirty days
  just crawl --most 5000 --dry-run             the most downloaded ones: requests, bytes and hours

The same command goes on where one ended or was killed. Repos that fail are listed in data/.crawl/LAKE and
skipped, by later runs, too, if the reason lasts (--retry asks again). A model with the norms of a stored one,
value for value, becomes a row of `duplicates`. Exit codes: 0 all of the list is in the lake, 1 something is
not (said in one line each), 2 wrong usage, 130 interrupted.
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "crawl",
        prog="just crawl",
        help="many models of a hub into a lake, within its rate limits: [LIST]",
        description="Read the norm vectors of many models of a hub (HF_ENDPOINT, HF_TOKEN count).",
        epilog=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("list", nargs="?", type=Path, metavar="LIST")
    parser.add_argument("--author", metavar="NAME", help="only models of this user or organisation")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="only models with this tag")
    parser.add_argument("--downloads", type=_count, metavar="N", help="only models downloaded so often")
    parser.add_argument("--most", type=_count, metavar="N", help="only so many of them")
    parser.add_argument("--lake", default="hub", metavar="NAME", help="where to write (default: %(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="say requests, bytes and hours; store nothing")
    parser.add_argument("--update", action="store_true", help="read repos anew whose commit has changed")
    parser.add_argument("--retry", action="store_true", help="ask also for repos that failed before")
    parser.add_argument("--quiet", action="store_true", help="say only what failed and what came of it")
    parser.set_defaults(run=crawl)


@command(interrupted="interrupted: what was finished is in the lake; the same command goes on from there")
def crawl(options: argparse.Namespace) -> int:
    # slow imports only once the command line is known to be right
    with loading():
        from ingest.crawl.run import run
        from ingest.hub.listing import Choice

    chosen = (options.author, options.tag, options.downloads, options.most)
    if options.list is not None and any(chosen):
        raise UsageError("a list in a file is read whole: leave out --author, --tag, --downloads and --most")
    if options.list is None and not any(chosen):
        raise UsageError("what to crawl? Name a file with repos, or choose with --author, --tag or --most N")
    choice = Choice(options.author, tuple(options.tag), options.downloads or 0, options.most)
    return run(
        options.list or choice,
        lake_name=options.lake,
        update=options.update,
        retry=options.retry,
        dry_run=options.dry_run,
        quiet=options.quiet,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number: give a whole one, from 1")
    return int(text)
