# normhouse: norm weights of language models as a warehouse. `just` alone lists what there is.

set minimum-version := "1.55.0"
set positional-arguments

python := "uv run --quiet python"
dev := "uv run --quiet --group dev"

# what there is to run
[private]
default:
    @just --list --unsorted

# read models' norm vectors into a lake: [auto|hub|replica|FOLDER] [MODEL…] [--help]
[group('use')]
ingest *args:
    @{{ python }} -m ingest "$@"

# what the documents say and whether it holds: [ID…] [--json] [--since RUN] [--lake NAME]
[group('use')]
claims *args:
    @{{ python }} -m analysis claims "$@"

# the DuckDB shell on a lake, read-only
[group('use')]
shell *args:
    @{{ python }} -m analysis shell "$@"

# one query: "…" [table|csv|json|parquet] [--output FILE] [--lake NAME]
[group('use')]
sql *args:
    @{{ python }} -m analysis sql "$@"

# serve the replica hub on loopback, for any Hugging Face client
[group('use')]
hub *args:
    @{{ python }} -m ingest.replica "$@"

# from nothing to a result, without a network: ingest the replica and sum it up
[group('use')]
demo:
    @{{ python }} -m ingest replica

# run the tests; arguments go to pytest
[group('develop')]
test *args:
    @{{ dev }} python -m pytest "$@"

# lock the claims' queries after their versions were raised
[group('develop')]
claims-lock:
    @{{ python }} -m analysis claims-lock

# check style, types and who may import whom
[group('develop')]
lint:
    {{ dev }} ruff check
    {{ dev }} ruff format --check
    {{ dev }} mypy
    {{ dev }} lint-imports

# rewrite the code in the house style
[group('develop')]
format:
    {{ dev }} ruff check --fix
    {{ dev }} ruff format

# measure what the README promises
[group('develop')]
bench *args:
    @{{ dev }} python -m tests.bench "$@"
