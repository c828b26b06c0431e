"""The page of `just explore`, as marimo runs it: cells that hand on what the next ones show.

Questions are in asking.py and charts in charts.py; here is only what stands where.
"""

import marimo

app = marimo.App(width="medium", app_title="normhouse: explore a lake")


@app.cell
def _():
    import marimo as mo

    from analysis.explore import asking, charts
    from analysis.explore.words import cell_words, heading, verdict

    lake = asking.open_lake(mo.cli_args().get("lake"))
    mo.md(heading(lake))
    return asking, cell_words, charts, lake, mo, verdict


@app.cell
def _(lake, mo):
    first, second = (*lake.models, None, None)[:2]
    model_a = mo.ui.dropdown(lake.models, value=first, label="model", searchable=True)
    model_b = mo.ui.dropdown(lake.models, value=second, label="and", searchable=True)
    mo.hstack([model_a, model_b], justify="start")
    return model_a, model_b


@app.cell
def _(asking, lake, mo, model_a, model_b):
    mo.stop(
        model_a.value is None or model_b.value is None or model_a.value == model_b.value,
        mo.md("Choose two models."),
    )
    pair = (model_a.value, model_b.value)
    norms = asking.shared_norms(lake, *pair)
    return norms, pair


@app.cell
def _(asking, lake, mo, pair, verdict):
    mo.md(verdict(lake, asking.lineage(lake, *pair)))
    return


@app.cell
def _(charts, mo, norms):
    mo.stop(not norms, mo.md("They have no norm of the same kind and width: no layers to compare."))
    norm = mo.ui.dropdown(norms, value=norms[0], label="norm")
    metric = mo.ui.dropdown(charts.METRICS, value=next(iter(charts.METRICS)), label="colour")
    mo.hstack([norm, metric], justify="start")
    return metric, norm


@app.cell
def _(asking, charts, lake, metric, mo, norm, pair):
    grid = asking.layer_pairs(lake, *pair, norm.value)
    cells = mo.ui.altair_chart(
        charts.heatmap(grid, metric.value, pair, f"{norm.value}; {lake.title}"), chart_selection="point"
    )
    return cells, grid


@app.cell
def _(asking, cell_words, cells, charts, grid, lake, mo, norm, pair):
    _chosen = cells.value if len(cells.value) == 1 else grid.sort("pearson", nulls_last=True).tail(1)
    _row = _chosen.to_dicts()[0]
    _names = tuple(
        f"{model}, layer {_row[at]}" for model, at in zip(pair, ("layer_a", "layer_b"), strict=True)
    )
    _points = asking.points(lake, pair[0], _row["layer_a"], pair[1], _row["layer_b"], norm.value)
    _scatter = charts.scatter(_points, _names, _row["pearson"], f"{norm.value}; {lake.title}")
    mo.vstack(
        [
            mo.hstack(
                [cells, mo.ui.altair_chart(_scatter, chart_selection=False)], justify="start", wrap=True
            ),
            mo.md(cell_words(_names, _row)),
        ]
    )
    return


@app.cell
def _(lake, mo):
    query = mo.ui.code_editor(
        "select layer, ln_type, mean, std from vector_stats where ln_type = 'input_layernorm'",
        language="sql",
        min_height=80,
    ).form(submit_button_label="Ask", bordered=False)
    mo.vstack([mo.md(f"## Ask in SQL\n\n{lake.title}; read-only"), query])
    return (query,)


@app.cell
def _(asking, lake, mo, query):
    mo.stop(not query.value, mo.md("`from duckdb_views()` and `from compare('A', 'B')` are places to begin."))
    answer = asking.ask(lake, query.value)
    mo.stop(answer.rows is None, mo.md(f"```\n{answer.note}\n```"))
    _numbers = [name for name, kind in answer.rows.schema.items() if kind.is_numeric()]
    x = mo.ui.dropdown(answer.rows.columns, value=answer.rows.columns[0], label="across")
    y = mo.ui.dropdown(_numbers, value=_numbers[-1] if _numbers else None, label="up")
    mo.vstack(
        [
            mo.ui.table(answer.rows, selection=None, page_size=10),
            mo.md(answer.note),
            mo.hstack([x, y], justify="start"),
        ]
    )
    return answer, x, y


@app.cell
def _(answer, charts, lake, mo, x, y):
    mo.stop(x.value is None or y.value is None, mo.md("No column of numbers to draw."))
    mo.ui.altair_chart(charts.own_chart(answer.rows, x.value, y.value, lake.title), chart_selection=False)
    return


if __name__ == "__main__":
    app.run()
