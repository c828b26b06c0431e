"""The shipped zoo: small, complete, and a lake like any other."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from analysis.lineage.calibrate import calibrated
from ingest.zoo.plans import full_plan
from ingest.zoo.run_zoo import lineage_rows
from tests.sql.lakes import add_model, random_model
from warehouse import embedded
from warehouse.catalog.catalog import fingerprint_of, open_catalog
from warehouse.documents import read_printed
from warehouse.embedded import FOLDER, MOST_BYTES, embedded_file, materialise_zoo
from warehouse.features.build import build_features
from warehouse.features.vectors import unpacked
from warehouse.lake import Lake
from warehouse.storage.bundles import rows_of
from warehouse.storage.parquet import read_provenance, write_table
from warehouse.tables import DERIVED

TOY = {"toy_ones_a", "toy_ones_b", "toy_rand_a", "toy_rand_a_init", "toy_rand_b", "toy_rand_b_init"}


def test_the_shipped_files_are_small_and_say_where_they_come_from() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.parquet")) <= MOST_BYTES
    assert {"fingerprint", "made_by", "trained_with"} <= read_provenance(embedded_file("norms")).keys()


@pytest.mark.slow
def test_the_shipped_zoo_is_the_one_that_the_plan_makes(shipped_zoo: Lake) -> None:
    truth = pq.ParquetFile(shipped_zoo.path / "lineage_truth" / "lineage_truth.parquet").read().to_pylist()
    assert truth == lineage_rows(full_plan())
    assert set(shipped_zoo.model_names()) == {row["child"] for row in truth} | TOY


def test_it_has_the_fingerprint_of_the_lake_that_was_trained(shipped_zoo: Lake) -> None:
    assert fingerprint_of(shipped_zoo) == read_provenance(embedded_file("norms"))["fingerprint"]


def test_its_models_say_that_they_were_trained_for_a_test(shipped_zoo: Lake) -> None:
    assert set(shipped_zoo.columns("source")) == {("toy",)}


@pytest.mark.slow
def test_it_has_the_documents_figures_as_every_lake_has(
    own_zoo: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["claims", "printed", "--lake", "zoo"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "figures disagree" in said.partition("documents: ")[2]
    with open_catalog(own_zoo) as connection:
        assert connection.sql("select count(*) from printed").fetchall() == [(len(read_printed()),)]


@pytest.mark.slow
@pytest.mark.usefixtures("own_zoo")
def test_its_calibration_is_told_to_machines_as_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["calibrate", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["lake"] == "zoo"
    assert code == (0 if all(bar["met"] for bar in told["bars"]) else 1)
    assert told["calibration_null"]
    assert main(["calibrate"]) == code
    bars = [*told["bars"], *told["with_slices"]]
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("met: ", "MISSED: "))]
    assert said == [f"{'met' if bar['met'] else 'MISSED'}: {bar['bar']}" for bar in bars]


@pytest.mark.slow
def test_what_an_earlier_version_shipped_is_replaced_and_what_was_trained_here_is_kept(
    small_zoo: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(tmp_path))
    monkeypatch.setattr(embedded, "FOLDER", small_zoo.path.parent.with_name("some_shipped"))
    lake = Lake("zoo", tmp_path / "zoo")
    add_model(lake, "mine", random_model(1), "toy")
    assert materialise_zoo().model_names() == ["mine"]

    rows = pq.ParquetFile(lake.file("norms", "mine")).read()
    older = {**read_provenance(embedded_file("norms")), "fingerprint": "0" * 12}
    write_table(lake.file("norms", "mine"), rows, older)
    assert "mine" not in materialise_zoo().model_names()
    assert not lake.file("vectors", "mine").exists()
    assert fingerprint_of(lake) == fingerprint_of(small_zoo)


@pytest.mark.slow
def test_a_calibration_is_kept_until_the_models_change(
    own_zoo: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_zoo.path / "calibration_pairs" / "calibration_pairs.parquet"
    written = file.stat().st_mtime_ns
    assert calibrated(own_zoo)["calibration_pairs"].equals(pq.ParquetFile(file).read())
    assert file.stat().st_mtime_ns == written
    monkeypatch.setattr("analysis.lineage.calibrate.fingerprint_of", lambda _: "other models")
    calibrated(own_zoo)
    assert file.stat().st_mtime_ns > written


@pytest.mark.slow
def test_models_packed_together_have_the_rows_of_each_packed_alone(shipped_zoo: Lake) -> None:
    [part] = shipped_zoo.stems()
    every = [vector for batch in unpacked(shipped_zoo.file("norms", part)) for vector in batch]
    for model in ("b00", "o03", "toy_rand_b"):
        alone = build_features(
            [vector for vector in every if vector.model == model], [shipped_zoo.model(model)]
        )
        for table in DERIVED:
            rows = rows_of(shipped_zoo.file(table, part), model)
            assert rows.equals(alone[table].cast(rows.schema)), (model, table)


def test_unrelated_toy_models_have_cosine_1_from_ones_and_0_from_noise_and_no_correlation(
    shipped_zoo: Lake,
) -> None:
    with open_catalog(shipped_zoo) as connection:
        for kind, low, high in (("ones", 0.999, 1.0), ("rand", -0.2, 0.2)):
            rows = connection.sql(
                f"select cosine, pearson, d from matched_layers where model_a = 'toy_{kind}_a' "
                f"and model_b = 'toy_{kind}_b' and ln_type in ('input_layernorm', 'post_attention_layernorm')"
            ).fetchall()
            cosines, correlations = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
            assert ((cosines > low) & (cosines <= high + 1e-9)).all()
            assert abs(correlations.mean()) < 0.06


def test_calibration_of_the_shipped_zoo_meets_every_bar(
    shipped_zoo: Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(shipped_zoo.path.parent))
    assert main(["calibrate"]) == 0
    said = capsys.readouterr().out
    assert said.count("met: ") == 4 + 3, "of norms, and of norms with slices"
    assert "MISSED" not in said
