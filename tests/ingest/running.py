"""Runs `just ingest` inside a test, and reads what it stored."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import duckdb
import pytest

from ingest.__main__ import main
from warehouse.rows import Floats


def tree(folder: Path) -> dict[str, str]:
    """The hash of every file below a folder except the catalog, which contains its own path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "warehouse.duckdb"
    }


def stored(lake: Path, model: str) -> dict[str, Floats]:
    """The stored vectors of a model by tensor name."""
    rows = duckdb.execute(
        f"""
        select tensor, list(value order by dim) as vector
        from '{lake}/norms/*.parquet' as norms
        join '{lake}/tensors/*.parquet' as tensors using (model, layer, ln_type)
        where model = '{model}'
        group by tensor
        """
    ).fetchnumpy()
    return dict(zip(rows["tensor"], rows["vector"], strict=True))


def refused(capsys: pytest.CaptureFixture[str], lake: Path, *arguments: str) -> str:
    """Run a command that must fail in one line and leave the lake as it was; returns the line."""
    before = tree(lake)
    capsys.readouterr()
    code = main([*arguments, "--quiet"])
    output = capsys.readouterr()
    assert code == 1
    assert tree(lake) == before
    lines = output.err.strip().splitlines()
    assert len(lines) == 1, output.err
    assert re.match("error: ", lines[0])
    return lines[0]
