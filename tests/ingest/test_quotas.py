"""Rate-limit headers are followed in any order of answers; absurd ones are ignored."""

from __future__ import annotations

import math

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.crawl.run import kind_seconds
from ingest.hub.quotas import API, CDN, RESOLVERS, Quotas, Window, kind_of
from ingest.hub.settings import HubSettings

DIGITS = st.sampled_from(["0", "7", "²", "9" * 5_000, "-1", "1e9", "", "300"]) | st.integers().map(str)


def headers(left: object, seconds: object, quota: object = 500, window: object = 300) -> httpx.Headers:
    limit, policy = f'"api";r={left};t={seconds}', f'"fixed window";"api";q={quota};w={window}'
    return httpx.Headers({b"RateLimit": limit.encode(), b"RateLimit-Policy": policy.encode()})


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://mirror/hf/api/models/a/b", API),
        ("https://mirror/hf/a/b/resolve/main/config.json", RESOLVERS),
        ("https://mirror/hf/api/resolve/main/config.json", API),
        ("https://huggingface.co/api/models", API),
        ("https://cdn.example/api/models", CDN),
    ],
)
def test_kinds_are_told_apart_below_the_endpoint(address: str, kind: str) -> None:
    assert kind_of(httpx.URL(address), HubSettings("https://mirror/hf")) == kind


@given(st.permutations([3, 2, 1]), st.integers(0, 3))
def test_answers_in_any_order_leave_what_the_lowest_says_but_for_those_under_way(
    said: list[int], under_way: int
) -> None:
    window = Window(under_way=under_way)
    assert window.left() == math.inf
    for left in said:
        window.update(headers(left, 300))
    assert window.left() == 1 - under_way
    assert (window.quota, window.seconds) == (500, 300)


def test_the_next_window_has_its_own_number() -> None:
    window = Window()
    window.update(headers(0, 2))
    assert window.left() == 0
    window.update(headers(499, 300))
    assert window.left() == 499
    window.update(headers(498, 299))
    assert window.left() == 498


@pytest.mark.parametrize(
    ("requests", "seconds"), [(100, 0), (101, 201), (600, 201), (601, 501), (50_100, 201 + 99 * 300)]
)
def test_what_exceeds_a_window_waits_for_its_end_and_each_window_has_its_number(
    requests: int, seconds: float
) -> None:
    quotas = Quotas(lambda _line: None)
    quotas.windows[API].update(headers(100, 200))
    assert kind_seconds(quotas, API, requests) == pytest.approx(seconds, abs=0.5)
    assert kind_seconds(quotas, RESOLVERS, requests) == 0


@given(DIGITS, DIGITS, DIGITS, DIGITS)
def test_no_header_makes_one_wait_for_more_than_a_window(
    left: str, seconds: str, quota: str, window_seconds: str
) -> None:
    window = Window()
    window.update(headers(left, seconds, quota, window_seconds))
    assert window.quota is None or (window.quota > 0 and 0 < window.seconds <= 330)
    window.ends_at = 0.0
    assert window.left() > 0
