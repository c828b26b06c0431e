"""`just benchmark [PAIRS.csv]`: the lineage test on pairs of public models with published labels.

Models that the lake lacks are read by `python -m ingest`, one at a time and within the hub's rate limits.
Results are written after every pair: a run that is interrupted continues where it stopped, and tries again
what was refused.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from analysis.lakes import find_models
from analysis.lineage.pair import answered
from analysis.lineage.rates import rate_of
from warehouse.catalog.catalog import open_catalog
from warehouse.console.output import remark, show
from warehouse.errors import LakeError, NormhouseError, UsageError, plain
from warehouse.lake import existing_lake

PAIRS = Path(__file__).with_name("benchmark_pairs.csv")
LAKE = "benchmark"
GIVEN = ("list", "repo_a", "repo_b", "said", "kind", "difficulty")
COLUMNS = (*GIVEN, "result", "answer", "z_eff", "needed_z", "reason")
# What a pair counts as, by its label and whether the answer is "share weight history".
RESULTS = {
    ("related", True): "found",
    ("related", False): "missed",
    ("unrelated", True): "false",
    ("unrelated", False): "right",
}
SHARE, OPEN = "share weight history", "cannot tell"

Row = dict[str, str]


def run_benchmark(pairs: Path, lake_name: str, source: str, out: Path, *, slices: bool) -> int:
    """1 if a pair that is labelled unrelated is said to share weight history."""
    asked = read_pairs(pairs)
    done = {_key(row): row for row in _read(out)} if out.exists() else {}
    refused: dict[str, str] = {}
    rows = []
    for number, pair in enumerate(asked, start=1):
        before = done.get(_key(pair))
        if before and before["result"] != "refused":
            row = {**before, **pair}
        else:
            row = _judge(pair, lake_name, source, refused, slices=slices)
        rows.append(row)
        _write(out, [*rows, *(done[_key(later)] for later in asked[number:] if _key(later) in done)])
        remark(plain(f"{number} of {len(asked)}: {pair['repo_a']}, {pair['repo_b']}: {row['result']}"))
    show(*result_lines(rows), f"written: {out}")
    return 1 if any(row["result"] == "false" for row in rows) else 0


def read_pairs(path: Path) -> list[Row]:
    try:
        rows = _read(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}): name a CSV of pairs") from error
    for number, row in enumerate(rows, start=2):
        if not (row.get("repo_a") and row.get("repo_b")) or row.get("said") not in ("related", "unrelated"):
            raise UsageError(f"{path}, line {number}: needs repo_a, repo_b and said (related or unrelated)")
    return [{name: row.get(name) or "" for name in GIVEN} for row in rows]


def _judge(pair: Row, lake_name: str, source: str, refused: dict[str, str], *, slices: bool) -> Row:
    repos = [pair["repo_a"], pair["repo_b"]]
    for repo in repos:
        if repo not in refused and not _is_stored(repo, lake_name, slices=slices):
            refused[repo] = _ingest(repo, lake_name, source, slices=slices)
        if refused.get(repo):
            return _row(pair, "refused", reason=f"{repo}: {refused[repo]}")
    try:
        lake = existing_lake(lake_name)
        with open_catalog(lake) as connection:
            told = answered(connection, *find_models(connection, lake, *repos))
    except NormhouseError as error:
        return _row(pair, "refused", reason=str(error))
    is_open = told.answer.startswith(OPEN)
    result = OPEN if is_open else RESULTS[pair["said"], told.answer.startswith(SHARE)]
    figures = {
        name: "" if told.row[name] is None else f"{told.row[name]:.2f}" for name in ("z_eff", "needed_z")
    }
    return _row(pair, result, answer=told.answer.partition(" (norms folded")[0], **figures)


def _row(pair: Row, result: str, **more: str) -> Row:
    return {**dict.fromkeys(COLUMNS, ""), **pair, "result": result, **more}


def _is_stored(repo: str, lake_name: str, *, slices: bool) -> bool:
    try:
        lake = existing_lake(lake_name)
        with open_catalog(lake) as connection:
            [model] = find_models(connection, lake, repo)
            query = "select count(*) from slices where model = $model"
            return not slices or connection.execute(query, {"model": model}).fetchall() != [(0,)]
    except (UsageError, LakeError):
        return False


def _ingest(repo: str, lake_name: str, source: str, *, slices: bool) -> str:
    """Why the model could not be read, in one line; empty if it was."""
    command = [sys.executable, "-m", "ingest", "models", source, repo, "--lake", lake_name, "--quiet"]
    done = subprocess.run(
        [*command, *(["--slices"] if slices else [])], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if line.strip()]
    return "" if done.returncode == 0 else plain(said[-1] if said else f"exit code {done.returncode}")


def result_lines(rows: Sequence[Row]) -> list[str]:
    """Counts by label and kind, rates with intervals, and why models were refused."""
    kinds = sorted({(row["said"], row["kind"]) for row in rows})
    lines = [f"{'label':10} {'kind':44} pairs  share  no sign  cannot tell  refused"]
    for said, kind in kinds:
        of = [row["result"] for row in rows if (row["said"], row["kind"]) == (said, kind)]
        shared, silent = of.count(RESULTS[said, True]), of.count(RESULTS[said, False])
        lines.append(
            f"{said:10} {kind[:44]:44} {len(of):5d} {shared:6d} {silent:8d} {of.count(OPEN):12d} "
            f"{of.count('refused'):8d}"
        )
    for said, words in (("related", "related pairs found"), ("unrelated", "unrelated pairs called related")):
        judged = [row for row in rows if row["said"] == said and row["result"] != "refused"]
        lines += ["", *_rate_lines(judged, RESULTS[said, True], words)] if judged else []
    reasons = dict.fromkeys(f"  {row['reason']}" for row in rows if row["result"] == "refused")
    return [*lines, *(["", "Refused:", *reasons] if reasons else []), "", LIMITS]


LIMITS = "Labels are those that others published; distillation passes on no weights that the test could see."


def _rate_lines(judged: Sequence[Row], counts: str, words: str) -> list[str]:
    rate = rate_of([(row["repo_a"], row["repo_b"], row["result"] == counts) for row in judged])
    return [
        f"{words}: {rate.found} of {rate.of} ({rate})".replace("models they come from", "models they share")
    ]


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    return row["repo_a"], row["repo_b"]


def _read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: Iterable[Row]) -> None:
    """Replaced as a whole, so that an interrupted run leaves a whole file."""
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    draft.replace(path)
