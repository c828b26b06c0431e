"""The critique's claims about weights say what numpy says of the same vectors."""

from __future__ import annotations

from itertools import combinations

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, read_claim
from analysis.claims.results import Run
from tests.claims.by_numpy import (
    Answer,
    about_weights,
    assert_same,
    cosine,
    furthest,
    measure,
)
from tests.claims.planted import HEADER_BYTES, INPUT, LAYERS, PARAMETERS, VOCABULARY, WIDTH, planted, vector
from warehouse.documents import read_printed

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
    counted = [model for model in DENSE if model != "internlm2_7b"]
    scopes = {"moe_non": [(a, b) for a in MOE for b in counted], "non_non": list(combinations(counted, 2))}
    assert {scope: len(pairs) for scope, pairs in scopes.items()} == {"moe_non": 16, "non_non": 6}
    for scope, pairs in scopes.items():
        values = cosines_at(10, pairs)
        answers[f"critique.exp5.mean.{scope}"] = (float(np.mean(values)), None)
        answers[f"critique.exp5.std.{scope}"] = (float(np.std(values)), None)
    return answers


def same_layers() -> dict[str, Answer]:
    shared = {layer: measure("cosine", INPUT, "solar", layer, "glm", layer) for layer in range(LAYERS["glm"])}
    step = min(shared[1] - shared[0], min(shared[layer] for layer in range(5, 46)) - shared[1])
    return {
        "critique.readme.bg.cross_0_989": (float(np.mean([shared[n] for n in (10, 20, 30, 40)])), None),
        "critique.readme.layer0_influence_fades": (step, step > 0),
    }


def current_readme() -> dict[str, Answer]:
    found = {}
    for metric in ("cosine", "pearson"):
        for low, high in ((0, 10), (10, 20)):
            found[metric, low] = [measure(metric, INPUT, m, low, m, high) for m in ("solar", "glm")]
    by_cosine, by_pearson = (
        min(np.subtract(found[metric, 10], found[metric, 0])) for metric in ("cosine", "pearson")
    )
    z = min(found["pearson", 10]) * np.sqrt(WIDTH - 1)
    zs = [abs(measure("pearson", INPUT, "solar", n, "glm", n)) * np.sqrt(WIDTH - 1) for n in range(46)]
    counted = [model for model in DENSE if model != "internlm2_7b"]
    makers = {"mixtral": "mistral", "mistral_7b": "mistral", "yi_6b": "yi", "yi_9b": "yi"}
    apart = [(a, b) for a, b in combinations([*MOE, *counted], 2) if makers.get(a, a) != makers.get(b, b)]
    average = float(np.mean(cosines_at(10, apart)))
    answers: dict[str, Answer] = {
        "critique.now.points.layer0_may_differ": (float(by_cosine), bool(by_cosine > 0)),
        "critique.now.found.layer0_really_differs": (float(by_pearson), bool(by_pearson > 0)),
        "critique.now.found.within_real_likeness": (float(z), bool(z > 1.96)),
        "critique.now.found.cross_random_level": (float(zs[10]), bool(zs[10] < 1.96)),
        "critique.now.found.cross_random_level@all_layers": (float(max(zs)), bool(max(zs) < 1.96)),
        "critique.now.range.makers_do_not_matter": (average, abs(average - 0.97) <= 0.01),
    }
    scopes = {"moe_non": [(a, b) for a in MOE for b in counted], "non_non": list(combinations(counted, 2))}
    for scope, pairs in scopes.items():
        inside = float(np.mean([0.94 <= value <= 1.0 for value in cosines_at(10, pairs)]))
        answers[f"critique.now.range.{scope}"] = (inside, inside >= 0.95)
        answers[f"critique.now.range.{scope}@every_pair"] = (inside, inside == 1)
    return answers


