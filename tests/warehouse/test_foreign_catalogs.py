"""Catalogs that came with a foreign lake are never opened: they are code and would run with our rights."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from tests.sql.gathering import gather
from tests.sql.lakes import as_sent, random_model, write_lake
from warehouse.catalog.catalog import ensure_catalog, open_catalog
from warehouse.errors import LakeError
from warehouse.lake import Lake, existing_lake
from warehouse.paths import data_root
from warehouse.storage.commit import write_lock

PROJECT = Path(__file__).parents[2]
SECRET = "the content of a file on this machine"


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """A lake as a stranger sends it: its catalog reads a file of ours."""
    lake = write_lake(tmp_path / "made" / "gift", {"a": random_model(1), "b": random_model(2)})
    tamper(lake, tmp_path / "secret.txt")
    return as_sent(lake, tmp_path / "sent" / "gift").path


def tamper(lake: Lake, secret: Path) -> None:
    """Give it a catalog as we would build it there, with another view `models`."""
    secret.write_text(SECRET)
    ensure_catalog(lake)
    with duckdb.connect(str(lake.path / "warehouse.duckdb")) as connection:
        columns = [name for name, *_ in connection.execute("describe models").fetchall()]
        texts = ", ".join(f"'x' as {name}" for name in columns if name not in ("licence", "source"))
        licence = f"(select content from read_text('{secret}')) as licence"
        connection.execute(f"create or replace view models as select {licence}, 'hub' as source, {texts}")


def bundle(lake: Lake) -> Lake:
    assert gather(lake)
    return lake


def licences(lake: Lake) -> str:
    with open_catalog(lake) as connection:
        return str(connection.sql("select licence, source from models order by model").fetchall())


@pytest.mark.slow
def test_the_catalog_of_a_strangers_lake_is_not_opened(sent: Path) -> None:
    shipped = (sent / "warehouse.duckdb").read_bytes()
    lake = existing_lake(f"{sent}/")
    assert SECRET not in licences(lake)
    assert not ensure_catalog(lake).is_relative_to(sent)
    assert (sent / "warehouse.duckdb").read_bytes() == shipped


@pytest.mark.slow
def test_nor_when_it_was_copied_over_a_lake_that_we_had(tmp_path: Path) -> None:
    own = write_lake(data_root() / "gift", {"a": random_model(1), "b": random_model(2)})
    tamper(own, tmp_path / "secret.txt")
    assert SECRET not in licences(existing_lake("gift"))


@pytest.mark.slow
def test_nor_by_a_command(sent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "select licence, source from models", "--lake", str(sent)]) == 0
    said = capsys.readouterr()
    assert said.out
    assert SECRET not in said.out + said.err


@pytest.mark.slow
def test_a_strangers_lake_keeps_every_byte_and_what_looks_like_our_snapshots_beside_it(sent: Path) -> None:
    """Nothing is removed there, unlike beside a lake of our own."""
    (sent.parent / ".gift" / "00000009").mkdir(parents=True)
    before = {path: path.lstat().st_mtime_ns for path in sent.parent.rglob("*")}
    licences(existing_lake(f"{sent}/"))
    assert {path: path.lstat().st_mtime_ns for path in sent.parent.rglob("*")} == before


@pytest.mark.slow
def test_a_strangers_lake_is_not_written(sent: Path) -> None:
    with (
        pytest.raises(LakeError, match="is only read: choose another"),
        write_lock(existing_lake(f"{sent}/")),
    ):
        pass


@pytest.mark.slow
def test_a_folder_that_is_replaced_in_place_is_read_again(tmp_path: Path) -> None:
    """Also where the files have the same names, as those of compacted lakes have."""
    first, second = (
        as_sent(bundle(write_lake(tmp_path / "own" / name, models)), tmp_path / name)
        for name, models in (
            ("one", {"a": random_model(1), "b": random_model(2)}),
            ("two", {"c": random_model(3), "d": random_model(4)}),
        )
    )
    lake = existing_lake(f"{first.path}/")
    with open_catalog(lake) as connection:
        assert len(connection.sql("from compare('a', 'b')").fetchall()) == 9
    shutil.rmtree(first.path)
    shutil.copytree(second.path, first.path)
    with open_catalog(lake) as connection:
        assert len(connection.sql("from compare('c', 'd')").fetchall()) == 9
        with pytest.raises(duckdb.Error, match=r"no model '[ab]' in this lake"):
            connection.sql("from compare('a', 'b')").fetchall()


@pytest.mark.slow
def test_a_lake_is_read_where_neither_data_nor_cache_nor_home_can_be_written(sent: Path) -> None:
    """As in a container without a home: the catalog lives as long as the process."""
    code = (
        "from warehouse.catalog.catalog import ensure_catalog, open_catalog;"
        "from warehouse.lake import existing_lake;"
        f"lake = existing_lake({str(sent)!r}); print(open_catalog(lake).sql('from models').shape[0]);"
        "print(ensure_catalog(lake))"
    )
    # not even root can make a folder below a device
    world = {"NORMHOUSE_DATA": "/dev/null/data", "XDG_CACHE_HOME": "/dev/null/cache", "PATH": "/usr/bin"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, env=world)
    assert run.returncode == 0, run.stderr
    count, catalog = run.stdout.split()
    assert count == "2"
    assert not Path(catalog).exists()


@pytest.mark.slow
def test_columns_that_a_table_does_not_have_are_never_read(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "gift", {"a": random_model(1)})
    file = lake.file("norms", "a")
    rows = pq.ParquetFile(file).read()
    for number in range(300):
        rows = rows.append_column(f"extra_{number}", pa.array(["x"] * len(rows)))
    pq.write_table(rows, file)
    with open_catalog(lake) as connection:
        columns = connection.sql("from files.norms").columns
    assert columns == ["model", "layer", "ln_type", "dim", "value"]
