"""Brings the model in question and its declared bases into a lake, by `just ingest` in a process of its own.

A model from the disk and models of a hub are never stored in one lake. To compare them, a
temporary folder has links to both; it is read like any foreign lake and removed afterwards.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from warehouse.console.output import remark
from warehouse.errors import UsageError
from warehouse.lake import Lake, existing_lake
from warehouse.paths import data_root

PROJECT = Path(__file__).parents[2]
OWN = "own"
# of ingest's errors: synthetic models are of no use to somebody who verifies a real one
WRONG_ADVICE = ", or work without a network:"


class Unreadable(Exception):
    """Why the model in question cannot be read: gated, a pickle, an adapter, ..."""


def ingest(arguments: Sequence[str], data: Path | None = None) -> list[str]:
    """Run `just ingest`, show its messages, and return its errors, which the answer shows."""
    environment = {**os.environ, "NORMHOUSE_DATA": str(data or data_root())}
    run = subprocess.run(
        [sys.executable, "-m", "ingest", "models", *arguments, "--quiet"],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    lines = run.stderr.splitlines()
    remark(*(line for line in lines if not line.startswith("error: ")))
    return [
        line.removeprefix("error: ").partition(WRONG_ADVICE)[0]
        for line in lines
        if line.startswith("error: ")
    ]


@contextmanager
def read_from_disk(path: Path, *, slices: bool) -> Iterator[tuple[Lake, str]]:
    """A temporary lake with the one model at `path`, and its name there."""
    with TemporaryDirectory(prefix="normhouse-verify-") as folder:
        data = Path(folder) / "data"
        errors = ingest([str(path.resolve()), "--lake", OWN, *(["--slices"] if slices else [])], data)
        with data_root_at(data):
            own = existing_lake(OWN) if (data / OWN).exists() else None
        models = own.model_names() if own else []
        if own is None or not models:
            raise Unreadable(errors[0] if errors else "no model is there")
        if len(models) > 1:
            raise UsageError(f"{path} holds {len(models)} models: name the folder or file of one")
        yield own, models[0]


@contextmanager
def side_by_side(lake: Lake | None, own: Lake, model: str) -> Iterator[Lake]:
    """The models of both lakes, in a temporary folder next to the second."""
    if lake is not None and lake.has(model):
        raise UsageError(
            f"lake {lake.name!r} has a model {model!r} already: rename the folder or file, or verify that "
            f"model by its name"
        )
    joined = own.path.parent.parent / (lake.name if lake else own.name)
    for one in (lake, own):
        if one is not None:
            _link(one, joined)
    with data_root_at(own.path.parent):
        yield existing_lake(str(joined))


@contextmanager
def data_root_at(folder: Path) -> Iterator[None]:
    """Use another data folder meanwhile: for the temporary lake and its catalog."""
    before = os.environ.get("NORMHOUSE_DATA")
    os.environ["NORMHOUSE_DATA"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("NORMHOUSE_DATA")
        if before is not None:
            os.environ["NORMHOUSE_DATA"] = before


def _link(lake: Lake, folder: Path) -> None:
    for file in lake.folder.glob("*/*.parquet"):
        target = folder / file.parent.name / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            continue  # a table of the whole lake, such as the ledger
        try:
            os.link(file, target)
        except OSError:
            with suppress(FileNotFoundError):
                shutil.copyfile(file, target)


def missing_bases(errors: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """Why a base could not be read, by its declared name; `errors` has a line or more."""
    return {
        base: next((line.partition(": ")[2] for line in errors if repo in line), errors[0])
        for base, repo in names.items()
    }
