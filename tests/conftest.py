"""Every test has its own data folder, and no variable of the developer's shell reaches it.

`just test` runs the suite in two processes (pytest-xdist). A file's tests stay in one of them, and so do all
that open a browser; lakes that take long to make are made once, by whichever process asks first.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from filelock import FileLock
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.claims.planted import planted_lake
from tests.limited import hide_packages
from tests.sql.lakes import copy_of
from warehouse import embedded
from warehouse.lake import Lake
from warehouse.storage.parquet import read_provenance, write_table

MadeOnce = Callable[[str, Callable[[Path], object]], Path]
PROJECT = Path(__file__).parents[1]
SHELL_VARIABLES = (
    "HF_",
    "HUGGING_FACE_",
    "NORMHOUSE_",
    "XDG_CACHE_HOME",
    "SOURCE_DATE_EPOCH",
    "NO_COLOR",
    "FORCE_COLOR",
)
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
# Made once, by whichever test comes first, in up to half a minute of a quiet machine.
MADE_ONCE = {"replica_lake", "report", "shipped_zoo", "small_zoo", "zoo", "disguised"}
MAKING_SECONDS = 400
BROWSER = {"browser", "page"}
# What takes seconds to make or to start: the first test to ask pays for all, so all are slow.
SLOW = {*MADE_ONCE, *BROWSER, "crowd", "real", "replica", "served"} - {"small_zoo"}
# Folders whose files share what takes long to make: a server, figures, a report and its browser, a Spark.
ONE_PROCESS = {"tests/explore", "tests/figures", "tests/report", "tests/spark"}
# What takes longest, so that at the end neither process waits long for the other.
BEGUN_FIRST = ("tests/report/", "tests/spark/", "tests/lineage/", "tests/warehouse/")
SOME_OF_THE_ZOO = r"^([bols]0[0-2]|b00_.*|o00_(ft|folded)|toy_.*)$"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-pair",
        action="store_true",
        help="ask the lineage test about all 72,010 pairs of the zoo in every way: two minutes",
    )


class ByRoom(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Whole files to each process, or whole rooms; xdist's own groups do nothing with pytest 9.2."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        room = file.rpartition("/")[0]
        return room if room in ONE_PROCESS else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByRoom:
    return ByRoom(config, log)


def pytest_configure() -> None:
    # A job in the background of a shell ignores Ctrl-C, and so would every command that a test interrupts.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(BEGUN_FIRST))
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.add_marker(pytest.mark.slow)
        if item.nodeid.startswith("tests/spark/"):
            item.add_marker(pytest.mark.spark)
        fixtures = item.fixturenames if isinstance(item, pytest.Function) else []
        if BROWSER.intersection(fixtures):
            item.add_marker(pytest.mark.browser)
        if MADE_ONCE.intersection(fixtures):
            item.add_marker(pytest.mark.timeout(MAKING_SECONDS))
        if SLOW.intersection(fixtures):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def made_once(shared: Path) -> MadeOnce:
    """Makes a folder below the shared one: the first process to ask makes it, the others wait for it."""

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with FileLock(shared / f"{name}.lock"):
            if not done.exists():
                make(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def every_pair(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--every-pair"))


@pytest.fixture(autouse=True, scope="session")
def own_data(shared: Path) -> Iterator[Path]:
    """For fixtures of a module or the session; what they write stays out of the developer's own lakes."""
    folder = shared / "data"
    with pytest.MonkeyPatch.context() as patch:
        for variable in list(os.environ):
            if variable.startswith(SHELL_VARIABLES) or variable.lower() in PROXIES:
                patch.delenv(variable)
        patch.setenv("NORMHOUSE_DATA", str(folder))
        # Commands that tests start have no pandas, like those of users: Arrow would load it, for 0.4 s each.
        patch.setenv("PYTHONPATH", str(hide_packages(shared / "without_pandas", "pandas")))
        yield folder


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path / "world" / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "world" / "huggingface"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of this test's lakes."""
    return tmp_path / "world" / "data"


@pytest.fixture(scope="session")
def replica_lake(made_once: MadeOnce) -> Lake:
    """All twelve replica models, ingested once by the real command: client, server and all."""

    def make(folder: Path) -> None:
        environment = {**os.environ, "NORMHOUSE_DATA": str(folder)}
        command = [sys.executable, "-m", "ingest", "replica", "--quiet"]
        subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True)

    return Lake("replica", made_once("replica", make) / "replica")


@pytest.fixture(scope="session")
def twelve(made_once: MadeOnce) -> Lake:
    """Twelve small models under the real aliases, as if from the hub. A test that writes takes a copy."""
    return Lake("local", made_once("planted", lambda folder: planted_lake(folder / "local")) / "local")


@pytest.fixture(scope="session")
def shipped_zoo(made_once: MadeOnce) -> Lake:
    """All models of known ancestry from the shipped files, and their calibration: 12 s, hence once."""
    return Lake("zoo", made_once("shipped_zoo", partial(_unpack, embedded.FOLDER)) / "zoo")


@pytest.fixture(scope="session")
def small_zoo(made_once: MadeOnce, own_data: Path) -> Lake:
    """Some of them, of every group: enough where any zoo will do. It stands among the session's lakes."""

    def make(folder: Path) -> None:
        shipped = folder.with_name("some_shipped")
        shipped.mkdir()
        for table in embedded.SHIPPED:
            rows = pq.ParquetFile(embedded.embedded_file(table)).read()
            name = next((name for name in ("model", "child") if name in rows.schema.names), None)
            if name is not None:
                rows = rows.filter(pc.match_substring_regex(rows[name], SOME_OF_THE_ZOO))
            provenance = read_provenance(embedded.embedded_file(table))
            write_table(shipped / f"{table}.parquet", rows, provenance)
        _unpack(shipped, folder)

    return Lake("zoo", made_once(own_data.name, make) / "zoo")


def _unpack(shipped: Path, folder: Path) -> None:
    from analysis.lakes import trained_lake
    from analysis.lineage.calibrate import calibrated

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "FOLDER", shipped)
        patch.setenv("NORMHOUSE_DATA", str(folder))
        calibrated(trained_lake())


@pytest.fixture
def own_zoo(small_zoo: Lake, data: Path) -> Lake:
    """A copy of these among this test's lakes, where commands look before they unpack the shipped files."""
    return copy_of(small_zoo, data / "zoo")
