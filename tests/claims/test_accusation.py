"""The accusation's claims about weights and trained models say what numpy says of the same vectors."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import combinations

import duckdb
import numpy as np
import pytest

from analysis.claims.claim_file import CLAIMS, read_claim
from analysis.claims.results import Reading, Run
from tests.claims.by_numpy import (
    Answer,
    Doubles,
    about_weights,
    assert_same,
    cosine,
    measure,
    of_claims,
    pearson,
)
from tests.claims.planted import INPUT, POST, VOCABULARY, vector
from warehouse.catalog.catalog import open_catalog
from warehouse.documents import FOLDER, read_printed
from warehouse.lake import Lake

NORMS = (INPUT, POST)
SHARED = range(46)
FOUR = (10, 20, 30, 40)
WITHIN = [0.375810, 0.375664, 0.377255, 0.379035]  # GLM's layer 0 with these, as printed
CROSS = [0.981094, 0.991792, 0.991429, 0.991635]
README, REPORT, OUTPUT = (f"accusation.{part}" for part in ("readme", "report", "output"))


def between(metric: str, ln_type: str, solar: int, glm: int) -> float:
    return measure(metric, ln_type, "solar", solar, "glm", glm)


def of_layer(layer: int, other: int | None = None) -> float:
    """Both norms of a layer of Solar and one of GLM: a cell of the script's matrix."""
    return float(
        np.mean([between("cosine", norm, layer, layer if other is None else other) for norm in NORMS])
    )


def single_pairs() -> dict[str, Answer]:
    answers: dict[str, Answer] = {
        row["item"]: (
            measure("cosine", row["ln_type"], row["model_a"], row["layer_a"], row["model_b"], row["layer_b"]),
            None,
        )
        for row in read_printed().to_pylist()
        if row["document"] in ("accusation", "accusation_report")
        and (row["metric"], row["relation"], row["scope"]) == ("cosine", "=", None)
        and row["layer_b"] is not None
    }
    four = float(np.mean([between("cosine", INPUT, n, n) for n in FOUR]))
    answers[f"{README}.observed.layer10_0_989@mean_of_four"] = (four, None)
    answers[f"{README}.interp.s10_g20_0_38@post"] = (between("cosine", POST, 10, 20), None)
    return answers


def means_over_layers() -> dict[str, Answer]:
    cells = np.array([[of_layer(a, b) for b in SHARED] for a in SHARED])
    diagonal, others = np.diag(cells), cells[~np.eye(len(cells), dtype=bool)]
    by_norm = {norm: np.mean([between("cosine", norm, n, n) for n in SHARED]) for norm in NORMS}
    found = {
        f"{README}.types.input_0_949": by_norm[INPUT],
        f"{README}.types.post_0_986": by_norm[POST],
        f"{REPORT}.types.input_0_949": by_norm[INPUT],
        f"{REPORT}.types.post_0_986": by_norm[POST],
        f"{README}.insight.norms_0_99": np.mean([between("cosine", INPUT, n, n) for n in FOUR]),
        f"{README}.insight.norms_0_99@all_layers": diagonal.mean(),
        f"{README}.final.norm_mean_0_968": diagonal.mean(),
        f"{REPORT}.norms_0_97_in_46_layers": diagonal.mean(),
        f"{REPORT}.norms_0_97_in_46_layers@each_layer": diagonal[np.argmax(np.abs(diagonal - 0.97))],
        f"{REPORT}.sig.observed_0_97": diagonal.mean(),
        f"{REPORT}.fits.deep_layers_0_97": diagonal[5:].mean(),
        f"{REPORT}.fits.deep_layers_0_97@all_layers": diagonal.mean(),
        f"{OUTPUT}.decay.matched": diagonal.mean(),
        f"{OUTPUT}.decay.matched@spread": diagonal.std(),
        f"{OUTPUT}.decay.mismatched": others.mean(),
        f"{OUTPUT}.decay.mismatched@spread": others.std(),
        f"{OUTPUT}.decay.early": diagonal[:23].mean(),
        f"{OUTPUT}.decay.late": diagonal[23:].mean(),
        f"{OUTPUT}.decay.pearson": np.mean(
            [between("pearson", norm, n, n) for norm in NORMS for n in SHARED]
        ),
        f"{OUTPUT}.final.matched": diagonal.mean(),
    }
    return {item: (float(value), None) for item, value in found.items()}


