"""Files, sections and verdicts of a report, read as text."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from analysis.claims.headlines import planned
from analysis.figures.catalogue import ARGUMENT
from analysis.rendering import size_of_png
from analysis.report.build import Summary, build_report
from analysis.report.page import embedded, number, size
from tests.report.conftest import DRAWN, MISSING
from tests.sql.lakes import random_model, write_lake
from warehouse.catalog.catalog import open_catalog
from warehouse.console.progress import Progress
from warehouse.errors import UsageError
from warehouse.lake import Lake


def told_nothing(sql: Path) -> Path:
    """A folder like `sql/` without claims and statements."""
    (sql / "findings").mkdir(parents=True)
    (sql / "documents").mkdir()
    (sql / "documents" / "items.csv").write_text("item,group,evidence,statement\n")
    return sql


def text(summary: Summary, page: str = "index") -> str:
    return (summary.path.parent / f"{page}.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_png_svg_and_csv_of_a_figure_of_every_query_are_beside_the_page_and_have_marks(
    report: Summary,
) -> None:
    folder = report.path.parent / "figures"
    assert {path.name for path in folder.iterdir()} == {
        f"{name}.{kind}" for name in DRAWN for kind in ("png", "svg", "csv")
    }
    for name in DRAWN:
        svg = (folder / f"{name}.svg").read_text(encoding="utf-8")
        assert svg.count("aria-roledescription=") > 3, name
        assert "NaN" not in svg, name
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
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
    "page",
    ["index", "figures", "ledger", "contradictions", "lineage", "declared", "data", "ko/index", "ko/figures"],
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


@pytest.mark.slow
def test_a_link_preview_has_a_picture_and_its_full_address(report: Summary, replica: Summary) -> None:
    assert size_of_png((report.path.parent / "preview.png").read_bytes()) == (600, 315)
    assert '<meta property="og:image" content="preview.png">' in text(report)
    assert '<meta property="og:image" content="../preview.png">' in text(report, "ko/index")
    assert '<meta property="og:image" content="https://example.org/preview.png">' in text(replica, "ledger")
    assert '<meta property="og:url" content="https://example.org/ko/index.html">' in text(replica, "ko/index")


def test_on_a_replica_the_first_sentences_give_published_measurements(
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


def test_beside_what_is_not_judged_nothing_says_whether_it_holds(replica: Summary) -> None:
    items = re.findall(
        r'<li id="item-[^"]+" data-verdict="not-judged">.*?</li>', text(replica, "ledger"), re.S
    )
    assert items
    for item in items:
        assert "holds" not in item
        assert not re.search(r"<td>(yes|no)</td>", item)


def test_the_ledger_begins_with_the_headlines(report: Summary) -> None:
    page = text(report, "ledger")
    assert page.index('id="headlines"') < page.index('id="ledger"')
    assert page.partition('id="headlines"')[2].partition("</ul>")[0].count("<li>") == len(planned())


def test_disagreements_are_sentences_strict_ones_first_and_inferences_apart(report: Summary) -> None:
    page = text(report, "contradictions")
    places = [
        page.index(part)
        for part in ('id="contradictions-strict"', 'id="contradictions-soft"', 'id="inferred"')
    ]
    assert places == sorted(places)
    strict, soft = page[places[0] : places[1]], page[places[1] : places[2]]
    assert "<details" not in strict + soft
    for line in re.findall(r"<li>.*?</li>", strict + soft, re.S):
        assert line.count('href="ledger.html#item-') >= 2
    assert "claim-findings.layer_0_cosines" in page[places[2] :]


def test_the_data_page_describes_every_table_and_column(report: Summary) -> None:
    norms = text(report, "data").partition('id="table-norms"')[2].partition("</details>")[0]
    assert re.findall(r'<th scope="row"><code>(\w+)</code>', norms) == [
        "model",
        "layer",
        "ln_type",
        "dim",
        "value",
    ]
    assert "<td></td>" not in norms


def test_numbers_are_listed_with_their_questions_and_ways_in_words(report: Summary) -> None:
    page = text(report, "lineage")
    numbers = page.partition('id="numbers"')[2].partition("</table>")[0]
    for value in ("0.989", "0.949", "0.986", "0.968", "0.127", "0.6", "0.8", "5.5", "182"):
        assert f">{value}</td>" in numbers
    assert "ft_long_high" not in page
    for name in ("index", "figures", "ledger", "contradictions", "data", "ko/index"):
        assert "lineage.html#numbers" in text(report, name)


def test_korean_pages_say_where_a_link_leads_to_english(report: Summary) -> None:
    for page in ("ko/index", "ko/figures"):
        nav = text(report, page).partition('<nav aria-label="normhouse"')[2].partition("</ul>")[0]
        for line in nav.split("<li>")[1:]:
            is_english = '="../' in line
            assert ("(영어)" in line) == is_english, line
    assert "(in English)" not in text(report)


def test_the_main_page_counts_published_measurements(report: Summary, lake: Lake) -> None:
    with open_catalog(lake) as connection:
        [(agree, differ)] = connection.sql(
            "select count_if(agrees), count_if(not agrees) from measured_elsewhere"
        ).fetchall()
    page = text(report)
    assert f"{agree} of these measurements agree" in page
    assert f'<a href="ledger.html?measured=disagree">{differ} do not</a>' in page


def test_the_steps_have_every_party_and_link_the_press(report: Summary) -> None:
    page = text(report)
    steps = re.findall(r'<li id="step-(\w+)">', page)
    assert steps[0] == "accusation"
    assert {"sanity", "baseline", "reply", "cho", "press", "revision", "open"} <= set(steps)
    press = page.partition('id="step-press"')[2].partition('<li id="step-')[0]
    assert len(re.findall(r'href="https://', press)) >= 4
    assert 'class="verdict' not in press


def test_the_ledger_table_keeps_the_run(report: Summary, lake: Lake) -> None:
    assert list((lake.path / "ledger").glob("run-*.parquet"))
    assert "just claims --since" in text(report, "data")


def test_a_report_replaces_the_figures_of_an_earlier_one(replica: Summary) -> None:
    assert list((replica.path.parent / "figures").iterdir()) == []


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
    assert number(-0.74, "+.1f") == "−0.7"
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
