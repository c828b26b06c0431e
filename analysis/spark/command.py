"""`just spark matrix`: its options. Slow modules are imported when the command runs."""

from __future__ import annotations

import argparse

from warehouse.console.command import Commands
from warehouse.errors import UsageError

EXAMPLES = """\
examples
  just spark matrix --lake ./lake
  just spark matrix --lake s3a://bucket/lake --master spark://host:7077 --out s3a://bucket/matrix

With --conf spark.checkpoint.dir=ADDRESS (a folder or address that all executors reach), a long run survives
the loss of an executor.
"""


def add_parser(commands: Commands) -> None:
    spark = commands.add_parser(
        "spark",
        help="the lineage test on Apache Spark",
        description="The lineage test on Apache Spark, from the same SQL: on this machine or a cluster.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    spark.add_argument("question", choices=("matrix",), help="all pairs of models")
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
        type=_setting,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="one of Spark's settings; may be repeated",
    )
    spark.add_argument("--json", action="store_true", help="print JSON")
    spark.add_argument("--out", metavar="FOLDER", help="write Parquet there instead of printing")
    spark.set_defaults(run=main)


def main(options: argparse.Namespace) -> int:
    if options.out and options.json:
        raise UsageError("--out and --json exclude each other: leave one out")
    from analysis.spark.matrix import show_matrix

    show_matrix(options.lake, options.master, dict(options.conf), as_json=options.json, out=options.out)
    return 0


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (equals and key.startswith("spark.")):
        raise argparse.ArgumentTypeError(f"{text!r} is not a setting such as spark.executor.memory=8g")
    return key, value
