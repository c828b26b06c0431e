"""`just verify`, `just audit` and `just blend`: their options. A module is imported when its command runs."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from warehouse.console.command import Commands, add_command, add_lake
from warehouse.errors import UsageError

VERIFY = """\
Read a model and the base models that it declares (some megabytes each), compare their norm weights, and
search the lake for other relatives. The answer is about weights, not about intent, and has no direction.
A model of a hub and the bases that are read stay in the lake; a model from a folder or file does not.

exit code  0 consistent           it shares weight history with every declared base that can be tested
           3 not shown            no sign of shared history with a declared base
           4 undeclared relative  it shares history with a model of the lake that is not declared, and that no
                                  declared base explains
           5 cannot tell          nothing declared, widths differ, folded norms, an adapter, a model or base
                                  that cannot be read (gated, pickles, ...)
"""
VERIFY_EXAMPLES = """\
examples
  just verify ./my-model                       a folder whose README.md declares a base_model
  just verify owner/name --json                a model of the hub
  just verify mine.gguf --base owner/base      a base that is not declared
  just verify ./my-model --sarif out.sarif --bom bom.json
"""
AUDIT = """\
Compare what the models of a lake declare as their bases with the families that their weights form: counts,
declared bases of which the weights show no sign, and relatives that no declaration connects, in families
named by their most declared base. The answer is about weights, not about intent, and has no direction.

exit code  0 consistent           every declared base that can be tested fits, and no relative is undeclared
           3 not shown            no sign of shared history with some declared base
           4 undeclared relative  none of that, but some model belongs to a family to which no declaration
                                  connects it
           5 cannot tell          no declared base could be tested
"""
AUDIT_EXAMPLES = """\
examples
  just audit --lake reference                  counts, the first disagreements, the first families
  just audit --csv audit.csv                   also one row per declared base and undeclared relative
  just sql "from declared_lineage"             the same by declared base, in SQL
"""
BLEND_EXAMPLES = """\
examples
  just blend merged base_a base_b      the weight, how much it explains, and other relatives for comparison
  just blend --calibrate               how often the answer is wrong
"""


def add_parsers(commands: Commands) -> None:
    _add_verify(commands)
    _add_audit(commands)
    _add_blend(commands)


def _room(name: str) -> Any:  # noqa: ANN401 (a module)
    return import_module(f"analysis.verify.{name}")


def _add_verify(commands: Commands) -> None:
    verify = add_command(
        commands,
        "verify",
        "does a model's declared base fit its weights",
        VERIFY,
        lambda asked: _room("command").main(asked),
        VERIFY_EXAMPLES,
    )
    verify.add_argument(
        "model", metavar="MODEL", help="owner/name of a hub, a folder, a .gguf file, or a model of the lake"
    )
    verify.add_argument(
        "--base",
        action="append",
        default=[],
        metavar="REPO",
        help="check this base instead of the declared ones; may be given more than once",
    )
    verify.add_argument("--slices", action="store_true", help="read other weights, too (50 MB a model)")
    verify.add_argument("--json", action="store_true", help="for machines: version 1 of normhouse-verify")
    verify.add_argument("--sarif", type=Path, metavar="FILE", help="write SARIF 2.1.0, for code scanning")
    verify.add_argument("--bom", type=Path, metavar="FILE", help="write a CycloneDX 1.6 ML-BOM fragment")
    verify.add_argument(
        "--lake",
        metavar="NAME",
        help="lake that is searched, and that models of a hub are read into (default: the one ingested last; "
        "hub if there is none, or if a folder or file cannot be compared with that one)",
    )


def _add_audit(commands: Commands) -> None:
    audit = add_command(
        commands,
        "audit",
        "do the declared bases of a lake fit its weights",
        AUDIT,
        lambda asked: _room("audit_command").main(asked.lake, asked.csv, as_json=asked.json),
        AUDIT_EXAMPLES,
    )
    audit.add_argument("--csv", type=Path, metavar="FILE", help="write one row per finding")
    audit.add_argument("--json", action="store_true", help="for machines: version 1 of normhouse-audit")
    add_lake(audit)


def _add_blend(commands: Commands) -> None:
    blend = add_command(
        commands,
        "blend",
        "is one model a weighted mean of two others",
        "Are the norms of A a weighted mean of the norms of B and C, and with which weights?\n"
        "The exit code is 0 whatever the answer is; --json has it as `verdict`.",
        _blend,
        BLEND_EXAMPLES,
    )
    blend.add_argument("models", nargs="*", metavar="A B C", help="three models of the lake")
    blend.add_argument(
        "--calibrate",
        action="store_true",
        help="instead: how often the answer is wrong, on merges of models whose ancestry is known",
    )
    blend.add_argument("--json", action="store_true", help="for machines")
    add_lake(blend)


def _blend(asked: argparse.Namespace) -> int:
    if asked.calibrate and not asked.models:
        return int(_room("blend").show_calibration(asked.lake, as_json=asked.json))
    if len(asked.models) != 3 or asked.calibrate:
        raise UsageError("blend takes three models, or --calibrate alone: try `just blend A B C`")
    return int(_room("blend").show_blend(*asked.models, asked.lake, as_json=asked.json))
