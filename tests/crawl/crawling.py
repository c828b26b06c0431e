"""Makes hundreds of tiny repos, crawls them, and reads what a crawl stored."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.__main__ import main
from ingest.replica.repos import HubRepo
from tests.hub import RunningHub
from tests.ingest import tiny

VANISHED = "lab/vanished"


def repos_of(seeds: Iterable[int]) -> dict[str, HubRepo]:
    """Repos `lab/model-<number>`; those with the same seed have the same norms."""
    repos: dict[str, HubRepo] = {}
    for number, seed in enumerate(seeds):
        # configs differ, as between fine-tunes
        config = {**tiny.CONFIG, "hidden_size": 8, "vocab_size": 100 + number}
        content = tiny.files(tiny.norms(seed, layers=1), shards=1, config=config)
        repos |= tiny.repo(f"lab/model-{number}", content, downloads=1_000 - number)
    return repos


def write_list(folder: Path, repos: Iterable[str]) -> Path:
    path = folder / "repos.txt"
    path.write_text("# what to read\n\n" + "".join(f"{repo}  # once\n" for repo in repos))
    return path


def crawl(*arguments: object) -> int:
    return main(["crawl", *map(str, arguments), "--quiet"])


def asked(hub: RunningHub) -> list[str]:
    """Paths of the requests to the hub's own port."""
    return [one.request.path for one in hub.log if one.request.port == "hub"]


def rows(lake: Path, query: str) -> list[tuple[Any, ...]]:
    """The answer of a query about the lake's Parquet files."""
    tables = {table: f"'{lake}/{table}/*.parquet'" for table in ("models", "norms", "duplicates")}
    return duckdb.execute(query.format(**tables)).fetchall()


def names(lake: Path) -> set[str]:
    return {str(name) for (name,) in rows(lake, "select model from {models}")}


def failures(data: Path, lake: str) -> dict[str, str]:
    """Kind of failure by repo, from failures.csv."""
    with (data / ".crawl" / lake / "failures.csv").open(newline="") as file:
        return {row["repo"]: row["kind"] for row in csv.DictReader(file)}


def said(capsys: pytest.CaptureFixture[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Lines on stdout and on stderr."""
    output = capsys.readouterr()
    return output.out.splitlines(), output.err.splitlines()
