"""Foreign lakes with malformed files are refused in one line, at once and in little memory."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.__main__ import main
from tests.limited import megabytes, run_limited
from tests.sql.gathering import gather
from tests.sql.lakes import POST, random_model, tiny_models, write_lake
from tests.warehouse.thrift_bytes import Struct, change_footer, chunk
from warehouse.errors import LakeError
from warehouse.integrity.inspection import refuse_malformed
from warehouse.integrity.thrift import BINARY, I32, I64, LIST, STRUCT
from warehouse.lake import Lake, existing_lake

COMMANDS = (
    ["check", "{}"],
    ["sql", "from vectors", "--lake", "{}"],
    ["nearest", "base", "--lake", "{}"],
    ["lineage", "base", "noisy", "--lake", "{}"],
    ["compare", "base", "noisy", "--json", "--lake", "{}"],
    ["claims", "--lake", "{}"],
)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models in a bundle, and a single one that has matrices."""
    root = tmp_path_factory.mktemp("published")
    tiny = tiny_models()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(root / "data"))
        lake = write_lake(root / "data" / "made", {name: tiny[name] for name in ("base", "noisy")})
        gather(lake)
        matrices = {"broken": {(1, "k_proj"): random_model(7)[1, POST]}}
        write_lake(root / "data" / "made", {"broken": tiny["broken"]}, projections=matrices)
        assert main(["publish", "made", str(root / "out")]) == 0
    return root / "out"


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    shutil.copytree(published, tmp_path / "shop" / "lake")
    return tmp_path / "shop" / "lake"


def file_of(folder: Path, table: str, holder: str = "broken") -> Path:
    return folder / table / f"{holder}.parquet"


@pytest.mark.slow
def test_what_we_published_is_accepted_wherever_it_stands(published: Path, tmp_path: Path) -> None:
    """Also where the path has characters that patterns interpret."""
    odd = tmp_path / "o?d [x] *{a,b}'"
    shutil.copytree(published, odd)
    refuse_malformed(Lake("lake", published))
    for command in COMMANDS[:3]:
        assert main([part.format(odd) for part in command]) == 0, command


@pytest.mark.slow
def test_models_of_any_kind_are_accepted(tmp_path: Path) -> None:
    """Constants compress most, and compacted lakes have the largest row groups."""
    models = {
        f"ones{number}": {(layer, POST): np.ones(4096, np.float32) for layer in range(30)}
        for number in range(3)
    }
    lake = write_lake(tmp_path / "lake", {**tiny_models(), **models})
    refuse_malformed(lake)
    gather(lake)
    refuse_malformed(lake)


