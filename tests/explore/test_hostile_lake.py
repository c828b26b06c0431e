"""A reader uses the page of `just explore` on a lake full of payloads: none runs, and nothing is loaded."""

from __future__ import annotations

import ast
import io
import logging
import re
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import ConsoleMessage, Page, Route, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from analysis.explore import app
from analysis.explore.page import choices, heatmap, html, lines, own_chart, scatter, show, table
from analysis.explore.server import escape_logs
from tests.explore.hostile import FRAME, IMAGE, PAYLOADS

TRIES = 12
INJECTED = "iframe, object, embed, .canary, [onerror], [onload], [href^='javascript'], img[src*='canary']"


class Visit:
    """A page that is watched: what it asked of other addresses, and what its policy had to stop."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.elsewhere: list[str] = []
        self.stopped: list[str] = []
        page.route(lambda url: not url.startswith(address), self._abort)
        page.on("console", self._hear)
        page.goto(address)

    def _abort(self, route: Route) -> None:
        if not route.request.url.startswith(("data:", "blob:")):
            self.elsewhere.append(route.request.url)
        route.abort()

    def _hear(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.stopped.append(message.text)

    def assert_nothing_ran(self) -> None:
        self.page.wait_for_timeout(500)
        assert self.page.evaluate("window.taken") is None
        assert self.page.title() == "normhouse: explore a lake"
        assert self.elsewhere == []
        assert self.stopped == []
        found = self.page.locator(INJECTED)
        assert [one.evaluate("element => element.outerHTML") for one in found.all()] == []
        assert self.page.get_by_text("internal error").count() == 0

    def ask(self, query: str) -> None:
        self.page.locator(".cm-content").first.click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(query)
        self.page.get_by_role("button", name="Ask").click()


def sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def sql_name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_reader_chooses_clicks_and_asks_and_no_text_of_a_lake_runs(address: str, page: Page) -> None:
    expect.set_options(timeout=60_000)
    visit = Visit(page, address)
    expect(page.locator("h2", has_text="<img class=canary src=x").first).to_be_visible()
    visit.assert_nothing_ran()
    expect(page.locator("p", has_text="lake made: 4 models (unknown)").first).to_be_visible()

    page.get_by_label("and", exact=True).click()
    visit.assert_nothing_ran()
    page.get_by_text("noisy", exact=True).last.click()
    expect(page.locator("h2", has_text="and noisy: cannot tell: too few norms").first).to_be_visible()
    expect(page.get_by_text("Caution:")).to_have_count(1)

    # upper left of the heatmap: the last layer of the first model against layer 0 of the second;
    # a chart that was just drawn again may miss the first click
    chosen = page.locator("p", has_text="top.taken='other'>, layer 3 and noisy, layer 0")
    for _ in range(TRIES):
        grid = page.locator("canvas").first
        if grid.bounding_box() is not None:
            grid.hover(position={"x": 90, "y": 130})
            grid.click(position={"x": 90, "y": 130})
        with suppress(PlaywrightTimeout):
            chosen.wait_for(timeout=5_000)
            break
    expect(chosen).to_be_visible()
    visit.assert_nothing_ran()

    visit.ask("select * exclude (files), 1.5 as number from models order by model")
    expect(page.get_by_text("4 rows", exact=True)).to_be_visible()
    visit.assert_nothing_ran()
    visit.ask(f"select unnest([{', '.join(map(sql_text, PAYLOADS))}]) as text, 1 as number")
    expect(page.get_by_text(f"{len(PAYLOADS)} rows", exact=True)).to_be_visible()
    expect(page.locator("td", has_text=FRAME).first).to_be_visible()
    expect(page.locator("td", has_text="\\x1b]0;canary\\x07\\u202e<img").first).to_be_visible()
    visit.assert_nothing_ran()
    visit.ask("select ln_type, tensor, shard, dtype, sha256, layer from tensors limit 20")
    expect(page.get_by_text("20 rows", exact=True)).to_be_visible()
    visit.assert_nothing_ran()
    visit.ask("select d.model, d.repo, d.source, d.licence, 2 as number from duplicates as d limit 3")
    expect(page.get_by_text("3 rows", exact=True)).to_be_visible()
    visit.assert_nothing_ran()

    nested = f"{{'mimetype': 'text/html', 'data': {sql_text(FRAME)}}}"
    visit.ask(
        f"select {nested} as a, [{nested}] as b, [{sql_text('text/html:' + FRAME)}] as c, "
        f"{{'serialized_mime_bundle': {nested}}} as d, {sql_text(FRAME)}::blob as e, 1 as f"
    )
    expect(page.get_by_text("1 row", exact=True)).to_be_visible()
    expect(page.locator("td", has_text="'mimetype': 'text/html'").first).to_be_visible()
    visit.assert_nothing_ran()

    columns = [*PAYLOADS, "a[b].c", "count()", "x:Q", "datum['a']", "--"]
    visit.ask(f"select {', '.join(f'{at} as {sql_name(column)}' for at, column in enumerate(columns))}")
    expect(page.locator("th", has_text=FRAME).first).to_be_visible()
    visit.assert_nothing_ran()
    page.get_by_label("across", exact=True).select_option(index=1)
    page.get_by_label("up", exact=True).select_option(index=2)
    visit.assert_nothing_ran()

    for payload in (FRAME, IMAGE, PAYLOADS[9], PAYLOADS[10]):
        visit.ask(f"select cast({sql_text(payload)} as integer)")
        expect(page.locator("pre", has_text="Conversion Error").first).to_be_visible()
        expect(page.locator("pre", has_text="class=canary").first).to_be_visible()
        visit.assert_nothing_ran()
        visit.ask(f"select 1 as done, {sql_text(payload)} as again")
        expect(page.locator("th", has_text="done").first).to_be_visible()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        assert [name for name, _ in attrs if name.startswith("on") or name in ("href", "src", "srcdoc")] == []

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("payload", PAYLOADS)
def test_texts_are_shown_as_they_are(payload: str) -> None:
    rows = pl.DataFrame({payload: [payload], "nested": [[payload]], "none": [None]})
    shown = [
        (show(payload).text, ["div"]),
        (show(html("<b>{text}</b>", text=payload)).text, ["div", "b"]),
        (show(lines(payload)).text, ["div", "pre", *["br"] * payload.count("\n")]),
    ]
    for markup, tags in shown:
        parser = Tags()
        parser.feed(markup)
        assert parser.found == tags
        if payload.isprintable():
            assert parser.text == payload
    parser = Tags()
    parser.feed(table(rows))
    ours = ["div", "table", "thead", "tr", "th", "th", "th", "tbody", "tr", "td", "td", "td"]
    assert parser.found == ours


def test_control_characters_are_escaped_and_long_texts_cut() -> None:
    assert show("a\x1b[31m\u202e\nb").text.count("a\\x1b[31m\\u202e\\nb") == 1
    assert len(show("x" * 10**6).text) < 2_000
    assert len(table(pl.DataFrame({"x" * 10**5: ["y" * 10**5] * 1_000}))) < 200_000
    assert choices(["a\x1b", "b", None, "--"]) == {"a\\x1b": "a\x1b", "b": "b", "None": "None", "'--'": "--"}


def test_a_chart_never_reads_a_name_of_a_lake_as_an_expression() -> None:
    names = ["a[b].c", "count()", "x:T", "datum['a']\\", *PAYLOADS[:2]]
    for name in names:
        for values in (["p", None], [1, 2], [True, False], [[1], [2]], [{"a": 1}, {"a": 2}], [b"a", b"b"]):
            rows = pl.DataFrame({name: values, "number.of[x]": [0.5, None]}, strict=False)
            drawn = own_chart(rows, name, "number.of[x]", name).to_dict()
            assert drawn["encoding"]["x"]["field"] == "x"
            assert drawn["encoding"]["y"]["field"] == "y"
            assert drawn["encoding"]["x"]["title"] == name
            assert "aggregate" not in drawn["encoding"]["x"]
            [drawn_rows] = drawn["datasets"].values()
            assert set(drawn_rows[0]) == {"x", "y"}
            assert {type(row["x"]) for row in drawn_rows} <= {str, float, type(None)}


def test_titles_of_charts_have_no_control_characters() -> None:
    grid = pl.DataFrame({name: [1] for name in ("layer_a", "layer_b", "pearson")})
    points = pl.DataFrame({"dim": [0], "a": [0.1], "b": [0.2]})
    for chart in (
        heatmap(grid, "pearson", ("a\x1b", "b\x1b"), "c\x1b"),
        scatter(points, ("a\x1b", "b\x1b"), 0.5, "c\x1b"),
        own_chart(points.rename({"a": "a\x1b", "b": "b\x1b"}), "a\x1b", "b\x1b", "c\x1b"),
    ):
        shown = {key: value for key, value in chart.to_dict().items() if key != "datasets"}
        assert "\x1b" not in str(shown)
        assert all(f"{text}\\x1b" in repr(shown).replace("\\\\", "\\") for text in "abc")


def test_errors_of_cells_are_logged_without_control_characters() -> None:
    log, written = logging.Logger("a lake"), io.StringIO()
    log.addHandler(logging.StreamHandler(written))
    before = logging.getLogRecordFactory()
    try:
        escape_logs()
        log.error("no %s\nno more", "\x1b]0;canary\x07")
        try:
            raise ValueError("\x1b[2J")
        except ValueError:
            log.exception("failed")
    finally:
        logging.setLogRecordFactory(before)
    assert "no \\x1b]0;canary\\x07\nno more\n" in written.getvalue()
    assert "ValueError: \\x1b[2J\n" in written.getvalue()
    assert "\x1b" not in written.getvalue()


@pytest.mark.slow
def test_every_cell_displays_only_what_is_escaped() -> None:
    """`mo.md`, `mo.Html` and `mo.ui.table` render the markup that they are given."""
    tree = ast.parse(Path(app.__file__).read_text(encoding="utf-8"))
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert {name for name in used if re.fullmatch(r"mo\.[\w.]+", name)} == {
        "mo.stop",
        "mo.hstack",
        "mo.vstack",
        "mo.ui",
        "mo.ui.altair_chart",
        "mo.ui.code_editor",
        "mo.ui.dropdown",
    }
    cells = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for cell in cells:
        last = [node for node in cell.body if not isinstance(node, ast.Return)][-1]
        if isinstance(last, ast.Expr):
            assert re.match(r"show\(|mo\.[hv]stack\(|mo\.ui\.altair_chart\(", ast.unparse(last))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        if name == "mo.stop":
            assert ast.unparse(call.args[1]).startswith("show(")
        if name == "mo.ui.dropdown":
            assert [type(one.value) for one in call.keywords if one.arg == "label"] == [ast.Constant]
