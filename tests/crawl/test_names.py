"""Names of crawled models, and files with lists of repos."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.crawl.state import Seen, model_key, other_key
from ingest.crawl.targets import Target, targets_in
from ingest.registry import is_repo, registry
from warehouse.errors import UsageError
from warehouse.paths import NAME, is_bundle

PART = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,95}", fullmatch=True)
# few letters, so that similar names occur
CLOSE = st.text("aAm_0.-x", min_size=1, max_size=7)
REPO = st.builds("{}/{}".format, CLOSE | PART, CLOSE | PART).filter(is_repo) | CLOSE.filter(is_repo)


@pytest.mark.slow
@given(REPO, REPO)
def test_two_repos_have_two_names_unless_the_hub_takes_them_for_one(one: str, other: str) -> None:
    assert (model_key(one) == model_key(other)) == (one.lower() == other.lower())
    assert (other_key(one) == other_key(other)) == (one.lower() == other.lower())
    assert model_key(one) != other_key(other) or one.lower() == other.lower()


@given(REPO)
def test_a_name_can_be_a_folder_beside_parts(repo: str) -> None:
    for name in (model_key(repo), other_key(repo)):
        assert NAME.fullmatch(name)
        assert not is_bundle(name)


@pytest.mark.parametrize(
    ("repo", "name"),
    [
        ("Qwen/Qwen2.5-0.5B", "qwen--qwen2.5-0.5b"),
        ("01-ai/Yi-6B", "m_01-ai--yi-6b"),
        ("zai-org/GLM-4.5-Air", "glm"),
        ("gpt2", other_key("gpt2")),
    ],
)
def test_names_read_like_the_repos_and_the_registrys_are_its_aliases(repo: str, name: str) -> None:
    assert model_key(repo) == name
    assert registry()["glm"].repo == "zai-org/GLM-4.5-Air"


def test_a_name_that_somebody_gave_to_another_model_is_left_to_it() -> None:
    seen = Seen()
    seen.add_stored("a--b", "somebody/else", "0" * 40, None)
    assert seen.name_of(Target("a/b")) == other_key("a/b")
    seen.add_stored("mine", "A/b", "0" * 40, None)
    assert seen.name_of(Target("a/B")) == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a/b\nno repo at all\n", "repos.txt:2: 'no repo at all' is not a repo"),
        ("a/b\n../../etc\n", "repos.txt:2: "),
        ("# nothing\n\n", "names no repo"),
        ("a/b\n\xff", "not UTF-8"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "repos.txt"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=said.replace(".", r"\.")):
        targets_in(path)


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the list .* name a file"):
        targets_in(tmp_path / "absent.txt")


def test_a_list_as_editors_of_any_system_save_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "repos.txt"
    path.write_bytes(b"\xef\xbb\xbfa/b\r\n# more\r\nc/d\r\n")
    assert [target.repo for target in targets_in(path)] == ["a/b", "c/d"]
