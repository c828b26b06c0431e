"""`just bench [NAME…]`: run the benchmarks and print what they measured."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from warehouse.console.command import command

NAMES = ("ingest", "crawl", "slices", "sql", "claims", "lineage", "verify", "blend", "scale")
# Only when named: minutes of training.
ON_REQUEST = ("trained",)


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="just bench", description="Measure on this machine what the README promises."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)} (default: all); trained"
    )
    names = parser.parse_args(arguments).names or NAMES
    if unknown := set(names).difference(NAMES, ON_REQUEST):
        parser.error(f"no benchmark {unknown.pop()!r}: choose from {', '.join((*NAMES, *ON_REQUEST))}")
    for name in names:
        print(f"# {name}", flush=True)
        for line in importlib.import_module(f"tests.bench.{name}").lines():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
