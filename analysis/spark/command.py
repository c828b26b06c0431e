"""`just spark matrix`. Slow imports wait until a command runs."""

from __future__ import annotations

import argparse

from warehouse.console.command import Commands
from warehouse.errors import UsageError

EXAMPLES = """\
examples
  just spark matrix --lake ./lake
  just spark matrix --lake s3a://bucket/lake --master spark://host:7077 --out s3a://bucket/matrix
"""


def add_parser(commands: Commands) -> None:
    spark = commands.add_parser(
        "spark",
        help="the lineage test on Apache Spark",
        description="The lineage test on Apache Spark, from the same SQL: on this machine or a cluster.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    spark.add_argument(
        "question",
        choices=("matrix",),
        help="all pairs of models",
    )
    spark.add_argument(
        "--lake",
        metavar="LAKE",
        help="a name, ./FOLDER or an address that Spark reads, s3a://… (default: the one ingested last)",
    )
    spark.add_argument(
        "--master", default="local[*]", help="spark://HOST:PORT, yarn, k8s://… (default: this machine)"
    )
    spark.add_argument(
        "--conf",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of Spark's; may be repeated",
    )
    spark.add_argument(
        "--scratch",
        metavar="FOLDER",
        help="a folder or address that all executors reach: an executor may be lost, what it computed is not",
    )
    spark.add_argument("--json", action="store_true", help="for machines")
    spark.add_argument("--out", metavar="FOLDER", help="Parquet there, instead of stdout")
    spark.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    if options.out and options.json:
        raise UsageError("--out and --json exclude each other: leave one away")
    settings = dict(_setting(one) for one in options.conf)
    from analysis.spark import ask

    with ask.asked(options.lake, options.master, settings, options.scratch) as on:
        ask.show_matrix(on, as_json=options.json, out=options.out)
    return 0


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (equals and key.startswith("spark.")):
        raise UsageError(f"--conf {text}: write it as spark.NAME=VALUE")
    return key, value
