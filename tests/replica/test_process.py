"""`just hub` as a process starts fast and ends with its parent."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from ingest.replica.published import GLM, PUBLISHED
from ingest.replica.running import PROJECT_ROOT, serve_in_process
from tests.replica.talking import ask

COMMAND = [sys.executable, "-m", "ingest", "serve"]


@pytest.mark.slow
def test_the_hub_runs_in_a_process_of_its_own_and_counts_what_it_serves() -> None:
    with serve_in_process() as hub:
        shard = f"{hub.endpoint}/{GLM}/resolve/main/model-00001-of-00047.safetensors"
        redirect = ask(shard, Range="bytes=0-7")
        assert redirect.headers["Location"].startswith(hub.cdn)
        assert len(ask(redirect.headers["Location"], Range="bytes=0-7").body) == 8
        counted = hub.counters(reset=True)
        assert (counted["requests"], counted["cdn_requests"], counted["cdn_bytes"]) == (2, 1, 8)
        assert hub.counters()["requests"] == 0
        endpoint = hub.endpoint
    with pytest.raises(ConnectionRefusedError):
        ask(endpoint)


@pytest.mark.slow
def test_delay_and_redirect_reach_the_process() -> None:
    with serve_in_process(delay=0.05, redirect=False) as hub:
        start = time.perf_counter()
        reply = ask(f"{hub.endpoint}/{GLM}/resolve/main/model-00002-of-00047.safetensors", Range="bytes=0-7")
        assert time.perf_counter() - start >= 0.05
        assert (reply.status, len(reply.body)) == (206, 8)


def test_the_process_ends_when_its_stdin_closes() -> None:
    with subprocess.Popen(
        [*COMMAND, "--port", "0", "--until-stdin-closes"],
        cwd=PROJECT_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert set(json.loads(child.stdout.readline())) == {"endpoint", "cdn"}
        _, complaints = child.communicate(timeout=10)
        assert (child.returncode, complaints) == (0, b"")


def test_an_interrupt_ends_it_without_a_traceback_after_it_has_introduced_itself() -> None:
    with subprocess.Popen(
        [*COMMAND, "--port", "0"], cwd=PROJECT_ROOT, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        said = [child.stderr.readline() for _ in range(4 + len(PUBLISHED))]
        assert "HF_ENDPOINT=http://127.0.0.1:" in "".join(said)
        assert "synthetic" in said[1]
        assert said[-1].strip() in PUBLISHED
        child.send_signal(signal.SIGINT)
        _, rest = child.communicate(timeout=10)
        assert (child.returncode, rest) == (0, "")


def test_a_port_in_use_ends_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [*COMMAND, "--port", str(port)],
            cwd=PROJECT_ROOT,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == f"port {port} is in use; choose another with --port, or 0 for any free one\n"