def depths() -> dict[str, Answer]:
    inputs = [between("cosine", INPUT, n, n) for n in SHARED]
    lowest = [min(between("cosine", norm, n, n) for norm in NORMS) for n in SHARED]
    both = [of_layer(n) for n in SHARED]
    steps = (inputs[1] - inputs[0], min(inputs[5:]) - inputs[1])
    wanted = {0: 0.12, 2: 0.83, 45: 0.99}
    off = max((inputs[n] - value for n, value in wanted.items()), key=abs)
    return {
        f"{README}.layers.from_5_0_95": (min(both[5:]), min(both[5:]) >= 0.95),
        f"{README}.layers.from_5_0_95@each_norm": (min(lowest[5:]), min(lowest[5:]) >= 0.95),
        f"{README}.layers.from_40_0_99": (min(both[40:]), min(both[40:]) >= 0.99),
        f"{README}.layers.from_40_0_99@each_norm": (min(lowest[40:]), min(lowest[40:]) >= 0.99),
        f"{REPORT}.layers.low_after_embedding": (inputs[0], inputs[0] < 0.5 and min(inputs[40:]) > 0.95),
        f"{REPORT}.gradient.embedding_hits_layer0": (
            min(inputs[1:]) - inputs[0],
            inputs[0] < min(inputs[1:]),
        ),
        f"{REPORT}.gradient.influence_fades": (min(steps), min(steps) > 0),
        f"{REPORT}.fits.gradient_values": (
            off,
            all(-0.005 <= inputs[n] - value < 0.01 for n, value in wanted.items()),
        ),
    }


def beside_others() -> dict[str, Answer]:
    def own(model: str, pairs: list[tuple[int, int]]) -> list[float]:
        return [measure("cosine", INPUT, model, a, model, b) for a, b in pairs]

    models = ("solar", "glm")
    without = float(np.mean([own(model, list(combinations(FOUR, 2))) for model in models]))
    with_0 = float(np.mean([own(model, [(0, n) for n in FOUR]) for model in models]))
    phi = [[measure("cosine", INPUT, model, n, "phi", n) for n in range(32)] for model in models]
    lowest = min(row[10] for row in phi)
    rise = max(float(np.mean(row[5:])) - row[0] for row in phi)
    within_glm = own("glm", [(0, 10)])[0]
    disputed = [measure("cosine", INPUT, "solar", n, "glm", n) for n in range(46)]
    step = min(disputed[1:]) - disputed[0]
    return {
        f"{README}.within.layer0_stands_for_all": (without, abs(without - 0.3765) <= 0.05),
        f"{README}.within.layer0_stands_for_all@with_layer_0": (with_0, abs(with_0 - 0.3765) <= 0.05),
        f"{README}.null.similar_structure_0_38": (lowest, lowest < 0.5),
        f"{README}.figure.all_bars_0_38": (lowest, lowest < 0.5),
        f"{README}.hyp.similar_architecture_rejected": (lowest, lowest < 0.5),
        f"{README}.layers.layer0_cause_tokenizer": (step, step > 0),
        f"{README}.layers.layer0_cause_tokenizer@only_cause": (within_glm, within_glm >= 0.5),
        f"{REPORT}.gradient_signature": (rise, rise <= 0.1),
        f"{REPORT}.hyp.independent.gradient": (rise, rise <= 0.1),
        f"{README}.selective_preservation": (
            0.0,
            True,
        ),  # Phi's projections are noise, and its norms below 0.95
    }


def nearly_identical() -> dict[str, Answer]:
    def ratio(norm: str, layer: int) -> float:
        means = [float(np.mean(vector(model, norm, layer))) for model in ("solar", "glm")]
        return min(means) / max(means)

    def rows(pairs: list[tuple[str, int]]) -> Doubles:
        return np.array(
            [
                (between("cosine", *pair, pair[1]), between("pearson", *pair, pair[1]), ratio(*pair))
                for pair in pairs
            ]
        )

    scopes = {
        f"{README}.interp.layer10_nearly_identical": rows([(INPUT, 10)]),
        f"{README}.layers.from_40_nearly_identical": rows(
            [(norm, n) for norm in NORMS for n in range(40, 46)]
        ),
        f"{REPORT}.types.norms_nearly_identical": np.array(
            [rows([(norm, n) for n in SHARED]).mean(axis=0) for norm in NORMS]
        ),
    }
    answers: dict[str, Answer] = {}
    for item, found in scopes.items():
        lowest = found.min(axis=0)
        answers[item] = (float(lowest[0]), bool(lowest[0] >= 0.94))
        answers[f"{item}@weights"] = (float(lowest[1]), bool(lowest[1] >= 0.9 and lowest[2] >= 0.9))
    return answers


