"""`just spark matrix`: Spark computes all pairs, and prints what `just lineage` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.lineage.show import BY_NORMS, LIMITS, matrix_lines
from analysis.rows import show_json
from analysis.spark.address import no_file, said
from analysis.spark.expand import FILES, Expansion
from analysis.spark.lake import Place, open_tables, place_of
from analysis.spark.scratch import Keep, keeping, lost_step, with_executors
from analysis.spark.session import spark_session
from warehouse.console.output import remark, show
from warehouse.errors import NormhouseError, SparkError, UsageError, plain

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Row = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A lake that Spark has open, and what belongs to every answer from it."""

    place: Place
    expansion: Expansion
    about: Row


@contextmanager
def asked(
    lake: str | None, master: str, settings: Mapping[str, str], scratch: str | None = None
) -> Iterator[Asked]:
    """Any failure of Spark's ends in one line."""
    place = place_of(lake)
    with spark_session(master, settings) as spark, one_line(place), keeping(spark, scratch) as keep:
        on = open_lake(spark, place, keep)
        count, caution = on.about["models"], on.about["caution"]
        models = f"{count} model{'s' if count != 1 else ''} ({on.about['sources']})"
        remark(plain(f"lake {place.name}: {models}, on {master}"))
        if caution:
            remark(plain(f"caution: {caution}"))
        yield on


def open_lake(spark: SparkSession, place: Place, keep: Keep = with_executors) -> Asked:
    open_tables(spark, place)
    expansion = Expansion(spark, keep)
    # what DuckDB's catalog has besides the tables
    expansion.ask("_source_counts").createOrReplaceTempView(f"{FILES}source_counts")
    [about] = _rows(expansion.ask("_caution"))
    return Asked(place, expansion, {"lake": place.name, **about})


@contextmanager
def one_line(place: Place) -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except NormhouseError:
        raise
    except (PySparkException, Py4JError, ConnectionError) as error:
        told = lost_step(error) or no_file(error) or said(error)
        raise SparkError(f"Spark could not answer from {place.address}: {told}") from error


def show_matrix(on: Asked, *, as_json: bool, out: str | None) -> None:
    found = on.expansion.ask("lineage_pairs")
    if out is not None:
        return _write(found, out)
    rows = sorted(_rows(found), key=lambda row: (row["model_a"], row["model_b"]))
    if not rows:
        raise UsageError(f"lake {on.place.name!r} has no two models")
    if as_json:
        show_json({**on.about, "pairs": rows, "by": BY_NORMS, "limits": LIMITS})
    else:
        show(*matrix_lines(rows, on.about["caution"]))
    return None


def _write(found: DataFrame, out: str) -> None:
    """By the executors themselves; nothing that is there is overwritten."""
    found.write.parquet(out)
    remark(f"written: {out}")


def _rows(found: DataFrame) -> list[Row]:
    return [row.asDict() for row in found.collect()]
