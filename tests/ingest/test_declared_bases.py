"""Declared base models are stored as written, from every source, and not trusted."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.__main__ import main
from ingest.metadata import MOST_BASES, bases_of_hub, bases_of_readme
from ingest.replica.population import population
from ingest.replica.running import serve_in_process
from tests.ingest import tiny
from tests.ingest.gguf_bytes import renamed, written

HUB, CARD = "hub metadata", "README.md"


def declared(data: Path) -> list[tuple[str | None, ...]]:
    query = f"select unnest(declared_bases, recursive := true) from '{data}/made/models/*.parquet'"
    return duckdb.execute(query).fetchall()


def card(yaml: str) -> bytes:
    return f"---\n{yaml}\n---\n# A model\nbase_model: not/this\n".encode()


def names(readme: bytes) -> list[tuple[str, str | None]]:
    return [(one["base"], one["relation"]) for one in bases_of_readme(readme)[0]]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("base_model: owner/base", [("owner/base", None)]),
        ("base_model: owner/base\nbase_model_relation: adapter", [("owner/base", "adapter")]),
        ("base_model:\n- owner/b\n- owner/c\n- owner/b", [("owner/b", None), ("owner/c", None)]),
        (
            "base_model: https://huggingface.co/owner/base/tree/main",
            [("https://huggingface.co/owner/base/tree/main", None)],
        ),
        ("license: mit", []),
        ("base_model: 7", []),
        ("base_model: {a: b}", []),
        ('base_model: "red\\e[31m/base"', []),
        ("base_model: ''", []),
        ("- a list", []),
    ],
)
def test_a_model_card_declares_bases_in_its_front_matter(
    yaml: str, expected: list[tuple[str, str | None]]
) -> None:
    assert names(card(yaml)) == expected


def test_a_card_without_front_matter_declares_nothing() -> None:
    assert bases_of_readme(b"# A model\nbase_model: owner/base\n") == ([], "")
    assert bases_of_readme(b"") == ([], "")


def test_malformed_front_matter_is_named_with_its_line() -> None:
    bases, problem = bases_of_readme(card("license: mit\nbase_model: [owner/base"))
    assert bases == []
    assert problem.startswith("its front matter is not valid YAML (line ")


@pytest.mark.slow
def test_front_matter_runs_no_code_and_does_not_explode() -> None:
    assert bases_of_readme(card("base_model: !!python/object/apply:os.system ['true']"))[1]
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "\n".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert names(card(f"{bomb}\nbase_model: owner/base")) == [("owner/base", None)]
    assert bases_of_readme(card("base_model: " + "[" * 50_000))[0] == []


def test_a_list_of_many_bases_is_cut() -> None:
    listed = "\n".join(f"- owner/base-{number}" for number in range(300))
    assert len(names(card(f"base_model:\n{listed}"))) == MOST_BASES


@given(st.binary(max_size=300))
def test_no_bytes_end_in_an_exception(text: bytes) -> None:
    bases_of_readme(b"---\n" + text + b"\n---\n")


def test_the_hub_says_the_relation_in_a_tag() -> None:
    tags = ["base_model:owner/base", "base_model:quantized:owner/base", "llama"]
    expected = [{"base": "owner/base", "relation": "quantized", "read_from": HUB}]
    assert bases_of_hub({"base_model": ["owner/base"]}, tags) == expected
    assert bases_of_hub(None, tags) == expected
    assert bases_of_hub({"base_model": "a/b", "base_model_relation": "merge"}, []) == [
        {"base": "a/b", "relation": "merge", "read_from": HUB}
    ]
    assert bases_of_hub("no card", ["x"]) == []


@pytest.mark.slow
def test_a_folder_declares_its_base(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tiny.folder(tmp_path / "mine", tiny.files(tiny.norms(1)))
    (folder / "README.md").write_bytes(card("base_model: owner/base\nbase_model_relation: finetune"))
    assert main([str(folder), "--lake", "made", "--quiet"]) == 0
    assert declared(data) == [("owner/base", "finetune", CARD)]
    (folder / "README.md").write_bytes(card("base_model: [owner/base"))
    assert main([str(folder), "--alias", "other", "--lake", "made", "--quiet"]) == 0
    assert "README.md declares no base model that can be read: its front matter" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (
            {"repo_url": "https://huggingface.co/owner/base", "name": "Base"},
            "https://huggingface.co/owner/base",
        ),
        ({"organization": "Owner", "name": "Base"}, "Owner/Base"),
        ({"name": "Base"}, "Base"),
    ],
)
def test_a_gguf_header_declares_its_base(
    stated: dict[str, str], expected: str, tmp_path: Path, data: Path
) -> None:
    settings: dict[str, int | str] = {f"general.base_model.0.{key}": text for key, text in stated.items()}
    [file] = written(
        tmp_path / "mine.gguf",
        "llama",
        renamed(tiny.norms(1), "llama"),
        {"general.base_model.count": 1, **settings},
    )
    assert main([str(file), "--lake", "made", "--quiet"]) == 0
    assert declared(data) == [(expected, None, "GGUF header")]


@pytest.mark.slow
def test_the_hubs_metadata_is_stored_without_a_further_request(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = next(repo for repo in population(64).values() if repo.base)
    with serve_in_process(population=64) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["hub", child.name, "--alias", "child", "--lake", "made", "--quiet"]) == 0
    assert declared(data) == [(child.base, "finetune", HUB)]
