"""Specifications of charts are valid, small, described and in one style."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
import vl_convert
from altair.utils.schemapi import validate_jsonschema
from altair.vegalite.v6.schema.core import load_schema

from analysis.figures.catalogue import FIGURES
from analysis.figures.charts.style import MODELS
from analysis.figures.figure import said
from analysis.figures.sources import lake_lines
from tests.figures.conftest import DRAWN, ONE_EACH
from tests.figures.golden import FOLDER, NAMES, without_data

Specs = dict[str, dict[str, Any]]
Tables = dict[str, pl.DataFrame]
SCHEMA = load_schema()


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_EACH)
def test_a_chart_is_valid_vega_lite(name: str, specs: Specs) -> None:
    """The tests of the report check that it is drawn."""
    validate_jsonschema({**specs[name], "datasets": {}}, SCHEMA, rootschema=SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_says_what_it_is_and_which_lake_it_shows(name: str, specs: Specs, tables: Tables) -> None:
    figure, drawn = FIGURES[name], specs[name]
    words = said(figure, tables[name])
    assert " ".join(drawn["title"]["text"]) == words.title
    assert len(drawn["title"]["text"]) <= 2
    *data, lake = drawn["title"]["subtitle"]
    assert " ".join(data) == words.data
    published = figure.about == "measurements"
    read = "published measurements of the released weights" if published else "reads no weights"
    reads_lake = figure.needs or name == "declared_families"
    assert lake == ("lake local" if reads_lake else read)
    assert drawn["description"] == words.alt


@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_embeds_few_rows_and_no_column_it_does_not_use(name: str, specs: Specs) -> None:
    drawn = specs[name]
    body = json.dumps({key: value for key, value in drawn.items() if key != "datasets"})
    assert len(json.dumps(drawn)) < 250_000
    for values in drawn.get("datasets", {}).values():
        assert len(values) <= 5_000
        for column in next(iter(values), {}):
            assert column in body, column


@pytest.mark.parametrize("name", NAMES)
def test_a_specification_is_the_one_that_was_looked_at(name: str, specs: Specs) -> None:
    assert without_data(specs[name]) == (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def test_a_replica_lake_is_named_as_no_evidence(connection: duckdb.DuckDBPyConnection) -> None:
    with duckdb.connect() as replica:
        columns = "'replica' as lake, 'replica' as sources, 'synthetic replica' as caution"
        replica.execute(f"create view lake as select {columns}")
        assert lake_lines(replica)["en"] == "lake replica (synthetic, no evidence)"
    assert lake_lines(connection)["en"] == "lake local"


def test_a_model_has_one_colour_and_one_shape_in_all_figures(specs: Specs) -> None:
    colours = {name: colour for name, colour, _ in MODELS.values()}
    shapes = {name: shape for name, _, shape in MODELS.values()}
    seen = set()
    for drawn in specs.values():
        for channel, expected in (("color", colours), ("shape", shapes)):
            for scale in _scales(drawn, channel):
                for model, value in zip(scale.get("domain", []), scale.get("range", []), strict=False):
                    if model in expected:
                        assert value == expected[model]
                        seen.add(model)
    assert {"Solar", "GLM", "INTELLECT", "Phi"} <= seen
    assert len(set(colours.values())) == len(colours)
    assert len(set(shapes.values())) == len(shapes)


# Machado, Oliveira and Fernandes 2009, severity 1.0; linear RGB.
BLINDNESS = {
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_colour_blind_readers_tell_the_disputed_models_apart(kind: str) -> None:
    models = ("solar", "glm", "intellect", "phi", "mixtral")
    seen = {model: _lab(MODELS[model][1], np.array(BLINDNESS[kind])) for model in models}
    for one, other in combinations(models, 2):
        # A difference of 10 in CIELAB is plain at a glance; shapes repeat what colour says.
        assert np.linalg.norm(seen[one] - seen[other]) > 10, (one, other)


def test_signed_scales_are_symmetric_around_zero_and_none_is_red_and_green(specs: Specs) -> None:
    schemes = set()
    for drawn in specs.values():
        for scale in _scales(drawn, "color"):
            if "scheme" in scale:
                schemes.add(scale["scheme"])
                if scale["scheme"] == "blueorange":
                    assert scale["domain"][0] == -scale["domain"][1]
    assert schemes == {"blueorange", "viridis"}


@pytest.mark.parametrize("name", ["figure_02", "figure_05", "experiment_3", "experiment_4", "model_matrix"])
def test_a_cropped_range_is_stated_on_the_chart(name: str, specs: Specs) -> None:
    text = json.dumps(specs[name], ensure_ascii=False)
    assert "cropped to" in text or "axis from" in text


@pytest.mark.parametrize(
    ("name", "sliders"),
    [
        ("figure_00", {"rotation", "tilt"}),
        ("confusion", {"metric_shown"}),
        ("figure_01", {"layer_shown"}),
        ("figure_03", {"layer_shown"}),
        ("figure_04a", {"layer_shown"}),
        ("figure_07", {"rotation", "tilt"}),
    ],
)
def test_a_slider_begins_at_a_value_that_it_offers(name: str, sliders: set[str], specs: Specs) -> None:
    params = {param["name"]: param for param in specs[name]["params"] if "bind" in param}
    assert set(params) == sliders
    for param in params.values():
        bind = param["bind"]
        options = bind.get("options")
        assert param["value"] in options if options else bind["min"] <= param["value"] <= bind["max"]


def test_turning_the_view_moves_the_marks(specs: Specs) -> None:
    drawn = specs["figure_07"]
    turned = json.loads(json.dumps(drawn))
    next(param for param in turned["params"] if param["name"] == "rotation")["value"] = 90
    assert vl_convert.vegalite_to_svg(drawn) != vl_convert.vegalite_to_svg(turned)


def test_the_axes_of_principal_components_are_on_one_scale(specs: Specs) -> None:
    text = json.dumps(specs["figure_07"])
    divisors = {part.partition(")")[0].split('"')[0] for part in text.split("datum.pc")[1:]}
    assert {divisor.split(" / ")[1] for divisor in divisors if " / " in divisor} != set()
    assert len({divisor.split(" / ")[1] for divisor in divisors if " / " in divisor}) == 1


def test_every_group_of_unrelated_pairs_is_drawn(tables: Tables) -> None:
    from analysis.figures.charts.calibration import GROUPS

    groups = ["plain", "mixed", "outliers", "layernorm", "sinusoidal", "made and base"]
    assert list(GROUPS) == groups
    assert set(tables["calibration_null"]["grouping"]) <= set(GROUPS)


def _scales(node: object, channel: str) -> Iterator[dict[str, Any]]:
    """Every scale of that channel, anywhere in a specification."""
    if isinstance(node, dict):
        if isinstance(found := node.get(channel), dict) and isinstance(found.get("scale"), dict):
            yield found["scale"]
        for key, value in node.items():
            if key != "datasets":
                yield from _scales(value, channel)
    elif isinstance(node, list):
        for value in node:
            yield from _scales(value, channel)


def _lab(colour: str, seen_through: np.ndarray) -> np.ndarray:
    """CIELAB (D65) of an sRGB colour as a colour-blind reader sees it."""
    stored = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    linear = np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
    red_green_blue = np.clip(seen_through @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ red_green_blue / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
