"""What `just verify` says: in words, as JSON, as SARIF 2.1.0, and as a CycloneDX 1.6 fragment."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from analysis.verify.blend import Blend
from analysis.verify.declared import COMMAND_LINE
from analysis.verify.verification import EXIT_CODES, HIDES, BaseCheck, Relative, Verification
from warehouse import VERSION
from warehouse.console.output import counted

SHOWN = 5
# Of ingest's errors.
STORE_ELSEWHERE = "choose another lake with --lake"
# Smaller p-values are 0 in floating point.
SMALLEST = sys.float_info.min
ORDER = ("not shown", "consistent", "cannot tell", "nothing to check")
SCHEMA = "normhouse-verify/1"
RULES = {
    "not-shown": "The weights show no sign of shared history with the base model.",
    "undeclared-relative": "The weights share history with a model that is not named as a base.",
    "cannot-tell": "The weights cannot tell whether the base model fits.",
}
RULE_OF = {"not shown": "not-shown", "cannot tell": "cannot-tell"}
KINDS = {
    "not-shown": ("fail", "warning"),
    "undeclared-relative": ("fail", "warning"),
    "cannot-tell": ("open", "none"),
}
LIMITS = (
    "Norm weights can show shared weight history; their silence proves nothing. The test has no direction: a "
    "parent, a child and a sibling look alike."
)


def sentence(found: Verification) -> str:
    """The answer. It speaks of weights, never of intent, and claims no direction."""
    name = found.model.name
    named = {
        status: _listed([check.declared.base for check in found.bases if check.status == status])
        for status in ("consistent", "not shown")
    }
    undeclared = _listed([relative.stored.name for relative in found.undeclared])
    # bases on the command line replace what the model declares, of which nothing may be said then
    given = _is_given(found)
    fits, named_by = ("as named with --base",) * 2 if given else ("as it declares", "which it declares")
    also = f"; it shares weight history with {undeclared}, {_unnamed(found)}" if undeclared else ""
    match found.status:
        case "consistent":
            return f"{name}: consistent: its weights share history with {named['consistent']}, {fits}"
        case "not shown":
            without = named["not shown"]
            return f"{name}: not shown: no sign of shared history with {without}, {named_by}{also}"
        case "undeclared relative":
            return (
                f"{name}: undeclared relative: it shares weight history with {undeclared}, {_unnamed(found)}"
            )
    return f"{name}: cannot tell: {_why(found)}"


def _is_given(found: Verification) -> bool:
    return any(check.declared.read_from == COMMAND_LINE for check in found.bases)


def _unnamed(found: Verification) -> str:
    """Of a relative that no base explains."""
    return "not named with --base" if _is_given(found) else "not declared"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _why(found: Verification) -> str:
    if found.unread:
        return f"it could not be {_undone(found.unread)} ({found.unread})"
    if not found.bases and not found.searched:
        return "it declares no base, and the lake has no other model of its width"
    if not found.bases:
        return f"it declares no base, and no relative is among {found.searched:,} models of its width"
    first = found.bases[0]
    why = first.why.removeprefix("cannot tell: ")
    if first.stored is None:
        why = f"it is not in the lake and could not be {_undone(first.why)}"
    if first.status == "nothing to check":
        why = f"nothing to check, {first.why}"
    more = f", and {len(found.bases) - 1} more" if len(found.bases) > 1 else ""
    return f"{first.declared.base}: {why}{more}"


def _undone(why: str) -> str:
    """A lake of released weights refuses synthetic ones, which were read."""
    return "stored" if STORE_ELSEWHERE in why else "read"


def lines_of(found: Verification, caution: str | None, blend: Blend | None) -> list[str]:
    lines = [sentence(found)]
    if caution:
        lines.append(f"caution: {caution}")
    # what was found first, then what could not be tested
    bases = sorted(found.bases, key=lambda check: ORDER.index(check.status))
    lines += [_base_line(check) for check in bases[:SHOWN]]
    if len(bases) > SHOWN:
        lines.append(f"  {counted(len(bases) - SHOWN, 'more base')}: --json lists them")
    lines += [_relative_line(relative, _unnamed(found)) for relative in found.relatives[:SHOWN]]
    if len(found.relatives) > SHOWN:
        lines.append(f"  {counted(len(found.relatives) - SHOWN, 'more relative')}: --json lists them")
    if blend:
        lines.append(f"  as a merge: {blend.row['verdict']}")
    if any(check.status == "not shown" for check in found.bases):
        lines.append(f"No sign is no proof: {HIDES}.")
    return lines


def _base_line(check: BaseCheck) -> str:
    relation = f" ({check.declared.relation})" if check.declared.relation else ""
    z = check.row.get("z_eff")
    measured = f", z {z:+.1f} (threshold {check.row['needed_z']:.1f})" if z is not None else ""
    declared = check.declared
    is_given = declared.read_from == COMMAND_LINE
    named = (
        f"--base {declared.base}"
        if is_given
        else f"declared {declared.base}{relation}, from {declared.read_from}"
    )
    return f"  {named}: {check.why}{measured}"


def _relative_line(relative: Relative, unnamed: str) -> str:
    z = "identical norms" if relative.identical else f"z {relative.z_eff or 0:+.1f}"
    why = f": {relative.explained_by}" if relative.explained_by else f", {unnamed}"
    return f"  relative {relative.stored.name} ({z}){why}"


def object_of(found: Verification, about: Mapping[str, Any] | None, blend: Blend | None) -> dict[str, Any]:
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
        "lake": dict(about) if about else None,
        "limits": LIMITS,
    }


def _base(check: BaseCheck) -> dict[str, Any]:
    return {
        "base": check.declared.base,
        "relation": check.declared.relation,
        "read_from": check.declared.read_from,
        "status": check.status,
        "why": check.why,
        "model": vars(check.stored) if check.stored else None,
        **{name: check.row.get(name) for name in ("z_eff", "needed_z", "norms_used", "statistic_used")},
        "p": None if (p := check.row.get("p")) is None else max(p, SMALLEST),
    }


def _relative(relative: Relative) -> dict[str, Any]:
    return {
        "model": vars(relative.stored),
        "z_eff": relative.z_eff,
        "identical": relative.identical,
        "by_chance": relative.by_chance,
        "explained_by": relative.explained_by or None,
    }


def sarif_of(found: Verification, described: Mapping[str, Any]) -> dict[str, Any]:
    """One result for each base that is not shown or cannot be tested, and each undeclared relative.

    What fits is left out: viewers of code scanning show every result as an alert, also if its kind is "pass".
    """
    results = [
        _result(found, RULE_OF[check.status], f"{check.declared.base}: {check.why}")
        for check in found.bases
        if check.status in RULE_OF
    ]
    results += [
        _result(
            found,
            "undeclared-relative",
            f"shares weight history with {relative.stored.name}, {_unnamed(found)}",
        )
        for relative in found.undeclared
    ]
    if found.status == "cannot tell" and not results:
        results = [_result(found, "cannot-tell", str(described["sentence"]))]
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
                "results": results,
            }
        ],
    }


def _result(found: Verification, rule: str, text: str) -> dict[str, Any]:
    kind, level = KINDS[rule]
    # the system's words for a failed connection differ between runs, and so would the fingerprint
    text = re.sub(r"(cannot reach \S+) \(.*?\)(?=:|$|\))", r"\1", text)
    where = {"artifactLocation": {"uri": "README.md"}, "region": {"startLine": 1}}
    return {
        "ruleId": rule,
        "ruleIndex": [*RULES].index(rule),
        "kind": kind,
        "level": level,
        "message": {"text": f"{found.model.name}: {text}"},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"modelAndText/v1": f"{found.model.name}@{found.model.commit}: {text}"},
    }


def bom_of(found: Verification, described: Mapping[str, Any]) -> dict[str, Any]:
    """A CycloneDX fragment: the model, its declared bases as ancestors, and the answer as evidence."""
    model = found.model
    ancestors = [_ancestor(check) for check in found.bases]
    component = {
        "type": "machine-learning-model",
        "bom-ref": f"{model.name}@{model.commit}",
        "name": model.name,
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
    name = stored.name if stored else check.declared.base
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
