"""Every figure has a query and claims that exist, and listing figures imports nothing slow."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from analysis.claims.claim_file import CLAIMS, FINDINGS
from analysis.figures.catalogue import ARGUMENT, FIGURES, WORDS
from analysis.figures.figure import QUERIES, sql_path, sql_text
from analysis.languages import LANGUAGES, all_texts, read_texts
from warehouse.catalog.definitions import SQL
from warehouse.documents import documents

FILES = sorted(QUERIES.glob("*.sql"))


def test_every_figure_has_its_query_and_every_query_a_figure() -> None:
    assert {sql_path(figure) for figure in FIGURES.values()} == set(FILES)


def test_every_figure_of_the_documents_has_its_counterpart() -> None:
    numbered = ("00", "01", "02", "03", "03_1", "04a", "04b", "05", "06", "07", "08", "09", "10")
    expected = [
        *("layer_0", "model_matrix", "toy"),  # on the main page, hence first
        *(f"figure_{number}" for number in numbered),
        *(f"within_{model}" for model in ("solar", "glm", "phi")),
        *("confusion", "confusion_mixed"),
        *(f"experiment_{number}" for number in (1, 3, 4, 5, 6)),  # 2 is in 1
    ]
    assert [name for name, figure in FIGURES.items() if figure.documents] == expected


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_says_what_it_shows_and_names_real_documents_and_claims(name: str) -> None:
    figure = FIGURES[name]
    assert figure.name == name
    assert figure.words.subject
    assert figure.words.caption["en"].endswith((".", "}"))
    assert figure.words.description["en"].endswith(".")
    assert set(figure.documents) <= set(documents())
    for claim in figure.claims:
        root = FINDINGS.parent if claim.startswith(f"{FINDINGS.name}.") else CLAIMS
        assert (root / f"{claim.replace('.', '/', 1)}.sql").exists(), claim


@pytest.mark.parametrize("file", sorted(WORDS.glob("*.toml")), ids=lambda file: file.stem)
def test_the_words_of_a_figure_are_in_every_language_with_the_same_facts(file: Path) -> None:
    assert set(read_texts(file)) <= set(FIGURES)
    for name, text in all_texts(read_texts(file)):
        assert set(text) == set(LANGUAGES), name
        assert all(words.strip() for words in text.values()), name
        assert len({frozenset(re.findall(r"\{(\w+)", words)) for words in text.values()}) == 1, name


@pytest.mark.slow
def test_the_main_page_has_about_eight_figures_and_each_is_drawn_for_phones(
    tables: dict[str, pl.DataFrame],
) -> None:
    assert 7 <= len(ARGUMENT) <= 9
    for figure in ARGUMENT:
        assert figure.draw(tables[figure.name], narrow=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_query_begins_with_what_a_row_is_and_names_its_columns(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("-- one row per ")
    assert not re.search(r"select\s+\*\s+from \w+\s*$", text)


def test_variables_are_set_before_the_query_that_reads_them() -> None:
    text = sql_text(FIGURES["figure_03"])
    assert text.startswith(
        "set variable model_a = 'glm';\nset variable model_b = 'intellect';\n-- one row per "
    )
    for figure in FIGURES.values():
        for variable in figure.variables:
            assert f"getvariable('{variable}')" in sql_path(figure).read_text(encoding="utf-8")


def test_listing_figures_imports_no_library_that_draws() -> None:
    slow = ("altair", "duckdb", "numpy", "polars", "pyarrow", "vl_convert")
    code = (
        "import sys; from analysis.__main__ import main; main(['figure'])\n"
        f"print('loaded:', *set({slow}) & set(sys.modules), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SQL.parent
    )
    assert [line.split()[0] for line in run.stdout.splitlines()] == list(FIGURES)
    assert run.stderr.splitlines()[-1] == "loaded:"
