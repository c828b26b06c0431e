"""Models whose norms are not all of one width, as ELECTRA's: its embedding norm is half as wide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from analysis.__main__ import main
from analysis.lineage.pair import compare_pair
from tests.lineage.planted import WIDTH, model, noisy
from tests.sql.lakes import Values, write_lake
from warehouse.catalog.catalog import open_catalog

EMBEDDING = (-1, "embedding_norm")


def narrow(vectors: dict[tuple[int, str], Values], seed: int) -> dict[tuple[int, str], Values]:
    """With an embedding norm of half the width."""
    values = 1 + 0.1 * np.random.default_rng(seed).normal(0, 1, WIDTH // 2)
    return {EMBEDDING: values.astype(np.float32), **vectors}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[duckdb.DuckDBPyConnection, Path]]:
    base = model(1)
    embedded = {EMBEDDING: model(7)[-1, "final_norm"], **noisy(base, 4, 0.5)}
    models = {
        "electra": narrow(base, 5),
        "electra_child": narrow(noisy(base, 2, 0.5), 5),
        "electra_stranger": narrow(model(3), 5),
        "bert_child": embedded,
        "half_as_wide": model(6, width=WIDTH // 2),
    }
    folder = tmp_path_factory.mktemp("mixed") / "data"
    lake = write_lake(folder / "mixed", models)
    with open_catalog(lake) as connection:
        yield connection, folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        ("electra_child", "share weight history"),
        ("bert_child", "share weight history"),
        ("electra_stranger", "no sign of shared history"),
        ("half_as_wide", "cannot tell: widths differ"),
    ],
)
def test_a_norm_of_another_width_never_decides_in_either_order(
    mixed: tuple[duckdb.DuckDBPyConnection, Path], other: str, verdict: str
) -> None:
    """The embedding norms of the three ELECTRAs are equal, which must not count."""
    connection, _ = mixed
    for one, two in (("electra", other), (other, "electra")):
        row = compare_pair(connection, one, two, permutations=200).row
        assert str(row["verdict"]).startswith(verdict)
        if row["obstacle"] is None:
            assert row["norms_used"] == 9
            assert f"another width ({WIDTH // 2}) in electra" in row["dropped"]


@pytest.mark.slow
def test_every_pair_stands_in_the_matrix_once(mixed: tuple[duckdb.DuckDBPyConnection, Path]) -> None:
    connection, _ = mixed
    pairs = connection.sql("select model_a, model_b from lineage_matrix order by all").fetchall()
    assert len(pairs) == len(set(pairs)) == 10
    assert len(connection.sql("from nearest('electra')").fetchall()) == 4


@pytest.mark.slow
def test_the_command_shows_such_models_without_a_traceback(
    mixed: tuple[duckdb.DuckDBPyConnection, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(mixed[1]))
    assert main(["lineage", "electra", "electra_child", "--lake", "mixed", "--details"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("electra and electra_child: share weight history")
    assert f"1 dropped (another width ({WIDTH // 2}) in electra" in said
    assert main(["lineage", "--lake", "mixed"]) == 0
    assert "4 more pairs: cannot tell: widths differ" in capsys.readouterr().out
