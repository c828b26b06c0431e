"""The printed figures: bad rows are refused by line, and equal quantities have equal keys."""

from __future__ import annotations

import csv
from decimal import Decimal
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from warehouse.documents import COLUMNS, EXACT_METRICS, METRICS, PRINTED, PRINTED_CSV, read_printed, sources
from warehouse.errors import FormatError

MODEL_ORDER = [
    *("solar", "glm", "intellect", "phi", "mixtral", "mistral_7b", "yi_6b", "yi_9b", "internlm2_7b"),
    *("qwen15_7b", "qwen3_4b", "qwen3_14b", "toy_ones_a", "toy_ones_b", "toy_rand_a", "toy_rand_b"),
]
QUANTITY = ("model_a", "layer_a", "model_b", "layer_b", "ln_type", "metric", "scope", "aggregate")

# Same quantity, intervals apart. Intervals that only touch may be one number at a rounding tie.
CONTRADICTIONS = f"""
    with intervals as (
        select *,
            row_number() over () as n,
            case when low is null then coalesce(value - half_digit, '-inf'::double)
                 when high is null then low else low - half_digit end as bottom,
            case when high is null then coalesce(value + half_digit, 'inf'::double)
                 when low is null then high else high + half_digit end as top
        from printed
    )
    select a.document, a.item, b.document, b.item
    from intervals a join intervals b
        on a.n < b.n
       and {" and ".join(f"a.{name} is not distinct from b.{name}" for name in QUANTITY)}
    where round(a.top, 12) < round(b.bottom, 12) or round(b.top, 12) < round(a.bottom, 12)
"""

GOOD = {
    "document": "hyunwoong",
    "section": "4.4",
    "item": "hyunwoong.example",
    "model_a": "solar",
    "layer_a": "20",
    "model_b": "glm",
    "layer_b": "20",
    "ln_type": "post_attention_layernorm",
    "metric": "cosine",
    "relation": "=",
    "value": "0.96",
    "half_digit": "0.005",
}


@cache
def printed() -> pa.Table:
    return read_printed()


@cache
def csv_rows() -> list[dict[str, str]]:
    with PRINTED_CSV.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def contradictions() -> frozenset[tuple[str, str, str, str]]:
    """Tuples (document, item, document, item), each pair in both directions."""
    with duckdb.connect() as connection:
        connection.register("printed", printed())
        found = connection.execute(CONTRADICTIONS).fetchall()
    return frozenset(found) | frozenset((c, d, a, b) for a, b, c, d in found)


