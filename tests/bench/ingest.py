"""How few requests and seconds the norms of two 100B models cost, against asking tensor by tensor."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from ingest.extract import extract_norms
from ingest.formats.safetensors_header import LENGTH_BYTES, Tensor, header_end, parse_header
from ingest.formats.tensor_names import may_be_norm
from ingest.hub.repo import HubFiles, repo_info
from ingest.hub.session import HttpSession
from ingest.hub.settings import HubSettings
from ingest.model_files import INDEX, json_object, shard_map
from ingest.registry import registry
from ingest.replica.running import serve_in_process

DELAY_SECONDS = 0.03
PAIR = ("glm", "solar")
PROJECT = Path(__file__).parents[2]


def is_layer_norm(tensor: str) -> bool:
    """The two norms of every layer, which is what the alternatives fetch."""
    return tensor.endswith(("input_layernorm.weight", "post_attention_layernorm.weight"))


def lines() -> Iterator[str]:
    """Run the benchmarks; a line for each figure, its bar behind it."""
    yield from _fetching()
    yield from _whole_ingest()


def _fetching() -> Iterator[str]:
    for redirect, bar in ((False, 235), (True, 320)):
        with serve_in_process(redirect=redirect) as hub:
            _read(hub.endpoint, ("qwen3_4b",), may_be_norm)  # the server has loaded numpy then
            for what, wanted in (("both norms of every layer", is_layer_norm), ("all norms", may_be_norm)):
                seconds, vectors, requests, size = _read(hub.endpoint, PAIR, wanted)
                how = "with redirect" if redirect else "without redirect"
                yield (
                    f"glm + solar, {what}, {how}: {vectors} vectors, {requests} requests (bar {bar}), "
                    f"{size / 1e6:.1f} MB (bar 11), {seconds:.2f} s"
                )
    with serve_in_process(delay=DELAY_SECONDS) as hub:
        _read(hub.endpoint, ("qwen3_4b",), may_be_norm)
        together = min(_read(hub.endpoint, PAIR, is_layer_norm)[0] for _ in range(3))
        one_by_one, requests = _tensor_by_tensor(hub.endpoint)
        yield (
            f"30 ms added to each answer: {together:.2f} s; tensor by tensor with cached headers "
            f"{one_by_one:.1f} s ({requests} requests): {one_by_one / together:.1f} times faster (bar 9)"
        )
        largest = max(
            min(_read(hub.endpoint, (alias,), may_be_norm)[0] for _ in range(2)) for alias in registry()
        )
        every = min(_read(hub.endpoint, tuple(registry()), may_be_norm)[0] for _ in range(3))
        yield (
            f"30 ms: all twelve {every:.2f} s, slowest single model {largest:.2f} s: "
            f"{every / largest:.1f} times (bar 4)"
        )


def _read(
    endpoint: str, aliases: tuple[str, ...], wanted: Callable[[str], bool]
) -> tuple[float, int, int, int]:
    """Seconds, vectors, requests and bytes of our own client."""

    async def work() -> tuple[int, int, int]:
        async with HttpSession(HubSettings(endpoint=endpoint, use_proxies=False), _unheard) as session:

            async def one(alias: str) -> int:
                info = await repo_info(session, registry()[alias].repo, "main")
                files = HubFiles(session, info)
                return len((await extract_norms(files, (), _unheard, wanted)).vectors)

            vectors = sum(await asyncio.gather(*(one(alias) for alias in aliases)))
            return vectors, session.requests, session.bytes_read

    started = time.perf_counter()
    counts = asyncio.run(work())
    return time.perf_counter() - started, *counts


def _unheard(*_: object) -> None:
    """The line that a user would see."""


def _tensor_by_tensor(endpoint: str) -> tuple[float, int]:
    """As the documents' scripts do it: one request after the other, each through `resolve`."""
    started = time.perf_counter()
    requests = 0
    with httpx.Client(trust_env=False, follow_redirects=True) as client:
        for alias in PAIR:
            base = f"{endpoint}/{registry()[alias].repo}/resolve/main"

            def get(path: str, start: int | None = None, stop: int = 0, base: str = base) -> httpx.Response:
                nonlocal requests
                wanted = {"Range": f"bytes={start}-{stop - 1}"} if start is not None else {}
                answer = client.get(f"{base}/{path}", headers=wanted)
                requests += 1 + len(answer.history)
                return answer

            shards = shard_map(json_object(get(INDEX).content, INDEX), alias)
            for shard, tensors in shards.items():
                if any(map(is_layer_norm, tensors)):
                    for tensor in _header(shard, get).values():
                        if is_layer_norm(tensor.name):
                            get(shard, tensor.begin, tensor.end)
    return time.perf_counter() - started, requests


def _header(shard: str, get: Callable[[str, int, int], httpx.Response]) -> dict[str, Tensor]:
    front = get(shard, 0, LENGTH_BYTES)
    size = int(front.headers["Content-Range"].rpartition("/")[2])
    end = header_end(front.content, size, shard)
    return parse_header(get(shard, LENGTH_BYTES, end).content, size, shard)


def _whole_ingest() -> Iterator[str]:
    """`just ingest replica` in a process of its own, as a person runs it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NORMHOUSE_DATA": folder}
        command = [sys.executable, "-m", "ingest", "replica", "--quiet"]
        started = time.perf_counter()
        done = subprocess.run(
            command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True
        )
        seconds = time.perf_counter() - started
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000  # kB on Linux
        files = list(Path(folder).glob("replica/norms/*.parquet"))
        values = int(done.stdout.split(" values")[0].rpartition(" ")[2].replace(",", ""))
        size = sum(file.stat().st_size for file in files)
        yield f"just ingest replica: {seconds:.1f} s (bar 20), at most {memory:.0f} MB of memory (bar 500)"
        yield f"norms: {size / values:.3f} bytes a value, all columns counted (bar 1.0)"
