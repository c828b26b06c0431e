"""A damaged lake is noticed, and readers during an ingest see whole models."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.__main__ import main
from ingest.registry import registry
from ingest.replica.repos import HubRepo
from tests.hub import RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.running import tree
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import lake_at

GLM = registry()["glm"].repo
MODELS = [GLM, "lab/other", *(f"lab/model-{number}" for number in range(4))]
TABLES = ("models", "norms", "tensors", "vectors")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    repos: dict[str, HubRepo] = {}
    for number, name in enumerate(MODELS):
        repos |= tiny.repo(name, tiny.files(tiny.norms(number)))
    with serve_in_thread(repos) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        yield hub


DAMAGES = [
    ("norms", "cut"),
    ("norms", "gone"),
    ("vectors", "flipped"),
    ("models", "cut"),
    ("models", "flipped"),
]


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_a_damaged_model_is_named_and_read_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "glm", "lab/other", "--quiet"]) == 0
    before = tree(data / "hub")
    for table, how in DAMAGES:
        path = lake_at("hub").file(table, "glm")
        whole = path.read_bytes()
        if how == "gone":
            path.unlink()
        else:
            at = whole.index(b"glm")
            path.write_bytes(whole[:-5] if how == "cut" else whole[:at] + b"GLM" + whole[at + 3 :])
        capsys.readouterr()
        assert main(["hub", "glm", "lab/other", "--quiet"]) == 0
        output = capsys.readouterr()
        assert output.err.startswith(f"glm: {table}/glm.parquet "), (table, how)
        assert output.err.endswith("; reading it again\n")
        assert output.err.count("\n") == 1
        assert "1 written, 1 already there" in output.out
        assert tree(data / "hub") == before, (table, how)


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_only_a_model_of_the_registry_read_at_a_hub_says_so(data: Path, tmp_path: Path) -> None:
    assert main(["hub", "glm", "lab/other", "--quiet"]) == 0
    assert main(["hub", GLM, "--alias", "solar", "--lake", "renamed", "--quiet"]) == 1
    folder = tiny.folder(tmp_path / "anything", tiny.files(tiny.norms(9)))
    assert main([str(folder), "--alias", "glm", "--quiet"]) == 0
    found = {
        (lake, model): lake_at(lake).model(model).registry_repo
        for lake in ("hub", "local")
        for model in lake_at(lake).model_names()
    }
    assert found == {("hub", "glm"): GLM, ("hub", "other"): None, ("local", "glm"): None}
    assert not (data / "renamed" / "models").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("hub")
def test_readers_during_an_ingest_see_each_model_in_all_tables_or_in_none() -> None:
    lake = lake_at("hub")
    assert main(["hub", "glm", "--quiet"]) == 0
    begun, done = threading.Event(), threading.Event()
    seen: list[dict[str, list[str]]] = []

    def read() -> None:
        query = "select list(distinct model order by model) from {}"
        while not done.is_set():
            with open_catalog(lake) as connection:
                seen.append({t: connection.sql(query.format(t)).fetchall()[0][0] for t in TABLES})
            begun.set()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        # building the first catalog takes as long as all later ones
        begun.wait(60)
        for name in MODELS[1:4]:
            assert main(["hub", name, "--quiet"]) == 0
    finally:
        done.set()
        reader.join()
    assert len(seen) > 1
    for tables in seen:
        assert all(models == tables["models"] for models in tables.values()), tables
