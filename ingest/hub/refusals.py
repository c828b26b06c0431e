"""What a refusing answer means, in words for whoever must act on it."""

from __future__ import annotations

from ingest.hub.answers import Answer, Bytes, address, size_outside, words
from ingest.hub.session import HttpSession
from ingest.registry import registry
from warehouse.console.did_you_mean import meant
from warehouse.errors import AccessDenied, HubError, NotOnHub


def refusal(answer: Answer, session: HttpSession, repo: str, what: str) -> HubError:
    """The one place that turns a refusing answer into an error. The hub hides private repos behind 401."""
    code = answer.headers.get("X-Error-Code", "")
    said = answer.headers.get("X-Error-Message", "")
    endpoint = session.settings.endpoint
    token = _token(session)
    if code == "GatedRepo":
        return gated(session, repo)
    if code == "RevisionNotFound":
        return NotOnHub(f"{repo} has no {what}: look at {endpoint}/{repo}/commits, or ingest with --update")
    if code == "EntryNotFound":
        return NotOnHub(f"{repo} has no file {what}: look at {endpoint}/{repo}/tree/main")
    if "disabled" in said.lower():
        return AccessDenied(f"{repo} was disabled by the hub: it cannot be read")
    if answer.status == 401 and "invalid" in said.lower() and session.settings.token:
        return AccessDenied(
            f"{endpoint} does not accept the token: set HF_TOKEN anew, or unset it for public models"
        )
    if not session.settings.may_see_token(answer.url):
        return HubError(
            f"{answer.url.host}, where the hub sent us for {what} of {repo}, answered {answer.status}: "
            f"try again later, or use another endpoint (HF_ENDPOINT)"
        )
    if code == "RepoNotFound" or answer.status in (401, 404):
        listed = f"the aliases here are {', '.join(registry())}"
        aliases = "" if "/" in repo else f"; {meant(repo, registry(), listed)}"
        return NotOnHub(
            f"no repo {repo} at {endpoint}, or it is private ({token}): "
            f"check the name, or set HF_TOKEN{aliases}"
        )
    if answer.status == 403:
        return AccessDenied(f"{endpoint} forbids {repo} ({token}): the token lacks the right to read it")
    return HubError(f"{address(answer.url)} answered {answer.status} for {what} of {repo}: try again later")


def gated(session: HttpSession, repo: str) -> AccessDenied:
    terms = f"{session.settings.endpoint}/{repo}"
    return AccessDenied(
        f"{repo} is gated ({_token(session)}): accept its terms at {terms}, then set HF_TOKEN to a token "
        f"of that account"
    )


def _token(session: HttpSession) -> str:
    return "a token was sent" if session.settings.token else "no token was sent"


def storage_refusal(answer: Answer, file: str, times: int) -> HubError:
    """The storage behind the hub does not take addresses that the hub has just signed."""
    said = words(answer)
    told = f"status {answer.status}" + (f": {said}" if said else "")
    if "expire" in said.lower():
        return HubError(
            f"{answer.url.host} refused {times} fresh addresses of {file} as expired ({told}): check this "
            f"machine's clock, or try again later"
        )
    return AccessDenied(
        f"{answer.url.host}, where the hub keeps {file}, refused {times} fresh addresses of it ({told}): "
        f"ask whoever runs this network whether the host is blocked, or use another endpoint (HF_ENDPOINT)"
    )


def outside(answer: Answer, wanted: Bytes, file: str) -> HubError:
    size = size_outside(answer)
    if size is not None and size <= wanted.start:
        return HubError(
            f"{file} has {size:,} bytes, and {wanted} lie behind them (status 416): report it to its owner"
        )
    return HubError(
        f"{answer.url.host} refuses {wanted} of {file} (status 416), which it has: use another endpoint"
    )
