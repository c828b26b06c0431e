"""`just shell`: the DuckDB command line on a lake's catalog, read-only, with a greeting."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.lakes import description
from warehouse.catalog.catalog import ensure_catalog, open_catalog
from warehouse.console.output import remark
from warehouse.errors import UsageError, plain
from warehouse.lake import existing_lake

# Instead of ~/.duckdbrc, so that the shell is the same for everybody.
NO_DOWNLOADS = "set autoinstall_known_extensions = false; set autoload_known_extensions = false"
STARTUP = ("-no-init", "-cmd", ".maxrows 60", "-cmd", ".nullvalue NULL", "-cmd", NO_DOWNLOADS)

QUESTIONS = """\
How alike are two models, layer by layer?
    select layer, ln_type, cosine, offset_share, pearson, permutation_z from compare('{a}', '{b}');
And their layers, all against all?
    select ln_type, matched_layers, cosine_mean, pearson_mean, pearson_contrast from summary('{a}', '{b}');
Which models are nearest to one?
    select rank, model, z_eff, pearson_mean, cosine_mean, verdict[:40] as verdict from nearest('{a}');
How far do a model's own layers differ?
    select layer_a, layer_b, ln_type, cosine, pearson, rel_l2 from within('{a}', [10, 20, 30]);
What is there to ask?
    select ask, answer[:75] as answer from questions;
"""


def open_shell(lake_name: str | None, arguments: Sequence[str]) -> int:
    """Greets on a terminal, then becomes the `duckdb` process; `arguments` go to it."""
    lake = existing_lake(lake_name)
    program = duckdb_program()
    catalog = ensure_catalog(lake)
    with open_catalog(lake) as connection:
        lines = description(connection, lake)
        models = [model for (model,) in connection.sql("select model from models order by model").fetchall()]
    if sys.stdin.isatty() and not arguments:
        lines += greeting(models)
    remark(*lines)
    command = [program, "-readonly", *STARTUP, *arguments, str(catalog)]
    os.execv(program, command)


def greeting(models: Sequence[str]) -> list[str]:
    """The models by name and five questions that work on them."""
    first, second = (*models, "solar", "glm")[:2] if len(models) != 1 else (models[0], models[0])
    named = f"models: {', '.join(models[:20])}{', …' if len(models) > 20 else ''}"
    a, b = (name.replace("'", "''") for name in (first, second))
    return [plain(named), "", *(line.format(a=a, b=b) for line in QUESTIONS.splitlines()), ""]


def duckdb_program() -> str:
    """The `duckdb` of this environment, else the one on the path."""
    beside = Path(sys.executable).with_name("duckdb")
    program = str(beside) if beside.exists() else shutil.which("duckdb")
    if program is None:
        raise UsageError("the duckdb command line is not installed: `uv sync` brings it")
    return program
