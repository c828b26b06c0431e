"""Sends one GET request at a time over connections that are kept open, through the environment's proxies.

The session has one `Connection` for each request that it may send at the same time. One httpx client for all
of them would search its whole pool several times for each request: at 64 requests at once that takes four
times the CPU (`just bench ingest`). Transports instead of clients, because a hostile hub must not set
cookies or send us on by itself.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from urllib.request import proxy_bypass

import httpx

from warehouse.errors import UsageError

# The hub, and its CDN with one to three hosts.
MOST_SERVERS = 4
# Servers close idle connections after a minute or more.
LIMITS = httpx.Limits(max_connections=MOST_SERVERS, keepalive_expiry=20.0)


class Connection:
    def __init__(self, tls: ssl.SSLContext, proxies: Mapping[str, str], timeout: httpx.Timeout) -> None:
        """`proxies`: by scheme or `all`, as urllib reads them from the environment."""
        self._tls = tls
        self._proxies = proxies
        self._extensions = {"timeout": timeout.as_dict()}
        # by the address of the proxy; "" without one
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}

    async def get(self, url: httpx.URL, headers: Mapping[str, str]) -> httpx.Response:
        """The head of the answer. The caller reads the body and closes it."""
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all") or ""
        if proxy and proxy_bypass(url.host):
            proxy = ""
        if proxy not in self._transports:
            self._transports[proxy] = httpx.AsyncHTTPTransport(
                verify=self._tls, limits=LIMITS, proxy=_proxy(proxy, url.host) if proxy else None
            )
        request = httpx.Request("GET", url, headers=headers, extensions=self._extensions)
        return await self._transports[proxy].handle_async_request(request)

    async def aclose(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()


def _proxy(address: str, host: str) -> httpx.Proxy:
    try:
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
    except (ValueError, httpx.InvalidURL):
        proxy = None
    if proxy is None or proxy.url.scheme not in ("http", "https"):
        # without the address, which may hold a password
        raise UsageError(
            f"the proxy that the environment names for {host} is not an http:// or https:// address: "
            f"set HTTPS_PROXY or ALL_PROXY to one, or NO_PROXY to {host}"
        )
    return proxy
