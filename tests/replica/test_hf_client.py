"""The real huggingface_hub client works with the replica when HF_ENDPOINT is set."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from hashlib import sha1, sha256
from typing import Any

import pytest

from ingest.origin_marks import MARKER, REPLICA_TAG
from ingest.replica.published import GLM, INTELLECT, MIXTRAL, PUBLISHED, QWEN3_4B
from ingest.replica.repos import replica_repos
from ingest.replica.running import PROJECT_ROOT
from tests.hub import serve_in_thread
from tests.replica.talking import small_repos

# In a process of its own: the client reads its environment when it is imported.
SCRIPT = """
import json, sys
from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.utils import get_session, paginate
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

def refusal(call, **arguments):
    try:
        call(**arguments)
    except Exception as error:
        return type(error).__name__

api = HfApi()
repos = json.loads(sys.argv[1])
found = {"listed": [model.id for model in api.list_models()]}
for repo in repos:
    info = api.model_info(repo)
    config = hf_hub_download(repo, "config.json")
    metadata = api.get_safetensors_metadata(repo)
    found[repo] = {
        "sha": info.sha,
        "licence": info.card_data["license"],
        "files": api.list_repo_files(repo),
        "tree": {entry.path: entry.size for entry in api.list_repo_tree(repo, recursive=True)},
        "config": json.load(open(config)),
        "snapshot": config.split("snapshots/")[1].split("/")[0],
        "shards": len(metadata.files_metadata),
        "parameters": metadata.parameter_count,
        "tensors": len(metadata.weight_map),
    }
    found[repo]["safetensors"] = info.safetensors.parameters
    found[repo]["refs"] = [branch.target_commit for branch in api.list_repo_refs(repo).branches]
    found[repo]["commits"] = [commit.commit_id for commit in api.list_repo_commits(repo)]
    found[repo]["tags"] = info.tags
    api.auth_check(repo)
found["sha256"] = {
    entry.rfilename: entry.lfs.sha256
    for repo in (repos[0], "owner/small")
    for entry in api.model_info(repo, files_metadata=True).siblings
    if entry.lfs
}
found["blobs"] = {
    one.rfilename: one.blob_id for one in api.model_info("owner/small", files_metadata=True).siblings
}
found["etag"] = get_hf_file_metadata(hf_hub_url(repos[0], "tokenizer.json")).etag
found["name"] = api.whoami(token="anything")["name"]
found["nobody"] = get_session().get(api.endpoint + "/api/whoami-v2").status_code
found["anycase"] = api.model_info("QWEN/qwen3-4b").id
found["anycase_file"] = open(hf_hub_download("QWEN/qwen3-4b", "config.json")).read()
found["by"] = {
    "author": [model.id for model in api.list_models(author="Qwen")],
    "search": [model.id for model in api.list_models(search="mixtral")],
    "filter": [model.id for model in api.list_models(filter=["license:mit", "glm4_moe"])],
    "none": [model.id for model in api.list_models(filter="nothing-like-it")],
    "limit": [model.id for model in api.list_models(limit=5)],
    "sort": [model.id for model in api.list_models(sort="downloads")][:3],
    "pipeline": len(list(api.list_models(pipeline_tag="text-generation"))),
}
pages = paginate(api.endpoint + "/api/models", params={"limit": 5}, headers={})
found["pages"] = [item["id"] for item in pages]
found["gated_check"] = refusal(api.auth_check, repo_id="owner/gated")
found["gated_open"] = refusal(api.auth_check, repo_id="owner/gated", token="anything")
found["missing_check"] = refusal(api.auth_check, repo_id="owner/none")
found["paths"] = [entry.path for entry in api.get_paths_info(repos[0], ["config.json", "none"])]
found["lfs"] = open(hf_hub_download("owner/small", "model.safetensors"), "rb").read().hex()
for name in ("config.json", "sub/notes.txt"):
    hf_hub_download("owner/small", name)
for name in ("README.md", "model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json"):
    hf_hub_download("Qwen/Qwen3-4B", name)
for name, repo in (("small", "owner/small"), ("replica", "Qwen/Qwen3-4B")):
    verified = api.verify_repo_checksums(repo)
    found["verified_" + name] = {
        "count": verified.checked_count,
        "unlike": {one["path"]: one["expected"] for one in verified.mismatches},
    }
