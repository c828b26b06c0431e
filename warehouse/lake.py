"""Lakes on disk: where they are, which one is current, what is in them.

    warehouse/data/current                       name of the lake ingested last
    warehouse/data/<lake>/<table>/<model>/<table>.parquet    or of a part, 00007, with many models

A model is in a lake if its row of `models` is (warehouse/changes.py); its other files alone do not count.

`NORMHOUSE_DATA` moves the whole data folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.errors import LakeError, UsageError
from warehouse.names import meant
from warehouse.scratch import scratch
from warehouse.sync import sync

if TYPE_CHECKING:
    import pyarrow as pa

    from warehouse.schemas import ModelRow, TensorRow

# A letter first: readers that guess types would turn `007` into a number. No `=`: they would guess a column.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")

# The file in the data folder that names the lake ingested last.
CURRENT = "current"
RESERVED = {CURRENT}


PUBLISHED = "croissant.json"
"""In the folder of a lake that `just publish` wrote."""


@dataclass(frozen=True)
class Lake:
    """One self-contained set of tables; sources never mix inside it."""

    name: str
    path: Path

    @property
    def is_published(self) -> bool:
        """Then nothing is written into it: it stays as its checksums say."""
        return (self.path / PUBLISHED).exists()

    def file(self, table: str, model: str) -> Path:
        return self.path / relative_file(table, model)

    def has(self, model: str) -> bool:
        return self.holder(model) is not None

    def holders(self) -> list[str]:
        """What has a file of `models`: models by themselves, and parts with many (warehouse/parts.py)."""
        return self.names_in("models")

    def staged(self) -> list[str]:
        """Models by themselves."""
        return [name for name in self.holders() if not is_part(name)]

    def parts(self) -> list[str]:
        return [name for name in self.holders() if is_part(name)]

    def holder(self, model: str) -> str | None:
        """Under which name the files are that a model is in; None if it is not there."""
        if self.file("models", model).exists():
            return model
        return next((part for part in self.parts() if model in self.models_in(part)), None)

    def model_names(self) -> list[str]:
        """The models that are there, in order."""
        gathered = [name for part in self.parts() for name in self.models_in(part)]
        return sorted({*self.staged(), *gathered})

    def names_in(self, table: str) -> list[str]:
        """The models and parts that have a file of this table, whether or not they count."""
        return sorted(path.parent.name for path in self.path.glob(relative_file(table, "[!.]*")))

    def rows(self, table: str, model: str) -> pa.Table:
        """The rows of one model, from its own file or its part's."""
        from warehouse.parquet import read_parquet
        from warehouse.parts import rows_of

        holder = self.holder(model) or model
        file = self.file(table, holder)
        return rows_of(file, model) if is_part(holder) else read_parquet(file)

    def origins(self) -> Iterator[tuple[str, str, str]]:
        """Repo, commit and source of every model by itself whose row can be read."""
        for name in self.staged():
            with suppress(LakeError):
                row = self.model(name)
                yield row.repo, row.commit, row.source

    def columns(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """These columns of `models`, of every model whose row can be read."""
        for holder in self.holders():
            with suppress(LakeError):
                if is_part(holder):
                    from warehouse.parquet import read_parquet

                    rows = read_parquet(self.file("models", holder)).select(list(names))
                    yield from zip(*(column.to_pylist() for column in rows.columns), strict=True)
                else:
                    row = self.model(holder)
                    yield tuple(getattr(row, name) for name in names)

    def models_in(self, part: str) -> dict[str, int]:
        """The models of a part, and which row of its file of `models` each has."""
        from warehouse import parts

        file = self.file("models", part)
        return parts.models_in(file, file.stat().st_mtime_ns)

    def model(self, name: str) -> ModelRow:
        """The row of `models` of a model that is there."""
        part = self.holder(name)
        if part is not None and is_part(part):
            from warehouse.parts import model_row
            from warehouse.schemas import ModelRow as Row

            return Row(**model_row(self.file("models", part), self.models_in(part)[name]))
        return self._staged_model(name)

    def _staged_model(self, name: str) -> ModelRow:
        # Arrow takes a third of a second to import, and commands that only read SQL do not need it.
        from warehouse.digests import row_digest
        from warehouse.parquet import SIGNED, damaged, read_parquet
        from warehouse.schemas import MODELS, ModelRow

        path = self.file("models", name)
        table = read_parquet(path)
        rows = _known(table, MODELS.names).to_pylist()
        signed = (table.schema.metadata or {}).get(SIGNED)
        if len(rows) != 1 or (signed and signed != row_digest(rows[0]).encode()):
            raise damaged(path, "it is not what was written")
        return ModelRow(**{**dict.fromkeys(MODELS.names), **rows[0]})

    def tensors(self, model: str) -> list[TensorRow]:
        """The rows of `tensors` of one model, in file order."""
        return tensor_rows(self.rows("tensors", model))

    def fingerprint(self) -> str:
        """12 hex digits that change when any stored vector, commit or alias does, and never otherwise."""
        from warehouse.fingerprint import fingerprint

        return fingerprint(self)


def tensor_rows(table: pa.Table) -> list[TensorRow]:
    """Rows of `tensors`; an earlier version wrote fewer columns."""
    from warehouse.schemas import TENSORS, TensorRow

    return [TensorRow(**row) for row in _known(table, TENSORS.names[1:]).to_pylist()]


def _known(table: pa.Table, columns: list[str]) -> pa.Table:
    return table.select([name for name in columns if name in table.schema.names])


def relative_file(table: str, model: str) -> str:
    return f"{table}/{model}/{table}.parquet"


def is_part(holder: str) -> bool:
    """Models' names begin with a letter."""
    return holder.isdecimal()


def is_model_row(file: str) -> bool:
    """Whether it is the file that makes a model count."""
    return file.startswith("models/") and file.count("/") == 2


def data_root() -> Path:
    """Read at call time, so that a test or a script can move it."""
    moved = os.environ.get("NORMHOUSE_DATA")
    return Path(moved).expanduser().resolve() if moved else Path(__file__).parent / "data"


def check_name(what: str, name: str) -> str:
    """Names become folders, partition values and SQL literals: keep them plain."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{what} {name!r} cannot be used: begin with a letter, then letters, digits, '_', '.' or '-' "
            f"(up to 100); choose another with --{'lake' if what == 'lake' else 'alias'}"
        )
    return name


def lake_at(name: str) -> Lake:
    """The lake of that name, whether or not it exists yet."""
    if check_name("lake", name) in RESERVED:
        raise UsageError(f"a lake cannot be called {name!r}, which has a meaning here: choose another --lake")
    return Lake(name, data_root() / name)


def existing_lake(name: str | None = None) -> Lake:
    """The lake of that name or in that folder, or the one ingested last; refuses if there is none."""
    if name is not None and "/" in name:
        return _lake_in(Path(name))
    if name is None:
        current = data_root() / CURRENT
        if not current.exists():
            raise LakeError(
                f"no lake yet in {data_root()}: run `just ingest` (or `just ingest replica`) first"
            )
        name = current.read_text().strip()
    lake = lake_at(name)
    if not lake.path.is_dir():
        known = sorted(path.name for path in data_root().glob("*/") if NAME.fullmatch(path.name))
        ingest = f"just ingest {name}" if name in ("hub", "replica") else f"just ingest … --lake {name}"
        raise LakeError(f"no lake {name!r} in {data_root()} ({meant(name, known)}): run `{ingest}`")
    return lake


def _lake_in(folder: Path) -> Lake:
    path = folder.expanduser().resolve()
    if not any(True for _ in path.glob("models/**/*.parquet")):
        raise LakeError(f"no lake in {path}: name a folder that `just publish` wrote, or a lake by its name")
    return Lake(path.name, path)


def remember_current(lake: Lake) -> None:
    write_text_atomically(data_root() / CURRENT, lake.name + "\n")


def write_text_atomically(path: Path, text: str) -> None:
    """A temporary file beside it, then a rename; unchanged text touches nothing."""
    if path.exists() and path.read_text() == text:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch(path.parent) as folder:
            draft = folder / path.name
            draft.write_text(text)
            sync([draft])
            draft.replace(path)
    except OSError as error:
        raise LakeError(
            f"cannot write {path} ({error.strerror}): check the folder's rights and space"
        ) from error
