"""`just compare` and `just report` as typed, and what the sentences say of models with a known relation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from analysis.__main__ import main
from analysis.report.compare import (
    brief_lines,
    compared,
    detailed_lines,
    lineage_sentence,
    measured,
)
from analysis.report.compare_page import pair_figures
from analysis.rows import fetch_dicts
from tests.sql.lakes import WIDTH, tiny_models, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.lake import Lake

NO_SIGN = "No sign of shared history in the norm weights"
SHARE = "Share weight history"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """A base, a copy, a noisy copy, an independent model and misfits."""
    return write_lake(tmp_path_factory.mktemp("data") / "local", tiny_models())


@pytest.fixture
def current(tiny: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those models as the lake that commands read."""
    (tiny.path.parent / "current").write_text("local\n")
    monkeypatch.setenv("NORMHOUSE_DATA", str(tiny.path.parent))


@pytest.fixture(scope="module")
def connection(tiny: Lake) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_catalog(tiny) as opened:
        yield opened


def said(connection: duckdb.DuckDBPyConnection, a: str, b: str) -> dict[str, str]:
    return {norm.ln_type: " ".join(norm.lines) for norm in measured(connection, a, b)[1]}


@pytest.mark.slow
@pytest.mark.usefixtures("current")
@pytest.mark.parametrize(("other", "verdict"), [("noisy", SHARE), ("independent", NO_SIGN)])
def test_the_first_sentence_is_what_the_lineage_test_says(
    connection: duckdb.DuckDBPyConnection, other: str, verdict: str
) -> None:
    [row] = fetch_dicts(connection, f"from lineage('base', '{other}')")
    sentence = lineage_sentence(row)
    assert sentence.startswith(f"Do they share weight history, as far as norms tell? {verdict}")
    assert f". z is {row['z_eff']:+.1f}, by weights, layer by layer" in sentence
    assert "))" not in sentence


def test_the_sentences_carry_the_figures_of_the_summary(connection: duckdb.DuckDBPyConnection) -> None:
    [(cosine, pearson)] = connection.sql(
        "select cosine_mean, pearson_mean from summary('base', 'independent') where ln_type like 'input%'"
    ).fetchall()
    words = said(connection, "base", "independent")["input_layernorm"]
    assert f"the cosine averages {cosine:.4f}" in words
    assert f"the correlation averages {pearson:.4f}" in words
    assert "The means alone give " in words
    assert f"0 ± {(WIDTH - 1) ** -0.5:.4f}" in words


def test_a_copy_has_all_its_values_in_common(connection: duckdb.DuckDBPyConnection) -> None:
    assert (
        "100.0% of the values are the same number in both." in said(connection, "base", "copy")["final_norm"]
    )


def test_a_constant_vector_has_no_correlation_and_the_words_say_so(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    words = said(connection, "base", "constant")["input_layernorm"]
    assert "The correlation is undefined" in words
    assert "nan" not in words


def test_sentences_never_speak_of_descent(connection: duckdb.DuckDBPyConnection) -> None:
    for other in ("copy", "noisy", "independent"):
        words = " ".join(said(connection, "base", other).values())
        assert not any(word in words for word in ("derive", "descend", "copied", "stolen"))


def test_every_metric_is_shown(connection: duckdb.DuckDBPyConnection) -> None:
    metrics, _ = measured(connection, "base", "noisy")
    columns = {name for name, *_ in connection.sql("from compare('base', 'noisy')").description}
    shown = {str(row["metric"]) for row in metrics}
    assert shown == columns - {"layer", "ln_type", "d"}


def test_the_figures_are_those_of_the_pair() -> None:
    figures = pair_figures("one", "other")
    assert [figure.name for figure in figures] == [
        "figure_01",
        "figure_02",
        "decomposition",
        "drift",
        "figure_08",
        "figure_09",
    ]
    assert all(figure.needs == ("one", "other") for figure in figures)


@pytest.mark.usefixtures("current")
def test_the_answer_comes_first_and_in_ten_lines(connection: duckdb.DuckDBPyConnection) -> None:
    printed = brief_lines(compared(connection, "base", "noisy"))
    assert printed[0].startswith("base and noisy: share weight history")
    assert [line.split()[0] for line in printed if line.startswith(("final", "input", "post"))] == [
        "final_norm",
        "input_layernorm",
        "post_attention_layernorm",
    ]
    assert f"0 ± {(WIDTH - 1) ** -0.5:.4f} in each layer" in " ".join(printed)
    assert max(map(len, printed)) <= 80
    assert len(printed) <= 10


@pytest.mark.usefixtures("current")
def test_details_have_sentences_before_the_table(connection: duckdb.DuckDBPyConnection) -> None:
    printed = detailed_lines(compared(connection, "base", "noisy"))
    opening = next(at for at, line in enumerate(printed) if line.startswith("Do they share"))
    table = next(at for at, line in enumerate(printed) if line.startswith("means over layers"))
    assert opening < table
    assert [line.split()[0] for line in printed[table + 1 : table + 4]] == [
        "final_norm",
        "input_layernorm",
        "post_attention_layernorm",
    ]
    assert max(map(len, printed)) <= 80
    assert len(printed) <= 45


@pytest.mark.usefixtures("current")
def test_models_are_found_by_their_repositories(
    connection: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    repos = dict(connection.sql("select model, repo from models").fetchall())
    assert repos["base"] != "base"
    assert main(["compare", repos["base"].upper(), repos["noisy"], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["model_a"], told["model_b"]) == ("base", "noisy")


@pytest.mark.usefixtures("current")
def test_json_has_every_metric_and_draws_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "base", "constant", "--json", "--out", str(tmp_path / "out")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["lake"], told["model_a"], told["model_b"]) == ("local", "base", "constant")
    assert told["lineage"]["verdict"].startswith("cannot tell")
    pearson = [row for row in told["metrics"] if row["metric"] == "pearson"]
    assert pearson
    assert all(row["mean"] is None for row in pearson)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("models", "hint"),
    [
        (("base", "nosy"), "did you mean noisy?"),
        (("base", "qwen"), "there is base"),
        (("base", "base"), "itself"),
    ],
)
@pytest.mark.usefixtures("current")
def test_a_pair_that_cannot_be_compared_is_one_line_and_exit_1(
    models: tuple[str, str], hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *models, "--out", str(tmp_path / "out")]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: ")
    assert hint in last
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("current")
def test_models_without_a_vector_in_common_have_nothing_to_compare(
    new_folder: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = new_folder()
    assert main(["compare", "base", "wide", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "nothing to compare" in printed.out
    assert "lake local" in printed.err
    assert "nothing to compare" in (out / "compare-base-wide.html").read_text(encoding="utf-8")


def test_a_report_needs_a_lake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 1
    assert "just ingest" in capsys.readouterr().err
