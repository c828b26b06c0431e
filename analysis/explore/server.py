"""The server of the explore page, on loopback and behind guard.py."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import socket
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import marimo
import uvicorn

from analysis.explore.guard import HOST, guarded
from warehouse.console.interrupts import INTERRUPTED
from warehouse.console.output import remark, show
from warehouse.errors import UsageError, plain_lines
from warehouse.paths import data_root
from warehouse.storage.drafts import draft_folder

LAKE = "NORMHOUSE_EXPLORED_LAKE"
"""Environment variable that names the lake for app.py."""
# The exported page would load marimo from a content network, and the guard refuses it.
HEAD = "<style>[data-testid=notebook-action-download-html] { display: none }</style>"


def serve(app_file: Path, lake: str, port: int, opens_browser: bool) -> NoReturn:
    """Serve until Ctrl-C, then end the process, in whose threads marimo runs app.py."""
    os.environ[LAKE] = lake
    escape_logs()
    token = secrets.token_urlsafe(16)
    with _listen(port) as listening, ExitStack() as stack:
        port = listening.getsockname()[1]
        address = f"http://{HOST}:{port}/{token}/"
        builder = marimo.create_asgi_app(quiet=True, skew_protection=True, html_head=HEAD)
        page = builder.with_app(path=f"/{token}", root=str(app_file)).build()
        config = uvicorn.Config(
            guarded(page, token, port),
            http="h11",  # hands on `GET http://other/` as it was sent, so that the guard refuses it
            proxy_headers=False,
            server_header=False,
            log_config=None,
            log_level="critical",
            timeout_graceful_shutdown=0,
        )
        show(f"open {address} in a browser (Ctrl-C ends the server)")
        if opens_browser:
            with suppress(OSError):  # no space: the address was printed
                link = stack.enter_context(private_link(address))
                threading.Thread(target=webbrowser.open, args=(link.as_uri(),), daemon=True).start()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([listening])
    remark("interrupted")
    os._exit(INTERRUPTED)  # Python would wait for threads in which marimo waits for work


def escape_logs() -> None:
    """marimo logs errors of cells to the terminal, and an error may quote a lake."""
    make = logging.getLogRecordFactory()

    def escaped(*args: object, **kwargs: object) -> logging.LogRecord:
        record = make(*args, **kwargs)
        record.msg, record.args = plain_lines(record.getMessage()), ()
        if record.exc_info:
            record.exc_text = plain_lines(logging.Formatter().formatException(record.exc_info))
        return record

    logging.setLogRecordFactory(escaped)


@contextmanager
def private_link(address: str) -> Iterator[Path]:
    """A file that leads to the address: other users can read a browser's command line, but not this file."""
    data = data_root()
    with draft_folder(data if os.access(data, os.W_OK) else Path(tempfile.gettempdir())) as folder:
        link = folder / "explore.html"
        link.write_text(f'<meta http-equiv="refresh" content="0; url={address}">')
        yield link


def _listen(port: int) -> socket.socket:
    reason = "it must be 0 to 65535"
    if 0 <= port <= 65535:
        try:
            return socket.create_server((HOST, port))
        except OSError as error:
            reason = os.strerror(error.errno or errno.EIO)
    raise UsageError(
        f"cannot use port {port} of {HOST} ({reason}): choose another --port; 0 takes a free one"
    )
