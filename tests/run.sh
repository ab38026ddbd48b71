#!/bin/sh
# Runs the test programs and scripts, which print TAP lines ("ok 1 - what", "not ok 2 - what",
# "ok 3 - what # SKIP why"), JOBS (default: the number of processors) at a time, and prints a line of totals.
#   usage: run.sh BUILD_DIR all|runtime|release
build=$1 what=$2
cd "$(dirname "$0")/.." || exit 1
one() { # one TEST: runs it, prints a line, or what it said where it failed, and adds its TAP up in $TOTALS
	log=$(mktemp) && trap 'rm -f "$log" "$log.told"' EXIT
	started=$(date +%s)
	case $1 in
	*.sh) timeout 900 sh "$1" >"$log" 2>&1 ;;
	*) timeout 600 "$build/tests/${1#tests/unit/}" >"$log" 2>&1 ;;
	esac
	status=$?
	s=$(grep -cE '^(not )?ok .*# *(SKIP|skip)' "$log") # cmocka says "not ok 2 # SKIP what"
	p=$(grep -E '^ok ' "$log" | grep -cviE '# *skip') f=$(grep -E '^not ok ' "$log" | grep -cviE '# *skip')
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ] || [ $((p + f + s)) -eq 0 ]; then f=$((f + 1)); fi # died, or ran nothing
	echo "$p $f $s" >>"$TOTALS"
	if [ "$f" -ne 0 ]; then
		echo "FAILED ${1#tests/} (exit $status)"
		grep -v '^ok ' "$log" | tail -40
	else
		echo "ok     ${1#tests/} ($((p + s))$([ "$s" -eq 0 ] || echo ", $s skipped")), $(($(date +%s) - started)) s"
	fi >"$log.told"
	cat "$log.told" # at once: another one may be telling, too
}
export BUILD="$build" CMOCKA_MESSAGE_OUTPUT=TAP
if [ "$what" = one ]; then
	one "$3"
	exit 0
fi

jobs=${JOBS:-$(nproc)} dirs="runtime"
[ "$what" = release ] && dirs=release jobs=1 # the packages, which must have been made
[ "$what" = all ] && dirs="runtime synth codegen audit house"
TOTALS=$(mktemp) && trap 'rm -f "$TOTALS" "$TOTALS.tests"' EXIT
export TOTALS
for d in $dirs; do
	find tests/unit/"$d" -name 'test_*.c' 2>/dev/null | sed 's/\.c$//' | LC_ALL=C sort
	find tests/cli/"$d" -name '*.sh' 2>/dev/null | LC_ALL=C sort
done >"$TOTALS.tests"
# Tests that let make check and relink the programs run before all others, one at a time.
makes=$(grep -l 'built -o ' $(grep '\.sh$' "$TOTALS.tests") /dev/null)
printf '%s\n' $makes | xargs -r -n 1 tests/run.sh "$build" one
printf '%s\n' $makes | grep -vxFf - "$TOTALS.tests" | xargs -P "$jobs" -n 1 tests/run.sh "$build" one
awk '{ p += $1; f += $2; s += $3 }
	END { printf "%d passed, %d failed%s\n", p, f, s ? ", " s " skipped" : ""; exit f > 0 || !p }' "$TOTALS"
