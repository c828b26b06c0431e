"""`python -m analysis COMMAND …`: answers questions about a lake. `just claims`, `report`, `sql` … call it.

cli.py declares the commands. Exit codes: 0 done, 1 something failed (said in one line), 2 wrong usage,
130 interrupted.
"""

from __future__ import annotations

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback before `loading` has begun

from warehouse.console.interrupts import loading, prompt_interrupts

with loading():
    import argparse
    import os
    import sys
    from collections.abc import Sequence

    from analysis.cli import add_parsers
    from warehouse.console.command import command

# Set before numpy is imported: on a busy machine two BLAS threads wait for each other, and an eigenproblem of
# 512 tokens takes up to a hundred times as long as with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="just", description="Ask a lake questions.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_parsers(commands)
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command != "shell":
        commands.choices[options.command].error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    with prompt_interrupts():
        return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
