"""Any content of a config, index or tensor is stored as it is, or refused in one line."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.__main__ import main
from ingest.extract import MOST_LEADING_BYTES, first_read_bytes
from ingest.local_models import LocalModel
from ingest.open_model import Opened, open_local
from ingest.pipeline import ingest_models
from ingest.store_model import Wanted
from tests.ingest import tiny
from tests.ingest.gguf_bytes import written
from tests.ingest.headers import entry, file_bytes, safetensors
from tests.ingest.running import refused, tree
from warehouse.console.progress import Progress
from warehouse.errors import LONGEST, FormatError
from warehouse.lake import Lake
from warehouse.storage.commit import write_lock

Capture = pytest.CaptureFixture[str]
INDEX = "model.safetensors.index.json"
NORM = "model.norm.weight"


def write(folder: Path, content: dict[str, bytes]) -> str:
    folder.mkdir(exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return str(folder)


def single(tensors: dict[str, Any], **config: object) -> dict[str, bytes]:
    return {"config.json": json.dumps(config).encode(), "model.safetensors": safetensors(tensors)}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"hidden_size": 100_000_000_000}, "claims hidden_size 100000000000, which no model has"),
        ({"num_hidden_layers": 32_768}, "claims num_hidden_layers 32768"),
        ({"vocab_size": -1}, "claims vocab_size -1"),
        ({"num_nextn_predict_layers": 10**300}, "claims num_nextn_predict_layers 1000"),
        ({"hidden_size": 2_000_000_000}, "claims a width of 2,000,000,000, but no tensor"),
        ({"text_config": {"hidden_size": 9}}, "claims a width of 9, but no tensor in the files of its norms"),
        ({"architectures": ["\ud800"]}, "config.json has text that is not valid Unicode"),
    ],
)
def test_a_number_or_text_that_no_model_has(
    tmp_path: Path, data: Path, capsys: Capture, config: dict[str, Any], message: str
) -> None:
    folder = write(tmp_path / "m", tiny.files(tiny.norms(1), config=config))
    assert message in refused(capsys, data / "local", folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [
        {"hidden_size": True, "num_hidden_layers": [3], "vocab_size": 1e11, "architectures": [7]},
        {"hidden_size": "8", "architectures": "Llama", "text_config": [1]},
        {"architectures": ["\x1b[2J"], "hidden_size": None, "num_hidden_layers": {}},
    ],
)
def test_a_value_of_another_type_says_nothing(tmp_path: Path, data: Path, config: dict[str, Any]) -> None:
    assert main([write(tmp_path / "m", tiny.files(tiny.norms(1), config=config)), "--quiet"]) == 0
    said = "architecture, hidden_size, layers, vocab_size"
    rows = duckdb.execute(f"select {said} from '{data}/local/models/*.parquet'").fetchall()
    assert rows == [(None,) * 4]


ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(
        [2**31, 2**63, 10**400, -1, 0, "\ud800", "\x1b[0m", "x" * 9_000, [], [[]], {}, [{}], [None]]
    )
    | st.text(max_size=3)
)
READ = [
    "architectures",
    "hidden_size",
    "num_hidden_layers",
    "num_nextn_predict_layers",
    "vocab_size",
    "text_config",
]


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(READ, ODD | st.lists(ODD, max_size=2))),
    st.none()
    | st.dictionaries(st.just(NORM) | st.text(max_size=3), ODD | st.just("model.safetensors"), max_size=2),
)
def test_any_config_and_index_are_stored_or_refused_in_one_line(
    tmp_path: Path, config: dict[str, Any], weight_map: dict[str, Any] | None
) -> None:
    content = single({NORM: np.ones(8, np.float32)}) | {"config.json": json.dumps(config).encode()}
    if weight_map is not None:
        content[INDEX] = json.dumps({"weight_map": weight_map}).encode()
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    write(folder, content)

    async def opener() -> Opened:
        return open_local(LocalModel("m", folder), "local")

    lake = Lake("fuzzed", tmp_path / "fuzzed")
    with write_lock(lake):
        outcome = asyncio.run(ingest_models(lake, {"m": opener}, Wanted(), Progress(quiet=True)))
    assert outcome.written or outcome.current or outcome.failed
    for error in outcome.failed.values():
        assert isinstance(error, FormatError)
        assert str(error).isprintable()
        assert len(str(error)) < LONGEST + 10


def test_what_a_files_names_would_tell_the_terminal_is_escaped_and_cut(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    evil = f"model.\x1b]0;owned\x07{'x' * 5_000}.norm.weight"
    content = tiny.files(tiny.norms(1), shards=1)
    index = {"weight_map": {evil: "model-00001-of-00001.safetensors"}}
    folder = write(tmp_path / "m", content | {INDEX: json.dumps(index).encode()})
    line = refused(capsys, data / "local", folder)
    assert r"lacks model.\x1b]0;owned\x07xxx" in line
    assert line.endswith("which the index says it has: fetch the model again")
    assert len(line) < LONGEST + 100


ODD_NAMES = ["model.\x1b]0;owned\x07.norm.weight", "model.\u202e.norm.weight", f"{'x' * 2_000}.norm.weight"]


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("kind", ["norm", "projection", "gguf"])
def test_a_tensor_with_an_unreadable_name_is_refused_before_it_is_stored(
    tmp_path: Path, data: Path, capsys: Capture, name: str, kind: str
) -> None:
    """An unknown norm keeps its name, which is shown in tables, terminals and pages."""
    path = str(tmp_path / "m")
    if kind == "gguf":
        path += ".gguf"
        written(
            Path(path), "llama", {"output_norm.weight": np.ones(8, np.float32), name: np.ones(8, np.float32)}
        )
    else:
        if kind == "projection":
            name = name.replace("norm", "layers.1.self_attn.k_proj")
        write(tmp_path / "m", single({NORM: np.ones(8, np.float32), name: np.ones((8,), np.float32)}))
    line = refused(capsys, data / "local", path, "--projections", "1")
    is_long = kind == "gguf" and len(name) > 1_000  # GGUF has its own limit
    assert ("a tensor's name has 2,012 bytes" if is_long else "whose name is not readable") in line
    assert len(line) < LONGEST + 100


def test_a_tensor_that_is_not_read_may_be_called_anything(tmp_path: Path) -> None:
    both = {NORM: np.ones(8, np.float32), "\x1b.mlp": np.ones(8, np.float32)}
    assert main([write(tmp_path / "m", single(both)), "--quiet"]) == 0


@pytest.mark.parametrize("scale", ["weight_scale", "weight_scale_inv", "scale"])
@pytest.mark.parametrize("sharded", [True, False])
def test_a_quantised_norm_beside_its_scale_is_refused(
    tmp_path: Path, data: Path, capsys: Capture, scale: str, sharded: bool
) -> None:
    norm = file_bytes({NORM: entry("F8_E4M3", [8], 0, 8)}, bytes(8))
    apart = file_bytes({f"model.norm.{scale}": entry("F32", [1], 0, 4)}, bytes(4))
    both = file_bytes(
        {NORM: entry("F8_E4M3", [8], 0, 8), f"model.norm.{scale}": entry("F32", [1], 8, 12)}, bytes(12)
    )
    index = {"weight_map": {NORM: "a.safetensors", f"model.norm.{scale}": "b.safetensors"}}
    content = {INDEX: json.dumps(index).encode(), "a.safetensors": norm, "b.safetensors": apart}
    folder = write(tmp_path / "m", content if sharded else {"model.safetensors": both})
    line = refused(capsys, data / "local", folder)
    assert f"{NORM} is quantised to F8 and scaled by model.norm.{scale}" in line


def test_a_quantised_norm_without_a_scale_is_taken(tmp_path: Path) -> None:
    file = file_bytes({NORM: entry("F8_E4M3", [8], 0, 8)}, bytes(8))
    assert main([write(tmp_path / "m", {"model.safetensors": file}), "--quiet"]) == 0


def test_the_first_read_of_a_file_does_not_grow_with_what_a_config_claims() -> None:
    assert first_read_bytes(["a.norm.weight"] * 100, 2**31 - 1) < MOST_LEADING_BYTES + 100_000


@pytest.mark.slow
def test_norms_too_long_to_be_any_are_refused_before_they_are_read(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    size = 300_000_000
    (tmp_path / "m").mkdir()
    with (tmp_path / "m" / "model.safetensors").open("wb") as file:
        file.write(file_bytes({NORM: entry("F32", [size // 4], 0, size)}))
        file.truncate(file.tell() + size)  # a hole: it takes no space
    assert "has norms of 300,000,000 bytes" in refused(capsys, data / "local", str(tmp_path / "m"))


@pytest.mark.slow
def test_projections_of_an_image_tower_are_kept_apart_from_the_language_models(
    tmp_path: Path, data: Path
) -> None:
    towers = ("language_model.model", "vision_tower.encoder")
    draw = np.random.default_rng(1)
    matrices = {
        f"{tower}.layers.1.self_attn.{kind}.weight": tiny.bf16(draw.normal(size=(4, 8)).astype(np.float32))
        for tower in towers
        for kind in ("k_proj", "v_proj")
    }
    folder = write(tmp_path / "m", tiny.files(tiny.norms(1) | matrices))
    assert main([folder, "--projections", "1", "--quiet"]) == 0
    rows = duckdb.execute(
        f"""
        select ln_type, list(value order by dim) from '{data}/local/projections/*.parquet'
        where layer = 1 group by ln_type order by ln_type
        """
    ).fetchall()
    tower = "vision_tower.encoder.layers.self_attn"
    assert [name for name, _ in rows] == ["k_proj", "v_proj", f"{tower}.k_proj", f"{tower}.v_proj"]
    for (_, values), expected in zip(rows, matrices.values(), strict=True):
        np.testing.assert_array_equal(values, expected.ravel())
    before = tree(data / "local")
    assert main([folder, "--projections", "1", "--quiet"]) == 0
    assert tree(data / "local") == before
