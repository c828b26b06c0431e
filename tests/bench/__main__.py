"""`just bench [ingest|sql|claims]`: run the benchmarks and print what they measured."""

from __future__ import annotations

import importlib
import sys

NAMES = ("ingest", "sql", "claims")

if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        if name not in NAMES:
            sys.exit(f"error: no benchmark {name!r}: choose from {', '.join(NAMES)}")
        print(f"# {name}", flush=True)
        for line in importlib.import_module(f"tests.bench.{name}").lines():
            print(line, flush=True)
