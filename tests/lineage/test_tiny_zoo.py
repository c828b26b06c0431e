"""Models trained here and now: derived and independent ones must stay apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pyarrow as pa
import pytest

from analysis.lineage.calibrate import calibrate, check_bars, missed_lines, table_lines
from analysis.lineage.rates import answers
from ingest.__main__ import main
from ingest.commands import default_lake
from ingest.zoo.folders import WEIGHTS, load_model, trained_folder
from ingest.zoo.llama import VOCABULARY, logits, params_of
from ingest.zoo.plans import full_plan, tiny_plan
from ingest.zoo.run_zoo import lineage_rows
from ingest.zoo.transformations import TRANSFORMATIONS
from warehouse.lake import Lake
from warehouse.storage.parquet import write_table
from warehouse.tables import TABLES

Tables = dict[str, pa.Table]
Compute = Callable[[Path], np.ndarray]

UNCHANGED = (
    "global_rescale",
    "residual_signs",
    "neurons_permuted",
    "permuted",
    "folded",
    "dim_rescale",
    "norm_signs",
    "rotated",
)


def pairs(calibration: Tables, relation: str) -> list[dict[str, Any]]:
    return [row for row in calibration["calibration_pairs"].to_pylist() if row["relation"] == relation]


@pytest.mark.slow
def test_a_second_calibration_is_equal_to_the_byte(zoo: Lake, calibration: Tables, tmp_path: Path) -> None:
    for name, table in calibrate(zoo).items():
        files = [tmp_path / f"{name}-{number}.parquet" for number in (1, 2)]
        for file, one in zip(files, (calibration[name], table), strict=True):
            write_table(file, one, {})
        assert files[0].read_bytes() == files[1].read_bytes(), name


def test_every_honest_child_is_far_above_every_independent_pair(calibration: Tables) -> None:
    children = [row for row in pairs(calibration, "related") if row["kind"] == "child"]
    strangers = pairs(calibration, "independent") + pairs(calibration, "unrelated")
    assert len(children) > 10
    assert min(row["z_eff"] for row in children) > 8
    assert max(row["z_eff"] for row in strangers if row["z_eff"] is not None) < 4
    assert {row["verdict"] for row in children} == {"share weight history"}


def test_no_unrelated_pair_is_said_to_share_history(calibration: Tables) -> None:
    for row in pairs(calibration, "independent") + pairs(calibration, "unrelated"):
        assert row["verdict"] != "share weight history", row


def test_disguises_that_reorder_or_rescale_are_not_seen(calibration: Tables) -> None:
    by_name = {row["transformation"]: row for row in pairs(calibration, "related")}
    for name in ("permuted", "dim_rescale", "norm_signs", "frozen_then_permuted"):
        assert by_name[name]["verdict"].startswith("no sign of shared history in the norm weights"), name
    for name in ("folded", "rotated", "ft_then_folded"):
        assert by_name[name]["verdict"].startswith("cannot tell: constant in"), name


def test_naive_pooling_is_too_sure_where_dimensions_stand_out_in_all_layers(calibration: Tables) -> None:
    [row] = [row for row in calibration["calibration_null"].to_pylist() if row["grouping"] == "outliers"]
    assert row["k_eff_share"] < 0.5
    assert row["z_naive_std"] > 1.4 * row["z_std"]


def test_the_bars_that_do_not_need_many_pairs_are_met(calibration: Tables) -> None:
    assert [holds for _, holds in check_bars(calibration)[:2]] == [True, True]


def known(transformation: str | None, verdict: str, number: int) -> dict[str, Any]:
    names = {"model_a": f"b{number}", "model_b": f"b{number}_{transformation}"}
    related = {"relation": "related", "transformation": transformation, "kind": "child", "z_eff": 9.0}
    return {**dict.fromkeys(TABLES["calibration_pairs"].columns), **names, **related, "verdict": verdict}


def independent(number: int) -> dict[str, Any]:
    none = {"relation": "independent", "transformation": None, "kind": None, "verdict": "no sign (…)"}
    return {**known(None, "", number), **none, "model_b": f"b{number + 1}"}


def test_attacked_children_and_those_of_another_width_are_not_counted_as_missed() -> None:
    def told(tuned: str) -> tuple[str, bool]:
        rows = [
            row
            for number in range(3)
            for row in (
                independent(number),
                known("ft_attacked", "no sign (…)", number),
                known("narrowed", "cannot tell: widths differ (72 and 96)", number),
                known("ft", tuned, number),
            )
        ]
        schema = TABLES["calibration_pairs"].schema
        tables = {"calibration_pairs": pa.Table.from_pylist(rows, schema), "calibration_null": pa.table({})}
        return check_bars(tables)[1]

    said, holds = told("share weight history")
    assert holds
    assert said.startswith("3 of 3 unaltered children are found (95 % interval")
    assert said.endswith("; 3 more cannot be compared by norms: widths differ")
    said, holds = told("no sign (…)")
    assert not holds
    assert "but not all of ['ft']" in said


def test_what_was_missed_is_said_by_kind_and_nothing_else(calibration: Tables) -> None:
    said = " ".join(" ".join(missed_lines(answers(calibration["calibration_pairs"]))).split())
    assert "folded" in said
    assert "child:" not in said
    assert "bf16" not in said


def test_a_group_of_one_pair_has_no_standard_deviation_and_says_so(calibration: Tables) -> None:
    null = calibration["calibration_null"].to_pylist()
    lone = [{**row, "z_std": None, "z_naive_std": None} for row in null[:1]]
    lines = table_lines({**calibration, "calibration_null": pa.Table.from_pylist([*lone, *null[1:]])})
    [line, *_] = [line for line in lines if line.startswith(f"{null[0]['grouping']:14} {null[0]['kind']}")]
    assert line.split().count("–") == 2


def test_another_seed_is_another_zoo_with_the_same_plan() -> None:
    one, other = full_plan(), full_plan(10_000)
    for name in ("seed", "data_seed"):
        assert not {getattr(b, name) for b in one.bases} & {getattr(b, name) for b in other.bases}
    assert lineage_rows(one) == lineage_rows(other)
    assert [default_lake(*zoo) for zoo in (("full", 0), ("tiny", 0), ("full", 10_000))] == [
        "zoo",
        "zoo_tiny",
        "zoo_10000",
    ]


@pytest.mark.parametrize("seed", ["7", "-10000", "x"])
def test_seeds_that_two_zoos_would_share_are_refused(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["zoo", "--seed", seed])
    assert "argument --seed" in capsys.readouterr().err


@pytest.mark.slow
def test_a_second_run_trains_nothing(
    zoo: Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(zoo.path.parent))
    weights = trained_folder("zoo_tiny") / "b00" / WEIGHTS
    before = weights.stat().st_mtime_ns
    assert main(["zoo", "--size", "tiny", "--lake", zoo.name]) == 0
    models = {row["child"] for row in lineage_rows(tiny_plan())}
    assert f"0 models made, {len(models)} already there" in capsys.readouterr().out
    assert weights.stat().st_mtime_ns == before


@pytest.fixture(scope="module")
def compute() -> Compute:
    """The logits of a short text, compiled once."""
    tokens = np.random.default_rng(0).integers(0, VOCABULARY, 24)
    compiled = jax.jit(lambda params: logits(params, jnp.asarray(tokens), tiny_plan().shape.heads))
    return lambda folder: np.asarray(compiled(params_of(load_model(folder))))


@pytest.mark.parametrize("name", UNCHANGED)
def test_a_disguise_computes_what_its_parent_computes(
    zoo: Lake, name: str, compute: Compute, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(zoo.path.parent))
    folder = trained_folder("zoo_tiny")
    parent, child = (compute(folder / alias) for alias in ("b00", f"b00_{name}"))
    assert TRANSFORMATIONS[name].kind == "disguise"
    assert np.abs(parent - child).max() < 1e-3 * parent.std()
