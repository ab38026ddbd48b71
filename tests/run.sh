#!/bin/sh
# Runs the test programs and scripts, each of which prints TAP lines ("ok 1 - what", "not ok 2 - what",
# "ok 3 - what # SKIP why"), and closes with a line of totals.   usage: run.sh BUILD_DIR all|runtime|release
build=$1 what=$2
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0
count() { # count NAME LOG STATUS: adds up one program's TAP
	s=$(grep -cE '^(not )?ok .*# *(SKIP|skip)' "$2") # cmocka says "not ok 2 # SKIP what"
	p=$(grep -E '^ok ' "$2" | grep -cviE '# *skip') f=$(grep -E '^not ok ' "$2" | grep -cviE '# *skip')
	if [ "$3" -ne 0 ] && [ "$f" -eq 0 ] || [ $((p + f + s)) -eq 0 ]; then f=$((f + 1)); fi # died, or ran nothing
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" -ne 0 ]; then
		echo "FAILED $1 (exit $3)"
		grep -v '^ok ' "$2" | tail -40
	else
		echo "ok     $1 ($((p + s))$([ "$s" -eq 0 ] || echo ", $s skipped")), $(($(date +%s) - started)) s"
	fi
}
log=$(mktemp) && trap 'rm -f "$log"' EXIT
dirs="runtime"
[ "$what" = release ] && dirs=release # the packages, which must have been made
[ "$what" = all ] && dirs="runtime synth codegen audit house"
export BUILD="$build" CMOCKA_MESSAGE_OUTPUT=TAP
for d in $dirs; do
	for t in $(find tests/unit/"$d" -name 'test_*.c' 2>/dev/null | sort); do
		t=${t#tests/} && t=${t%.c}
		started=$(date +%s)
		timeout 600 "$build/tests/${t#unit/}" >"$log" 2>&1
		count "$t" "$log" $?
	done
	for t in $(find tests/cli/"$d" -name '*.sh' 2>/dev/null | sort); do
		started=$(date +%s)
		timeout 900 sh "$t" >"$log" 2>&1
		count "${t#tests/}" "$log" $?
	done
done
printf '%d passed, %d failed' "$passed" "$failed"
[ "$skipped" -ne 0 ] && printf ', %d skipped' "$skipped"
printf '\n'
[ "$failed" -eq 0 ]
