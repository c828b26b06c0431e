"""What `just verify` prints: one sentence that answers, then a line for each base and relative."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.verify.blend import Blend
from analysis.verify.declared import COMMAND_LINE
from analysis.verify.verification import HIDES, BaseCheck, Relative, Verification

SHOWN = 5
ORDER = ("not shown", "consistent", "cannot tell", "nothing to check")


def sentence(found: Verification) -> str:
    """The answer. It speaks of weights, never of intent, and claims no direction."""
    name = found.model.repo
    named = {
        status: _listed([check.declared.base for check in found.bases if check.status == status])
        for status in ("consistent", "not shown")
    }
    undeclared = _listed([relative.stored.repo for relative in found.undeclared])
    # bases on the command line replace what the model declares, of which nothing may be said then
    given = _is_given(found)
    fits, named_by = ("as named with --base",) * 2 if given else ("as it declares", "which it declares")
    unnamed = "not named with --base" if given else "not declared"
    also = f"; it shares weight history with {undeclared}, {unnamed}" if undeclared else ""
    match found.status:
        case "consistent":
            return f"{name}: consistent: its weights share history with {named['consistent']}, {fits}"
        case "not shown":
            without = named["not shown"]
            return f"{name}: not shown: no sign of shared history with {without}, {named_by}{also}"
        case "undeclared relative":
            return f"{name}: undeclared relative: it shares weight history with {undeclared}, {unnamed}"
    return f"{name}: cannot tell: {_why(found)}"


def _is_given(found: Verification) -> bool:
    return any(check.declared.read_from == COMMAND_LINE for check in found.bases)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _why(found: Verification) -> str:
    if not found.bases:
        return f"it declares no base, and no relative is among {found.searched:,} models of its width"
    first = found.bases[0]
    why = first.why.removeprefix("cannot tell: ")
    if first.stored is None:
        why = "it is not in the lake and could not be read"
    if first.status == "nothing to check":
        why = f"nothing to check, {first.why}"
    more = f", and {len(found.bases) - 1} more" if len(found.bases) > 1 else ""
    return f"{first.declared.base}: {why}{more}"


def lines_of(found: Verification, caution: str | None, blend: Blend | None) -> list[str]:
    lines = [sentence(found)]
    if caution:
        lines.append(f"caution: {caution}")
    # what was found first, then what could not be tested
    bases = sorted(found.bases, key=lambda check: ORDER.index(check.status))
    lines += [_base_line(check) for check in bases[:SHOWN]]
    if len(bases) > SHOWN:
        lines.append(f"  {len(bases) - SHOWN:,} more declared bases: --json lists them")
    unnamed = "not named with --base" if _is_given(found) else "not declared"
    lines += [_relative_line(relative, unnamed) for relative in found.relatives[:SHOWN]]
    if len(found.relatives) > SHOWN:
        lines.append(f"  {len(found.relatives) - SHOWN:,} more relatives: --json lists them")
    if blend:
        lines.append(f"  as a merge: {blend.row['verdict']}")
    if any(check.status == "not shown" for check in found.bases):
        lines.append(f"No sign is no proof: {HIDES}.")
    return lines


def _base_line(check: BaseCheck) -> str:
    relation = f" ({check.declared.relation})" if check.declared.relation else ""
    z = check.row.get("z_eff")
    measured = f", z {z:+.1f} (threshold {check.row['needed_z']:.2g})" if z is not None else ""
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
    return f"  relative {relative.stored.repo} ({z}){why}"
