"""The calls that a source found for each API, before any filter: symbolized, without duplicates, and the reasons why others are
unusable."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from traces.collect.call.arglist import dtypes, signature
from traces.collect.call.spec import Call, Json


@dataclass
class Plan:
    """All calls found for one API, before any filter."""

    calls: list[Call] = field(default_factory=list)
    other_dtypes: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    deaths: list[list[str]] = field(default_factory=list)
    """[how it ended, the call]: calls that killed the framework during the search."""
    seen: set[tuple[str, object, bool]] = field(default_factory=set)

    def add(self, call: Call, *, main: bool = True) -> None:
        """Adds a call unless it is a duplicate; `main`: its dtypes become records."""
        if not call.expect_failure:
            self.other_dtypes[signature(call.args)].add(dtypes(call.args))
        key = (signature(call.args, keep_floats=True), (call.values, dtypes(call.args)), call.expect_failure)
        if main and key not in self.seen:
            self.seen.add(key)
            self.calls.append(call)

    def to_json(self) -> Json:
        """The plan as plain values for a file; sorted."""
        return {
            "calls": [[c.args, c.values, c.source, c.expect_failure] for c in self.calls],
            "dtypes": {sig: sorted(tuples) for sig, tuples in sorted(self.other_dtypes.items())},
            "dropped": sorted([*key, count] for key, count in self.dropped.items()),
            "deaths": self.deaths,
        }
