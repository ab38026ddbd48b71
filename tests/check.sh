#!/bin/sh
# The quick check of a change (make check): lints, then the tests that tests/tiers.py chooses, each with its programs built.
#   usage: check.sh BUILD [PATTERN]    PATTERN: of the chosen tests, those whose path matches it (grep -E)
# CHECK_SECONDS: the budget of the tests in processor seconds (default: 20 for each processor).
set -u
build=$1 pattern=${2:-.}
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
python3 -m tests.tiers "$build" "${CHECK_SECONDS:-$(($(nproc) * 20))}" | grep -E -- "$pattern" >"$work/tests"
[ -s "$work/tests" ] || { echo "check: error: no test matches '$pattern'" >&2 && exit 1; }
units=$(sed -n "s|^tests/unit/|$build/tests/|p" "$work/tests")
# shellcheck disable=SC2086 # paths without spaces
make -s B="$build" DEPS=skip -j"${JOBS:-$(nproc)}" "$build/rulesmith" "$build/rulefuzz" "$build/librulesmith.a" "$build/librulesmith.so" \
	"$build/audit-c" $units || exit 1
sh tests/lint.sh || status=1
tests/run.sh "$build" these <"$work/tests" || status=1
exit $status