def mismatched() -> dict[str, Answer]:
    """The script's list: input and post-attention norm of layer 0, of layer 1 and so on."""
    solar, glm = ([vector(model, norm, n) for n in SHARED for norm in NORMS] for model in ("solar", "glm"))
    places = [(i, j) for i in range(30) for j in range(i + 5, i + 10)]
    return {
        f"{OUTPUT}.final.mismatched": (float(np.mean([cosine(solar[i], glm[j]) for i, j in places])), None),
        f"{OUTPUT}.final.minus_one_mismatched": (
            float(np.mean([cosine(solar[i] - 1, glm[j] - 1) for i, j in places])),
            None,
        ),
        f"{OUTPUT}.final.minus_one_matched": (
            float(np.mean([cosine(a - 1, b - 1) for a, b in zip(solar, glm, strict=True)])),
            None,
        ),
    }


MODELS: dict[str, Answer] = {
    f"{README}.arch.hidden_size": (64.0, False),
    f"{README}.arch.layers": (48.0, True),
    f"{README}.arch.vocab_size": (float(VOCABULARY["solar"]), True),
    f"{README}.arch.mtp_layers": (1.0, True),
    f"{README}.bytes.no_identical_tensor": (0.0, True),
    f"{README}.presumed.solar_48_layers": (48.0, True),
}


@pytest.mark.slow
def test_every_item_about_weights_is_what_numpy_computes(twelve_run: Run) -> None:
    answers = single_pairs() | means_over_layers() | depths() | beside_others() | nearly_identical()
    assert_same(about_weights(twelve_run, "accusation"), answers | mismatched() | MODELS)


