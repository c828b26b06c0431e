"""Texts of a lake are shown as text in a published folder, and unknown columns are refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard
from markdown_it import MarkdownIt

from analysis.__main__ import main
from analysis.publish.publish import markdown_text
from tests.sql.lakes import random_model, replace_row, write_lake, write_whole
from warehouse.integrity.check import check_lake
from warehouse.lake import Lake
from warehouse.storage.parquet import parquet_writer
from warehouse.tables import TABLES

PAYLOADS = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "[here](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "`code` | a cell | **bold** ~~gone~~ &lt;b&gt; $x$",
    "two\nlines\n\n# A heading\n\n| a | table |",
    "\x1b[2J\x07\u202eright to left\x00",
    "\\`\\| \\",
]
MARKDOWN = ("README.md", "LICENCES.md", "DICTIONARY.md")


def write_payloads(lake: Lake) -> None:
    """Write each payload into every text of a model's row but its name."""
    names = ("repo", "commit", "endpoint", "licence", "architecture", "dtype")
    changed = [
        replace(lake.model(model), **dict.fromkeys(names, payload))  # type: ignore[arg-type]
        for model, payload in zip(lake.single_models(), PAYLOADS, strict=True)
    ]
    replace_row(lake, *changed)


def rendered(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("published")
    models = {f"m{number}": random_model(number, layers=1) for number in range(len(PAYLOADS))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(made / "data"))
        write_payloads(write_lake(made / "data" / "hostile", models))
        assert main(["publish", "hostile", str(made / "out")]) == 0
    return made / "out"


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKDOWN)
def test_no_text_of_a_lake_becomes_markup_in_what_is_published(folder: Path, name: str) -> None:
    text = (folder / name).read_text()
    assert all(one.isprintable() for line in text.splitlines() for one in line)
    shown = rendered(text)
    for tag in (
        "<script",
        "<img",
        "<strong>bold",
        "<s>",
        '<a href="javascript',
        "<h1>A heading",
        'onerror="',
    ):
        assert tag not in shown, tag
    if name != "DICTIONARY.md":
        rows = [line for line in shown.splitlines() if line == "<tr>"]
        assert len(re.findall(r"<tr>\n<td><code>m\d</code>", shown)) == len(PAYLOADS)
        assert len(rows) == shown.count("</tr>")
        assert shown.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 1


# mlcroissant uses deprecated functions of rdflib
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_metadata_stays_valid_and_can_stand_in_a_page(folder: Path) -> None:
    text = (folder / "croissant.json").read_text()
    assert "<" not in text
    assert json.loads(text)["license"]
    metadata = mlcroissant.Dataset(jsonld=str(folder / "croissant.json")).metadata
    assert (list(metadata.issues.errors), list(metadata.issues.warnings)) == ([], [])
    assert DatasetCard.load(folder / "README.md").data.to_dict()["license"] == "other"


@pytest.mark.parametrize("payload", PAYLOADS)
def test_escaped_text_is_read_as_it_was(payload: str) -> None:
    shown = rendered(f"| a |\n| --- |\n| x{markdown_text(payload)}x |\n")
    assert shown.count("<td>") == 1
    assert "<" not in shown.split("<td>")[1].split("</td>")[0]


def with_another_column(rows: pa.Table) -> pa.Table:
    return rows.append_column("surprise", pa.array(["<b>"] * rows.num_rows, pa.string()))


@pytest.mark.slow
@pytest.mark.parametrize("table", ["models", "toy_losses"])
def test_a_column_that_no_table_has_is_not_published(
    data: Path, tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1, layers=1)})
    if table == "toy_losses":
        write_whole(lake, table, with_another_column(TABLES[table].empty()))
    else:
        rows = with_another_column(pq.read_table(lake.file(table, "a")))
        options = TABLES[table].write
        with parquet_writer(lake.file(table, "a"), rows.schema, options, {}, sealed=True) as writer:
            writer.write_table(rows)
    assert check_lake(lake).damaged == {}
    assert main(["publish", "lake", str(tmp_path / "out")]) == 1
    assert "has a column 'surprise'" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_a_damaged_lake_is_not_published(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = write_lake(data / "lake", {"a": random_model(1)})
    file = lake.file("norms", "a")
    content = bytearray(file.read_bytes())
    content[200] ^= 1
    file.write_bytes(content)
    assert main(["publish", "lake", str(tmp_path / "out")]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing of it is published: a: norms/a.parquet is not what was written" in line
    assert not (tmp_path / "out").exists()
