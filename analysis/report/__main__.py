"""`python -m analysis.report` writes the report; `python -m analysis.report compare A B` compares two models.

Exit codes: 0 done, 1 something failed (said in one line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from analysis.report.command import add_parser
from warehouse.command import command

COMMANDS = ("report", "compare")


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (given[0] not in COMMANDS and given[0] not in ("-h", "--help")):
        given.insert(0, "report")
    parser = argparse.ArgumentParser(prog="just", description="Write what people read.")
    add_parser(parser.add_subparsers(dest="command", required=True, metavar="COMMAND"))
    options = parser.parse_args(given)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