def means_of_vectors() -> dict[str, Answer]:
    at_10 = {model: vector(model, INPUT, 10) for model in MOE}
    means = [float(np.mean(values)) for values in at_10.values()]
    ratios = []
    for a, b in combinations(MOE, 2):
        lengths = np.linalg.norm(at_10[a]) * np.linalg.norm(at_10[b])
        offset = len(at_10[a]) * np.mean(at_10[a]) * np.mean(at_10[b]) / lengths
        ratios.append(float(offset) / cosine(at_10[a], at_10[b]))
    is_near = all(0.5 <= mean <= 1.5 for mean in means)
    return {
        "critique.exp6.mean_about_1": (min(ratios), min(ratios) > 0.5),
        "critique.exp6.mean_about_1@of_the_models": (furthest(means, 1), is_near),
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
    needed = BYTES * values + HEADER_BYTES * len((*MOE, *DENSE))  # each model is one file
    return {
        "critique.readme.download_several_mb": (needed, True),
        "critique.readme.download_several_mb@all_norms": (everything, False),
        "critique.readme.download_10mb": (needed, True),
        "critique.readme.download_10mb@all_norms": (everything, False),
        "critique.readme.model_100gb": (2 * PARAMETERS["phi"], None),
        "critique.readme.model_100gb@solar": (2 * PARAMETERS["solar"], None),
        "critique.readme.model_100gb@glm": (2 * PARAMETERS["glm"], None),
        "critique.readme.dtype_fp16": (1.0, True),
        "critique.readme.dtype_fp16@format": (0.0, False),
        "critique.readme.header_few_kb": (float(HEADER_BYTES), True),
        "critique.readme.header_few_kb@single_digit": (float(HEADER_BYTES), False),
        "critique.exp5.all_hidden_4096": (0.0, False),
        "critique.now.models.solar_glm_4096": (0.0, False),
        "critique.readme.vocab_151k": (float(VOCABULARY["glm"]), None),
        "critique.readme.vocab_196k": (float(VOCABULARY["solar"]), None),
    }


@pytest.mark.slow
def test_every_item_is_what_numpy_computes(twelve_run: Run) -> None:
    answers = tables() | means_of_pairs() | same_layers() | means_of_vectors() | files()
    answers |= current_readme()
    assert_same(about_weights(twelve_run, "critique"), answers)


@pytest.mark.parametrize(("odd_width", "models", "holds"), [(4096, 9, True), (2560, 8, False)])
def test_one_model_of_another_width_is_noticed(odd_width: int, models: int, holds: bool) -> None:
    widths = dict.fromkeys((*MOE, *DENSE), 4096) | {"qwen3_14b": 5120, "yi_9b": odd_width}
    with duckdb.connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute("create table vector_stats (model varchar, ln_type varchar, layer int, d int)")
        connection.executemany(
            "insert into vector_stats values (?, 'input_layernorm', 10, ?)", list(widths.items())
        )
        every = answer(connection, "hidden_size", "critique.exp5.all_hidden_4096")
        assert every == {"plain": (holds, models)}
        two = answer(connection, "hidden_size", "critique.now.models.solar_glm_4096")
        assert two == {"plain": (True, 2)}


@pytest.mark.parametrize(
    ("of_solar", "of_glm", "plain", "single_digit"),
    [(9_000, 52_000, (True, 52_000), (True, 9_000)), (50_000, 150_000, (False, 150_000), (False, 50_000))],
)
def test_headers_of_the_nine_models_count_once_per_file_with_an_input_norm(
    of_solar: int, of_glm: int, plain: tuple[bool, int], single_digit: tuple[bool, int]
) -> None:
    rows = [
        ("solar", "1", INPUT, of_solar),
        ("solar", "2", INPUT, of_solar),
        ("glm", "1", INPUT, of_glm),
        ("glm", "1", INPUT, of_glm),
        ("glm", "1", INPUT, of_glm),
        ("glm", "2", "k_proj", 300_000),
        ("qwen3_4b", "1", INPUT, 200_000),
    ]
    with duckdb.connect() as connection:
        connection.execute(
            "create table tensors (model varchar, shard varchar, ln_type varchar, header_bytes bigint)"
        )
        connection.executemany("insert into tensors values (?, ?, ?, ?)", rows)
        assert answer(connection, "header_size") == {"plain": plain, "single_digit": single_digit}


@pytest.mark.parametrize(
    ("of_phi", "two_bytes", "f16"),
    [
        ("F16", (True, 1.0), (True, 1.0)),
        ("BF16", (True, 1.0), (False, 0.75)),
        ("F32", (False, 0.75), (False, 0.75)),
    ],
)
def test_one_norm_of_another_type_is_noticed(
    of_phi: str, two_bytes: tuple[bool, float], f16: tuple[bool, float]
) -> None:
    dtypes = dict.fromkeys(MOE, "F16") | {"phi": of_phi, "yi_6b": "F32"}
    with duckdb.connect() as connection:
        connection.execute("create table tensors (model varchar, ln_type varchar, dtype varchar)")
        connection.executemany("insert into tensors values (?, 'input_layernorm', ?)", list(dtypes.items()))
        assert answer(connection, "norm_dtype") == {"plain": two_bytes, "format": f16}


@pytest.mark.parametrize(("header", "holds"), [(5_000_000, True), (12_000_000, False)])
def test_the_header_of_a_file_counts_once_in_the_download(header: int, holds: bool) -> None:
    rows = [("solar", "1", INPUT, layer, header) for layer in (0, 10)]
    with duckdb.connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute(
            "create table tensors (model varchar, shard varchar, ln_type varchar, layer int, "
            "header_bytes bigint, byte_begin bigint default 0, byte_end bigint default 8192)"
        )
        connection.executemany(
            "insert into tensors (model, shard, ln_type, layer, header_bytes) values (?, ?, ?, ?, ?)", rows
        )
        found = answer(connection, "norm_download", "critique.readme.download_several_mb")
        assert found["plain"] == (holds, header + 2 * 8192)


@pytest.mark.parametrize(
    ("size", "holds"), [(150_400, False), (150_600, True), (151_552, True), (152_000, True), (152_001, False)]
)
def test_a_vocabulary_may_be_rounded_or_cut_off(size: int, holds: bool) -> None:
    query = read_claim(CLAIMS / "critique" / "vocabulary.sql").query
    with duckdb.connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute("create table models as select 'glm' as model, ? as vocab_size", [size])
        [(off, tolerance)] = connection.execute(
            f"select abs(observed - expected), tolerance from ({query}) where item like '%151k'"
        ).fetchall()
    assert (off <= tolerance) == holds


def test_a_size_of_one_large_model_is_enough_for_the_plain_reading() -> None:
    query = read_claim(CLAIMS / "critique" / "model_size.sql").query
    sizes = {"solar": 205e9, "glm": 221e9, "phi": 84e9, "mixtral": 93e9, "yi_6b": 100e9}
    with duckdb.connect() as connection:
        connection.from_arrow(read_printed()).create("printed")
        connection.execute("create table models (model varchar, file_bytes bigint)")
        connection.executemany("insert into models values (?, ?)", list(sizes.items()))
        rows = connection.execute(f"select reading, observed from ({query})").fetchall()
    assert dict(rows) == {"plain": 93e9, "solar": 205e9, "glm": 221e9}


def answer(
    connection: duckdb.DuckDBPyConnection, name: str, item: str | None = None
) -> dict[str, tuple[bool, float]]:
    """Whether each reading holds and by what figure; of one item where the claim has several."""
    query = read_claim(CLAIMS / "critique" / f"{name}.sql").query
    rows = connection.execute(f"select item, reading, holds, observed from ({query})").fetchall()
    return {reading: (holds, observed) for found, reading, holds, observed in rows if item in (None, found)}