found["gated"] = refusal(hf_hub_download, repo_id="owner/gated", filename="config.json")
found["missing"] = refusal(api.model_info, repo_id="owner/none")
found["revision"] = refusal(api.model_info, repo_id=repos[0], revision="v9")
found["entry"] = refusal(hf_hub_download, repo_id=repos[0], filename="none.json")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the client read of the twelve repos and the small ones."""
    keep = {
        name: value for name, value in os.environ.items() if not name.lower().startswith(("hf_", "hugging"))
    }
    keep = {name: value for name, value in keep.items() if not name.lower().endswith("_proxy")}
    repos = {**replica_repos(), **small_repos()}
    repos["owner/small"] = replace(repos["owner/small"], downloads=7)
    repos[GLM] = replace(repos[GLM], downloads=9)
    with serve_in_thread(repos) as hub:
        environment = keep | {
            "HF_ENDPOINT": hub.endpoint,
            "HF_HOME": str(tmp_path_factory.mktemp("hf")),
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
        }
        ended = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps(list(PUBLISHED))],
            cwd=PROJECT_ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 0, ended.stderr
    seen: dict[str, Any] = json.loads(ended.stdout)
    return seen


@pytest.mark.slow
def test_it_lists_the_repos(found: dict[str, Any]) -> None:
    assert set(PUBLISHED) <= set(found["listed"])


@pytest.mark.slow
@pytest.mark.parametrize("repo", PUBLISHED)
def test_it_describes_lists_and_downloads_from_every_repo(found: dict[str, Any], repo: str) -> None:
    served, seen = replica_repos()[repo], found[repo]
    assert seen["sha"] == seen["snapshot"] == served.commit
    assert seen["licence"] == served.licence
    assert seen["files"] == list(served.files)
    assert seen["tree"] == {path: file.size for path, file in served.files.items()}
    assert seen["config"] == PUBLISHED[repo].config | {MARKER: REPLICA_TAG}


@pytest.mark.parametrize("repo", PUBLISHED)
def test_it_parses_the_safetensors_metadata_of_every_repo(found: dict[str, Any], repo: str) -> None:
    assert found[repo]["shards"] == PUBLISHED[repo].shards


@pytest.mark.parametrize("repo", PUBLISHED)
def test_it_learns_parameters_branches_and_history_of_every_repo(found: dict[str, Any], repo: str) -> None:
    seen = found[repo]
    assert seen["safetensors"] == seen["parameters"]
    assert seen["refs"] == seen["commits"] == [seen["sha"]]
    assert {REPLICA_TAG, "safetensors", PUBLISHED[repo].config["model_type"]} <= set(seen["tags"])


def test_it_filters_sorts_and_pages_the_list(found: dict[str, Any]) -> None:
    everything, by = found["listed"], found["by"]
    assert by["author"] == [repo for repo in PUBLISHED if repo.startswith("Qwen/")]
    assert by["search"] == [MIXTRAL]
    assert by["filter"] == [GLM, INTELLECT]
    assert by["none"] == []
    assert by["limit"] == everything[:5]
    assert by["sort"] == [GLM, "owner/small", everything[0]]
    assert by["pipeline"] == len(everything)
    assert found["pages"] == everything


def test_a_repo_is_found_whatever_the_case_of_its_name(found: dict[str, Any]) -> None:
    assert found["anycase"] == QWEN3_4B
    assert json.loads(found["anycase_file"])["hidden_size"] == PUBLISHED[QWEN3_4B].config["hidden_size"]


def test_what_it_takes_for_a_sha256_is_one(found: dict[str, Any]) -> None:
    """Generated shards have no sha256, because hashing all of them would take too long."""
    weights = small_repos()["owner/small"].files["model.safetensors"]
    assert found["sha256"] == {"model.safetensors": sha256(weights.read(0, weights.size)).hexdigest()}
    assert re.fullmatch("made-up-[0-9a-f]{40}", found["etag"])


def test_what_it_takes_for_gits_name_of_a_file_is_one_and_of_an_lfs_file_that_of_its_pointer(
    found: dict[str, Any],
) -> None:
    small = small_repos()["owner/small"].files
    weights = small["model.safetensors"]
    oid = sha256(weights.read(0, weights.size)).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {weights.size}\n".encode()
    contents = {name: file.read(0, file.size) for name, file in small.items()} | {
        "model.safetensors": pointer
    }
    assert found["blobs"] == {
        name: sha1(b"blob %d\0" % len(data) + data).hexdigest() for name, data in contents.items()
    }


def test_every_hash_that_it_can_verify_is_right(found: dict[str, Any]) -> None:
    assert found["verified_small"] == {"count": 3, "unlike": {}}
    assert found["verified_replica"]["count"] == 5
    [(path, expected)] = found["verified_replica"]["unlike"].items()
    assert path == "tokenizer.json"
    assert expected.startswith("made-up-")


def test_it_learns_who_may_see_what(found: dict[str, Any]) -> None:
    assert found["name"] == "replica"
    assert found["nobody"] == 401
    assert found["gated_check"] == "GatedRepoError"
    assert found["gated_open"] is None
    assert found["missing_check"] == "RepositoryNotFoundError"


def test_it_counts_the_parameters_that_the_real_repos_show(found: dict[str, Any]) -> None:
    assert found[GLM]["parameters"] == {"BF16": 110_468_818_944, "F32": 46 * 128}
    assert found[INTELLECT]["parameters"]["F32"] == 45 * 128
    assert found[QWEN3_4B]["parameters"] == {"BF16": 4_022_468_096}


def test_it_downloads_a_whole_lfs_file_through_the_cdn(found: dict[str, Any]) -> None:
    weights = small_repos()["owner/small"].files["model.safetensors"]
    assert bytes.fromhex(found["lfs"]) == weights.read(0, weights.size)


def test_it_recognises_every_refusal(found: dict[str, Any]) -> None:
    assert found["paths"] == ["config.json"]
    assert found["gated"] == "GatedRepoError"
    assert found["missing"] == "RepositoryNotFoundError"
    assert found["revision"] == "RevisionNotFoundError"
    assert found["entry"] == "RemoteEntryNotFoundError"
