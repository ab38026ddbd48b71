#!/bin/sh
# Runs the test programs and scripts, which print TAP lines ("ok 1 - what", "not ok 2 - what",
# "ok 3 - what # SKIP why"), JOBS (default: the number of processors) at a time; prints the ten slowest and a line of totals.
#   usage: run.sh BUILD_DIR all|runtime|release [PATTERN]    PATTERN: only tests whose path matches it (grep -E)
#          run.sh BUILD_DIR these <TESTS                     the tests that standard input lists, such as tests/cli/synth/proof.sh
#                                                            or tests/python/oracle/test_check.py
# PROGRAMS_ONLY=1: no scripts that run no program of BUILD_DIR, and no installation; for builds with sanitizers.
# TEST_UNTIL: seconds since the epoch; tests that would start later are printed as late and not run.
# BUILD_DIR/durations.tsv gets the seconds of each test that passed; tests/tiers.py reads them.
build=$1 what=$2
cd "$(dirname "$0")/.." || exit 1
one() { # one TEST: runs it, prints a line, or what it printed if it failed, and adds its TAP up in $TOTALS
	if [ -n "${TEST_UNTIL:-}" ] && [ "$(date +%s)" -ge "$TEST_UNTIL" ]; then
		echo "late   ${1#tests/}"
		return
	fi
	log=$(mktemp) && trap 'rm -f "$log" "$log.told"' EXIT
	started=$(date +%s.%N)
	case $1 in
	*.sh) timeout 900 sh "$1" >"$log" 2>&1 ;;
	*.py) timeout 600 sh tests/module.sh "$1" >"$log" 2>&1 ;;
	*) timeout 600 "$build/tests/${1#tests/unit/}" >"$log" 2>&1 ;;
	esac
	status=$? ended=$(date +%s.%N)
	times >"$log.told" # the second line is that of the test
	cpu=$(awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.1f", ($1 + $3) * 60 + $2 + $4 }' "$log.told")
	wall=$(awk -v a="$started" -v b="$ended" 'BEGIN { printf "%.1f", b - a }')
	s=$(grep -cE '^(not )?ok .*# *(SKIP|skip)' "$log") # cmocka says "not ok 2 # SKIP what"
	p=$(grep -E '^ok ' "$log" | grep -cviE '# *skip') f=$(grep -E '^not ok ' "$log" | grep -cviE '# *skip')
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ] || [ $((p + f + s)) -eq 0 ]; then f=$((f + 1)); fi # died, or ran nothing
	printf '%s %s %s\t%s\t%s\t%s\n' "$p" "$f" "$s" "$1" "$cpu" "$wall" >>"$TOTALS"
	if [ "$f" -ne 0 ]; then
		echo "FAILED ${1#tests/} (exit $status)"
		grep -v '^ok ' "$log" | tail -40
	else
		echo "ok     ${1#tests/} ($((p + s))$([ "$s" -eq 0 ] || echo ", $s skipped")), $wall s, CPU $cpu s"
	fi >"$log.told"
	cat "$log.told" # at once: another one may be printing, too
}
export BUILD="$build" CMOCKA_MESSAGE_OUTPUT=TAP
if [ "$what" = one ]; then
	one "$3"
	exit 0
fi

jobs=${JOBS:-$(nproc)} dirs="runtime"
[ "$what" = release ] && dirs=release jobs=1 # the packages, which must have been made
[ "$what" = all ] && dirs="runtime synth codegen audit house"
TOTALS=$(mktemp) && trap 'rm -f "$TOTALS" "$TOTALS".*' EXIT
export TOTALS
if [ "$what" = these ]; then cat; else
	for d in $dirs; do
		find tests/unit/"$d" -name 'test_*.c' 2>/dev/null | sed 's/\.c$//' | LC_ALL=C sort
		find tests/cli/"$d" -name '*.sh' 2>/dev/null | LC_ALL=C sort
	done | grep -E -- "${3:-.}"
fi >"$TOTALS.tests"
[ -s "$TOTALS.tests" ] || {
	echo "tests/run.sh: error: no test matches '${3:-}'; their names are paths, such as tests/cli/synth/proof.sh" >&2
	exit 1
}
if [ -n "${PROGRAMS_ONLY:-}" ]; then
	grep -L 'BUILD' $(grep '\.sh$' "$TOTALS.tests") /dev/null | grep -vxFf - "$TOTALS.tests" >"$TOTALS.some"
	mv "$TOTALS.some" "$TOTALS.tests"
fi
# The slowest tests start first, so that no processor waits for one at the end. Unknown ones are slow: scripts have many tests.
if [ "$what" != these ]; then
	cat tests/durations.tsv "$build/durations.tsv" >"$TOTALS.known" 2>/dev/null
	awk -F'\t' -v durations="$TOTALS.known" 'FILENAME == durations { known[$1] = $2; next }
		{ print ($1 in known ? known[$1] : /\.sh$/ ? 1000 : 0) "\t" $1 }' "$TOTALS.known" "$TOTALS.tests" |
		LC_ALL=C sort -t "$(printf '\t')" -k 1,1nr -k 2 -s | cut -f 2 >"$TOTALS.some"
	mv "$TOTALS.some" "$TOTALS.tests"
fi
# Tests that let make check and relink the programs run before all others, one at a time.
makes=$(grep -l 'built -o ' $(grep '\.sh$' "$TOTALS.tests") /dev/null)
printf '%s\n' $makes | xargs -r -n 1 tests/run.sh "$build" one
printf '%s\n' $makes | grep -vxFf - "$TOTALS.tests" | xargs -P "$jobs" -n 1 tests/run.sh "$build" one
# The larger of processor and elapsed seconds: a test that waits occupies its processor, too. Later figures replace earlier ones.
awk -F'\t' 'FNR == NR { now[$2]; if (split($1, n, " ") && !n[2]) print $2 "\t" ($3 > $4 ? $3 : $4); next } !($1 in now)' \
	"$TOTALS" "$([ ! -e "$build/durations.tsv" ] && echo /dev/null || echo "$build/durations.tsv")" | LC_ALL=C sort >"$TOTALS.durations"
cp "$TOTALS.durations" "$build/durations.tsv.new" && mv "$build/durations.tsv.new" "$build/durations.tsv"
echo 'slowest, CPU seconds:'
cut -f 2,3 "$TOTALS" | sort -t "$(printf '\t')" -k 2,2 -nr | awk -F'\t' 'NR <= 10 { printf "  %6.1f  %s\n", $2, $1 }'
awk '{ p += $1; f += $2; s += $3 }
	END { printf "%d passed, %d failed%s\n", p, f, s ? ", " s " skipped" : ""; exit f > 0 || !p }' "$TOTALS"
