"""Reports built once from small lakes, and a browser without a network to read them in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from analysis.claims.claim_file import read_claims
from analysis.claims.lock import write_lock
from analysis.figures.catalogue import FIGURES
from analysis.report.build import Summary, build_report
from tests.claims.planted import declare_bases
from tests.sql.lakes import copy_of, replace_row
from warehouse.catalog.definitions import SQL
from warehouse.console.progress import Progress
from warehouse.lake import Lake

SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

# how many claims the ledger shows
SHOWN = "document.querySelectorAll('#ledger .claim:not([hidden])').length"
# the first figure of each query, because figures of one query are drawn by one function
FIRST = {figure.query: name for name, figure in reversed(FIGURES.items())}
DRAWN = [name for name, figure in FIGURES.items() if FIRST[figure.query] == name]
MISSING = "absent"  # a figure of a model that no lake has


@pytest.fixture(scope="session")
def lake(twelve: Lake, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Twelve small models, with a source of which verdicts are given; the report records its run in it."""
    copy = copy_of(twelve, tmp_path_factory.mktemp("lakes") / "local")
    declare_bases(copy)
    return copy


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes folders for reports; all but the first get a copy of the script that draws charts."""
    folders: list[Path] = []

    def make(name: str = "report") -> Path:
        folder = tmp_path_factory.mktemp("report") / name
        folder.mkdir()
        for script in folders[0].glob(".vega-*.js") if folders else ():
            shutil.copy(script, folder)
        folders.append(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def report(lake: Lake, small_zoo: Lake, new_folder: Callable[[], Path]) -> Summary:  # noqa: ARG001
    """All claims of that lake, a figure of every query, and one that cannot be drawn; 30 s, hence once."""
    figures = [
        *(FIGURES[name] for name in DRAWN),
        replace(FIGURES["toy"], name=MISSING, query="toy", needs=("absent",)),
    ]
    return build_report(lake, new_folder(), Progress(quiet=True), figures)


@pytest.fixture(scope="session")
def replica(lake: Lake, new_folder: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """The same models called a replica, with the claims of one document, where an earlier report was."""
    copy = copy_of(lake, tmp_path_factory.mktemp("lakes") / "replica", without="ledger")
    replace_row(copy, *(replace(copy.model(model), source="replica") for model in copy.model_names()))
    sql = tmp_path_factory.mktemp("sql")
    for room in ("claims/critique", "claims/analytic", "documents"):
        shutil.copytree(SQL / room, sql / room)
    write_lock(read_claims(sql / "claims")[0], sql / "claims")
    out = new_folder()
    (out / "figures").mkdir()
    (out / "figures" / "earlier.png").touch()
    return build_report(copy, out, Progress(quiet=True), [], sql, "https://example.org")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed with this package: while Playwright runs, no other test can call `asyncio.run`."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine: `apt install chromium` brings it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(SWITCHES))
        yield started
        started.close()


@dataclass
class Visit:
    """A page in a browser, its console messages, and the requests that were not for files.

    Our pages log nothing, so every message is an error, for example one of Vega.
    """

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def number(self, script: str) -> int:
        return int(self.page.evaluate(script))


Visiting = Callable[..., Visit]


def open_file(
    browser: Browser,
    path: Path,
    anchor: str = "",
    width: int = 1280,
    scripts: bool = True,
    colours: Literal["light", "dark"] = "light",
    policed: bool = True,
) -> Visit:
    """Opens a page without a network, in a new context; `policed=False` ignores its security policy."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        java_script_enabled=scripts,
        color_scheme=colours,
        bypass_csp=not policed,
    )
    context.set_offline(True)
    page = context.new_page()
    page.set_default_timeout(20_000)
    seen = Visit(page)

    def only_disk(route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            seen.requests.append(route.request.url)
            route.abort()

    page.route("**/*", only_disk)
    page.on("console", lambda message: seen.errors.append(message.text))
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.goto(path.as_uri() + anchor)
    return seen


def wait_until(seen: Visit, script: str) -> None:
    """The pages' policy forbids what Playwright's `wait_for_function` does."""
    for _ in range(400):
        if seen.page.evaluate(script):
            return
        seen.page.wait_for_timeout(50)
    raise AssertionError(f"never true: {script}")


def wait_for_chart(seen: Visit, figure: str) -> None:
    wait_until(seen, f"normhouse.views.has({json.dumps(figure)})")


def check_behaved(seen: Visit) -> None:
    """The page requested nothing but files and logged nothing."""
    assert not seen.errors
    assert not seen.requests


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visiting]:
    """Opens pages; after the test, each must have behaved."""
    visits = []

    def opened(
        path: Path,
        anchor: str = "",
        width: int = 1280,
        scripts: bool = True,
        colours: Literal["light", "dark"] = "light",
    ) -> Visit:
        visits.append(open_file(browser, path, anchor, width, scripts, colours))
        return visits[-1]

    yield opened
    for seen in visits:
        seen.page.context.close()
        check_behaved(seen)


@pytest.fixture(scope="module")
def opened_ledger(browser: Browser, report: Summary) -> Iterator[Visit]:
    seen = open_file(browser, report.path.with_name("ledger.html"))
    yield seen
    seen.page.context.close()


@pytest.fixture
def ledger(opened_ledger: Visit) -> Iterator[Visit]:
    """The ledger in its first state; opened once, because that takes a second."""
    page = opened_ledger.page
    page.evaluate(
        "location.hash = ''; document.querySelectorAll('details').forEach(one => { one.open = false; })"
    )
    page.locator(".filters button").click()
    wait_until(opened_ledger, "!document.querySelector('.claim[hidden]')")
    yield opened_ledger
    check_behaved(opened_ledger)


@pytest.fixture(scope="module")
def opened_figures(browser: Browser, report: Summary) -> Iterator[Visit]:
    seen = open_file(browser, report.path.with_name("figures.html"))
    yield seen
    seen.page.context.close()


@pytest.fixture
def charts(opened_figures: Visit) -> Iterator[Visit]:
    """The page of all figures, also opened once."""
    opened_figures.page.set_viewport_size({"width": 1280, "height": 800})
    opened_figures.page.emulate_media(media="screen")
    yield opened_figures
    check_behaved(opened_figures)
