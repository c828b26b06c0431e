"""The page of `just explore`: what it asks is right, and a browser without a network can use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from analysis.__main__ import main
from analysis.explore.asking import MOST_ROWS, ask, layer_pairs, lineage, open_lake, points, shared_norms
from analysis.explore.page import verdict
from tests.explore.serving import explored
from tests.sql.lakes import INPUT, POST, tiny_models, write_lake
from warehouse.lake import remember_current

TINY = tiny_models()
TRIES = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data with one replica lake `made`."""
    data = tmp_path_factory.mktemp("explored") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NORMHOUSE_DATA", str(data))
        models = {name: TINY[name] for name in ("base", "constant", "noisy", "wide")}
        remember_current(write_lake(data / "made", models, source="replica"))
    return data


@pytest.fixture(autouse=True)
def data_of_the_lake(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMHOUSE_DATA", str(folder))


def test_points_are_values_minus_the_mean_of_their_vector() -> None:
    found = points(open_lake("made"), "base", 2, "noisy", 1, INPUT)
    expected = [TINY["base"][2, INPUT].astype(float), TINY["noisy"][1, INPUT].astype(float)]
    assert found["dim"].to_list() == list(range(64))
    for column, values in zip("ab", expected, strict=True):
        np.testing.assert_allclose(found[column].to_numpy(), values - values.mean(), atol=1e-12)


def test_norms_are_those_that_both_have_in_one_width() -> None:
    lake = open_lake("made")
    assert shared_norms(lake, "base", "noisy") == [INPUT, POST, "final_norm"]
    assert shared_norms(lake, "base", "wide") == []
    assert layer_pairs(lake, "base", "noisy", INPUT).shape[0] == 16


def test_the_verdict_says_the_lake_its_caution_and_what_is_undefined() -> None:
    lake = open_lake("made")
    said = verdict(lake, lineage(lake, "base", "constant"))
    assert "cannot tell" in said
    assert "<th>z_eff</th><td>undefined</td>" in said
    assert "lake made: 4 models (replica)" in said
    assert "no evidence about the released weights" in said


def test_an_own_query_is_answered_cut_or_refused_with_duckdbs_words() -> None:
    lake, again = open_lake("made"), open_lake("made")
    assert ask(lake, "select model from models").note == ask(again, "from models").note == "4 rows"
    cut = ask(lake, "from range(6000)")
    assert cut.rows is not None
    assert len(cut.rows) == MOST_ROWS
    assert "the first 5,000 rows" in cut.note
    assert "Parser Error" in ask(lake, "selec 1").note
    assert "no query" in ask(lake, "").note


def test_an_own_query_reaches_no_file_but_those_of_the_lake(tmp_path: Path) -> None:
    lake = open_lake("made")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    assert "Permission Error" in ask(lake, f"from '{tmp_path}/secret.csv'").note
    assert "only queries that read are run" in ask(lake, f"copy (select 1) to '{tmp_path}/made.csv'").note
    assert not (tmp_path / "made.csv").exists()


def test_an_unknown_lake_is_refused_before_a_server_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "--lake", "nowhere"]) == 1
    assert "error: no lake 'nowhere'" in capsys.readouterr().err


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with explored(folder, "made") as address:
        yield address


@pytest.mark.timeout(300)
def test_a_reader_chooses_models_clicks_a_pair_of_layers_and_asks_in_sql(address: str, page: Page) -> None:
    expect.set_options(timeout=60_000)
    elsewhere: list[str] = []
    page.on(
        "request", lambda request: None if request.url.startswith(address) else elsewhere.append(request.url)
    )
    page.goto(address)
    expect(page.get_by_role("heading", name="base and constant: cannot tell")).to_be_visible()
    expect(page.get_by_text("no evidence about the released weights").first).to_be_visible()

    page.get_by_label("and", exact=True).click()
    page.get_by_text("noisy", exact=True).last.click()
    expect(page.get_by_role("heading", name="base and noisy: share weight history")).to_be_visible()

    # lower left of the heatmap: the last layer of the first model against layer 0 of the second;
    # a chart that was just drawn anew may miss the first click
    chosen = page.get_by_text("base, layer 3 and noisy, layer 0")
    for _ in range(TRIES):
        heatmap = page.locator("canvas, svg.marks").first
        box = heatmap.bounding_box()
        if box is not None:
            heatmap.click(position={"x": 90, "y": box["height"] - 90})
        with suppress(PlaywrightTimeout):
            chosen.wait_for(timeout=5_000)
            break
    expect(chosen).to_be_visible()

    editor = page.locator(".cm-content").first
    editor.click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("select layer, mean from vectors where model = 'base' and ln_type = 'final_norm'")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("1 row", exact=True)).to_be_visible()
    assert [url for url in elsewhere if url.startswith("http")] == []
