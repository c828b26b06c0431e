"""Lakes by name: where each is stored, which one is current, and what is in it.

README.md shows the files of a lake. A model is in a lake if its row of `models` is; its other files alone do
not count. A plain folder instead of the symlink (a published lake, a copy) has the same files, and is only
read. The file `current` in the data folder names the lake ingested last.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.errors import LakeError, UsageError, did_you_mean
from warehouse.paths import (
    CURRENT,
    ENDING,
    NAME,
    RESERVED,
    check_name,
    current_number,
    data_root,
    is_bundle,
    relative_file,
)
from warehouse.rows import ModelRow, TensorRow
from warehouse.storage.drafts import draft_folder, sync
from warehouse.tables import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

PUBLISHED = "croissant.json"
"""In the folder of a lake that `just publish` wrote."""


@dataclass(frozen=True)
class Lake:
    """One self-contained set of tables; sources never mix inside it."""

    name: str
    path: Path
    is_foreign: bool = False
    """Named by its folder, and not among our own data: anybody may have written it, and any file in it."""
    snapshot: Path | None = None
    """If set, read this snapshot, whatever is committed meanwhile."""

    @property
    def is_ours(self) -> bool:
        """Whether this program writes it. Nothing is ever written into another one, nor executed from it."""
        is_missing = not os.path.lexists(self.path)
        return not self.is_foreign and (is_missing or current_number(self.path) is not None)

    @property
    def is_published(self) -> bool:
        """Whether `just publish` wrote it. Then it stays as its checksums say."""
        return (self.path / PUBLISHED).exists()

    @property
    def store(self) -> Path:
        """The folder of all its snapshots."""
        return self.path.with_name(f".{self.path.name}")

    @property
    def folder(self) -> Path:
        """The folder to read: the snapshot of this moment, by its real path."""
        return self.snapshot or Path(os.path.realpath(self.path))

    def pinned(self) -> Lake:
        """The same lake as it is now: what reads several files sees one snapshot."""
        return replace(self, snapshot=self.folder)

    def file(self, table: str, stem: str) -> Path:
        return self.folder / relative_file(table, stem)

    def has(self, model: str) -> bool:
        return self.stem_of(model) is not None

    def stems(self, table: str = "models") -> list[str]:
        """Names of the files of a table: of single models and of bundles."""
        try:
            names = [path.name for path in (self.folder / table).iterdir()]
        except OSError:
            return []
        return sorted(name.removesuffix(ENDING) for name in names if name.endswith(ENDING) and name[0] != ".")

    def single_models(self) -> list[str]:
        """Models with files of their own."""
        return [stem for stem in self.stems() if not is_bundle(stem)]

    def bundles(self) -> list[str]:
        return [stem for stem in self.stems() if is_bundle(stem)]

    def stem_of(self, model: str) -> str | None:
        """The name of the files with a model's rows: its own or its bundle's; None if it is not there."""
        lake = self.pinned()
        if lake.file("models", model).exists():
            return model
        return next((bundle for bundle in lake.bundles() if model in lake.models_in(bundle)), None)

    def model_names(self) -> list[str]:
        """The models that are there, in order."""
        lake = self.pinned()
        bundled = [name for bundle in lake.bundles() for name in lake.models_in(bundle)]
        return sorted({*lake.single_models(), *bundled})

    def rows(self, table: str, model: str) -> pa.Table:
        """The rows of one model, from its own file or its bundle's."""
        from warehouse.storage.bundles import rows_of
        from warehouse.storage.parquet import read_parquet

        lake = self.pinned()
        stem = lake.stem_of(model) or model
        file = lake.file(table, stem)
        return rows_of(file, model) if is_bundle(stem) else read_parquet(file)

    def columns(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """These columns of `models`, of every model whose row can be read."""
        from warehouse.storage.parquet import read_sealed

        lake = self.pinned()
        for stem in lake.stems():
            with suppress(LakeError, KeyError):
                rows = read_sealed(lake.file("models", stem), names).select(list(names))
                yield from zip(*(column.to_pylist() for column in rows.columns), strict=True)

    def models_in(self, bundle: str) -> dict[str, int]:
        """The models of a bundle, and which row of its file of `models` each has."""
        from warehouse.storage import bundles

        file = self.file("models", bundle)
        status = file.stat()
        return bundles.models_in(file, (status.st_dev, status.st_ino, status.st_mtime_ns))

    def model(self, name: str) -> ModelRow:
        """The row of `models` of a model that is there."""
        # Arrow takes a third of a second to import, and commands that only read SQL do not need it.
        from warehouse.storage.parquet import damaged, read_sealed

        lake = self.pinned()
        stem = lake.stem_of(name) or name
        path = lake.file("models", stem)
        table = read_sealed(path)
        if missing := [column for column in TABLES["models"].columns if column not in table.schema.names]:
            raise damaged(path, f"it has no column {missing[0]}")
        if is_bundle(stem):
            table = table.slice(lake.models_in(stem)[name], 1)
        rows = table.select(list(TABLES["models"].columns)).to_pylist()
        if [row["model"] for row in rows] != [name]:
            raise damaged(path, f"it is not the row of {name}")
        return ModelRow(**rows[0])

    def tensors(self, model: str) -> list[TensorRow]:
        """The rows of `tensors` of one model, in file order."""
        return tensor_rows(self.rows("tensors", model))


def tensor_rows(table: pa.Table) -> list[TensorRow]:
    """Rows of the table `tensors`."""
    return [TensorRow(**row) for row in table.drop_columns("model").to_pylist()]


def refuse_old_layout(path: Path) -> None:
    if any(True for _ in path.glob("models/*/models.parquet")):
        raise LakeError(
            f"{path} has the layout of an earlier development version, which is not read any more: "
            f"remove the folder and ingest its models again"
        )


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
        raise LakeError(f"no lake {name!r} in {data_root()} ({did_you_mean(name, known)}): run `{ingest}`")
    if not lake.is_ours:
        refuse_old_layout(lake.path)
    return lake


def other_lakes_with(model: str, lake: Lake) -> list[str]:
    """Names of the other lakes in the data folder that have a model of this name."""
    if not NAME.fullmatch(model):
        return []
    names = sorted(path.name for path in data_root().glob("*") if current_number(path) is not None)
    found = []
    for name in names:
        with suppress(LakeError):  # a damaged lake has nothing to offer
            if name != lake.name and lake_at(name).has(model):
                found.append(name)
    return found


def _lake_in(folder: Path) -> Lake:
    """A folder from elsewhere, or one of our own lakes by its path."""
    link = Path.cwd() / folder.expanduser()
    own = link.parent.resolve() / link.name
    if own.parent == data_root().resolve() and current_number(own) is not None:
        return lake_at(own.name)
    path = folder.expanduser().resolve()
    refuse_old_layout(path)
    if not any(True for _ in path.glob("models/*.parquet")):
        raise LakeError(f"no lake in {path}: name a folder that `just publish` wrote, or a lake by its name")
    # by the name that was typed: one of our lakes elsewhere is a link to a numbered folder
    return Lake(own.name or path.name, path, is_foreign=True)


def remember_current(lake: Lake) -> None:
    write_text_atomically(data_root() / CURRENT, lake.name + "\n")


def write_text_atomically(path: Path, text: str) -> None:
    """A temporary file beside it, then a rename; unchanged text touches nothing."""
    if path.exists() and path.read_text() == text:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft_folder(path.parent) as folder:
            draft = folder / path.name
            draft.write_text(text)
            sync([draft])
            draft.replace(path)
    except OSError as error:
        raise LakeError(
            f"cannot write {path} ({error.strerror}): check the folder's rights and space"
        ) from error