@pytest.fixture(scope="module")
def zoo(shipped_zoo: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(shipped_zoo) as connection:
        yield connection


@pytest.fixture(scope="module")
def answers(replica_run: Run) -> dict[str, Reading]:
    return of_claims(replica_run, lambda claim: claim.group == "accusation" and claim.evidence == "toy")


@pytest.fixture(scope="module")
def norms(zoo: duckdb.DuckDBPyConnection) -> dict[str, Doubles]:
    """Twelve norms of each model, in the order of layers, both norms of a layer after each other."""
    names = "^[a-z][0-9]{2}(_ft_(long|short)_(low|high))?$"
    query = (
        "select model, list(weights order by layer, ln_type) from vectors "
        f"where ln_type in {NORMS} and regexp_matches(model, '{names}') group by model"
    )
    return {model: np.array(rows, dtype=np.float64) for model, rows in zoo.execute(query).fetchall()}


@pytest.mark.slow
def test_independent_models_are_what_numpy_computes(
    answers: dict[str, Reading], norms: dict[str, Doubles]
) -> None:
    bases = [values for model, values in sorted(norms.items()) if re.fullmatch(r"b\d\d", model)]
    assert len(bases) == 20
    pairs = [(a, b) for a, b in combinations(bases, 2)]
    cosines = np.array([[cosine(x, y) for x, y in zip(a, b, strict=True)] for a, b in pairs])
    patterns = np.array([[pearson(x, y) for x, y in zip(a, b, strict=True)] for a, b in pairs])
    minus_one = np.mean([cosine(x - 1, y - 1) for a, b in pairs for x, y in zip(a, b, strict=True)])
    others = [cosine(a[i], b[j]) for a, b in pairs for i in range(12) for j in range(i % 2, 12, 2) if i != j]
    width = bases[0].shape[1]
    expected = {
        "readme.interp.norms_converge_randomly": (patterns.std() * np.sqrt(width - 1), True),
        "readme.interp.norms_converge_randomly@direction": (cosines.mean(), False),
        "readme.interp.same_index_no_reason": (cosines.mean() - np.mean(others), True),
        "readme.independent_all_zero": (cosines.min(), False),
        "report.sig.null_0_002": (cosines.mean(), False),
        "report.hyp.independent.norms": (cosines.mean(axis=1).min(), False),
        "report.final.no_accident": (cosines.mean(axis=1).min(), False),
        "readme.hyp.chance_rejected": (1 / 70, True),
        "readme.hyp.chance_rejected@unrelated_models": (cosines.mean(axis=1).max(), False),
        "output.final.unrelated_zero": (minus_one, False),
        "output.types.threshold_0_1": (cosines.mean(), False),
        "output.types.threshold_0_1@matrices": (0.1 * np.sqrt(786432), True),
    }
    for item, (observed, holds) in expected.items():
        found = answers[f"accusation.{item}"]
        assert found.observed == pytest.approx(observed, rel=1e-6, abs=1e-9), item
        assert found.holds == holds, item


def test_descendants_keep_their_norms_and_match_layer_by_layer(
    answers: dict[str, Reading], norms: dict[str, Doubles]
) -> None:
    children = {model: values for model, values in norms.items() if "_ft_" in model}
    assert len(children) == 32
    kept = [
        np.mean([cosine(x, y) for x, y in zip(norms[model[:3]], values, strict=True)])
        for model, values in children.items()
    ]
    found = answers["accusation.report.hyp.descent.norms"]
    assert found.observed == pytest.approx(min(kept), rel=1e-6)
    assert found.holds
    on_the_diagonal = []
    for model, values in children.items():
        parent = norms[model[:3]]
        for a in range(6):
            cells = [
                np.mean([cosine(parent[2 * a + n], values[2 * b + n]) for n in (0, 1)]) for b in range(6)
            ]
            on_the_diagonal.append(int(np.argmax(cells)) == a)
    assert answers["accusation.output.decay.diagonal_is_evidence"].observed == np.mean(on_the_diagonal)


@pytest.mark.slow
def test_the_182_sigma_follow_from_the_twelve_printed_cosines(checks: dict[str, Reading]) -> None:
    sigma = (np.mean(CROSS) - np.mean(WITHIN)) / np.sqrt((np.var(WITHIN) + np.var(CROSS)) / 2)
    assert sigma == pytest.approx(181.94, abs=0.005)
    assert checks[f"{README}.effect_size_182"].observed == pytest.approx(sigma)
    assert checks[f"{README}.effect_size_182"].holds


def test_a_split_is_found_where_norms_are_alike_and_projections_are_not() -> None:
    query = read_claim(CLAIMS / "accusation" / "selective_preservation.sql").query
    with duckdb.connect() as connection:
        connection.execute(
            "create table matched_layers as select model_a, 'phi' as model_b, layer, ln_type, "
            "case when ln_type like '%_proj' then 0.001 when model_a = 'glm' then 0.94 else 0.98 end "
            "as cosine "
            "from (values ('solar'), ('glm')) as a(model_a), (values (10), (20), (30)) as l(layer), "
            "(values ('input_layernorm'), ('post_attention_layernorm'), ('k_proj'), ('v_proj')) as t(ln_type)"
        )
        assert connection.execute(query).fetchone()[3:] == (False, 1)  # type: ignore[index]
        connection.execute("delete from matched_layers where ln_type = 'v_proj' and layer = 30")
        assert connection.execute(query).fetchone()[3:] == (None, None)  # type: ignore[index]


@pytest.mark.slow
def test_the_effect_size_depends_on_the_layers_and_follows_from_means_and_spreads(
    checks: dict[str, Reading],
) -> None:
    with (FOLDER / "measured.csv").open(encoding="utf-8", newline="") as file:
        published = {
            (row["model_a"], int(row["layer_a"]), row["ln_type"], row["metric"]): float(row["value"])
            for row in csv.DictReader(file)
            if row["source"] == "sanity_outputs" and not row["model_b"]
        }

    def u(model: str, norm: str, layer: int) -> float:
        mean, std = (published[model, layer, norm, metric] for metric in ("mean", "std"))
        return float(mean / np.hypot(mean, std))

    def effect(cross: list[float], within: list[float]) -> float:
        return float((np.mean(cross) - np.mean(within)) / np.sqrt((np.var(cross) + np.var(within)) / 2))

    cells = [
        (a == b, u("solar", norm, a) * u("glm", norm, b)) for norm in NORMS for a in SHARED for b in SHARED
    ]
    equal, other = (np.mean([value for same, value in cells if same == wanted]) for wanted in (True, False))
    cross = [u("solar", INPUT, n) * u("glm", INPUT, n) for n in FOUR]
    within = {model: [u(model, INPUT, 0) * u(model, INPUT, n) for n in FOUR] for model in ("solar", "glm")}
    expected = {
        "means_and_spreads.glm_baseline": np.mean(within["glm"]),
        "means_and_spreads.solar_baseline": np.mean(within["solar"]),
        "means_and_spreads.four_layers": np.mean(cross),
        "means_and_spreads.equal_layers": equal,
        "means_and_spreads.other_layers": other,
        "means_and_spreads.difference": equal - other,
        "means_and_spreads.effect_size": effect(cross, within["glm"]),
        "effect_size_with_layer_0.five_layers": effect([0.127, *CROSS], WITHIN),
        "effect_size_with_layer_0.four_layers": effect(CROSS, WITHIN),
    }
    for name, value in expected.items():
        assert checks[f"findings.{name}"].observed == pytest.approx(value, rel=1e-9), name
