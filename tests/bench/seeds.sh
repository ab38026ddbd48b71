#!/bin/bash
# Checks that equal seeds give equal bytes, without a hang or a sanitizer report. For each STRATEGY and framework it
# generates COUNT models of 5 nodes twice at the same time: in one process, and in parts, each in its own process. A
# run's digest is the sum of its models' hashes, so the parts must add up to the whole.
#   usage: seeds.sh RULEFUZZ COUNT [STRATEGY…]      (neuri isra graph; STRATEGY:FRAMEWORK is that framework only)
# Prints a JSON line for each; exit 1 if one differs, fails, or exceeds its time.
set -u
rulefuzz=$1 count=$2
shift 2
[ $# -gt 0 ] || set -- neuri isra graph
parts=4 status=0
log=$(mktemp -d) && trap 'rm -rf "$log"' EXIT

models() { # models STRATEGY FRAMEWORK FIRST COUNT: the summary
	timeout $((120 + $4 / 500)) "$rulefuzz" gen --strategy "$1" --framework "$2" --nodes 5 --seed 1 --first "$3" --count "$4" \
		--format none --json
}
field() { sed -n "s/.*\"$2\":\"\{0,1\}\([0-9a-fA-F.]*\).*/\1/p" "$1"; }

in_parts() { # in_parts STRATEGY FRAMEWORK: the sum of the parts' digests
	local step=$(((count / parts + 4096) / 4096 * 4096)) first=0 sum=0 n digest
	# Strategy graph remembers 4,096 models: parts of that length need no earlier models.
	while [ "$first" -lt "$count" ]; do
		n=$((count - first < step ? count - first : step))
		models "$1" "$2" "$first" "$n" >"$log/part" || return
		digest=$(field "$log/part" digest)
		sum=$((sum + 16#$digest))
		first=$((first + n))
	done
	printf '%016x\n' "$sum"
}

check() { # check STRATEGY FRAMEWORK
	local again code whole
	in_parts "$1" "$2" >"$log/again" 2>"$log/again.err" &
	again=$!
	models "$1" "$2" 0 "$count" >"$log/whole" 2>"$log/whole.err"
	code=$?
	wait $again || code="$code, in parts $?"
	if [ "$code" != 0 ]; then
		echo "seeds.sh: error: $1 $2: exit $code (124: too slow)" >&2
		cat "$log/whole.err" "$log/again.err" >&2
		return 1
	fi
	whole=$(field "$log/whole" digest)
	printf '{"strategy":"%s","framework":"%s","models":%s,"nodes":%s,"cpu_seconds":%s,"digest":"%s","again":"%s"}\n' "$1" "$2" \
		"$(field "$log/whole" models)" "$(field "$log/whole" nodes)" "$(field "$log/whole" cpu_seconds)" \
		"$whole" "$(cat "$log/again")"
	[ -n "$whole" ] && [ "$whole" = "$(cat "$log/again")" ] && return 0
	echo "seeds.sh: error: $1 $2: the second run differs" >&2
	return 1
}

for wish in "$@"; do
	for framework in onnx tensorflow torch; do
		case $wish in *:*) [ "${wish#*:}" = $framework ] || continue ;; esac
		check "${wish%%:*}" $framework || status=1
	done
done
exit $status
