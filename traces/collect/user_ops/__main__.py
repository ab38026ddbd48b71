"""Collects the records of a user-defined operator: python -m traces.collect.user_ops FRAMEWORK package.module:function …"""

from __future__ import annotations

import argparse
import functools
import os
import random
import signal
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulefuzz import own
from traces.collect.call import arglist
from traces.collect.call.spec import Call, Json
from traces.collect.frameworks import registry
from traces.collect.judge.framework import Framework
from traces.collect.judge.verdict import PASS, judge
from traces.collect.records import write
from traces.collect.records.settings import Budget, Settings
from traces.collect.user_ops import elements, examples, forms, shown
from traces.collect.user_ops.examples import Example
from traces.collect.user_ops.notation import BadCall
from traces.collect.user_ops.parts import Parts
from traces.collect.user_ops.places import Place, told_by

SECONDS = 1.0
"""CPU seconds per call; all tensors are small."""
OPERATORS = 6
"""Argument structures kept."""
TRIES, ACCEPTED = 6000, 30
"""Calls guessed from a signature, and accepted calls that suffice."""
TRIALS, FRUITLESS, COMPANIONS, KEPT = 500, 150, 3000, 100
"""Limits per signature: mutants, mutants without a failure after which it counts as unconstrained, joint moves if few
others are accepted, and passing or failing records. They are higher than for a framework's API, since there is no evidence from
other APIs."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m traces.collect.user_ops",
        description="Collects the records of a user's own operator.",
        epilog="Exit codes: 0 done; 1 nothing to learn, or a bad call; 2 usage; 5 the framework or the function is not there.",
    )
    parser.add_argument("framework", choices=registry.NAMES, help="the framework of its tensors")
    parser.add_argument("function", help="package.module:function")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for its record file")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="folder for logs")
    parser.add_argument("--call", action="append", default=[], metavar="TEXT",
                        help="a call that it accepts: 'f(x: f32[2, 3], n=4)'; may be repeated")  # fmt: skip
    parser.add_argument("--calls", type=Path, metavar="FILE", help='such calls as JSON lines, {"args":…,"in":…} as in records')
    parser.add_argument("--elements", choices=("wild", "small", "auto"), default="auto",
                        help="elements of tensors: up to a million, small, or small if the others fail")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    return parser


def told(options: argparse.Namespace, api: str, parameters: Sequence[Place] | None) -> list[Example]:
    """The example calls of the command line. Raises BadCall."""
    given = [examples.written(api, text, parameters) for text in options.call]
    return given + (examples.read(api, options.calls) if options.calls else [])


def guessed(framework: Framework, api: str, parameters: Sequence[Place] | None, seed: int) -> list[Call]:
    """Accepted calls with these parameters. Raises BadCall."""
    if not parameters:
        raise BadCall(f"unknown parameters of {api}: give an example with --call")
    rng = random.Random(zlib.crc32(f"{seed} {api}".encode()))
    found: list[Call] = []
    raised = Counter[str]()
    made = forms.guesses(parameters, rng)
    try:
        for _ in range(TRIES):
            call = examples.symbolised(api, next(made), parameters)
            verdict = judge(framework, framework.compile(api, call.args), call.values, None)
            if verdict.kind == PASS:
                found.append(call)
            raised[examples.short(verdict.message)] += 1
            if len(found) == ACCEPTED:
                break
    except KeyError as error:
        raise BadCall(f"no values for the parameter {error}: give an example with --call") from None
    if not found:
        often = raised.most_common(1)[0][0]
        raise BadCall(f"{api} accepted none of {TRIES} calls made from its signature, most often because of: {often}; "
                      "give an example with --call")  # fmt: skip
    return found


def _attempts(options: argparse.Namespace, calls: Sequence[Call]) -> Iterator[tuple[str, list[Call]]]:
    """Elements and calls in the order to try: all calls, then those that differ in their floats separately, since elements
    may matter for some floats only (a threshold)."""
    fills = ("wild", "small") if options.elements == "auto" else (options.elements,)
    yield from ((filled, list(calls)) for filled in fills)
    by_floats: dict[tuple[str, ...], list[Call]] = defaultdict(list)
    for call in calls:
        by_floats[arglist.floats(call.args)].append(call)
    for some in by_floats.values() if len(by_floats) > 1 else ():
        yield fills[0], some


def collect(framework: Framework, options: argparse.Namespace, api: str) -> Json:
    """The records to write. Raises BadCall."""
    parameters = told_by(framework, api, own.functions()[api])
    given = told(options, api, parameters)
    calls = [call for example in given for call in (example.call, *example.near)]
    limits = replace(registry.limits(options.framework), cpu=SECONDS)
    budget = Budget(trials=TRIALS, fruitless=FRUITLESS, passing=KEPT, failing=KEPT, companions=COMPANIONS)
    settings = Settings(options.seed, budget, functions=OPERATORS)
    dropped: list[str] = []

    def find(guarded: Framework, some: Sequence[Call]) -> Sequence[Call]:
        examples.check(guarded, given)
        return some or guessed(guarded, api, parameters, options.seed)

    for filled, some in _attempts(options, calls):
        asked = elements.Gentle(framework, frozenset({api} if filled == "small" else ()))
        answer = Parts(asked, api, settings, options.work, limits).collect(functools.partial(find, some=some))
        if answer.get("lines"):
            return {**answer, "elements": filled, "parameters": shown.parameters(api, parameters)}
        if "error" in answer and given:
            raise BadCall(answer["error"])
        if "error" in answer:
            dropped.append(answer["error"])
            continue
        reasons = Counter(shown.reason(reason) for _, reason, _ in answer.get("dropped", ()))
        why = reasons.most_common(1)[0][0] if reasons else f"the collector failed, or calls kill it: see {options.work}"
        dropped.append(f"with {filled} elements: {why}")
    raise BadCall(f"nothing to learn of {api}: {'; '.join(dict.fromkeys(dropped))}")


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))  # SystemExit, so that the workers are ended too
    allowed = [*filter(None, os.environ.get(own.VARIABLE, "").split(",")), options.function]
    os.environ[own.VARIABLE] = ",".join(dict.fromkeys(allowed))
    try:
        api = own.api_of(options.function)
        framework = registry.load(options.framework)
        answer = collect(framework, options, api)
    except ImportError as error:
        print(f"collect: error: {error}", file=sys.stderr)
        return 5
    except (BadCall, OSError) as error:
        print(f"collect: error: {error}", file=sys.stderr)
        return 1
    path = options.out / f"{api}.jsonl"
    elements.note(options.out, api, is_small=answer["elements"] == "small")
    write.write_file(path, "".join(line + "\n" for line in answer["lines"]))
    registry.finish(options.framework, framework, [path], 1)
    counts = answer["counts"]
    write.write_file(options.work / f"{api}.parameters", answer["parameters"] + "\n")
    print(f"collect: {counts['operators']} signatures of {api}; of {counts['tried']} calls kept {counts['pass']} accepted "
          f"and {counts['fail']} rejected ones; {answer['elements']} elements", file=sys.stderr)  # fmt: skip
    for signature, reason, _ in answer["dropped"]:
        print(f"collect: not learned: {shown.signature(signature)}: {shown.reason(reason)}", file=sys.stderr)
    for text in shown.deaths(answer["deaths"]):
        print(f"collect: {text}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
