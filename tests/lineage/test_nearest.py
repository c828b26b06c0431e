"""`just nearest`: relatives are found by sketches, and every answer about a pair is the lineage test's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.__main__ import main
from analysis.lineage import nearest
from tests.lineage.planted import model, noisy, take_layers
from tests.sql.gathering import gather
from tests.sql.lakes import Vectors, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

WIDTH, LAYERS = 128, 4


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """One family among 130 strangers of its width, a pruned child, a wider model and one that was folded."""
    base = model(1, LAYERS, WIDTH)
    family: dict[str, Vectors] = {
        "base": base,
        "copy": dict(base),
        **{f"child{n}": noisy(base, 100 + n, 0.3 * (n + 1)) for n in range(4)},
        "pruned": take_layers(base, [0, 1, 3]),
        "wider": model(2, LAYERS, 2 * WIDTH),
        "folded": {key: np.ones(WIDTH, np.float32) for key in base},
    }
    strangers = {f"s{n:03}": model(1000 + n, LAYERS, WIDTH) for n in range(130)}
    lake = write_lake(tmp_path_factory.mktemp("crowd") / "data" / "crowd", {**family, **strangers})
    gather(lake)
    return lake


def asked(
    lake: Lake, *options: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.setenv("NORMHOUSE_DATA", str(lake.path.parent))
    assert main(["nearest", "base", "--lake", lake.name, *options]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_the_family_comes_first_and_the_copy_before_all(crowd: Lake) -> None:
    with open_catalog(crowd) as connection:
        rows = connection.sql("from nearest('base')").to_arrow_table().to_pylist()
    assert len(rows) == 100
    assert rows[0]["model"] == "copy"
    assert [row["identical"] for row in rows] == [True] + [False] * 99
    assert {row["model"] for row in rows[:6]} == {"copy", "child0", "child1", "child2", "child3", "pruned"}
    assert all(row["verdict"] == "share weight history" for row in rows[:6])
    assert not any(row["verdict"] == "share weight history" for row in rows[6:])
    assert {row["further"] for row in rows} == {0}


@pytest.mark.slow
def test_a_row_says_what_the_lineage_test_says_of_the_pair(crowd: Lake) -> None:
    with open_catalog(crowd) as connection:
        rows = connection.sql("from nearest('base', most := 8)").to_arrow_table().to_pylist()
        assert len(rows) == 8
        for row in rows:
            [pair] = connection.sql(f"from lineage('base', '{row['model']}')").to_arrow_table().to_pylist()
            assert (row["z_eff"], row["verdict"]) == (pytest.approx(pair["z_eff"], rel=1e-9), pair["verdict"])


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "weighed"), [("", 20), (", weighed := 3", 3), (", most := null", 20)])
def test_the_first_are_told_with_what_their_weights_are_like(crowd: Lake, asked: str, weighed: int) -> None:
    with open_catalog(crowd) as connection:
        rows = connection.sql(f"from nearest('base'{asked})").to_arrow_table().to_pylist()
        pairs = connection.sql("from lineage_pairs(around := 'base')").to_arrow_table().to_pylist()
    alike = {pair["model_b"]: (pair["pearson_mean"], pair["cosine_mean"]) for pair in pairs}
    for row in rows[:weighed]:
        assert (row["pearson_mean"], row["cosine_mean"]) == pytest.approx(alike[row["model"]], rel=1e-9)
    assert {(row["pearson_mean"], row["cosine_mean"]) for row in rows[weighed:]} == {(None, None)}


@pytest.mark.slow
def test_it_says_how_many_are_left_out_though_they_stand_beyond_the_cut(crowd: Lake) -> None:
    with open_catalog(crowd) as connection:
        rows = connection.sql("select model, further from nearest('base', most := 2)").fetchall()
        [(beyond,)] = connection.sql("select count(*) from sketched('base') where z_sketch >= 5").fetchall()
    assert [further for _, further in rows] == [beyond - 2] * 2
    assert beyond >= 5


@pytest.mark.slow
def test_all_models_are_compared_on_request_in_portions(
    crowd: Lake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "PORTION", 60)
    found: dict[str, Any] = json.loads(
        asked(crowd, "--all", "--json", capsys=capsys, monkeypatch=monkeypatch)
    )
    rows = found["nearest"]
    assert len({row["model"] for row in rows}) == len(rows) == 138
    with open_catalog(crowd) as connection:
        whole = connection.sql("from nearest('base', most := null)").to_arrow_table().to_pylist()
    for row, expected in zip(rows, whole, strict=True):
        assert list(row) == list(expected)
        assert row == {
            name: pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float) else value
            for name, value in expected.items()
        }
    last = {row["model"]: row["verdict"] for row in rows[-2:]}
    assert last["wider"].startswith("cannot tell: widths differ")
    assert last["folded"].startswith("cannot tell: constant in folded")


@pytest.mark.slow
def test_words_name_identical_norms_and_what_sketches_may_miss(
    crowd: Lake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = asked(crowd, capsys=capsys, monkeypatch=monkeypatch)
    [first] = [line for line in said.splitlines() if "identical norms; share weight history" in line]
    assert first.split()[:2] == ["1", "copy"]
    assert "Sketches chose" not in said
    assert "Sketches chose" in asked(crowd, "--details", capsys=capsys, monkeypatch=monkeypatch)
    in_full = asked(crowd, "--all", "--details", capsys=capsys, monkeypatch=monkeypatch)
    assert "Sketches chose" not in in_full


@pytest.mark.slow
def test_words_below_the_list_count_the_others_and_do_not_read_as_the_answer(
    crowd: Lake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = asked(crowd, "--details", capsys=capsys, monkeypatch=monkeypatch).splitlines()
    [more] = [line for line in said if line.endswith("--json gives all")]
    assert more == "80 more (80 no sign of shared history): --json gives all"
    assert '"no sign of shared history": norms folded or reset and trained on, permuted or' in said
    assert not any(line.startswith("No sign") for line in said)


@pytest.mark.slow
def test_a_row_says_how_many_strangers_chance_would_put_so_high(crowd: Lake) -> None:
    with open_catalog(crowd) as connection:
        rows = connection.sql("from nearest('base') where rank is not null").to_arrow_table().to_pylist()
        [(searched,)] = connection.sql(
            "select count(*) from sketched('base') where z_sketch > -99"
        ).fetchall()
    for row in rows:
        assert row["searched"] == searched == 136
        assert row["by_chance"] == pytest.approx(searched * math.erfc(row["z_eff"] / 2**0.5) / 2, rel=1e-6)
    strangers = [row for row in rows if row["model"].startswith("s")]
    highest = strangers[0]
    assert 0.01 < highest["by_chance"] < 10


def test_chance_has_two_tries_where_weights_and_biases_are_asked(crowd: Lake) -> None:
    query = "select expected_false_matches(0.001, 3.0, {}, 1000)"
    with open_catalog(crowd) as connection:
        one, two = (connection.sql(query.format(biases)).fetchall()[0][0] for biases in ("null", "1.0"))
    assert (one, two) == pytest.approx((1.0, 2.0))


@pytest.mark.slow
def test_norms_too_wide_to_be_ranked_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warehouse.features.vectors.MOST_RANKED", WIDTH - 1)
    models = {name: model(seed, 1, WIDTH) for seed, name in enumerate("ab")}
    with open_catalog(write_lake(tmp_path / "lake", models)) as connection:
        [(verdict, z_sketch)] = connection.sql("select verdict, z_sketch from nearest('a')").fetchall()
    assert verdict.startswith("cannot tell")
    assert z_sketch is None


def test_words_warn_of_a_relative_that_a_search_among_so_many_finds_by_chance() -> None:
    row = {"z_eff": None, "identical": False, "verdict": "share weight history", "further": 0}
    weak = {**row, "model": "weak", "by_chance": 0.03, "searched": 99_999}
    strong = {**row, "model": "strong", "by_chance": 1e-9, "searched": 99_999}
    said = " ".join(nearest.lines("base", [strong, weak], None, everyone=False))
    assert (
        "99,999 models were searched: among so many, 0.03 without relation are expected to stand as" in said
    )
    assert "as high as weak by chance" in said
    assert "were searched" not in " ".join(nearest.lines("base", [strong], None, everyone=False))


def test_words_tell_of_models_that_were_not_compared_though_they_are_alike() -> None:
    rows = [{"model": "a", "z_eff": None, "verdict": "cannot tell", "identical": False, "further": 1_200}]
    said = " ".join(nearest.lines("base", rows, None, everyone=False))
    assert "1,200 more models were not compared, though by their sketches they stand as far" in said


def test_a_model_that_is_not_there_is_named(
    crowd: Lake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(crowd.path.parent))
    assert main(["nearest", "nobody", "--lake", crowd.name]) == 1
    assert "no model 'nobody' in lake 'crowd'" in capsys.readouterr().err


def test_every_child_of_the_zoo_comes_before_strangers(shipped_zoo: Lake) -> None:
    """By sketches alone: among its parent's first twenty, or as many as the parent has relatives."""
    with open_catalog(shipped_zoo) as connection:
        truth = connection.sql("select parent, child, kind from lineage_truth where related").fetchall()
        children = {parent: [child for of, child, _ in truth if of == parent] for parent, _, _ in truth}
        # most children have one of these for a parent
        for parent in sorted(children, key=lambda name: -len(children[name]))[:8]:
            relatives = children[parent]
            rows = connection.sql(f"select model, z_sketch from sketched('{parent}')").fetchall()
            ordered = sorted(rows, key=lambda row: -(row[1] if row[1] is not None else -99))
            first = dict(ordered[: max(20, len(relatives))])
            honest = {child for of, child, kind in truth if of == parent and kind == "child"}
            assert honest <= first.keys(), parent
            assert min((first[child] for child in honest), default=99) > 5, parent
