#!/bin/sh
# Counts the instructions of synthesis, generation and evaluation on fixed samples with callgrind, and compares them with the
# committed figures: a difference of more than 3 % is a fault, in either direction, so that the figures stay true.
#   usage: instructions.sh BUILD [PART…]    parts: synthesis generation evaluation (default: all)
# UPDATE=1 writes the figures. FIGURES is their file (default: tests/bench/instructions.tsv).
# Counts depend on the compiler and the C library, not on load or clock. CI has one kind of machine.
set -eu
cd "$(dirname "$0")/../.."
build=$1 figures=${FIGURES:-tests/bench/instructions.tsv}
shift
[ $# -gt 0 ] || set -- synthesis generation evaluation
command -v valgrind >/dev/null || { echo "instructions: error: there is no valgrind: make deps installs it" >&2 && exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# The C library picks functions by the processor; without these, processors of one kind agree.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX512F_Usable,-ERMS,-AVX2,-AVX512F
count() { # count COMMAND…: adds its instructions to $work/count
	setarch -R valgrind -q --tool=callgrind --callgrind-out-file="$work/profile" "$@" >"$work/out" 2>"$work/err" </dev/null || {
		tail -5 "$work/err" >&2
		echo "instructions: error: failed: $*" >&2
		exit 1
	}
	sed -n 's/^summary: *//p' "$work/profile" >>"$work/count"
}
synthesis() {
	mkdir "$work/records"
	cp tests/data/records/*.jsonl "$work/records"
	count "$build/rulesmith" synth --traces "$work/records" -o "$work/rules" -j 1
}
generation() {
	count "$build/rulefuzz" gen --framework torch --count 200 --seed 1
	count "$build/rulefuzz" gen --framework onnx --strategy graph --count 100 --seed 1
}
evaluation() {
	"$build/bench_eval_lines" 2>/dev/null | head -n 100000 >"$work/lines"
	count "$build/rulefuzz" eval "$work/lines"
}
recorded() { [ ! -e "$figures" ] || awk -F'\t' -v part="$1" '$1 == part { print $2 }' "$figures"; }
status=0
printf '%-12s %14s %14s\n' part instructions recorded
for part; do
	case $part in synthesis | generation | evaluation) ;; *) echo "instructions: error: no part '$part'" >&2 && exit 2 ;; esac
	rm -f "$work/count"
	"$part"
	now=$(awk '{ n += $1 } END { printf "%.0f", n }' "$work/count") before=$(recorded "$part")
	change=$(awk -v a="$now" -v b="${before:-0}" 'BEGIN { printf "%+.1f", b ? (a / b - 1) * 100 : 100 }')
	printf '%-12s %14s %14s  %s %%\n' "$part" "$now" "${before:-none}" "$change"
	printf '%s\t%s\n' "$part" "$now" >>"$work/new"
	if [ -z "${UPDATE:-}" ] && awk -v c="$change" 'BEGIN { exit !(c > 3 || c < -3) }'; then
		echo "instructions: error: $part: $change % instructions, more than 3 %; if intended: make perf UPDATE=1, and commit $figures" >&2
		status=1
	fi
done
if [ -n "${UPDATE:-}" ]; then # the figures of other parts stay
	[ ! -e "$figures" ] || awk -F'\t' 'FNR == NR { now[$1]; next } !($1 in now)' "$work/new" "$figures" >>"$work/new"
	LC_ALL=C sort "$work/new" >"$figures.new" && mv "$figures.new" "$figures"
fi
exit $status
