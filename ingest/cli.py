"""The command line of `python -m ingest`: every command's options, and what it runs.

Slow modules are imported only once the command line is known to be right.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ingest.packaged import command as packaged
from ingest.replica import command as replica
from ingest.zoo import command as zoo
from warehouse.console.command import Commands, add_lake, command
from warehouse.console.interrupts import loading
from warehouse.console.output import counted
from warehouse.errors import UsageError

DEFAULT_COMMAND = "models"
# Base models for `just verify` to compare with; a crawl reads them.
REFERENCE_LAKE = "reference"
REFERENCE_MODELS = Path(__file__).with_name("reference_models.csv")

INGEST_USAGE = """\
SOURCE   auto (default): the hub if it answers, else the replica; a message says which
         hub: a Hugging Face hub (reads HF_ENDPOINT, HF_TOKEN, HF_HOME and HF_HUB_OFFLINE)
         replica: the embedded synthetic models, no network needed
         a path: a folder with a model's safetensors or GGUF files, a folder of such folders, a .gguf file
MODEL    aliases of the registry (default: all twelve) or any owner/name, each optionally with @revision

examples
  just ingest                              all twelve models
  just ingest hub glm solar                two of them from the hub
  just ingest hub Qwen/Qwen2.5-0.5B        any other model; its alias becomes qwen2_5_0_5b
  just ingest ./my-model --alias mine      safetensors or GGUF on this disk
  just ingest ./SmolLM2-135M.Q4_1.gguf     one GGUF file; its alias becomes SmolLM2-135M.Q4_1
  just ingest reference --dry-run          the base models that people start from, into the lake `reference`
  just ingest hub owner/Model-GGUF         if a repo has only GGUF files, one is read and named
  just ingest replica solar glm --projections 10,20,30
  just ingest hub solar glm --slices       about 50 MB more per model; lineage needs them for disguised models
"""

CRAWL_USAGE = """\
LIST     a file with one repo (owner/name) per line; # begins a comment. Without LIST, models are chosen from
         the hub's own list, most downloaded first, by --author, --tag, --downloads and --most

examples
  just crawl repos.txt                         the repos of a file
  just crawl --author Qwen                     all models of one author
  just crawl --tag llama --downloads 1000      with a tag, downloaded at least 1,000 times in thirty days
  just crawl --most 5000 --dry-run             the 5,000 most downloaded: requests, bytes and hours

