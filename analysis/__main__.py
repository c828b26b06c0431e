"""`python -m analysis COMMAND …`: questions to a lake. `just shell`, `sql`, `claims`, `report` … call this.

Each room declares its own commands and imports what is slow only when one runs. Exit codes: 0 done,
1 something failed (said in one line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback, before `loading` can say a word

from warehouse.console.interrupts import loading, prompt_interrupts

with loading():
    import argparse
    import os
    import sys
    from collections.abc import Sequence

    from analysis import command as asking
    from analysis.claims import command as claims
    from analysis.explore import command as explore
    from analysis.figures import command as figures
    from analysis.lineage import command as lineage
    from analysis.publish import command as publish
    from analysis.report import command as report
    from analysis.spark import command as spark
    from warehouse.console.command import command

# Before numpy is imported: two BLAS threads that wait for each other on a busy machine take up to a hundred
# times as long for an eigenproblem of 512 tokens as one thread does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command != "shell":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    with prompt_interrupts():
        return int(options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="just", description="Ask a lake questions.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for room in (asking, claims, report, figures, lineage, publish, explore, spark):
        room.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
