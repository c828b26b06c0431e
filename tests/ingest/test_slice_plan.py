"""Which rows of which matrices are read: families, experts, budgets, and the number of requests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.__main__ import main
from ingest.formats.safetensors_header import Tensor
from ingest.local_files import LocalFiles
from ingest.slices.job import read_cuts
from ingest.slices.locate import Plan, locate
from ingest.slices.plan import (
    MOST_ANCHORS,
    MOST_RUNS,
    SPARE_BYTES,
    byte_range,
    cut_embedding,
    refusal,
    row_groups,
)
from ingest.slices.wanted import SlicesWanted, default_layers
from tests.ingest import sliced, tiny
from tests.ingest.sliced import matrix
from warehouse.documents import anchors
from warehouse.errors import FormatError
from warehouse.rows import Floats
from warehouse.storage.parquet import slice_rows_writer

LAYER = "model.layers.0."
ALL = 1_000_000
ROW = 16  # bytes of a row that is 8 wide, in BF16


def planned(folder: Path, tensors: Mapping[str, Floats], budget: int = ALL, **others: bytes) -> Plan:
    """The plan for layer 0 of a model of one layer that is 8 wide."""
    files = LocalFiles(tiny.folder(folder / "m", tiny.files(tensors, shards=1) | others))
    return asyncio.run(locate(files, 1, 8, SlicesWanted(budget=budget)))


def read(folder: Path, plan: Plan) -> dict[tuple[str, str | None], Floats]:
    """The rows that are read, by part and expert."""
    files = LocalFiles(folder / "m")
    with slice_rows_writer(folder / "rows.parquet", "m", {}) as writer:
        asyncio.run(read_cuts(files, plan.cuts, writer))
    found = {(cut.matrix, cut.expert): cut.layer for cut in plan.cuts}
    lake = folder / "lake"
    target = lake / "slice_rows"
    target.mkdir(parents=True)
    (folder / "rows.parquet").rename(target / "m.parquet")
    return {key: sliced.rows_of(lake, "m", key[0], layer, key[1]) for key, layer in found.items()}


def test_a_quarter_and_two_thirds_of_the_depth_are_read() -> None:
    assert [sorted(default_layers(depth)) for depth in (46, 48, 32, 6, 2, 1, 0)] == [
        [11, 30],
        [12, 32],
        [8, 21],
        [1, 4],
        [0, 1],
        [0],
        [],
    ]


def test_the_shared_expert_stands_for_all(tmp_path: Path) -> None:
    tensors = {
        f"{LAYER}mlp.{whose}.{kind}_proj.weight": matrix(seed, 6, 8)
        for seed, (whose, kind) in enumerate(
            (whose, kind)
            for whose in ("shared_experts", "experts.0", "experts.1")
            for kind in ("gate", "up", "down")
        )
    }
    plan = planned(tmp_path, tensors)
    found = read(tmp_path, plan)
    assert found.keys() == {("gate", "shared"), ("up", "shared")}
    np.testing.assert_array_equal(found["up", "shared"], tensors[f"{LAYER}mlp.shared_experts.up_proj.weight"])


def test_of_routed_experts_the_first_rows_of_each_are_read(tmp_path: Path) -> None:
    at = f"{LAYER}block_sparse_moe.experts."
    tensors = {f"{at}{n}.{w}.weight": matrix(n, 6, 8) for n in range(12) for w in ("w1", "w3")}
    plan = planned(tmp_path, tensors, budget=24 * 2 * ROW)
    assert [(cut.matrix, cut.expert) for cut in plan.cuts] == [
        (part, str(n)) for part in ("gate", "up") for n in range(12)
    ]
    found = read(tmp_path, plan)
    for expert in range(12):
        np.testing.assert_array_equal(found["gate", str(expert)], tensors[f"{at}{expert}.w1.weight"][:2])


def test_a_fused_matrix_is_split(tmp_path: Path) -> None:
    fused = matrix(1, 12, 8)
    plan = planned(tmp_path, {f"{LAYER}mlp.gate_up_proj.weight": fused}, budget=2 * 4 * ROW)
    assert [(cut.matrix, cut.tensor_rows, len(cut.rows)) for cut in plan.cuts] == [
        ("gate", 6, 4),
        ("up", 6, 4),
    ]
    found = read(tmp_path, plan)
    np.testing.assert_array_equal(found["gate", None], fused[:4])
    np.testing.assert_array_equal(found["up", None], fused[6:10])


def test_neurons_that_are_columns_are_turned(tmp_path: Path) -> None:
    stored = matrix(1, 8, 24)  # GPT-2 stores its inputs as rows
    plan = planned(tmp_path, {"h.0.mlp.c_fc.weight": stored})
    assert "no gate in layer 0" in plan.absent
    np.testing.assert_array_equal(read(tmp_path, plan)["up", None], stored.T)


def test_columns_beyond_the_budget_are_left_out_with_the_reason(tmp_path: Path) -> None:
    tensors = {"h.0.mlp.c_fc.weight": matrix(1, 8, 24), "wte.weight": matrix(2, 900, 8)}
    plan = planned(tmp_path, tensors, budget=100, **{"tokenizer.json": sliced.tokenizer()})
    assert [cut.matrix for cut in plan.cuts] == ["embedding"]
    assert any("neurons in columns" in reason for reason in plan.absent)


def test_the_budget_is_shared_by_all_matrices_and_begins_at_the_first_row(tmp_path: Path) -> None:
    tensors = {f"{LAYER}mlp.{kind}_proj.weight": matrix(1, 600, 8) for kind in ("gate", "up")}
    plan = planned(tmp_path, tensors, budget=2 * 100 * ROW + 7)
    assert [list(cut.rows) for cut in plan.cuts] == [list(range(100))] * 2
    assert plan.bytes == 2 * 100 * ROW


@pytest.mark.slow
def test_less_than_half_of_the_neurons_is_said_to_be_too_few_for_some_disguises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = {
        **sliced.llama(),
        **{
            f"model.layers.{n}.mlp.{kind}_proj.weight": matrix(n, 40_000, 8)
            for n in (0, 2)
            for kind in ("gate", "up")
        },
    }
    folder = tiny.folder(tmp_path / "mine", sliced.files(wide))
    assert main([str(folder), "--slice-budget", "1"]) == 0
    said = capsys.readouterr().err
    assert "15,625 of 40,000 neurons" in said
    assert "--slice-budget 3" in said


@pytest.mark.parametrize("scale", ["weight_scale_inv", "weight_scale", "input_scale"])
def test_a_quantised_matrix_is_not_taken_for_weights(tmp_path: Path, scale: str) -> None:
    gate, up = (f"{LAYER}mlp.{kind}_proj.weight" for kind in ("gate", "up"))
    tensors = {gate: matrix(1, 6, 8), gate.replace("weight", scale): matrix(2, 1, 1), up: matrix(3, 6, 8)}
    plan = planned(tmp_path, tensors)
    assert [cut.matrix for cut in plan.cuts] == ["up"]
    assert f"{gate} is quantised" in plan.absent


def test_a_matrix_of_another_width_or_shape_is_left_out_with_the_reason(tmp_path: Path) -> None:
    gate, up = (f"{LAYER}mlp.{kind}_proj.weight" for kind in ("gate", "up"))
    with pytest.raises(FormatError, match=f"{gate} is not 8 wide; {up} is not a matrix"):
        planned(tmp_path, {gate: matrix(1, 6, 9), up: matrix(2, 6)})


def test_rows_of_millions_of_values_are_not_read() -> None:
    wide = Tensor("model.embed_tokens.weight", "BF16", (10, 10**9), 0, 2 * 10**10)
    assert refusal(wide, None) == "model.embed_tokens.weight has rows of 1,000,000,000 values"
    assert refusal(embedding(), None) is None


def test_a_single_file_without_an_index_and_config_is_read_by_its_header(tmp_path: Path) -> None:
    shards = tiny.files(sliced.llama(layers=6), shards=1)
    content = {"model.safetensors": next(raw for name, raw in shards.items() if name.endswith("safetensors"))}
    files = LocalFiles(tiny.folder(tmp_path / "m", content))
    plan = asyncio.run(locate(files, None, None, SlicesWanted()))
    assert (plan.depth, plan.layers) == (6, frozenset({1, 4}))
    assert {(cut.matrix, cut.layer) for cut in plan.cuts} == {(p, n) for p in ("gate", "up") for n in (1, 4)}


def embedding(vocabulary: int = 150_000, width: int = 4096) -> Tensor:
    return Tensor("model.embed_tokens.weight", "BF16", (vocabulary, width), 0, vocabulary * width * 2)


def ids(numbers: list[int]) -> dict[str, int]:
    return dict(zip(anchors(), numbers, strict=False))


def test_of_many_tokens_the_first_anchors_are_read() -> None:
    cut = cut_embedding("s", embedding(), ids(list(range(2_000))))
    assert cut.rows == list(range(MOST_ANCHORS))
    assert set(cut.anchors or ()) == set(anchors()[:MOST_ANCHORS])
    assert len(row_groups(cut)) == 1


def test_an_anchor_whose_token_was_taken_is_left_out() -> None:
    cut = cut_embedding("s", embedding(), {"a": 7, "b": 7, "c": 3})
    assert (cut.rows, cut.anchors) == ([3, 7], ["c", "a"])


def test_widely_scattered_tokens_are_read_as_far_as_the_requests_reach() -> None:
    cut = cut_embedding("s", embedding(), ids(list(range(7, 150_000, 230))))
    assert MOST_RUNS - 20 < len(row_groups(cut)) <= len(cut.rows) <= MOST_RUNS
    assert set(cut.anchors or ()) == set(anchors()[: len(cut.rows)])


def test_tokens_far_from_each_other_are_asked_for_one_by_one_while_there_are_few() -> None:
    cut = cut_embedding("s", embedding(), ids(list(range(0, 150_000, 500))))
    assert [len(group) for group in row_groups(cut)] == [1] * 300


@given(st.lists(st.integers(0, 149_999), min_size=1, max_size=900, unique=True))
def test_tokens_however_scattered_stay_within_requests_and_bytes(numbers: list[int]) -> None:
    cut = cut_embedding("s", embedding(), ids(numbers))
    groups = row_groups(cut)
    assert len(groups) <= MOST_RUNS
    assert [row for group in groups for row in group] == sorted(cut.rows)
    assert [anchors().index(a) for a in cut.anchors or ()] == [numbers.index(row) for row in cut.rows]
    read = sum(end - begin for begin, end in (byte_range(cut, group) for group in groups))
    cheap = sum(len(group) - 1 for group in groups) * 32_000
    assert read <= cut.bytes + SPARE_BYTES + cheap
    assert len(cut.rows) >= min(len(numbers), MOST_RUNS - 20)
