"""`python -m tests.bench.asking FOLDER QUERY`: ask a lake in a process of its own: CPU seconds and memory."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

# Of a noisy machine the fastest is told: of ten, and of as many as a second has.
TIMES, SECONDS = 10, 1.0


def peak_kilobytes() -> int:
    """Of this program: what getrusage says on Linux counts the one that started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(status.read_text().split("VmHWM:")[1].split()[0])


if __name__ == "__main__":
    folder, query = Path(sys.argv[1]), sys.argv[2]
    seconds: list[float] = []
    with open_catalog(Lake(folder.name, folder)) as connection:
        while len(seconds) < TIMES or sum(seconds) < SECONDS:
            begin = time.process_time()
            connection.execute(query).fetchall()  # bound once, as a command or the shell does
            seconds.append(time.process_time() - begin)
    print(json.dumps({"seconds": min(seconds), "megabytes": peak_kilobytes() / 1024}))
