"""Models change into a part whole or not at all, for whoever asks or reads meanwhile, and after a kill."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.sql.gathering import ORDER, contents, gather, small_lake
from warehouse import exchange, recovery
from warehouse.catalog import catalog_file, open_catalog
from warehouse.changes import recover_if_idle
from warehouse.check import check_lake
from warehouse.lake import Lake
from warehouse.parts import GATHERED


class Killed(BaseException):
    pass


@pytest.fixture(autouse=True)
def without_forcing_to_disk() -> Iterator[None]:
    """No power fails here, and waiting for the disk is most of what moving tiny files takes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda _file: None)
        yield


@dataclass(frozen=True)
class Untouched:
    """A lake of six models by themselves, and all that is in it."""

    path: Path
    contents: dict[str, str]
    norms: pa.Table

    def copied(self, folder: Path) -> Lake:
        shutil.copytree(self.path, folder / "lake")
        return Lake("lake", folder / "lake")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Untouched:
    lake = small_lake(tmp_path_factory.mktemp("untouched") / "lake")
    found = contents(lake)
    catalog_file(lake).unlink()
    return Untouched(lake.path, found, raw_norms(lake))


def killed_at(
    monkeypatch: pytest.MonkeyPatch, step: int, functions: Mapping[ModuleType, Sequence[str]]
) -> None:
    """At the step-th call of one of these."""

    def counted(work: Callable[..., object]) -> Callable[..., object]:
        def count(*arguments: object) -> object:
            nonlocal step
            step -= 1
            if step < 0:
                raise Killed
            return work(*arguments)

        return count

    for module, names in functions.items():
        for name in names:
            monkeypatch.setattr(module, name, counted(getattr(module, name)))


def raw_norms(lake: Lake) -> pa.Table:
    """As somebody reads them who knows nothing of lakes."""
    return pq.read_table(lake.path / "norms").sort_by([(name, "ascending") for name in ORDER["norms"]])


# every call that changes a file or folder of the lake, while six models change into a part
CHANGING = {recovery: ("_move_files",), exchange: ("_lay_out", "exchange")}


@pytest.mark.parametrize("step", range(1 + 2 * len(GATHERED)))
def test_killed_at_any_moment_a_lake_has_every_model_once_for_whoever_reads_it(
    untouched: Untouched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    lake = untouched.copied(tmp_path)
    killed_at(monkeypatch, step, CHANGING)
    with pytest.raises(Killed):
        gather(lake)
    monkeypatch.undo()
    assert raw_norms(lake).equals(untouched.norms)
    for table in GATHERED:
        forms = {path.name.isdecimal() for path in (lake.path / table).iterdir()}
        assert len(forms) == 1, f"{table} has models by themselves and in a part"
    recover_if_idle(lake)
    assert contents(lake) == untouched.contents
    assert raw_norms(lake).equals(untouched.norms)
    assert check_lake(lake).damaged == {}
    assert not (lake.staged() and lake.parts())


@pytest.mark.parametrize("step", range(9))
def test_killed_where_folders_cannot_be_exchanged_a_lake_is_whole_for_the_next_command(
    untouched: Untouched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    lake = untouched.copied(tmp_path)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(exchange, "_renameat2", lambda: None)
        killed_at(elsewhere, step, {recovery: ("_unlink", "_rename", "_remove_empty", "sync")})
        with pytest.raises(Killed):
            gather(lake)
    recover_if_idle(lake)
    assert contents(lake) == untouched.contents
    assert check_lake(lake).damaged == {}
    assert not (lake.staged() and lake.parts())


def test_what_else_lies_in_a_models_folder_stays_there(tmp_path: Path) -> None:
    lake = small_lake(tmp_path / "lake")
    (lake.path / "norms" / "a" / "notes.txt").write_text("mine")
    (lake.path / "norms" / "readme.txt").write_text("mine, too")
    gather(lake)
    left = sorted(path.relative_to(lake.path).as_posix() for path in (lake.path / "norms").rglob("*.*"))
    assert left == ["norms/00001/norms.parquet", "norms/a/notes.txt", "norms/readme.txt"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_who_asks_while_models_change_into_a_part_has_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    lake = small_lake(tmp_path / "lake")
    answers: list[Future[list[tuple[int, int]]]] = []

    def ask() -> list[tuple[int, int]]:
        query = "select (select count(*) from models), (select count(*) from norms)"
        with open_catalog(lake) as connection:
            return connection.sql(query).fetchall()

    def slowed(work: Callable[..., object]) -> Callable[..., object]:
        def slow(*arguments: object) -> object:
            if is_half_way() and not answers:
                answers.append(threads.submit(ask))
                wait(answers, timeout=0.7)
            return work(*arguments)

        return slow

    def is_half_way() -> bool:
        """Other tables have the part alone; or models are there by themselves and in the part."""
        return not lake.file("norms", "a").exists() if can_exchange else len(lake.holders()) == 7

    if can_exchange:
        monkeypatch.setattr(recovery, "put_in_place", slowed(exchange.put_in_place))
    else:
        monkeypatch.setattr(exchange, "_renameat2", lambda: None)
        monkeypatch.setattr(recovery, "_unlink", slowed(recovery._unlink))
    with ThreadPoolExecutor() as threads:
        gather(lake)
    assert [answer.result() for answer in answers] == [[(6, 3456)]]


@pytest.mark.parametrize("tables_exchanged", [0, 3, 6])
def test_a_part_lost_before_it_was_moved_costs_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tables_exchanged: int,
) -> None:
    lake = small_lake(tmp_path / "lake")
    before = contents(lake)
    killed_at(monkeypatch, tables_exchanged, {recovery: ["put_in_place"]})
    with pytest.raises(Killed):
        gather(lake)
    monkeypatch.undo()
    assert sum((lake.path / table / "00001").exists() for table in GATHERED) == tables_exchanged
    [journal] = (tmp_path / ".work" / "lake").glob("*/journal.json")
    staged = {one["file"]: one["staged"] for one in json.loads(journal.read_text())["files"]}
    (journal.parent / staged["models/00001/models.parquet"]).unlink()
    recover_if_idle(lake)
    assert contents(lake) == before
    assert lake.parts() == []
    assert check_lake(lake).damaged == {}
    assert "models/00001/models.parquet of an unfinished change is gone" in capsys.readouterr().err
