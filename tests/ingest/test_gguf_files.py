"""Which GGUF files make a model: split ones, several quantisations, whole folders; and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ingest.__main__ import main
from tests.ingest import tiny
from tests.ingest.gguf_bytes import F32, Q8_0, gguf_bytes, info, pair, renamed, tiny_gguf
from tests.ingest.running import refused, stored

Capture = pytest.CaptureFixture[str]


@pytest.mark.slow
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
        assert "has Split-00001-of-00003.gguf, but not all of its parts" in line


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_folder_of_different_models_brings_each_of_them_under_its_name(tmp_path: Path, data: Path) -> None:
    for number, name in enumerate(["A-7B-Q4_K_M", "A-7B-Q8_0", "B-1B.Q4_0"]):
        tiny_gguf(tmp_path / "models" / f"{name}.gguf", number)
    assert main([str(tmp_path / "models")]) == 0
    assert {path.stem for path in (data / "local" / "norms").iterdir()} == {"A-7B", "B-1B"}
    folders = tmp_path / "folders"
    tiny_gguf(folders / "one" / "x.gguf")
    tiny.folder(folders / "two", tiny.files(tiny.norms(1)))
    assert main([str(folders), "--lake", "folders"]) == 0
    assert {path.stem for path in (data / "folders" / "norms").iterdir()} == {"one", "two"}


@pytest.mark.slow
def test_gguf_files_and_the_model_folders_beside_them_are_all_read(tmp_path: Path, data: Path) -> None:
    tiny_gguf(tmp_path / "mine" / "A-7B-Q8_0.gguf")
    tiny.folder(tmp_path / "mine" / "b", tiny.files(tiny.norms(1)))
    tiny_gguf(tmp_path / "mine" / "c" / "C-Q8_0.gguf")
    assert main([str(tmp_path / "mine")]) == 0
    assert {path.stem for path in (data / "local" / "norms").iterdir()} == {"A-7B", "b", "c"}


def test_a_safetensors_model_is_read_alone_and_what_is_ignored_beside_it_is_named(
    tmp_path: Path, data: Path, capsys: Capture
) -> None:
    tiny.folder(tmp_path / "m", tiny.files(tiny.norms(1)))
    tiny_gguf(tmp_path / "m" / "m.gguf", 2)
    tiny.folder(tmp_path / "m" / "checkpoint-500", tiny.files(tiny.norms(2)))
    assert main([str(tmp_path / "m")]) == 0
    assert stored(data / "local", "m").keys() == tiny.norms(1).keys()
    assert "not reading m.gguf, checkpoint-500/: give their own paths" in capsys.readouterr().err
    assert [path.stem for path in (data / "local" / "norms").iterdir()] == ["m"]


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
    "is a part of a language model (imatrix)": gguf_bytes([pair("general.type", "imatrix")]),
    "is a part of a language model (clip)": gguf_bytes([pair("general.architecture", "clip")]),
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


@pytest.mark.slow
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
        assert "is not a .gguf file: give the folder" in refused(capsys, data, str(tmp_path / name))
    (tmp_path / "model.safetensors").unlink()
    assert "belongs to an adapter, which has no norms of its own" in refused(capsys, data, str(tmp_path))
    (tmp_path / "adapter_model.safetensors").unlink()
    assert "is a pickle, which runs code when it is read" in refused(capsys, data, str(tmp_path))
    assert "needs no model names" in refused(capsys, data, str(tmp_path), "glm")
