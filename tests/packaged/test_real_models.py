"""The lineage test on models that others trained: a copy, a fine-tune, and two that only look related."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import duckdb
import pytest

from analysis.lineage.pair import compare_pair
from analysis.lineage.real import check_bars, real_pairs, stored_summary, summed, write_results
from analysis.rows import fetch_dicts
from tests.lineage.one_answer import assert_one_answer

MINILM = ("minilm_l6", "minilm_l6_int8", "minilm_l6_sre")
SHARE = "share weight history"


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [*combinations(MINILM, 2), MINILM[1::-1]])
def test_a_real_model_its_int8_copy_and_its_fine_tune_share_history(
    real: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    pair = compare_pair(real, one, other, permutations=200)
    assert pair.row["verdict"] == SHARE
    assert pair.row["norms_used"] == 13
    assert min(pair.row["z_weights"], pair.row["z_biases"]) > 20
    assert pair.permuted is not None
    assert pair.permuted.p == 1 / 201


@pytest.mark.parametrize(("stack", "order"), [("", 1), ("", -1), ("_encoder", 1), ("_decoder", -1)])
def test_real_translators_with_fixed_sinusoids_share_none(
    real: duckdb.DuckDBPyConnection, stack: str, order: int
) -> None:
    """Trained separately. Each dimension has a frequency, so without detrending the norms agree at z 7.9."""
    one, other = (f"bergamot_{way}{stack}" for way in ("en_pt", "pt_en")[::order])
    pair = compare_pair(real, one, other, permutations=200)
    assert str(pair.row["verdict"]).startswith("no sign of shared history")
    assert "detrended" in pair.row["statistic_used"]
    assert pair.permuted is not None
    assert pair.permuted.p > 0.01


def test_dimensions_of_real_models_have_a_place_only_where_sinusoids_gave_them_one(
    real: duckdb.DuckDBPyConnection,
) -> None:
    rows = real.sql(
        "select model, sketches.position_z >= thresholds.position_z "
        "from sketches, lineage_thresholds() as thresholds order by model"
    ).fetchall()
    assert [model for model, has_positions in rows if has_positions] == [
        model for model, _ in rows if model.startswith("bergamot")
    ]


def test_what_is_known_covers_every_pair_of_the_lake(real: duckdb.DuckDBPyConnection) -> None:
    known = real.sql("select model_a, model_b from packaged_truth order by all").fetchall()
    models = [model for (model,) in real.sql("select model from models order by model").fetchall()]
    assert known == list(combinations(models, 2))


def test_a_two_stack_model_keeps_both_stacks_and_each_alone_has_its_own(
    real: duckdb.DuckDBPyConnection,
) -> None:
    rows = real.sql(
        "select model, count(*), count(distinct ln_type) from vectors "
        "where starts_with(model, 'bergamot_en_pt') group by model order by model"
    ).fetchall()
    # 6 encoder layers of 2 norms, 2 decoder layers of 3, weights and biases; alone without cross-attention
    assert rows == [
        ("bergamot_en_pt", 36, 10),
        ("bergamot_en_pt_decoder", 8, 4),
        ("bergamot_en_pt_encoder", 24, 4),
    ]
    named = real.sql("select distinct ln_type from vectors where model = 'bergamot_en_pt'").fetchall()
    assert ("decoder_cross_attention_layernorm_bias",) in named
    assert ("encoder_post_feedforward_layernorm",) in named


def test_a_gguf_model_is_asked_like_any_other_and_has_no_partner_of_its_width(
    real: duckdb.DuckDBPyConnection,
) -> None:
    [(norms, verdict)] = real.sql(
        "select (select count(*) from vectors where model = 'smollm2'), verdict "
        "from lineage('smollm2', 'minilm_l6')"
    ).fetchall()
    assert norms == 61
    assert verdict == "cannot tell: widths differ (384 and 576)"


@pytest.mark.slow
def test_the_calibration_counts_these_pairs_and_writes_what_it_reads_again(
    real: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    with real.cursor() as own:
        pairs = real_pairs(own)
        summary = summed(own)
    kinds = {row["kind"]: (row["pairs"], row["shared"]) for row in summary}
    assert kinds["related"] == (3, 3)
    assert kinds["unrelated, both sinusoidal"] == (5, 0)
    assert kinds["one model"] == (2, 0)
    assert all(holds for _, holds in check_bars(summary))
    write_results(pairs, tmp_path / "results.csv")
    # threads add in any order, which changes the last digits of a mean
    for read_again, written in zip(stored_summary(tmp_path / "results.csv"), summary, strict=True):
        assert read_again == pytest.approx(written)


def test_a_missed_relation_and_a_false_one_are_told() -> None:
    def row(kind: str, in_all: int, shared: int) -> dict[str, object]:
        return {"kind": kind, "in_all": in_all, "shared_in_all": shared}

    bars = check_bars([row("related", 3, 2), row("unrelated", 9, 0), row("unrelated, both sinusoidal", 4, 1)])
    assert bars == [
        ("every related pair is found, but 1", False),
        ("no unrelated pair is called related, but 1", False),
    ]


def test_every_pair_is_in_the_matrix_once(real: duckdb.DuckDBPyConnection) -> None:
    rows = fetch_dicts(real, "select model_a, model_b from lineage_matrix")
    pairs = [(row["model_a"], row["model_b"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 10 * 9 // 2


@pytest.mark.slow
def test_one_answer_on_a_pair_of_each_relation(real: duckdb.DuckDBPyConnection) -> None:
    """A copy, another width, fixed sinusoids, and parts of two models."""
    pairs = [
        ("minilm_l6", "minilm_l6_int8"),
        ("minilm_l6", "smollm2"),
        ("bergamot_en_pt", "bergamot_pt_en"),
        ("bergamot_en_pt_encoder", "bergamot_pt_en_encoder"),
    ]
    assert_one_answer(real, ["minilm_l6", "bergamot_en_pt"], pairs)


@pytest.mark.exhaustive
def test_one_answer_on_every_pair_of_real_models(real: duckdb.DuckDBPyConnection) -> None:
    models = [model for (model,) in real.sql("select model from models order by model").fetchall()]
    assert_one_answer(real, models, combinations(models, 2))
