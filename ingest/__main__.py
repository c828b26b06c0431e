"""`python -m ingest [COMMAND] …`: where models come from, and how they become rows.

    models   norm vectors of models into a lake (the default: `python -m ingest hub glm`)   just ingest
    crawl    many models of a hub, within its rate limits                                   just crawl
    compact  gather the models of a lake into larger files                                  just compact
    serve    the replica hub on loopback                                                    just hub
    toy      train the documents' four small models                                         just toy
    zoo      train small models of known ancestry                                           just zoo
    embed    ship the trained lake with the project
    packaged real models from PyPI packages                                       just calibrate --real

Exit codes: 0 done, 1 something failed (one line each), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback before `loading` can print a message

from warehouse.console.interrupts import loading

with loading():
    import sys
    from collections.abc import Sequence

    from ingest.cli import parse
    from warehouse.console.command import command


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(sys.argv[1:] if arguments is None else arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
