"""A claim file is read whole or refused with what to change in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.claims.claim_file import BrokenClaim, parse_claim, read_claims

HEADER = {
    "id": "sionic.example",
    "title": "Two and two are four.",
    "documents": "sionic_ko, sionic_en",
    "section": "A.1",
    "evidence": "weights",
    "needs": "solar, glm",
    "version": "1",
    "reading": "as sums",
}
QUERY = "select 'sionic.x' as item, 4 as expected, 0 as tolerance, 2 + 2 as observed"


def text(query: str = QUERY, **changed: str | None) -> str:
    fields = {name: value for name, value in {**HEADER, **changed}.items() if value is not None}
    return "".join(f"-- {name}: {value}\n" for name, value in fields.items()) + query + "\n"


def test_header_and_query_are_read() -> None:
    claim = parse_claim(text())
    assert (claim.id, claim.group, claim.evidence, claim.version) == (
        "sionic.example",
        "sionic",
        "weights",
        1,
    )
    assert claim.documents == ("sionic_ko", "sionic_en")
    assert claim.needs == ("solar", "glm")
    assert claim.query == QUERY


def test_an_indented_comment_continues_the_field_above() -> None:
    claim = parse_claim(text(reading="as sums,\n--   not as products:\n--     ever"))
    assert claim.reading == "as sums, not as products: ever"


def test_needs_may_be_empty() -> None:
    assert parse_claim(text(needs="")).needs == ()


def test_a_comment_below_the_header_belongs_to_the_query() -> None:
    assert parse_claim(text("\n-- a remark\n" + QUERY)).query == "-- a remark\n" + QUERY


def test_the_checksum_is_of_the_query_alone() -> None:
    first = parse_claim(text())
    assert parse_claim(text(title="Better words.")).sha256 == first.sha256
    assert parse_claim(text(QUERY + ";\n")).sha256 == first.sha256
    assert parse_claim(text(QUERY + " + 0")).sha256 != first.sha256


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("select a, b from (select 1)", "select\n    a,b -- both\nfrom (\n    select 1\n)", True),
        ("select 'it''s -- no  comment'", "select  'it''s -- no  comment'", True),
        ("select 'a  b'", "select 'a b'", False),
        ("select 'a -- b'", "select 'a -- c'", False),
        ("select a b", "select ab", False),
        ("select a - b", "select a -- b", False),
        ("select /* all */ a", "select a", True),
        ("select 1", "select (1)", False),
    ],
)
def test_the_checksum_does_not_see_layout_and_comments(one: str, other: str, same: bool) -> None:
    assert (parse_claim(text(one)).sha256 == parse_claim(text(other)).sha256) is same


def test_a_raised_version_says_why() -> None:
    assert parse_claim(text(version="2", history="v2: layer 46 left out")).history == (
        "v2: layer 46 left out",
    )


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (text(title=None), "no `-- title:`"),
        (text(title=""), "`-- title:` is empty"),
        (text(id="Sionic Example"), "write group.name"),
        (text(evidence="hearsay"), "weights, slices, toy, printed, analytic, untestable"),
        (text(version="0"), "whole number"),
        (text(version="2"), "add `-- history: v2: why`"),
        (text(version="2", history="v1: old"), "add `-- history: v2: why`"),
        (text(documents="the_press"), "unknown document 'the_press'"),
        (text(documents=""), "name the documents"),
        (text(needs="solar; glm"), "no model alias"),
        (text(reading="fine\n-- author: me"), "-- author: me"),
        (text(reading="fine\n--  two spaces"), "indent by three"),
        (text().replace("-- title", "-- id: sionic.other\n-- title"), "`-- id:` is there twice"),
        (text(query=""), "no query"),
        (QUERY, "no `-- id:`"),
        ("--   lost\n" + text(), "continues nothing"),
    ],
)
def test_a_bad_header_is_refused_with_what_to_do(broken: str, said: str) -> None:
    with pytest.raises(BrokenClaim) as refused:
        parse_claim(broken)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_findings_need_no_document() -> None:
    assert parse_claim(text(id="findings.example", documents="")).documents == ()


def test_the_id_follows_the_path_and_the_good_files_are_read_beside_the_bad(tmp_path: Path) -> None:
    group = tmp_path / "sionic"
    group.mkdir()
    (group / "example.sql").write_text(text())
    (group / "other.sql").write_text(text())
    (group / "strange.sql").write_text(text(id="hyunwoong.strange"))
    (group / "bytes.sql").write_bytes(b"\xff\xfe")
    claims, broken = read_claims(tmp_path)
    assert [claim.id for claim in claims] == ["sionic.example"]
    assert {claim.name for claim in broken} == {"sionic.other", "sionic.strange", "sionic.bytes"}
    reasons = {claim.name: claim.reason for claim in broken}
    assert "write sionic.other" in reasons["sionic.other"]
    assert "write sionic.strange" in reasons["sionic.strange"]
