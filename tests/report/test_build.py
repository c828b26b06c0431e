"""What the report is made of, read as text: files, order, verdicts; what came with the data never runs."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from analysis.figures.catalogue import ARGUMENT, FIGURES
from analysis.rendering import size_of_png
from analysis.report.build import Summary, build_report
from analysis.report.page import embedded, number, size
from tests.report.conftest import MISSING
from tests.sql.lakes import random_model, write_lake
from warehouse.console.progress import Progress
from warehouse.errors import UsageError
from warehouse.lake import Lake


def told_nothing(sql: Path) -> Path:
    """A folder like `sql/` in which no document says anything."""
    (sql / "findings").mkdir(parents=True)
    (sql / "documents").mkdir()
    (sql / "documents" / "items.csv").write_text("item,group,evidence,statement\n")
    return sql


def text(summary: Summary, page: str = "index") -> str:
    return (summary.path.parent / f"{page}.html").read_text(encoding="utf-8")


def test_png_svg_and_csv_of_every_figure_stand_beside_the_page(report: Summary) -> None:
    folder = report.path.parent / "figures"
    assert {path.name for path in folder.iterdir()} == {
        f"{name}.{kind}" for name in FIGURES for kind in ("png", "svg", "csv")
    }
    assert (folder / "figure_02.png").read_bytes().startswith(b"\x89PNG")
    assert pl.read_csv(folder / "figure_02.csv").height > 2000


def test_a_missing_model_leaves_a_note_in_place_of_its_figure(report: Summary) -> None:
    assert list(report.left_out) == [MISSING]
    figure = text(report, "figures").partition(f'id="figure-{MISSING}"')[2].partition("</figure>")[0]
    assert "just ingest hub absent" in figure
    assert "<img" not in figure


def test_a_chart_says_which_lake_it_was_read_from(report: Summary) -> None:
    for name, lake in (("figure_02", "lake local"), ("toy", "lake zoo"), ("calibration_null", "lake zoo")):
        figure = text(report, "figures").partition(f'id="figure-{name}"')[2]
        assert lake in figure.partition("<figure")[0].partition("</p>")[0]
        picture = (report.path.parent / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert lake in picture


def test_the_main_page_has_its_parts_in_order_and_every_page_is_there(report: Summary) -> None:
    parts = ("answer", "dispute", "argument", "verdicts", "glossary")
    for page in ("index", "ko/index"):
        places = [text(report, page).index(f'<section id="{part}"') for part in parts]
        assert places == sorted(places)
    for page, part in (
        ("ledger", "findings"),
        ("contradictions", "contradictions"),
        ("lineage", "lineage"),
        ("data", "models"),
        ("data", "reproduce"),
    ):
        assert f'<section id="{part}"' in text(report, page)


@pytest.mark.parametrize(
    "page", ["index", "figures", "ledger", "contradictions", "lineage", "data", "ko/index", "ko/figures"]
)
def test_a_page_asks_for_nothing_but_the_pictures_beside_it(page: str, report: Summary) -> None:
    html = re.sub(r"<script>.*?</script>", "", text(report, page), flags=re.DOTALL)
    sources = re.findall(r""" (?:src|srcset|action)=["']([^"']+)""", html)
    assert bool(sources) == page.endswith("figures")
    assert all(source.removeprefix("../").startswith("figures/") for source in sources)
    assert "<link" not in html
    assert "@import" not in html


def test_the_main_page_is_light_and_shows_its_figures_by_itself(report: Summary) -> None:
    for page in ("index", "ko/index"):
        assert len(text(report, page).encode()) < 2_000_000
        assert len(re.findall(r'<div class="wide-picture"><svg', text(report, page))) == len(ARGUMENT)
        assert len(re.findall(r'<div class="narrow-picture"><svg', text(report, page))) == len(ARGUMENT)


def test_a_link_preview_has_a_picture_and_its_full_address(report: Summary, replica: Summary) -> None:
    assert size_of_png((report.path.parent / "preview.png").read_bytes()) == (600, 315)
    assert '<meta property="og:image" content="preview.png">' in text(report)
    assert '<meta property="og:image" content="../preview.png">' in text(report, "ko/index")
    assert '<meta property="og:image" content="https://example.org/preview.png">' in text(replica, "ledger")
    assert '<meta property="og:url" content="https://example.org/ko/index.html">' in text(replica, "ko/index")


def test_on_a_replica_the_first_sentences_tell_what_others_measured(
    report: Summary, replica: Summary
) -> None:
    for page, caution in (("index", "no evidence"), ("ko/index", "증거가 아닙니다")):
        words = text(replica, page).partition('class="words"')[2].partition("</div>")[0]
        assert "0.949" in words
        assert "0.013" in words
        assert caution in words
        assert caution not in text(report, page).partition('class="words"')[2].partition("</div>")[0]


def test_verdicts_are_given_on_weights_that_are_no_replica(report: Summary) -> None:
    assert report.counts["not judged"] == 0
    assert report.counts["reproduced"] > 0
    assert report.counts["contradicted"] > 0
    assert 'class="banner"' not in text(report)


def test_on_a_replica_statements_about_weights_are_not_judged(replica: Summary) -> None:
    rows = re.findall(r'data-verdict="([\w -]+)" data-evidence="(\w+)"', text(replica, "ledger"))
    judged = {
        kind: {word for words, found in rows if found == kind for word in words.split()} for _, kind in rows
    }
    assert {"not-judged"} <= judged["weights"] <= {"not-judged", "untestable"}
    assert {"reproduced", "by-definition", "contradicted"} <= judged["analytic"]
    for page in ("index", "ledger", "figures", "lineage", "ko/index"):
        assert text(replica, page).count('class="banner"') == 1


def test_the_ledger_table_keeps_the_run(report: Summary, lake: Lake) -> None:
    assert list((lake.path / "ledger").glob("run-*.parquet"))
    assert "just claims --since" in text(report, "data")


def test_a_second_report_replaces_the_figures_of_the_first(tmp_path: Path, out: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1), "glm": random_model(2)})
    left = out / "figures" / "old.png"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"")
    build_report(lake, out, Progress(quiet=True), [], told_nothing(tmp_path / "sql"))
    assert not left.exists()


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    lake = write_lake(tmp_path / "lake", {"solar": random_model(1)})
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="choose another --out"):
        build_report(lake, tmp_path / "file", Progress(quiet=True), [], told_nothing(tmp_path / "sql"))


def test_figures_are_written_as_people_read_them() -> None:
    assert number(None) == "undefined"
    assert number(float("nan")) == "undefined"
    assert number(-0.00123456789) == "−0.00123457"
    assert number(182.0) == "182"
    assert [size(count) for count in (999, 1_640_000, 221_000_000_000, None)] == [
        "999 bytes",
        "1.64 MB",
        "221 GB",
        "unknown",
    ]


def test_json_in_the_page_cannot_end_its_element() -> None:
    assert embedded({"a": "</script><!--", "b": float("nan"), "c": [float("inf")]}) == (
        '{"a":"\\u003c/script\\u003e\\u003c!--","b":null,"c":[null]}'
    )
