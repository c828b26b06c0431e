"""Address, token and limits of the hub, from the environment variables of its own client.

Read at call time, not at import.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from warehouse.errors import UsageError

PUBLIC_ENDPOINT = "https://huggingface.co"
# Hosts that may see a token (the hub's own client has the same list).
HUB_HOSTS = frozenset({"huggingface.co", "hf.co", "hub-ci.huggingface.co"})


@dataclass(frozen=True)
class HubSettings:
    endpoint: str = PUBLIC_ENDPOINT
    token: str | None = field(default=None, repr=False)
    # the variable that forbids requests, or ""
    offline: str = ""
    cache: Path = Path()
    timeout_seconds: float = 10.0
    # before the first retry; doubled for each further one
    first_wait_seconds: float = 1.0
    # use the proxies of the environment; off for the replica on loopback
    use_proxies: bool = True

    def may_see_token(self, url: httpx.URL) -> bool:
        """Only the endpoint and the hub's own hosts may; a CDN never (it would refuse the request).

        Another port of a host is another server. httpx leaves out the default port of a scheme.
        """
        if _origin(url) == _origin(httpx.URL(self.endpoint)):
            return True
        return url.scheme == "https" and url.host in HUB_HOSTS and url.port is None


def hub_settings() -> HubSettings:
    return HubSettings(
        endpoint=_endpoint(),
        token=_token(),
        offline=_offline(),
        cache=_path("HF_HUB_CACHE") or _home() / "hub",
        timeout_seconds=_seconds("HF_HUB_DOWNLOAD_TIMEOUT", 10.0),
        first_wait_seconds=_seconds("NORMHOUSE_FIRST_WAIT", 1.0),
    )


def _offline() -> str:
    """As in the hub's own client, TRANSFORMERS_OFFLINE counts only if HF_HUB_OFFLINE is not set."""
    variable = "HF_HUB_OFFLINE" if os.environ.get("HF_HUB_OFFLINE") else "TRANSFORMERS_OFFLINE"
    return variable if _is_set(variable) else ""


def _endpoint() -> str:
    endpoint = os.environ.get("HF_ENDPOINT", "").strip().rstrip("/") or PUBLIC_ENDPOINT
    try:
        url = httpx.URL(endpoint)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
        raise UsageError("HF_ENDPOINT is not an address such as https://huggingface.co: correct or unset it")
    return endpoint


def _token() -> str | None:
    """The token from the environment or file, unless HF_HUB_DISABLE_IMPLICIT_TOKEN is set."""
    if _is_set("HF_HUB_DISABLE_IMPLICIT_TOKEN"):
        return None
    token = os.environ.get("HF_TOKEN") or os.environ.get("HUGGING_FACE_HUB_TOKEN") or ""
    where = "HF_TOKEN"
    if not token.strip():
        path = _path("HF_TOKEN_PATH") or _home() / "token"
        where = str(path)
        token = path.read_text("utf-8", errors="replace") if path.is_file() else ""
    token = token.strip()
    if not all("!" <= character <= "~" for character in token):
        raise UsageError(
            f"the token in {where} has characters no token has: set it again (it is not shown here)"
        )
    return token or None


def _home() -> Path:
    cache = _path("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return _path("HF_HOME") or cache / "huggingface"


def _path(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value).expanduser() if value else None


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").strip().upper() in {"1", "ON", "YES", "TRUE"}


def _seconds(variable: str, default: float) -> float:
    value = os.environ.get(variable)
    try:
        seconds = float(value) if value else default
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 3600:
        raise UsageError(
            f"{variable} must be a number of seconds above 0, not {value!r}: correct or unset it"
        )
    return seconds


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
