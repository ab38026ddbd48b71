#!/bin/sh
# The quick check of a change (make check): the tests that tests/tiers.py chooses, with their programs built, and lints.
#   usage: check.sh BUILD [PATTERN]    PATTERN: of the chosen tests, those whose path matches it (grep -E)
# CHECK_SECONDS: the budget of the tests in seconds, one after the other (default: 20 for each processor).
# CHECK_ELAPSED: seconds after which no test starts (default: 30), so that the check also ends in a minute on a busy machine.
set -u
build=$1 pattern=${2:-.}
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
status=0
python3 -m tests.tiers "$build" "${CHECK_SECONDS:-$(($(nproc) * 20))}" | grep -E -- "$pattern" >"$work/tests"
[ -s "$work/tests" ] || { echo "check: error: no test matches '$pattern'" >&2 && exit 1; }
units=$(sed -n "s|^tests/unit/|$build/tests/|p" "$work/tests")
sh tests/lint.sh >"$work/lints" 2>&1 & # while the programs are built
lints=$!
# shellcheck disable=SC2086 # paths without spaces
make -s B="$build" DEPS=skip -j"${JOBS:-$(nproc)}" "$build/rulesmith" "$build/rulefuzz" "$build/librulesmith.a" "$build/librulesmith.so" \
	"$build/audit-c" $units || status=2
# The nearest tests come first: on a busy machine others do not start.
[ $status -eq 2 ] || TEST_UNTIL=$(($(date +%s) + ${CHECK_ELAPSED:-30})) tests/run.sh "$build" these <"$work/tests" || status=1
wait $lints || status=1
cat "$work/lints"
exit $status