A crawl that ended or was killed resumes with the same command. Failed repos are listed in data/.crawl/LAKE.
Later runs skip those that would fail again (--retry tries them too). A model whose norms equal a stored
model's, value for value, becomes a row of `duplicates`. Exit codes: 0 every repo of the list is in the lake,
1 some are not (each is named), 2 wrong usage, 130 interrupted.
"""

RESUMABLE = "interrupted: finished models are stored; the same command resumes"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of one command; `run` is the function to call with them."""
    parser = argparse.ArgumentParser(
        prog="python -m ingest",
        description="Bring models into a lake. Without a command: models.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_models(commands)
    _add_crawl(commands)
    _add_compact(commands)
    for room in (replica, zoo, packaged):
        room.add_parser(commands)
    words = list(arguments)
    if not words or (words[0] not in commands.choices and words[0] not in ("-h", "--help")):
        words.insert(0, DEFAULT_COMMAND)
    if words[:2] == [DEFAULT_COMMAND, REFERENCE_LAKE]:
        words[:2] = ["crawl", str(REFERENCE_MODELS), "--lake", REFERENCE_LAKE]
    options, rest = parser.parse_known_args(words)
    if rest:
        # argparse does not accept positional arguments after an option (`replica --lake x glm`)
        if not hasattr(options, "models") or any(word.startswith("-") for word in rest):
            commands.choices[options.command].error(f"unrecognized arguments: {' '.join(rest)}")
        options.models += rest
    return options


def _add_models(commands: Commands) -> None:
    parser = commands.add_parser(
        "models",
        prog="just ingest",
        help="norm vectors of models into a lake: [auto|hub|replica|PATH] [MODEL…]",
        description="Read the norm vectors of models and write them as Parquet.",
        epilog=INGEST_USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", nargs="?", default="auto", metavar="SOURCE")
    parser.add_argument("models", nargs="*", default=[], metavar="MODEL")
    parser.add_argument("--lake", metavar="NAME", help="write to this lake instead of the source's own")
    parser.add_argument("--alias", help="store the model under this name (one model only)")
    parser.add_argument(
        "--projections",
        type=_layers,
        default=frozenset(),
        metavar="LAYERS",
        help="also k_proj and v_proj of these layers, as 10,20,30 (not from GGUF, which permutes them)",
    )
    parser.add_argument(
        "--slices",
        action="store_true",
        help="also embedding rows of known tokens, and gate and up of two layers",
    )
    parser.add_argument(
        "--slice-layers",
        type=_layers,
        metavar="LAYERS",
        help="--slices of these layers, as 11,30 (default: a quarter and two thirds of the depth, and what "
        "comparing them with models of the same width and another depth in the lake needs)",
    )
    parser.add_argument(
        "--slice-budget",
        type=_megabytes,
        metavar="MB",
        help="--slices with at most this much of gate and up per model (default: 18 for each layer)",
    )
    parser.add_argument("--update", action="store_true", help="look for newer commits than the locked ones")
    parser.add_argument(
        "--replace", action="store_true", help="replace a stored model of the same name from another source"
    )
    parser.add_argument("--quiet", action="store_true", help="print only failures")
    parser.set_defaults(run=ingest)


@command(interrupted=RESUMABLE)
def ingest(options: argparse.Namespace) -> int:
    with loading():
        from ingest.pipeline import run
        from ingest.slices.wanted import SlicesWanted
        from ingest.store_model import Wanted

    wants_slices = options.slices or options.slice_layers or options.slice_budget
    slices = SlicesWanted(options.slice_layers, options.slice_budget) if wants_slices else None
    return run(
        options.source,
        options.models,
        Wanted(options.projections, slices, options.replace),
        lake_name=options.lake,
        alias=options.alias,
        update=options.update,
        quiet=options.quiet,
    )


def _add_crawl(commands: Commands) -> None:
    parser = commands.add_parser(
        "crawl",
        prog="just crawl",
        help="many models of a hub into a lake, within its rate limits: [LIST]",
        description="Read the norm vectors of many models of a hub (reads HF_ENDPOINT and HF_TOKEN).",
        epilog=CRAWL_USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("list", nargs="?", type=Path, metavar="LIST")
    parser.add_argument("--author", metavar="NAME", help="only models of this user or organisation")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="only models with this tag")
    parser.add_argument("--downloads", type=_count, metavar="N", help="only models downloaded this often")
    parser.add_argument("--most", type=_count, metavar="N", help="at most this many models")
    parser.add_argument("--lake", default="hub", metavar="NAME", help="where to write (default: %(default)s)")
    parser.add_argument(
        "--dry-run", action="store_true", help="print requests, bytes and hours; store nothing"
    )
    parser.add_argument("--update", action="store_true", help="read repos again if their commit has changed")
    parser.add_argument("--retry", action="store_true", help="also try repos that failed before")
    parser.add_argument("--quiet", action="store_true", help="print only failures and the result")
    parser.set_defaults(run=crawl)


@command(interrupted=RESUMABLE)
def crawl(options: argparse.Namespace) -> int:
    with loading():
        from ingest.crawl.run import Options, run
        from ingest.crawl.targets import Choice

    chosen = (options.author, options.tag, options.downloads, options.most)
    if options.list is not None and any(chosen):
        raise UsageError(
            "a list in a file is read as a whole: leave out --author, --tag, --downloads and --most"
        )
    if options.list is None and not any(chosen):
        raise UsageError("what to crawl? Name a file with repos, or choose with --author, --tag or --most N")
    choice = Choice(options.author, tuple(options.tag), options.downloads or 0, options.most)
    what = Options(options.update, options.retry, options.dry_run)
    return run(options.list or choice, options.lake, what, quiet=options.quiet)


def _add_compact(commands: Commands) -> None:
    parser = commands.add_parser(
        "compact",
        prog="just compact",
        help="gather the models of a lake into larger files",
        description="Move the models of a lake into bundles of some thousand, one file per table. Nothing "
        "else changes. Ingest does this by itself when there are many single models.",
    )
    add_lake(parser)
    parser.set_defaults(run=compact)


@command(interrupted="interrupted: every model is still in the lake; run the same command again")
def compact(options: argparse.Namespace) -> int:
    with loading():
        from warehouse.lake import existing_lake
        from warehouse.storage.commit import write_lock
        from warehouse.storage.compaction import compact

    lake = existing_lake(options.lake)
    with write_lock(lake):
        moved = compact(lake)
    files = sum(1 for _ in lake.folder.rglob("*.parquet"))
    done = f"{counted(moved, 'model')} moved into bundles" if moved else "nothing to compact"
    held = f"{counted(len(lake.model_names()), 'model')} in {counted(files, 'file')}"
    print(f"lake {lake.name}: {done}; {held}")
    return 0


def _layers(text: str) -> frozenset[int]:
    try:
        layers = frozenset(int(part) for part in text.split(","))
    except ValueError:
        layers = frozenset({-1})
    if min(layers) < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of layers such as 10,20,30")
    return layers


def _megabytes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of MB such as 100")
    return int(text) * 1_000_000


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number: give a whole number from 1")
    return int(text)
