"""What a lake's texts say is shown as text in a published folder, and other columns stay behind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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
from tests.sql.gathering import gather, small_lake
from tests.sql.lakes import random_model, replace_row, write_lake, write_whole
from warehouse.integrity.check import check_lake
from warehouse.lake import Lake, existing_lake
from warehouse.storage.digests import stored_file
from warehouse.storage.parquet import parquet_writer, read_provenance, write_model
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
    """Each in every text of a model's row that is not its name."""
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


# what it uses of rdflib is deprecated there
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


def with_another_column(lake: Lake, table: str, holder: str) -> None:
    """As a later version might have written it, with digests that fit."""
    file = lake.file(table, holder)
    rows = pq.ParquetFile(file).read()
    rows = rows.append_column("surprise", pa.array(["<b>"] * rows.num_rows))

    with parquet_writer(
        file, rows.schema, TABLES[table].write, read_provenance(file), sealed=table == "models"
    ) as writer:
        writer.write_table(rows)


def sign(lake: Lake, holder: str, table: str) -> None:
    """The file of `models` says what that file is now."""
    file = lake.file("models", holder)
    stored = stored_file(f"{table}/{holder}.parquet", lake.file(table, holder))
    about = read_provenance(file)
    if holder.isdecimal():
        about["files"] = json.dumps(
            [stored if one["file"] == stored["file"] else one for one in json.loads(about["files"])]
        )
        rows = pq.ParquetFile(file).read()
        with parquet_writer(file, rows.schema, TABLES["models"].write, about, sealed=True) as writer:
            writer.write_table(rows)
    else:
        row = lake.model(holder)
        files = [stored if one["file"] == stored["file"] else one for one in row.files or ()]
        write_model(file, replace(row, files=files), about)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["vectors", "models", "toy_losses"])
@pytest.mark.parametrize("make", [small_lake, lambda path: gathered(path)])
def test_columns_that_no_table_has_are_not_published(
    data: Path, tmp_path: Path, table: str, make: Callable[[Path], Lake]
) -> None:
    lake = make(data / "lake")
    [holder, *_] = lake.stems()
    if table == "toy_losses":
        write_whole(
            lake, table, TABLES["toy_losses"].schema.append(pa.field("surprise", pa.int32())).empty_table()
        )
    else:
        with_another_column(lake, table, holder)
    if table == "vectors":
        sign(lake, holder, table)
    assert check_lake(lake).damaged == {}
    assert main(["publish", "lake", str(tmp_path / "out")]) == 0
    for path in (tmp_path / "out").rglob("*.parquet"):
        assert pq.read_schema(path).names == TABLES[path.parts[len(tmp_path.parts) + 1]].schema.names
    assert "surprise" not in (tmp_path / "out" / "dictionary.csv").read_text()
    assert check_lake(existing_lake(str(tmp_path / "out"))).damaged == {}


def gathered(path: Path) -> Lake:
    lake = small_lake(path)
    gather(lake)
    return lake


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
