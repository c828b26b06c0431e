"""The page of `just explore`, as marimo runs it: cells that pass results to the next ones.

Queries are in asking.py, texts and charts in page.py. A cell displays text only through
`show`: `mo.md` and `mo.ui.table` would run HTML from a lake.
"""

import marimo

app = marimo.App(width="medium", app_title="normhouse: explore a lake")


@app.cell
def _():
    import os

    import marimo as mo

    from analysis.explore import asking, page
    from analysis.explore.page import choices, lines, show
    from analysis.explore.server import LAKE

    lake = asking.open_lake(os.environ.get(LAKE))
    show(page.heading(lake))
    return asking, choices, lake, lines, mo, show, page


@app.cell
def _(asking, choices, lake, mo):
    _models = choices(lake.models)
    _first, _second = asking.first_pair(list(_models))
    model_a = mo.ui.dropdown(_models, value=_first, label="model", searchable=True)
    model_b = mo.ui.dropdown(_models, value=_second, label="and", searchable=True)
    mo.hstack([model_a, model_b], justify="start")
    return model_a, model_b


@app.cell
def _(asking, lake, mo, model_a, model_b, show):
    mo.stop(
        model_a.value is None or model_b.value is None or model_a.value == model_b.value,
        show("Choose two models."),
    )
    pair = (model_a.value, model_b.value)
    norms = asking.shared_norms(lake, *pair)
    return norms, pair


@app.cell
def _(asking, lake, page, pair, show):
    show(page.verdict(asking.lineage(lake, *pair)))
    return


@app.cell
def _(choices, mo, norms, page, show):
    mo.stop(not norms, show("These models share no kind of norm of one width: no layers to compare."))
    _kinds = choices(norms)
    norm = mo.ui.dropdown(_kinds, value=next(iter(_kinds)), label="norm")
    metric = mo.ui.dropdown(page.METRICS, value=next(iter(page.METRICS)), label="colour")
    mo.hstack([norm, metric], justify="start", wrap=True)
    return metric, norm


@app.cell
def _(asking, lake, metric, mo, norm, page, pair):
    grid = asking.layer_pairs(lake, *pair, norm.value)
    cells = mo.ui.altair_chart(
        page.heatmap(grid, metric.value, pair, f"{norm.value}; {lake.title}"), chart_selection="point"
    )
    return cells, grid


@app.cell
def _(asking, cells, grid, lake, mo, norm, pair, show, page):
    _row = cells.value.to_dicts()[0] if len(cells.value) == 1 else asking.first_cell(grid)
    _names = tuple(
        f"{model}, layer {_row[at]}" for model, at in zip(pair, ("layer_a", "layer_b"), strict=True)
    )
    _points = asking.points(lake, pair[0], _row["layer_a"], pair[1], _row["layer_b"], norm.value)
    _scatter = page.scatter(_points, _names, _row["pearson"], f"{norm.value}; {lake.title}")
    mo.vstack(
        [
            mo.hstack(
                [cells, mo.ui.altair_chart(_scatter, chart_selection=False)], justify="start", wrap=True
            ),
            show(page.cell(_names, _row)),
        ]
    )
    return


@app.cell
def _(lake, mo, show, page):
    query = mo.ui.code_editor(
        "select layer, ln_type, mean, std from vector_stats where ln_type = 'input_layernorm'",
        language="sql",
        min_height=80,
    ).form(submit_button_label="Ask", bordered=False)
    mo.vstack([show(page.sql_heading(lake)), query])
    return (query,)


@app.cell
def _(asking, choices, lake, lines, mo, query, show, page):
    mo.stop(not query.value, show(page.FIRST_QUERIES))
    answer = asking.ask(lake, query.value)
    mo.stop(answer.rows is None, show(lines(answer.note)))
    _numbers = choices(name for name, kind in answer.rows.schema.items() if kind.is_numeric())
    _columns = choices(answer.rows.columns)
    x = mo.ui.dropdown(_columns, value=next(iter(_columns)), label="across")
    y = mo.ui.dropdown(_numbers, value=next(reversed(_numbers), None), label="up")
    mo.vstack([show(page.answer(answer)), mo.hstack([x, y], justify="start")])
    return answer, x, y


@app.cell
def _(answer, lake, mo, page, show, x, y):
    mo.stop(x.value is None or y.value is None, show("There is no column of numbers to draw."))
    mo.ui.altair_chart(page.own_chart(answer.rows, x.value, y.value, lake.title), chart_selection=False)
    return


if __name__ == "__main__":
    app.run()
