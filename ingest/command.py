"""`just ingest [SOURCE] [MODEL…]`: norm vectors of models into a lake."""

from __future__ import annotations

import argparse

from warehouse.console.command import Commands, command
from warehouse.console.interrupts import loading

USAGE = """\
SOURCE   auto (default): the hub if it answers, else the replica, saying so
         hub: a Hugging Face hub (HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_OFFLINE count)
         replica: the embedded synthetic models, no network needed
         a path: a folder with a model's safetensors or GGUF files, a folder of such folders, a .gguf file
MODEL    aliases of the registry (default: all twelve) or any owner/name, each with @revision if you like

examples
  just ingest                              all twelve models
  just ingest hub glm solar                two of them from the hub
  just ingest hub Qwen/Qwen2.5-0.5B        any other model; its alias becomes qwen2_5_0_5b
  just ingest ./my-model --alias mine      safetensors or GGUF on this disk
  just ingest ./SmolLM2-135M.Q4_1.gguf     one GGUF file; its alias becomes SmolLM2-135M.Q4_1
  just ingest hub owner/Model-GGUF         of a repo that has only GGUF files one is taken, and said
  just ingest replica solar glm --projections 10,20,30
  just ingest hub solar glm --slices       some 50 MB a model more, by which lineage sees through disguises
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "models",
        prog="just ingest",
        help="norm vectors of models into a lake: [auto|hub|replica|PATH] [MODEL…]",
        description="Read the norm vectors of models and write them as Parquet.",
        epilog=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", nargs="?", default="auto", metavar="SOURCE")
    parser.add_argument("models", nargs="*", default=[], metavar="MODEL")
    parser.add_argument("--lake", metavar="NAME", help="write to this lake instead of the source's own")
    parser.add_argument("--alias", help="what to call the one model named")
    parser.add_argument(
        "--projections",
        type=_layers,
        default=frozenset(),
        metavar="LAYERS",
        help="also k_proj and v_proj of these layers, as 10,20,30 (GGUF has none as they were)",
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
        help="--slices of these layers, as 11,30 (default: a quarter and two thirds of the depth)",
    )
    parser.add_argument(
        "--slice-budget",
        type=_megabytes,
        metavar="MB",
        help="--slices with so many MB of gate and up for a model (default: 36)",
    )
    parser.add_argument("--update", action="store_true", help="look for newer commits than the locked ones")
    parser.add_argument(
        "--toy",
        action="store_true",
        help="the folder's models were trained here: source toy, not local",
    )
    parser.add_argument("--quiet", action="store_true", help="say only what failed")
    parser.set_defaults(run=ingest_models)


@command(interrupted="interrupted: what was finished is in the lake; the same command goes on from there")
def ingest_models(options: argparse.Namespace) -> int:
    # slow imports only once the command line is known to be right
    with loading():
        from ingest.run import run
        from ingest.slices.wanted import BUDGET_BYTES, SlicesWanted

    layers, budget = options.slice_layers, options.slice_budget or BUDGET_BYTES
    wants_slices = options.slices or layers or options.slice_budget

    return run(
        options.source,
        options.models,
        lake_name=options.lake,
        alias=options.alias,
        projections=options.projections,
        update=options.update,
        toy=options.toy,
        quiet=options.quiet,
        slices=SlicesWanted(layers, budget) if wants_slices else None,
    )


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
