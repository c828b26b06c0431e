"""The stored summary of a catalog: sources of its models, cautions, and the fingerprint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.lakes import description
from ingest.store_model import stored_sources
from tests.sql.conftest import rows
from tests.sql.lakes import add_model, random_model, replace_row, write_lake
from warehouse.catalog.catalog import fingerprint_of, open_catalog
from warehouse.catalog.definitions import read_query
from warehouse.catalog.places import catalog_file
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock
from warehouse.storage.compaction import compact


def wipe_pages(file: Path) -> None:
    """The footer still names the columns, but no row can be read."""
    content = file.read_bytes()
    footer = int.from_bytes(content[-8:-4], "little") + 8
    file.write_bytes(content[:4] + bytes(len(content) - footer - 4) + content[-footer:])


def about(lake: Lake) -> dict[str, object]:
    with open_catalog(lake) as connection:
        [row] = rows(connection, "from lake")
    return row


@pytest.mark.slow
def test_the_view_lake_says_what_is_read_and_has_the_lakes_own_fingerprint(tiny: Lake) -> None:
    row = about(tiny)
    assert (row["lake"], row["models"], row["sources"], row["caution"]) == ("tiny", 9, "local", None)
    assert row["fingerprint"] == fingerprint_of(tiny)


@pytest.mark.slow
def test_the_fingerprint_is_that_of_the_models_whatever_the_order_and_the_files(tmp_path: Path) -> None:
    models = {name: random_model(seed) for seed, name in enumerate("abc")}
    together = write_lake(tmp_path / "together", models)
    apart = write_lake(tmp_path / "apart", {"c": models["c"]})
    seen = {fingerprint_of(apart)}
    add_model(apart, "b", models["b"])
    with write_lock(apart):
        assert compact(apart) == 2
    seen.add(fingerprint_of(apart))
    add_model(apart, "a", models["a"])
    assert (apart.bundles(), apart.single_models()) == (["00001"], ["a"])
    assert fingerprint_of(apart) == about(apart)["fingerprint"] == fingerprint_of(together)
    assert len(seen | {fingerprint_of(together)}) == 3


@pytest.mark.slow
def test_a_replica_lake_carries_its_caution_before_and_after_it_is_gathered(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)}, source="replica")
    staged = about(lake)
    assert "no evidence" in str(staged["caution"])
    with write_lock(lake):
        compact(lake)
    assert about(lake) == staged
    assert stored_sources(lake) == {"replica"}
    # a damaged bundle still tells its source: no other source may enter a lake of synthetic models
    lake.file("sketches", "00001").unlink()
    catalog_file(lake).unlink()
    assert stored_sources(lake) == {"replica"}


@pytest.mark.slow
@pytest.mark.parametrize("source", [None, "", "Hub", "<b>hub</b>"])
@pytest.mark.parametrize("gathered", [False, True])
def test_a_model_of_unknown_source_brings_a_caution(
    tmp_path: Path, source: str | None, *, gathered: bool
) -> None:
    """Also when claims are judged on it, and beside models of known source."""
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1), "b": random_model(2)}, source="hub")
    row = replace(lake.model("solar"), source=source, registry_repo="upstage/Solar-Open-100B")  # type: ignore[arg-type]
    replace_row(lake, row)
    if gathered:
        with write_lock(lake):
            assert compact(lake) == 2
    found = about(lake)
    assert found["sources"] == "hub, unknown"
    assert found["caution"] == "unknown source of 1 of 2 models: no evidence about released weights"
    with open_catalog(lake) as connection:
        unreleased = dict(connection.sql(read_query("judging/unreleased")).fetchall())
        assert "unknown source" in description(connection, lake)[1]
    assert unreleased["solar"] == "of unknown source"


@pytest.mark.slow
def test_a_model_that_is_read_again_changes_the_stored_summary(tmp_path: Path) -> None:
    """Its name and its files' names stay; only its row changes."""
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1)})
    before = about(lake)
    assert "not from the registry's repo at a hub: solar" in str(before["caution"])
    row = replace(lake.model("solar"), source="hub", registry_repo="upstage/Solar-Open-100B")
    replace_row(lake, row)
    after = about(lake)
    assert after["caution"] is None
    assert after["fingerprint"] == fingerprint_of(lake) != before["fingerprint"]
