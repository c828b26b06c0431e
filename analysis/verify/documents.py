"""The answer of `just verify` for machines: our JSON, SARIF 2.1.0, and a CycloneDX 1.6 fragment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from analysis.verify.blend import Blend
from analysis.verify.verification import EXIT_CODES, BaseCheck, Relative, Verification
from analysis.verify.words import sentence
from warehouse import VERSION

SCHEMA = "normhouse-verify/1"
RULES = {
    "consistent": "The weights share history with the declared base model.",
    "not-shown": "The weights show no sign of shared history with a declared base model.",
    "undeclared-relative": "The weights share history with a model that is not declared.",
    "cannot-tell": "The declared base model cannot be tested by its weights.",
}
KINDS = {
    "consistent": ("pass", "none"),
    "not-shown": ("fail", "warning"),
    "undeclared-relative": ("fail", "warning"),
    "cannot-tell": ("open", "none"),
}
LIMITS = (
    "Norm weights can show shared weight history; their silence proves nothing. The test has no direction: a "
    "parent, a child and a sibling look alike."
)


def object_of(found: Verification, about: Mapping[str, Any], blend: Blend | None) -> dict[str, Any]:
    """Version 1 of our JSON; `verify.schema.json` beside this file describes it."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "answer": found.status,
        "exit_code": EXIT_CODES[found.status],
        "sentence": sentence(found),
        "model": vars(found.model),
        "bases": [_base(check) for check in found.bases],
        "relatives": [_relative(relative) for relative in found.relatives],
        "searched": found.searched,
        "merge": dict(blend.row) if blend else None,
        "lake": dict(about),
        "limits": LIMITS,
    }


def _base(check: BaseCheck) -> dict[str, Any]:
    return {
        "declared": check.declared.base,
        "relation": check.declared.relation,
        "read_from": check.declared.read_from,
        "status": check.status,
        "why": check.why,
        "model": vars(check.stored) if check.stored else None,
        **{name: check.row.get(name) for name in ("z_eff", "needed_z", "p", "norms_used", "statistic_used")},
    }


def _relative(relative: Relative) -> dict[str, Any]:
    return {
        "model": vars(relative.stored),
        "z_eff": relative.z_eff,
        "identical": relative.identical,
        "by_chance": relative.by_chance,
        "declared": False,
        "explained_by": relative.explained_by or None,
    }


def sarif_of(found: Verification, described: Mapping[str, Any]) -> dict[str, Any]:
    """One result for each declared base and each undeclared relative; one in all if there is neither."""
    results = [_result(found, _rule(check), f"{check.declared.base}: {check.why}") for check in found.bases]
    results += [
        _result(
            found, "undeclared-relative", f"shares weight history with {relative.stored.repo}, not declared"
        )
        for relative in found.undeclared
    ]
    driver = {
        "name": "normhouse",
        "version": VERSION,
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "results": results or [_result(found, "cannot-tell", str(described["sentence"]))],
            }
        ],
    }


def _rule(check: BaseCheck) -> str:
    return {"consistent": "consistent", "not shown": "not-shown"}.get(check.status, "cannot-tell")


def _result(found: Verification, rule: str, text: str) -> dict[str, Any]:
    kind, level = KINDS[rule]
    where = {"artifactLocation": {"uri": "README.md"}, "region": {"startLine": 1}}
    return {
        "ruleId": rule,
        "ruleIndex": [*RULES].index(rule),
        "kind": kind,
        "level": level,
        "message": {"text": f"{found.model.repo}: {text}"},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"modelAndText/v1": f"{found.model.repo}@{found.model.commit}: {text}"},
    }


def bom_of(found: Verification, described: Mapping[str, Any]) -> dict[str, Any]:
    """A CycloneDX fragment: the model, its declared bases as ancestors, and the answer as evidence."""
    model = found.model
    ancestors = [_ancestor(check) for check in found.bases]
    component = {
        "type": "machine-learning-model",
        "bom-ref": f"{model.repo}@{model.commit}",
        "name": model.repo,
        "version": model.commit,
        "pedigree": {"ancestors": ancestors, "notes": f"{described['sentence']}. {LIMITS}"},
        "properties": [
            {"name": f"normhouse:{name}", "value": str(described[name])}
            for name in ("schema", "answer", "exit_code", "searched")
        ],
    }
    if not ancestors:
        del component["pedigree"]["ancestors"]  # type: ignore[attr-defined]
    tool = {"type": "application", "name": "normhouse", "version": VERSION}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"tools": {"components": [tool]}},
        "components": [component],
    }


def _ancestor(check: BaseCheck) -> dict[str, Any]:
    stored = check.stored
    name = stored.repo if stored else check.declared.base
    values = {
        "relation": check.declared.relation,
        "read_from": check.declared.read_from,
        "status": check.status,
        "why": check.why,
        "z_eff": check.row.get("z_eff"),
        "threshold": check.row.get("needed_z"),
        "norms_used": check.row.get("norms_used"),
    }
    return {
        "type": "machine-learning-model",
        "name": name,
        **({"version": stored.commit} if stored else {}),
        **({"purl": _purl(stored.repo, stored.commit)} if stored and stored.source == "hub" else {}),
        "properties": [
            {"name": f"normhouse:{key}", "value": str(value)}
            for key, value in values.items()
            if value is not None
        ],
    }


def _purl(repo: str, commit: str) -> str:
    return f"pkg:huggingface/{quote(repo)}@{commit}"
