"""`python -m ingest [COMMAND] …`: where models come from, and how they become rows.

    models   norm vectors of models into a lake (the default: `python -m ingest hub glm`)   just ingest
    crawl    many models of a hub, within its rate limits                                   just crawl
    compact  gather the models of a lake into larger files                                  just compact
    serve    the replica hub on loopback                                                    just hub
    toy      train the documents' four small models                                         just toy
    zoo      train small models of known ancestry                                           just zoo
    embed    ship the trained lake with the project
    packaged real models out of packages of PyPI                                  just calibrate --real

Each room declares its own commands and imports what is slow only when one runs. Exit codes: 0 done,
1 something failed (said in one line each), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback, before `loading` can say a word

from warehouse.console.interrupts import loading

with loading():
    import argparse
    import sys
    from collections.abc import Sequence

    from ingest import command as models
    from ingest import gathering
    from ingest.crawl import command as crawl
    from ingest.packaged import command as packaged
    from ingest.replica import command as replica
    from ingest.zoo import command as trained
    from warehouse.console.command import command

DEFAULT = "models"


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser, commands = _parser()
    asked = list(sys.argv[1:] if arguments is None else arguments)
    if not asked or (asked[0] not in commands and asked[0] not in ("-h", "--help")):
        asked.insert(0, DEFAULT)
    options, behind = parser.parse_known_args(asked)
    if behind:
        # argparse takes words behind an option (`replica --lake x glm`) for strangers
        if not hasattr(options, "models") or any(word.startswith("-") for word in behind):
            parser.error(f"unrecognized arguments: {' '.join(behind)}")
        options.models += behind
    return int(options.run(options))


def _parser() -> tuple[argparse.ArgumentParser, frozenset[str]]:
    """The parser and the names of its commands."""
    parser = argparse.ArgumentParser(
        prog="python -m ingest",
        description="Bring models into a lake. Without a command: models.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for room in (models, crawl, gathering, replica, trained, packaged):
        room.add_parser(commands)
    return parser, frozenset(commands.choices)


if __name__ == "__main__":
    sys.exit(main())