def rewrite(file: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    rows = change(pq.ParquetFile(file).read())
    pq.write_table(rows, file, compression="zstd", compression_level=1, store_schema=False)


def with_column(
    file: Path, name: str, values: Callable[[list[Any]], list[Any]], kind: pa.DataType = None
) -> None:
    """Replace the values of a column, and if given its type."""

    def changed(rows: pa.Table) -> pa.Table:
        at = rows.schema.get_field_index(name)
        new = pa.array(values(rows[name].to_pylist()), kind or rows.schema.types[at])
        return rows.set_column(at, pa.field(name, new.type), new)

    rewrite(file, changed)


def first(value: object) -> Callable[[list[Any]], list[Any]]:
    """Replace the value in the first row."""
    return lambda values: [value, *values[1:]]


def replace_with(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def replaced(folder: Path) -> None:
        file = file_of(folder, "vectors")
        shutil.move(file, folder.parent / "moved.parquet")
        make(file)

    return replaced


def link_to_folder(folder: Path) -> None:
    shutil.move(folder / "norms", folder.parent / "norms")
    (folder / "norms").symlink_to(folder.parent / "norms")


def link_to_model(folder: Path) -> None:
    shutil.move(file_of(folder, "norms"), folder.parent / "broken.parquet")
    file_of(folder, "norms").symlink_to(folder.parent / "broken.parquet")


def many_columns(folder: Path) -> None:
    def widened(rows: pa.Table) -> pa.Table:
        more = {f"extra{number}": pa.nulls(rows.num_rows, pa.int32()) for number in range(20_000)}
        return pa.table({**dict(zip(rows.column_names, rows.columns, strict=True)), **more})

    rewrite(file_of(folder, "sketches"), widened)


def another_column(folder: Path) -> None:
    rewrite(file_of(folder, "vectors"), lambda rows: rows.append_column("pattern", rows["weights"]))


def missing_column(folder: Path) -> None:
    rewrite(file_of(folder, "models"), lambda rows: rows.drop_columns("source"))


def other_type(folder: Path) -> None:
    with_column(file_of(folder, "tensors"), "layer", lambda values: [str(one) for one in values], pa.string())


def other_model(folder: Path) -> None:
    with_column(file_of(folder, "vectors"), "model", lambda values: ["base"] * len(values))


def model_twice(folder: Path) -> None:
    for table in folder.iterdir():
        if (table / "00001.parquet").exists():
            shutil.copy(table / "00001.parquet", table / "00002.parquet")


def folder_of_a_pattern(folder: Path) -> None:
    shutil.copy(file_of(folder, "norms"), file_of(folder, "norms", "*"))


def in_table(table: str, column: str, value: object) -> Callable[[Path], None]:
    return lambda folder: with_column(file_of(folder, table), column, first(value))


def swapped(folder: Path) -> None:
    one, other = file_of(folder, "sketches"), file_of(folder, "correlations")
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def fewer_rows(folder: Path) -> None:
    rewrite(file_of(folder, "norms"), lambda rows: rows.slice(1))


MALFORMED: dict[str, tuple[Callable[[Path], None], str]] = {
    "pipe": (replace_with(os.mkfifo), r"vectors/\w+.parquet .* not a regular file"),
    "device": (
        replace_with(lambda file: file.symlink_to("/dev/zero")),
        r"vectors/\w+.parquet .* not a regular file",
    ),
    "link": (
        replace_with(lambda file: file.symlink_to(file.parents[3] / "moved.parquet")),
        r"vectors/\w+.parquet .* not a regular file",
    ),
    "link to a table": (link_to_folder, "/norms .* not a folder"),
    "link to a model": (link_to_model, "/norms/broken.parquet .* not a regular file"),
    "folder": (replace_with(Path.mkdir), "vectors/broken.parquet .* not a regular file"),
    "empty": (replace_with(Path.touch), "vectors/broken.parquet .* not a Parquet file"),
    "20,000 columns": (many_columns, r"sketches/broken.parquet .* a list of 20,\d+ entries"),
    "another column": (
        another_column,
        "vectors/broken.parquet .* column pattern that this version does not know",
    ),
    "missing column": (missing_column, "models/broken.parquet .* no column source"),
    "other type": (other_type, "tensors/broken.parquet .* column layer has another type"),
    "swapped": (swapped, "(sketches|correlations)/broken.parquet .* no column"),
    "no model": (in_table("vectors", "model", None), "vectors/broken.parquet .* rows of None"),
    "no type of norm": (in_table("vectors", "ln_type", None), "vectors/broken.parquet .* cannot be: ln_type"),
    "no name": (in_table("models", "model", None), "models/broken.parquet .* cannot be: model"),
    "forbidden name": (
        in_table("models", "model", "../base"),
        "models/broken.parquet .* a model called '../base'",
    ),
    "NaN": (in_table("vectors", "mean", float("nan")), "vectors/broken.parquet .* cannot be: mean"),
    "infinite": (
        in_table("vectors", "l2_norm", float("inf")),
        "vectors/broken.parquet .* cannot be: l2_norm",
    ),
    "no statistic": (in_table("vectors", "std", None), "vectors/broken.parquet .* cannot be: std"),
    "no width": (in_table("vectors", "d", -64), "vectors/broken.parquet .* cannot be: d"),
    "other width": (in_table("vectors", "d", 65), "vectors/broken.parquet .* lists are not as long"),
    "far future": (
        in_table("models", "ingested_at", 1 << 52),
        "models/broken.parquet .* cannot be: ingested_at",
    ),
    "fewer rows": (fewer_rows, "norms/broken.parquet .* as many rows as vectors have values"),
    "other model": (other_model, "vectors/broken.parquet .* rows of 'base'"),
    "model twice": (model_twice, "models/0000[12].parquet .* the model 'base', which is in the lake twice"),
    "pattern": (folder_of_a_pattern, r"norms/\*.parquet .*no model can be called that"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_lake_ends_every_command_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    malform, message = MALFORMED[name]
    malform(folder)
    with pytest.raises(LakeError, match=message):
        refuse_malformed(existing_lake(str(folder)))
    capsys.readouterr()
    for command in COMMANDS if name == "pipe" else COMMANDS[:2]:
        assert main([part.format(folder) for part in command]) == 1, command
        said = capsys.readouterr()
        assert said.out == ""
        [line] = said.err.splitlines()
        assert "get the folder again from where it was published" in line


def long_list(folder: Path, *, says_so: bool = False) -> None:
    """A file of 7 kB with a list of 30 million values; the other lists are as long as `d` says."""

    def bomb(rows: pa.Table) -> pa.Table:
        lengths = [*rows["d"].to_pylist()[:-1], 30_000_000]
        values = pa.array(np.zeros(sum(lengths), np.float32))
        lists = pa.ListArray.from_arrays(np.cumsum([0, *lengths]).astype(np.int32), values)
        rows = rows.set_column(rows.schema.get_field_index("weights"), "weights", lists)
        d = pa.array(lengths, pa.int32()) if says_so else rows["d"]
        return rows.set_column(rows.schema.get_field_index("d"), "d", d)

    rewrite(file_of(folder, "vectors"), bomb)
    assert file_of(folder, "vectors").stat().st_size < 20_000


def long_list_that_says_so(folder: Path) -> None:
    long_list(folder, says_so=True)


def long_list_behind_a_footer(folder: Path) -> None:
    """Only its page header gives its length."""
    long_list(folder)

    def lie(footer: Struct) -> None:
        chunk(footer, "weights.list.element")[3][1][5] = (I64, 576)

    change_footer(file_of(folder, "vectors"), lie)


def many_rows(folder: Path) -> None:
    rewrite(
        file_of(folder, "sketches"),
        lambda rows: (
            rows.drop_columns("bits")
            .take(np.zeros(3_000_000, np.int8))
            .append_column("bits", pa.nulls(3_000_000, pa.list_(pa.int64())))
        ),
    )


def long_text(folder: Path) -> None:
    """It is stored once, in a dictionary, for any number of rows."""
    with_column(file_of(folder, "tensors"), "tensor", first("x" * 100_000))


def long_texts(folder: Path) -> None:
    with_column(file_of(folder, "norms"), "ln_type", lambda values: ["x" * 50_000] * len(values))


def many_row_groups(folder: Path) -> None:
    """Readers allocate memory for as many as the footer says before they read the first."""

    def lie(footer: Struct) -> None:
        footer[4] = (LIST, (STRUCT, []))

    file = file_of(folder, "vectors")
    change_footer(file, lie)
    content = file.read_bytes()
    length = int.from_bytes(content[-8:-4], "little") + 4
    at = content.rindex(bytes([1 << 4 | LIST, STRUCT])) + 1
    claimed = bytes([0xF0 | STRUCT, 0xFF, 0xFF, 0xFF, 0x7F])
    file.write_bytes(content[:at] + claimed + content[at + 1 : -8] + length.to_bytes(4, "little") + b"PAR1")


def many_statistics(folder: Path) -> None:
    """The same for a list that readers ignore."""

    def lie(footer: Struct) -> None:
        footer[5] = (LIST, (STRUCT, [{1: (BINARY, b"")}] * 500_000))

    change_footer(file_of(folder, "vectors"), lie)


def column_elsewhere(folder: Path) -> None:
    def lie(footer: Struct) -> None:
        one = chunk(footer, "weights.list.element")
        fields = {1: (BINARY, b"/etc/passwd"), **one}
        one.clear()
        one.update(fields)

    change_footer(file_of(folder, "vectors"), lie)


def unknown_codec(folder: Path) -> None:
    """PyArrow aborts the process when it looks at such a column."""

    def lie(footer: Struct) -> None:
        chunk(footer, "weights.list.element")[3][1][4] = (I32, 14)

    change_footer(file_of(folder, "vectors"), lie)


BOMBS: dict[str, tuple[Callable[[Path], None], str]] = {
    "list": (long_list, r"unpack 30,\d{3},\d{3} values"),
    "list and d": (long_list_that_says_so, r"unpack 30,\d{3},\d{3} values"),
    "list behind a footer": (long_list_behind_a_footer, r"page of 30,\d{3},\d{3} values"),
    "rows": (many_rows, "unpack 3,000,000 rows"),
    "text": (long_text, "a text of 100,000 bytes"),
    "texts": (long_texts, "a page of 1 values in 50,004 bytes"),
    "row groups": (many_row_groups, "a list of 268,435,455 entries"),
    "metadata": (many_statistics, "a list of 500,000 entries"),
    "unknown codec": (unknown_codec, "not what its schema says"),
    "column elsewhere": (column_elsewhere, "encrypted, or in another file"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_what_would_unpack_to_gigabytes_is_refused_before_it_does(folder: Path, name: str) -> None:
    malform, message = BOMBS[name]
    malform(folder)
    lake = existing_lake(str(folder))
    began = time.process_time()
    with pytest.raises(LakeError, match=message):
        refuse_malformed(lake)
    assert time.process_time() - began < 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["list", "list behind a footer", "row groups", "unknown codec"])
def test_a_bomb_ends_a_command_in_one_line_within_the_memory_that_it_has(folder: Path, name: str) -> None:
    BOMBS[name][0](folder)
    done = run_limited(megabytes(2_000), "analysis", "sql", "from vectors", "--lake", str(folder))
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert "vectors/broken.parquet is not what `just publish` writes" in line