def write(path: Path, *rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def half_of_last_digit(text: str) -> Decimal:
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(5).scaleb(exponent - 1)


def test_the_file_reads_into_the_schema_with_every_metric_of_the_vocabulary_in_use() -> None:
    assert printed().schema == PRINTED.schema
    assert printed().num_rows == len(csv_rows())
    assert set(printed()["metric"].to_pylist()) == METRICS


def test_empty_cells_are_null_and_figures_are_numbers(tmp_path: Path) -> None:
    row = read_printed(write(tmp_path / "p.csv", GOOD)).to_pylist()[0]
    assert (row["value"], row["low"], row["layer_a"], row["scope"]) == (0.96, None, 20, None)


def test_rows_stand_in_one_block_for_each_document() -> None:
    blocks = [document for document, _ in groupby(row["document"] for row in csv_rows())]
    assert blocks == [key for key in sources() if key in blocks]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"relation": "~"}, "unknown relation '~'"),
        ({"document": "sionic"}, "unknown document 'sionic'"),
        ({"metric": "cosin"}, "unknown metric 'cosin'"),
        ({"ln_type": "layernorm"}, "unknown ln_type 'layernorm'"),
        ({"aggregate": "median"}, "unknown aggregate 'median'"),
        ({"model_a": "upstage/Solar"}, "model_a 'upstage/Solar'"),
        ({"value": "0.9.6"}, "value '0.9.6' is no number"),
        ({"value": "nan"}, "value 'nan' is no number"),
        ({"layer_b": "-3"}, "layer_b '-3' is no layer"),
        ({"value": ""}, "relation = needs value"),
        ({"low": "0.9"}, "relation = needs value and nothing else"),
        ({"relation": ">="}, "relation >= needs low"),
        ({"relation": "range", "value": "", "low": "0.9"}, "relation range needs high and low"),
        ({"relation": "range", "value": "", "low": "0.99", "high": "0.94"}, "low 0.99 is above high 0.94"),
        ({"half_digit": "-0.005"}, "half_digit -0.005"),
        ({"half_digit": "0"}, "half of the last printed digit"),
        ({"metric": "layer_count", "value": "47"}, "nothing is rounded"),
        ({"item": ""}, "item is empty"),
        ({"half_digit": ""}, "half_digit is empty"),
    ],
)
def test_a_malformed_row_is_refused_with_its_line_number(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    path = write(tmp_path / "p.csv", GOOD, GOOD | change, GOOD)
    with pytest.raises(FormatError) as refusal:
        read_printed(path)
    assert str(refusal.value).startswith("p.csv line 3: ")
    assert message in str(refusal.value)


def test_a_missing_column_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", GOOD, columns=tuple(name for name in COLUMNS if name != "half_digit"))
    with pytest.raises(FormatError, match=r"line 1: columns are"):
        read_printed(path)


def test_a_row_with_a_cell_too_many_is_refused_with_its_line_number(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", GOOD)
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + ",\n", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"line 2: {len(COLUMNS) + 1} cells"):
        read_printed(path)


def test_bytes_that_are_not_utf8_and_a_missing_file_are_format_errors(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(",".join(COLUMNS).encode() + b"\n\xff\n")
    with pytest.raises(FormatError, match="UTF-8"):
        read_printed(tmp_path / "p.csv")
    with pytest.raises(FormatError, match="does not exist"):
        read_printed(tmp_path / "none.csv")


def test_half_digit_is_half_of_the_last_digit_written_and_zero_for_what_is_counted() -> None:
    for row in csv_rows():
        ends = [row[name] for name in ("value", "low", "high") if row[name]]
        rounded = row["metric"] not in EXACT_METRICS
        expected = max(map(half_of_last_digit, ends)) if rounded else Decimal(0)
        assert Decimal(row["half_digit"]) == expected, row


def test_symmetric_metrics_name_models_and_layers_in_one_order() -> None:
    for row in printed().to_pylist():
        if row["model_b"] is None or row["metric"] == "rel_l2":
            continue
        first, second = MODEL_ORDER.index(row["model_a"]), MODEL_ORDER.index(row["model_b"])
        assert first <= second, row
        if first == second and row["layer_b"] is not None:
            assert row["layer_a"] < row["layer_b"], row


def test_korean_and_english_tables_differ_in_layer_counts_only() -> None:
    def tables(document: str) -> set[tuple[str, ...]]:
        sections = ("Conclusion", "D-2.1", "D-2.2", "D-2.3", "E.1", "E.2", "E.3")
        rows = (row for row in csv_rows() if row["document"] == document and row["section"] in sections)
        return {tuple(row[name] for name in ("item", *QUANTITY, "value")) for row in rows if row["value"]}

    different = tables("sionic_ko") ^ tables("sionic_en")
    assert {row[0].rpartition("_")[0] for row in different} == {
        "sionic.e1.layers.glm",
        "sionic.e1.layers.intellect",
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sionic.d2_1.cosine.layer10", "critique.exp3.cosine.solar_glm"),
        ("sionic.d2_1.pearson.layer10", "critique.exp6_2.pearson.solar_glm"),
        ("sionic.fig2a.cosine_level", "critique.exp3.cosine.solar_glm"),
        ("sionic.conclusion.cosine.solar_glm", "sionic.s3.solar_glm_cosine_0_99"),
        ("sionic.conclusion.three_conclusions", "sionic.conclusion.three_conclusions"),
        ("sionic.e1.layers.glm_47", "sionic.e1.layers.glm_46"),
        ("sionic.e1.layers.intellect_47", "sionic.e1.layers.intellect_46"),
        ("sionic.e1.layers.intellect_47", "sionic.fig3c.layer_count_46"),
        ("sionic.e1.layers.glm_46", "sionic.fig1c.layer_count_47"),
        ("sionic.e1.layers.glm_46", "sionic.fig2.shape_47x47"),
        ("sionic.e1.layers.intellect_46", "sionic.fig5.phi_heatmaps_47x32"),
        ("critique.models.moe_four", "critique.readme.five_moe_models"),
        ("critique.exp2.solar.average", "critique.readme.expected_fair_0_98"),
        ("critique.readme.dtype_fp16", "sionic.fig3_1b.bytewise_bf16"),
    ],
)
def test_figures_that_cannot_both_be_true_meet_in_a_self_join(first: str, second: str) -> None:
    assert (first, second) in {(a, b) for _, a, _, b in contradictions()}


def test_a_document_can_contradict_itself() -> None:
    within = {(a, b) for document, a, other, b in contradictions() if document == other == "sionic_en"}
    assert ("sionic.e1.layers.glm_46", "sionic.e1.layers.glm_47") in within


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("critique.exp3.cosine.solar_glm", "critique.readme.expected_cross_0_98"),
        ("critique.exp3.mean", "critique.readme.moe_mean_0_964"),
        ("critique.exp1.glm.average", "critique.readme.bg.within_0_377"),
        ("sionic.fig2a.cosine_level", "sionic.d2_1.cosine.layer10"),
        ("sionic.e1.layers.glm_47", "sionic.fig2.shape_47x47"),
        ("sionic.e1.hidden_dim.solar", "critique.exp5.all_hidden_4096"),
    ],
)
def test_figures_of_one_quantity_that_agree_within_rounding_are_no_contradiction(
    first: str, second: str
) -> None:
    def quantities(item: str) -> set[tuple[str, ...]]:
        return {tuple(row[name] for name in QUANTITY) for row in csv_rows() if row["item"] == item}

    assert quantities(first) & quantities(second)
    assert (first, second) not in {(a, b) for _, a, _, b in contradictions()}


def test_two_statements_disagree_with_what_they_point_to() -> None:
    assert {a for _, a, _, b in contradictions() if a == b} == {
        "sionic.conclusion.three_conclusions",  # with the two it enumerates
        "hyunwoong.s1.post_layer0_ge_0_92.phi",  # with the image it cites
    }
