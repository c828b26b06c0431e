"""What a catalog knows by heart of its lake: whence the models are, what that warns of, the fingerprint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from ingest.stored import stored_sources
from tests.sql.conftest import rows
from tests.sql.lakes import add_model, random_model, write_lake
from warehouse import catalog_files, catalog_holders
from warehouse.catalog import catalog_file, ensure_catalog, gathered_sources, open_catalog
from warehouse.changes import writing
from warehouse.compact import compact
from warehouse.lake import Lake
from warehouse.parquet import write_model, write_tensors


def gathered_lake(path: Path) -> Lake:
    lake = write_lake(path, {"a": random_model(1), "b": random_model(2)})
    with writing(lake):
        assert compact(lake) == 2
    return lake


def wipe_pages(file: Path) -> None:
    """Its columns are still known, but no row of it can be read."""
    content = file.read_bytes()
    footer = int.from_bytes(content[-8:-4], "little") + 8
    file.write_bytes(content[:4] + bytes(len(content) - footer - 4) + content[-footer:])


def about(lake: Lake) -> dict[str, object]:
    with open_catalog(lake) as connection:
        [row] = rows(connection, "from lake")
    return row


def test_the_view_lake_says_what_is_read_and_has_the_lakes_own_fingerprint(tiny: Lake) -> None:
    row = about(tiny)
    assert (row["lake"], row["models"], row["sources"], row["caution"]) == ("tiny", 9, "local", None)
    assert row["fingerprint"] == tiny.fingerprint()


def test_of_a_model_without_a_digest_the_fingerprint_has_the_tensors(tmp_path: Path) -> None:
    """As an earlier version wrote it; the row of `models` is always written last."""
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    found = {lake.fingerprint()}
    undigested = replace(lake.model("a"), norms_digest=None)
    for changed in ("", "0" * 64):
        tensors = [replace(row, sha256=changed or row.sha256) for row in lake.tensors("a")]
        write_tensors(lake.file("tensors", "a"), "a", tensors, {})
        write_model(lake.file("models", "a"), undigested, {})
        assert about(lake)["fingerprint"] == lake.fingerprint()
        found.add(lake.fingerprint())
    assert len(found) == 3


def test_the_fingerprint_is_that_of_the_models_whatever_the_order_and_the_files(tmp_path: Path) -> None:
    models = {name: random_model(seed) for seed, name in enumerate("abc")}
    together = write_lake(tmp_path / "together", models)
    apart = write_lake(tmp_path / "apart", {"c": models["c"]})
    seen = {apart.fingerprint()}
    add_model(apart, "b", models["b"])
    with writing(apart):
        assert compact(apart) == 2
    seen.add(apart.fingerprint())
    add_model(apart, "a", models["a"])
    assert (apart.parts(), apart.staged()) == (["00001"], ["a"])
    assert apart.fingerprint() == about(apart)["fingerprint"] == together.fingerprint()
    assert len(seen | {together.fingerprint()}) == 3


def test_a_replica_lake_carries_its_caution_before_and_after_it_is_gathered(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)}, source="replica")
    staged = about(lake)
    assert "no evidence" in str(staged["caution"])
    assert gathered_sources(lake) == set()
    with writing(lake):
        compact(lake)
    assert about(lake) == staged
    assert gathered_sources(lake) == stored_sources(lake) == {"replica"}
    # whence models are is known of a damaged part, too: nothing else may come into a lake of synthetic ones
    lake.file("sketches", "00001").unlink()
    catalog_file(lake).unlink()
    assert stored_sources(lake) == {"replica"}


def test_a_model_that_is_read_anew_changes_what_is_known_of_it(tmp_path: Path) -> None:
    """Its name and its files' names stay: only what its row says changes."""
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1)})
    before = about(lake)
    assert "not from the registry's repo at a hub: solar" in str(before["caution"])
    row = replace(lake.model("solar"), source="hub", registry_repo="upstage/Solar-Open-100B")
    write_model(lake.file("models", "solar"), row, {})
    after = about(lake)
    assert after["caution"] is None
    assert after["fingerprint"] == lake.fingerprint() != before["fingerprint"]


def test_what_is_known_of_a_part_is_not_read_again_when_a_model_arrives(tmp_path: Path) -> None:
    lake = gathered_lake(tmp_path / "lake")
    ensure_catalog(lake)
    wipe_pages(lake.file("models", "00001"))
    add_model(lake, "late", random_model(3), source="hub")
    assert (about(lake)["models"], about(lake)["sources"]) == (3, "hub, local")
    with open_catalog(lake) as connection, pytest.raises(duckdb.Error):
        rows(connection, "from models")


def test_a_catalog_is_of_one_moment_though_models_change_into_a_part_while_it_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = write_lake(tmp_path / "lake", {"a": random_model(1), "b": random_model(2)})
    known = catalog_holders.create_holder_of_staged

    def gather_then_know(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
        monkeypatch.setattr(catalog_files, "create_holder_of_staged", known)
        with writing(lake):
            assert compact(lake) == 2
        known(connection, names)

    monkeypatch.setattr(catalog_files, "create_holder_of_staged", gather_then_know)
    # the files that it was about to read are gone: it looks once more
    assert about(lake)["models"] == 2
    assert lake.parts() == ["00001"]
