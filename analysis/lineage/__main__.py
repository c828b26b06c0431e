"""`python -m analysis.lineage [A B | calibrate]`. `just lineage` and `just calibrate` call this.

Exit codes: 0 done, 1 something failed (said in one line) or a bar of the calibration is missed, 2 wrong
usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from warehouse.command import command
from warehouse.errors import UsageError

EXAMPLES = """\
examples
  just lineage solar glm       one pair, with a permutation p-value
  just lineage                 all pairs of the lake
  just calibrate               how often the test is wrong, on models of known ancestry
"""


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    # Permutations run in threads of their own; those of OpenBLAS would spin beside them and take longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Slow imports only once the command line is known to be right.
    if options.models == ["calibrate"]:
        from analysis.lineage.calibrate import run_calibration

        return run_calibration(options.lake or "zoo")
    from analysis.lineage.command import show_matrix, show_pair

    if not options.models:
        return show_matrix(options.lake, options.seed)
    if len(options.models) != 2:
        raise UsageError(
            f"lineage takes two models or none, not {len(options.models)}: try `just lineage A B`"
        )
    one, other = options.models
    return show_pair(one, other, options.lake, options.permutations, options.seed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="just lineage",
        description="Do two models share weight history, as far as their norms tell?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("models", nargs="*", metavar="A B", help="two models of the lake; none: all pairs")
    parser.add_argument("--lake", metavar="NAME", help="which lake (default: the one ingested last)")
    parser.add_argument("--permutations", type=int, default=10_000, metavar="N", help="default: 10000")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the permutations (default: 0)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
