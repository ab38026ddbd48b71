"""Which findings are which bugs.

    finding ── calls ── kind ── script fails with the bug's version, passes without ──► match
                 │        └──► candidate: another kind
                 └──► nothing

A case matches if one finding does, and a finding may match several cases. Without key calls, the Python features of both
scripts are compared (python_state.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.bugs import python_state
from tests.bench.bugs.cases import Case


@dataclass(frozen=True)
class Finding:
    """A finding of a campaign."""

    id: int
    kind: str
    title: str
    after: float
    """Seconds from the start of the campaign until it was first stored."""
    reduced: bool
    apis: tuple[str, ...]
    """The API of each call of the reduced model."""
    script: Path
    also: tuple[str, ...] = ()
    """Of an accepted invalid call: all APIs that the run saw with this cause."""


@dataclass(frozen=True)
class Candidate:
    """A finding with the calls of a case that is no match."""

    finding: Finding
    why: str


@dataclass
class Outcome:
    """What a campaign says about a case."""

    case: Case
    matches: list[Finding] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    failed: str = ""
    """Why there was no campaign."""

    @property
    def result(self) -> str:
        """One word."""
        if self.failed:
            return "not run"
        if self.case.by_design:
            return "reported" if self.matches else "silent"
        return "found" if self.matches else "missed"

    @property
    def first(self) -> Finding | None:
        """The earliest match."""
        return min(self.matches, key=lambda finding: (finding.after, finding.id), default=None)


RunScript = Callable[[Finding, str, str], int | None]
"""Runs a finding's script with a version of a backend. Returns its exit code, negative for a signal; None without an answer."""


SESSION = "session."


def apis_of(value: Any) -> Iterator[str]:
    """The APIs of a model's calls, those of bodies included, the kinds of its regions (ops.cond, func.jacfwd), and the
    constructs and changes of its session (session.closure)."""
    if isinstance(value, dict):
        if isinstance(value.get("api"), str):
            yield value["api"]
        if isinstance(value.get("session"), dict):
            yield from (f"{SESSION}{item.partition(':')[0]}" for items in value["session"].values() for item in items)
        yield from (body["kind"] for body in value.get("bodies", ()))
        for part in value.values():
            yield from apis_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from apis_of(part)


def is_named(api: str, call: str) -> bool:
    """Whether a name of the list is an API: `Cast` is `onnx.Cast` and `onnx.Cast_13`, `func.grad` is `torch.func.grad`."""
    names = (api, re.sub(r"_\d+$", "", api)) if api.startswith("onnx.") else (api,)
    return any(name == call or name.endswith("." + call) for name in names)


def contains(apis: tuple[str, ...], calls: tuple[str, ...]) -> bool:
    """Whether a model has all key calls, each as often as the list names it. False for a case without key calls."""
    left = Counter(apis)
    for call in sorted(calls, key=lambda call: (-call.count("."), call)):
        api = next((api for api in sorted(left) if left[api] > 0 and is_named(api, call)), None)
        if api is None:
            return False
        left[api] -= 1
    return bool(calls)


def fails(code: int | None) -> bool:
    """Whether a script's exit code means that the bug is there."""
    return code is not None and (code == 1 or code < 0 or code > 128)


def _described(code: int | None) -> str:
    """An exit code in words."""
    return "no answer" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"


def _why_not(case: Case, finding: Finding, run: RunScript) -> str:
    """Why a finding with the calls of a case is no match; "" if it is one."""
    if case.calls and not contains(finding.apis, case.calls) and case.fixed:
        return "another call of the same cause: its script is of one"
    if finding.kind != case.kind:
        return f"kind {finding.kind} instead of {case.kind}"
    if not case.fixed:
        return ""
    codes = [run(finding, case.backend, version) for version in (case.has, case.fixed)]
    if fails(codes[0]) and codes[1] == 0:
        return ""
    return f"{_described(codes[0])} on {case.has}, {_described(codes[1])} on {case.fixed}"


def _of_state(case: Case, finding: Finding, run: RunScript, source: str) -> str:
    """The same, for a case without key calls and a finding of a session."""
    script = finding.script.read_text(encoding="utf-8") if finding.script.exists() else ""
    if not python_state.is_alike(source, script):
        return "no key calls: compare the Python state"
    return _why_not(case, finding, run)


def compare(case: Case, findings: list[Finding], run: RunScript, source: str = "") -> Outcome:
    """Looks for a case among the findings of its campaign. `source`: the text of its script."""
    outcome = Outcome(case)
    for finding in findings:
        if case.calls:
            if not contains(finding.apis, case.calls) and not contains(finding.also, case.calls):
                continue
            why = _why_not(case, finding, run)
        elif finding.kind == case.kind and any(api.startswith(SESSION) for api in finding.apis):
            why = _of_state(case, finding, run, source)
        else:
            continue
        if why:
            outcome.candidates.append(Candidate(finding, why))
        else:
            outcome.matches.append(finding)
    return outcome
