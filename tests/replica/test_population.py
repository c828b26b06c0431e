"""The population of small models is listed in pages, readable, and related as documented."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tokenizers import Tokenizer

from ingest.__main__ import main
from ingest.replica.population import (
    LAYERS,
    WIDTH,
    Member,
    declared_base,
    is_untouched,
    member_of,
    norms_of,
    population,
)
from ingest.replica.running import serve_in_process
from ingest.replica.site import Quota
from tests.hub import serve_in_thread
from tests.replica.reading import pearson
from tests.replica.talking import ask, small_repos

FINAL = "model.norm.weight"


def test_bases_come_first_and_a_few_have_most_children() -> None:
    members = [member_of(number, 2_000) for number in range(2_000)]
    assert [member.base is None for member in members] == [number < 250 for number in range(2_000)]
    children = Counter(member.base for member in members if member.base is not None)
    assert children[0] > 100
    assert max(children) > 200
    assert len({member.name for member in members}) == 2_000


def test_children_resemble_their_base_only() -> None:
    base, other = norms_of(Member(3, None)), norms_of(Member(4, None))
    child = norms_of(Member(900, 3))
    assert len(base) == 2 * LAYERS + 1
    assert {values.size for values in base.values()} == {WIDTH}
    name = "model.layers.9.input_layernorm.weight"
    assert 0.79 < pearson(base[name], child[name]) < 1
    assert abs(pearson(other[name], child[name])) < 0.2
    likeness = [pearson(norms_of(Member(n, 3))[name], base[name]) for n in range(1_000, 1_030)]
    assert max(likeness) > 0.995
    assert min(likeness) < 0.95


def test_of_ten_children_one_has_its_bases_norms_exactly() -> None:
    members = [member_of(number, 2_000) for number in range(2_000)]
    untouched = [member for member in members if is_untouched(member)]
    assert 0.07 < len(untouched) / 1_750 < 0.13
    child = untouched[0]
    base, norms = norms_of(Member(child.base or 0, None)), norms_of(child)
    assert all(np.array_equal(values, norms[name]) for name, values in base.items())


def test_a_listing_pages_through_all_and_makes_up_no_weights() -> None:
    with serve_in_thread(population(2_500)) as hub:
        address, seen = f"{hub.endpoint}/api/models?limit=1000", []
        while address:
            reply = ask(address)
            seen += json.loads(reply.body)
            address = reply.headers.get("Link", "").partition(">")[0].removeprefix("<")
        by_downloads = json.loads(ask(f"{hub.endpoint}/api/models?sort=downloads&limit=3").body)
        of_one = json.loads(ask(f"{hub.endpoint}/api/models?author=lab-07").body)
    assert [entry["id"] for entry in seen] == list(population(2_500))
    downloads = sorted((entry["downloads"] for entry in seen), reverse=True)
    assert [entry["downloads"] for entry in by_downloads] == downloads[:3]
    assert {entry["author"] for entry in of_one} == {"lab-07"}
    for entry, member in zip(seen, (member_of(number, 2_500) for number in range(2_500)), strict=True):
        assert entry["cardData"].get("base_model") == declared_base(member)
        assert (f"base_model:finetune:{declared_base(member)}" in entry["tags"]) == bool(
            declared_base(member)
        )


def test_most_members_declare_their_base_some_another_or_none() -> None:
    children = [member for number in range(2_500) if (member := member_of(number, 2_500)).base is not None]
    declared = [declared_base(member) for member in children]
    true = [Member(member.base or 0, None).name for member in children]
    assert 0.07 < declared.count(None) / len(children) < 0.13
    wrong = [one for one, other in zip(declared, true, strict=True) if one not in (None, other)]
    assert 0.03 < len(wrong) / len(children) < 0.07
    assert {one for one in declared if one} <= {*population(2_500)}


@pytest.mark.slow
def test_a_member_is_ingested_like_any_other_and_is_the_replicas(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repos = population(16)
    child = list(repos)[-1]
    Tokenizer.from_str(repos[child].files["tokenizer.json"].read(0, 1 << 20).decode())
    with serve_in_process(population=16) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        assert main(["hub", child, "--alias", "child", "--lake", "made", "--quiet"]) == 0
    rows = duckdb.execute(
        f"select value from '{data}/made/norms/*.parquet' where ln_type = 'final_norm' order by dim"
    ).fetchnumpy()
    expected = norms_of(member_of(15, 16))[FINAL]
    np.testing.assert_allclose(rows["value"], expected, rtol=2**-8)
    sources = duckdb.execute(f"select source from '{data}/made/models/*.parquet'").fetchall()
    assert sources == [("replica",)]


def test_a_quota_is_counted_by_kind_of_request_and_told_with_every_answer() -> None:
    quota = Quota(enforced=True, window=30, without_token={"api": 2, "resolvers": 3})
    with serve_in_thread(small_repos(), quota=quota) as hub:
        api = f"{hub.endpoint}/api/models/owner/small"
        file = f"{hub.endpoint}/owner/small/resolve/main/config.json"
        replies = [ask(api) for _ in range(3)]
        assert [reply.status for reply in replies] == [200, 200, 429]
        assert [reply.headers["RateLimit"].partition(";t=")[0] for reply in replies] == [
            f'"api";r={left}' for left in (1, 0, 0)
        ]
        assert 0 < int(replies[2].headers["RateLimit"].partition("t=")[2]) <= 30
        assert replies[2].headers["RateLimit-Policy"] == '"fixed window";"api";q=2;w=30'
        assert [ask(file).status for _ in range(4)] == [200, 200, 200, 429]
        assert ask(file, Authorization="Bearer any").status == 200
        quota.window = 0
        assert ask(api).status == 200


def test_a_quota_that_is_not_enforced_never_runs_out() -> None:
    with serve_in_thread(small_repos()) as hub:
        reply = ask(f"{hub.endpoint}/owner/small/resolve/main/config.json")
        assert reply.headers["RateLimit"].startswith('"resolvers";r=2999;t=')
        assert reply.headers["RateLimit-Policy"] == '"fixed window";"resolvers";q=3000;w=300'
