"""All portable files keep the rules of portable SQL, and the rules find planted mistakes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from sqlglot import parse_one

from analysis.spark.portable import kernels, portable
from analysis.spark.rules import broken, main
from warehouse.catalog.definitions import SQL


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return shutil.copytree(SQL, tmp_path / "sql", ignore=shutil.ignore_patterns("*.csv"))


def test_portable_files_say_only_what_means_the_same_on_every_engine(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main() == 0
    assert capsys.readouterr().err == ""


def test_the_lineage_test_is_portable_from_the_verdict_down_to_the_norms() -> None:
    assert {"lineage_pairs", "lineage_verdict", "lineage_z_scores", "lineage_vectors", "lineage_norms"} <= {
        *portable()
    }


def test_a_breach_is_one_line_with_its_file(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a macro that a question mentions, or in one that only such a macro mentions."""
    with (copied / "macros" / "lineage_pairs.sql").open("a", encoding="utf-8") as file:
        file.write("    where list(model_a order by z_eff) is not null or planted(z_eff) > 0\n")
    (copied / "macros" / "planted.sql").write_text("-- a guess\ncreate macro planted(x) as x[1]\n")
    assert main(copied) == 1
    assert [line.partition(", ")[0] for line in capsys.readouterr().err.splitlines()] == [
        "sql/macros/lineage_pairs.sql: not portable to Spark: array_agg() is not known to mean the same",
        "sql/macros/lineage_pairs.sql: not portable to Spark: an order outside a window is lost",
        "sql/macros/planted.sql: not portable to Spark: lists are numbered from 0 or from 1",
    ]


def test_what_cannot_be_read_is_one_line(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copied / "macros" / "normal_tail.sql").write_text("-- p\ncreate macro normal_tail(z) as (z +\n")
    assert main(copied) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("error: normal_tail.sql: sqlglot cannot read it for Spark (")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("select list(x order by y) from t", "order"),
        ("select string_agg(distinct x, ', ' order by x) from t", "order"),
        ("select x from t order by y", "order"),
        ("select list(x) from t", "array_agg()"),
        ("select unnest(list(x)) from t", "explode()"),
        ("select any_value(x) from t", "any_value()"),
        ("select len(x) from t", "length()"),
        ("select log(x) from t", "log()"),
        ("select isfinite(x) from t", "isfinite()"),
        ("select a / b from t", "division by b"),
        ("select a / 0 from t", "division by 0"),
        ("select a // 2 from t", "whole-number"),
        ("select a % 2 from t", "whole-number"),
        ("select x[1] from t", "numbered from"),
        ("select x[2:] from t", "numbered from"),
        ("select 0.5 * x from t", "decimal"),
        ("select regexp_replace(x, 'a', 'b') from t", "without 'g'"),
        ("select x::float from t", "cast to"),
        ("from a union all by name from b", "by name"),
        ("select * replace (1 as x) from t", "replace"),
        ("select hash(x) from t", "hash()"),
        ("select format('{}', x) from t", "format"),
    ],
)
def test_what_changes_its_meaning_is_refused(query: str, reason: str) -> None:
    assert any(reason in one for one in broken(parse_one(query, read="duckdb"), portable()))


@pytest.mark.parametrize("path", kernels(), ids=lambda path: path.stem)
def test_a_kernel_has_the_same_parameters_in_both_engines(path: object) -> None:
    assert hasattr(path, "name")
    heads = [
        re.search(r"^create macro (.*?\)) as", (SQL / kind / path.name).read_text(), re.MULTILINE)
        for kind in ("macros", "spark")
    ]
    assert heads[0]
    assert heads[1]
    assert heads[0][1] == heads[1][1]
