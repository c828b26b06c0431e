"""Titles state what the rows show: facts are recomputed, and different rows choose another title."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from analysis.figures.catalogue import FIGURES
from analysis.figures.figure import CASE, Facts, said
from analysis.languages import LANGUAGES, Language
from tests.claims.planted import INPUT, LAYERS, vector

Tables = dict[str, pl.DataFrame]


def facts(name: str, rows: pl.DataFrame) -> Facts:
    tell = FIGURES[name].facts
    assert tell is not None
    return tell(rows)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FIGURES)
def test_words_are_filled_in_whole(name: str, language: Language, tables: Tables) -> None:
    words = said(FIGURES[name], tables[name], language)
    for text in (words.title, words.data, words.caption, words.alt):
        assert not set("{}") & set(text)
        assert "None" not in text
        assert not re.search(r"\bnan\b", text)


def test_means_and_deviations_are_said_to_predict_only_what_they_do(tables: Tables) -> None:
    rows = tables["measured"]
    found = facts("measured", rows)
    assert (found[CASE], found["norms"], found["layers"]) == ("predicted", 92, 46)
    assert round(float(str(found["four"])), 5) == 0.98899
    assert round(float(str(found["four_predicted"])), 5) == 0.98881
    assert facts("measured", rows.with_columns(cosine=pl.col("predicted") + 0.1))[CASE] == "figures"


def test_a_line_and_a_cloud_are_said_only_of_a_line_and_a_cloud(tables: Tables) -> None:
    rows = tables["patterns"].with_columns(
        pearson=pl.when(pl.col("kind") == "related").then(0.99).otherwise(0.01)
    )
    assert facts("patterns", rows)[CASE] == "line_and_cloud"
    alike = rows.with_columns(pearson=pl.lit(0.99))
    assert facts("patterns", alike)[CASE] == "figures"
    assert "0.99" in said(FIGURES["patterns"], alike).title


def test_dots_beyond_the_axes_are_counted(tables: Tables) -> None:
    rows = tables["patterns"].with_columns(b=pl.lit(0.0), a=pl.col("std_a") * pl.col("dim") / 4)
    assert facts("patterns", rows)["beyond"] == rows.filter(pl.col("dim") > 16).height > 0


def test_layer_0_is_an_exception_only_where_it_is_one(tables: Tables) -> None:
    rows = tables["layer_0"]
    same = rows.with_columns(cosine=pl.lit(0.9))
    assert facts("layer_0", same)[CASE] == "figures"
    apart = rows.with_columns(cosine=pl.when(pl.col("reference") == 0).then(0.3).otherwise(0.95))
    assert facts("layer_0", apart)[CASE] == "exception"


def test_layers_within_chance_are_counted_as_in_numpy(tables: Tables) -> None:
    shared = min(LAYERS["solar"], LAYERS["glm"])
    correlations = [
        np.corrcoef(vector("solar", INPUT, n), vector("glm", INPUT, n))[0, 1] for n in range(shared)
    ]
    found = facts("sanity", tables["sanity"])
    assert found == {
        "layers": shared,
        "inside": sum(abs(r) <= 2 / np.sqrt(63) for r in correlations),
    }


def test_pairs_of_the_matrix_are_counted_once(tables: Tables) -> None:
    rows = tables["model_matrix"]
    off = rows.filter(pl.col("model_a") != pl.col("model_b"))
    found = facts("model_matrix", rows)
    assert found["pairs"] == off.height / 2
    assert found["high"] == off.filter(pl.col("cosine") > 0.9).height / 2
    assert found["kept"] == off.filter(pl.col("pearson") > 0.5).height / 2


def test_the_closest_pair_is_nearest_by_similarity_and_by_distance() -> None:
    pairs = [("solar", "glm"), ("solar", "phi"), ("glm", "phi")]
    rows = pl.DataFrame(
        [
            {"metric": metric, "layer": 10, "ln_type": INPUT, "model_a": a, "model_b": b, "value": value}
            for metric, values in (("pearson", (0.9, 0.1, 0.2)), ("rel_l2", (0.9, 0.1, 0.2)))
            for (a, b), value in zip(pairs, values, strict=True)
        ]
    )
    assert facts("confusion", rows) == {"comparisons": 2, "closest": 1}


def test_the_darkest_panel_is_named_and_the_related_one_is_not_it(tables: Tables) -> None:
    found = facts("figure_05", tables["figure_05"])
    panels = tables["figure_05"].unique("panel").filter(pl.col("matched_mean").abs() < 0.5)
    assert found["darkest_mean"] == panels.sort(pl.col("matched_mean").abs())["matched_mean"][-1]
    assert found["darkest"] != "GLM–INTELLECT"


def test_a_pair_above_its_prediction_is_named(tables: Tables) -> None:
    rows = tables["predicted"].with_columns(cosine=pl.col("offset_share"))
    assert (facts("predicted", rows)["near"], facts("predicted", rows)["above"]) == (rows.height, "–")
    raised = rows.with_columns(cosine=pl.col("offset_share") + 0.02 * pl.col("is_disputed"))
    assert facts("predicted", raised)["above"] == "GLM–Solar"


def test_all_attacked_models_are_counted_and_the_missed_ones_are_named(tables: Tables) -> None:
    rows = tables["calibration_slices"]
    attacked = rows.filter(shown="after the full attack")
    found = facts("calibration_slices", rows)
    assert found["attacked"] == attacked.height == 150
    missed = attacked.filter(pl.col("share").fill_null(0) < pl.col("threshold"))
    assert found["attacked_found"] == attacked.height - missed.height
    named = found["missed"]
    assert isinstance(named, dict)
    assert sum(int(part.rpartition("(")[2][:-1]) for part in named["en"].split("; ")) == missed.height


def test_pairs_beyond_the_line_are_named_apart_from_those_that_share_weights(tables: Tables) -> None:
    rows = tables["permutation_z"].with_columns(
        z_mean=pl.when(pl.col("is_disputed"))
        .then(3.2)
        .when(model_a="glm", model_b="intellect")
        .then(pl.col("ceiling"))
        .otherwise(0.0)
    )
    found = facts("permutation_z", rows)
    assert (found["kept"], found["just"]) == ("GLM–INTELLECT", "GLM–Solar")


@pytest.mark.slow
def test_declared_pairs_are_counted_beside_measured_ones(tables: dict[str, pl.DataFrame]) -> None:
    """GLM and INTELLECT declare one base; Phi declares GLM, to which its norms are not related."""
    rows = tables["declared_families"]
    found = facts("declared_families", rows)
    assert (found["declared"], found["both"], found["absent"]) == (2, 1, 1)
    side = rows.filter(side="declared").filter(pl.col("relation") != "nothing declared")
    assert {(row["model_a"], row["model_b"], row["relation"]) for row in side.iter_rows(named=True)} == {
        ("glm", "intellect", "same declared base"),
        ("intellect", "glm", "same declared base"),
        ("glm", "phi", "declared base"),
        ("phi", "glm", "declared base"),
    }
