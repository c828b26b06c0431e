"""Which requests reach the explore page, and what its browser may run and load.

Host and Origin keep out other sites, also one that points its own name to 127.0.0.1 (DNS rebinding). The
token keeps out other users of this machine. It is in the path, not in a cookie, because browsers send a
cookie to every port of its host.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

HOST = "127.0.0.1"

# The parts of marimo that the page uses: no file browser, terminal, package manager, function calls or AI.
USED = re.compile(
    r"|ws|health|favicon\.ico|manifest\.json|assets/\w[\w.-]*|@file/\w[\w.-]*|api/kernel/set_ui_element_value",
    re.ASCII,
)
REFUSED = b"This is not the address of the page: open the one that `just explore` printed.\n"
INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


def guarded(app: App, token: str, port: int) -> App:
    """An ASGI application that passes on only the requests that the page makes."""

    async def guard(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
        elif is_own_request(scope, token, port):
            # else marimo may answer "not modified" without a page whose scripts we could hash
            headers = [(name, value) for name, value in scope["headers"] if name != b"if-none-match"]
            await app({**scope, "headers": headers}, receive, _with_policy(send, port))
        else:
            await _refuse(scope, send)

    return guard


def is_own_request(scope: Message, token: str, port: int) -> bool:
    """Whether a request has the right Host, Origin and token, and asks for something that the page uses."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or hosts[0] not in [host.encode() for host in _own_hosts(port)]:
        return False
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    # browsers omit it only when they load a page
    may_lack_origin = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    if origins != [b"http://" + hosts[0]] and not (may_lack_origin and not origins):
        return False
    root, given, used = [*scope["path"].split("/", 2), "", ""][:3]
    has_token = root == "" and secrets.compare_digest(given.encode(), token.encode())
    return has_token and USED.fullmatch(used) is not None


def _own_hosts(port: int) -> list[str]:
    return [name if port == 80 else f"{name}:{port}" for name in (HOST, "localhost")]


async def _refuse(scope: Message, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # before it was accepted: a 403 of HTTP
        return
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(REFUSED))]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSED})


def _with_policy(send: Send, port: int) -> Send:
    start: Message | None = None

    async def answer(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            start = message
            return
        if start is not None:
            headers = {
                b"content-security-policy": content_policy(message.get("body", b""), port).encode(),
                b"cross-origin-resource-policy": b"same-origin",
                b"referrer-policy": b"same-origin",
                b"x-content-type-options": b"nosniff",
            }
            kept = [(name, value) for name, value in start["headers"] if name not in headers]
            await send({**start, "headers": [*kept, *headers.items()]})
            start = None
        await send(message)

    return answer


def content_policy(page: bytes, port: int) -> str:
    """Allow only the scripts that the page had when we sent it, and nothing from another address."""
    digests = [hashlib.sha256(script).digest() for script in INLINE_SCRIPT.findall(page)]
    own_scripts = "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    sockets = " ".join(f"ws://{host}" for host in _own_hosts(port))
    # Vega compiles expressions ('unsafe-eval'), and marimo sets styles.
    return (
        f"default-src 'none'; script-src 'self' 'unsafe-eval'{own_scripts}; "
        "style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' {sockets}; "
        "worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
