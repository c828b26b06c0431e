"""Lanes to the hub: each carries one request at a time, on connections of its own.

This is httpx without its client and its pool, down to the connections of httpcore it is built on. For the
1,200 small requests of the twelve models those two cost more than the answers: the client merges headers,
cookies and redirects, the pool looks at every connection several times for each request. Measured in
`just bench ingest`: half the client's time.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping, Sequence
from urllib.request import proxy_bypass

import httpcore
import httpx

from warehouse.errors import UsageError

FAILURES = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.ProxyError,
)
# Connections of one lane, each to another server: the hub, and its CDN with one to three hosts.
MOST_SERVERS = 4
# A server that closes idle connections does so after a minute or more; one closed earlier is noticed.
KEEP_IDLE_SECONDS = 20.0

Way = httpcore.AsyncHTTPConnection | httpcore.AsyncConnectionPool


class Lane:
    def __init__(
        self, tls: ssl.SSLContext, proxies: Mapping[str, str], timeout: Mapping[str, float | None]
    ) -> None:
        """`proxies`: by scheme or `all`, as urllib reads them from the environment; `timeout` as httpx's."""
        self._tls = tls
        self._timeout = timeout
        self._proxies = proxies
        self._ways: dict[tuple[bytes, bytes], Way] = {}

    async def get(self, url: httpx.URL, headers: Sequence[tuple[bytes, bytes]]) -> httpcore.Response:
        """The head of the answer; its body is read from its stream. The caller closes it."""
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        request = httpcore.Request("GET", target, headers=headers, extensions={"timeout": self._timeout})
        way = await self._way(url, target.origin)
        return await way.handle_async_request(request)

    async def aclose(self) -> None:
        for way in self._ways.values():
            await way.aclose()

    async def _way(self, url: httpx.URL, origin: httpcore.Origin) -> Way:
        """The open connection to a server, or a new one."""
        server = url.raw_scheme, url.netloc
        way = self._ways.get(server)
        if isinstance(way, httpcore.AsyncHTTPConnection) and not _can_be_used(way):
            await way.aclose()
            way = None
        if way is None:
            way = self._proxy(url) or httpcore.AsyncHTTPConnection(
                origin, ssl_context=self._tls, keepalive_expiry=KEEP_IDLE_SECONDS
            )
        # last in the dictionary: the first is the one that was not used for longest
        self._ways.pop(server, None)
        self._ways[server] = way
        if len(self._ways) > MOST_SERVERS:
            await self._ways.pop(next(iter(self._ways))).aclose()
        return way

    def _proxy(self, url: httpx.URL) -> httpcore.AsyncHTTPProxy | None:
        """The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY name for this server."""
        address = self._proxies.get(url.scheme) or self._proxies.get("all")
        if not address or proxy_bypass(url.host):
            return None
        try:
            proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        except (ValueError, httpx.InvalidURL):
            proxy = None
        if proxy is None or proxy.url.scheme not in ("http", "https"):
            # without the address, which may hold a password
            raise UsageError(
                f"the proxy that the environment names for {url.host} is no http:// or https:// address: "
                f"set HTTPS_PROXY or ALL_PROXY to one, or NO_PROXY to {url.host}"
            )
        return httpcore.AsyncHTTPProxy(
            str(proxy.url), proxy_auth=proxy.raw_auth, ssl_context=self._tls, max_connections=1
        )


def _can_be_used(way: httpcore.AsyncHTTPConnection) -> bool:
    """One that was cancelled at the very end of an answer is left as if that were still coming."""
    return way.is_idle() and not way.is_closed() and not way.has_expired()
