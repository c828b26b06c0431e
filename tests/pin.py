"""`just pin`: pins the indirect dependencies in pyproject.toml, as uv resolves them.

uv.lock names the hosts of package registries and is not committed, so the versions must be in pyproject.toml.
`just pin` adds what is new and drops what is gone; `just pin --upgrade` takes the newest version of each.
`just lint` checks that the list is complete. Only the standard library is imported: this runs without the
project's environment, which uv cannot make while the pins contradict a direct dependency.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
PINS = re.compile(
    r"(?<=    # `just pin` writes from here\n).*?(?=^    # to here$)", flags=re.DOTALL | re.MULTILINE
)
PIN = re.compile(r"[a-z0-9-]+==\S+( ; .+)?")
NAME = re.compile(r"[A-Za-z0-9._-]+")
EXPORT = "export --quiet --all-groups --no-hashes --no-annotate --no-header --no-emit-project"


class CannotPin(Exception):
    """The message says what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="just pin", description="Pin the indirect dependencies in pyproject.toml, as uv resolves them."
    )
    parser.add_argument("--upgrade", action="store_true", help="take the newest version of each")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if the list is not complete")
    options = parser.parse_args(arguments)
    try:
        text = PYPROJECT.read_text(encoding="utf-8")
        if options.check:
            found = with_pins(text, exported(text, PYPROJECT.with_name("uv.lock")))
        else:
            found = with_pins(text, exported(with_pins(text, []) if options.upgrade else text))
        changed = sorted({*found.splitlines()} ^ {*text.splitlines()})
        names = dict.fromkeys(_name(line.strip(' "')) for line in changed)
        if options.check and names:
            raise CannotPin(f"the pins of {', '.join(names)} are not what uv resolves: run `just pin`")
    except CannotPin as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.check:
        PYPROJECT.write_text(found, encoding="utf-8")
        print(f"changed: {', '.join(names)}" if names else "the pins are up to date")
    return 0


def exported(pyproject: str, lock: Path | None = None) -> list[str]:
    """What uv resolves for all groups, one `name==version` a line, with a marker if not all machines need it.

    It is resolved in a temporary folder. If there is a file `lock`, uv starts from it, without the network.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, PYPROJECT.name).write_text(pyproject, encoding="utf-8")
        if lock is not None and lock.exists():
            shutil.copy(lock, folder)
        command = [os.environ.get("UV", "uv"), *EXPORT.split()]  # `uv run` sets UV
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        except FileNotFoundError as error:
            raise CannotPin("uv is not on the path: `python3 -m pip install uv` installs it") from error
        except subprocess.CalledProcessError as error:
            reason = " ".join(error.stderr.split())
            raise CannotPin(
                f"uv cannot resolve pyproject.toml ({reason}): try `just pin --upgrade`"
            ) from error
    return done.stdout.splitlines()


def with_pins(pyproject: str, resolved: Sequence[str]) -> str:
    """The text with these pins, without those of direct dependencies.

    A marker is kept only where a package has several versions, one for each Python.
    """
    if not PINS.search(pyproject):
        raise CannotPin("pyproject.toml has lost the comments around its pins: restore them")
    direct = direct_dependencies(pyproject)
    lines = [line for line in resolved if _name(line) not in direct]
    versions = Counter(map(_name, lines))
    pins = ""
    for line in lines:
        if not PIN.fullmatch(line):
            raise CannotPin(f"uv resolves {line!r}, which is no version from a registry: pin it by hand")
        pin = line if versions[_name(line)] > 1 else line.partition(" ; ")[0]
        pins += f'    "{pin}",\n'
    return PINS.sub(lambda _: pins, pyproject)


def direct_dependencies(pyproject: str) -> set[str]:
    """Names of what the project and its groups ask for themselves."""
    read = tomllib.loads(pyproject)
    lists = [read["project"]["dependencies"], *read["dependency-groups"].values()]
    return {_name(one) for of_group in lists for one in of_group if isinstance(one, str)}


def _name(requirement: str) -> str:
    """As registries write it: lower case, with hyphens."""
    found = NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


if __name__ == "__main__":
    sys.exit(main())
