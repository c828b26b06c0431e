"""The rules of portable SQL hold for every portable file, and find what they are there to find."""

from __future__ import annotations

import re

import pytest
from sqlglot import parse_one

from analysis.spark.portable import KERNELS, portable
from tests.spark.rules import broken
from warehouse.definitions import SQL

PORTABLE = sorted(portable().keys() - {path.stem for path in KERNELS})


@pytest.mark.parametrize("name", PORTABLE)
def test_a_portable_file_says_only_what_means_the_same_on_every_engine(name: str) -> None:
    assert list(broken(portable()[name].body, portable())) == []


def test_the_lineage_test_is_portable_from_the_verdict_down_to_the_norms() -> None:
    assert {"lineage_pairs", "lineage_verdict", "lineage_parts", "nearest_models", "lineage_norms"} <= {
        *PORTABLE
    }


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("select list(x order by y) from t", "order"),
        ("select string_agg(distinct x, ', ' order by x) from t", "order"),
        ("select x from t order by y", "order"),
        ("select list(x) from t", "array_agg()"),
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
        ("select unnest(x) from t", "explode()"),
    ],
)
def test_what_changes_its_meaning_is_refused(query: str, reason: str) -> None:
    assert any(reason in one for one in broken(parse_one(query, read="duckdb"), portable()))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_has_the_same_parameters_in_both_engines(path: object) -> None:
    assert hasattr(path, "name")
    heads = [
        re.search(r"^create macro (.*?\)) as", (SQL / room / path.name).read_text(), re.MULTILINE)
        for room in ("macros", "spark")
    ]
    assert heads[0]
    assert heads[1]
    assert heads[0][1] == heads[1][1]
