"""The critique's claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

from itertools import combinations

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, read_claim, read_claims
from tests.claims.by_numpy import Answer, assert_same, checks_of, cosine, furthest, measure
from tests.claims.planted import HEADER_BYTES, INPUT, LAYERS, PARAMETERS, VOCABULARY, planted, vector
from warehouse.printed import read_printed

MOE = ("solar", "glm", "phi", "mixtral")
DENSE = ("mistral_7b", "yi_6b", "yi_9b", "internlm2_7b", "qwen15_7b")
BYTES = 2  # of a BF16 value


def tables() -> dict[str, Answer]:
    """Figures of one pair of vectors: the printed row says which and by what metric."""
    return {
        row["item"]: (
            measure(
                row["metric"], row["ln_type"], row["model_a"], row["layer_a"], row["model_b"], row["layer_b"]
            ),
            None,
        )
        for row in read_printed().to_pylist()
        if row["document"] == "critique_results" and row["layer_b"] is not None and row["model_b"] is not None
    }


def cosines_at(layer: int, pairs: list[tuple[str, str]]) -> list[float]:
    return [cosine(vector(a, INPUT, layer), vector(b, INPUT, layer)) for a, b in pairs]


def means_of_pairs() -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for layer in (5, 15, 20, 25, 30):
        values = cosines_at(layer, list(combinations(MOE, 2)))
        answers[f"critique.exp4.mean.layer{layer}"] = (float(np.mean(values)), None)
        answers[f"critique.exp4.std.layer{layer}"] = (float(np.std(values)), None)
    for reading, left_out in (("", ""), ("@without_internlm2", "internlm2_7b")):
        dense = [model for model in DENSE if model != left_out]
        for scope, pairs in {
            "moe_non": [(a, b) for a in MOE for b in dense],
            "non_non": list(combinations(dense, 2)),
        }.items():
            values = cosines_at(10, pairs)
            answers[f"critique.exp5.mean.{scope}{reading}"] = (float(np.mean(values)), None)
            answers[f"critique.exp5.std.{scope}{reading}"] = (float(np.std(values)), None)
    return answers


def same_layers() -> dict[str, Answer]:
    shared = {layer: measure("cosine", INPUT, "solar", layer, "glm", layer) for layer in range(LAYERS["glm"])}
    step = min(shared[1] - shared[0], min(shared[layer] for layer in range(5, 46)) - shared[1])
    return {
        "critique.readme.bg.cross_0_989": (float(np.mean([shared[n] for n in (10, 20, 30, 40)])), None),
        "critique.readme.bg.cross_0_989@all_layers": (float(np.mean(list(shared.values()))), None),
        "critique.readme.layer0_influence_fades": (step, step > 0),
    }


def means_of_vectors() -> dict[str, Answer]:
    at_10 = [float(np.mean(vector(model, INPUT, 10))) for model in MOE]
    anywhere = [float(np.mean(vector(model, INPUT, n))) for model in MOE for n in range(LAYERS[model])]
    return {
        "critique.exp6.mean_about_1": (furthest(at_10, 1), all(0.95 <= mean <= 1.05 for mean in at_10)),
        "critique.exp6.mean_about_1@all_layers": (
            furthest(anywhere, 1),
            all(0.95 <= mean <= 1.05 for mean in anywhere),
        ),
    }


def files() -> dict[str, Answer]:
    compared = {(model, 10) for model in (*MOE, *DENSE)}
    compared |= {(model, layer) for model in MOE for layer in (5, 15, 20, 25, 30)}
    compared |= {(model, layer) for model in ("solar", "glm") for layer in (0, 20, 30, 40)}
    assert len(compared) == 33
    values = sum(len(vector(model, INPUT, layer)) for model, layer in compared)
    everything = BYTES * sum(
        len(values)
        for (model, ln_type, _), values in planted().items()
        if model in (*MOE, *DENSE) and not ln_type.endswith("_proj")
    )
    return {
        "critique.readme.download_several_mb": (BYTES * values, False),
        "critique.readme.download_several_mb@all_norms": (everything, False),
        "critique.readme.download_10mb": (BYTES * values, False),
        "critique.readme.download_10mb@all_norms": (everything, False),
        "critique.readme.runtime": (8 * values, True),
        "critique.readme.model_100gb": (2 * PARAMETERS["solar"], None),
        "critique.readme.model_100gb@glm": (2 * PARAMETERS["glm"], None),
        "critique.readme.dtype_fp16": (0.0, False),
        "critique.readme.header_few_kb": (float(HEADER_BYTES), False),
        "critique.exp5.all_hidden_4096": (0.0, False),
        "critique.readme.vocab_151k": (float(VOCABULARY["glm"]), None),
        "critique.readme.vocab_196k": (float(VOCABULARY["solar"]), None),
    }


def test_every_item_is_what_numpy_computes(twelve_catalog: duckdb.DuckDBPyConnection) -> None:
    claims = [
        claim for claim in read_claims()[0] if claim.group == "critique" and claim.evidence == "weights"
    ]
    answers = tables() | means_of_pairs() | same_layers() | means_of_vectors() | files()
    assert_same(checks_of(twelve_catalog, claims), answers)


@pytest.mark.parametrize(("odd_width", "models", "holds"), [(4096, 9, True), (2560, 8, False)])
def test_one_model_of_another_width_is_noticed(odd_width: int, models: int, holds: bool) -> None:
    widths = dict.fromkeys((*MOE, *DENSE), 4096) | {"qwen3_14b": 5120, "yi_9b": odd_width}
    with duckdb.connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute("create table vector_stats (model varchar, ln_type varchar, layer int, d int)")
        connection.executemany(
            "insert into vector_stats values (?, 'input_layernorm', 10, ?)", list(widths.items())
        )
        assert answer(connection, "hidden_size") == [("critique.exp5.all_hidden_4096", holds, models)]


@pytest.mark.parametrize(
    ("lengths", "shortest", "holds"), [((9_999, 52_000), 9_999, True), ((50_000, 52_000), 50_000, False)]
)
def test_the_shortest_header_of_solar_and_glm_is_taken(
    lengths: tuple[int, int], shortest: int, holds: bool
) -> None:
    rows = [
        ("solar", INPUT, lengths[0]),
        ("glm", INPUT, lengths[1]),
        ("phi", INPUT, 200),
        ("glm", "k_proj", 300),
    ]
    with duckdb.connect() as connection:
        connection.execute("create table tensors (model varchar, ln_type varchar, header_bytes bigint)")
        connection.executemany("insert into tensors values (?, ?, ?)", rows)
        assert answer(connection, "header_size") == [("critique.readme.header_few_kb", holds, shortest)]


@pytest.mark.parametrize(
    ("of_phi", "share", "holds"), [("F16", 1.0, True), ("BF16", 0.75, False), ("F32", 0.75, False)]
)
def test_one_norm_of_another_type_is_no_longer_all_fp16(of_phi: str, share: float, holds: bool) -> None:
    dtypes = dict.fromkeys(MOE, "F16") | {"phi": of_phi, "yi_6b": "BF16"}
    with duckdb.connect() as connection:
        connection.execute("create table tensors (model varchar, ln_type varchar, dtype varchar)")
        connection.executemany("insert into tensors values (?, 'input_layernorm', ?)", list(dtypes.items()))
        assert answer(connection, "norm_dtype") == [("critique.readme.dtype_fp16", holds, share)]


def answer(connection: duckdb.DuckDBPyConnection, name: str) -> list[tuple[str, bool, float]]:
    query = read_claim(CLAIMS / "critique" / f"{name}.sql").query
    return connection.execute(f"select item, holds, observed from ({query})").fetchall()
