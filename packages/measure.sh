#!/bin/sh
# Prints the sizes and start times of the packages beside their limits. A size above its limit is a fault; a time is
# only reported, since a machine may be busy. usage: measure.sh BUILD
set -eu
build=$1 fault=0
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
size() { # size WHAT FILE LIMIT
	bytes=$(wc -c <"$2")
	echo "$1: $bytes bytes (at most $3)"
	[ "$bytes" -le "$3" ] || fault=1
}
now() { date +%s%N; }
size 'static rulefuzz' "$build/static/rulefuzz" 17500000 # two libraries of rules
size wheel "$(cat "$build/dist/wheel.stamp")" 15000000
for deb in "$build"/dist/*.deb; do size 'Debian package' "$deb" 17500000; done

# The median of 21 starts, in an otherwise empty root if one can be made.
cp "$build/static/rulefuzz" "$work/rulefuzz"
if [ "$(id -u)" = 0 ]; then run() { chroot "$work" /rulefuzz "$@"; }; else run() { "$work/rulefuzz" "$@"; }; fi
start() { # start WHAT WORD…
	what=$1 i=0
	shift
	while [ $i -lt 21 ]; do
		before=$(now)
		run "$@" >/dev/null
		echo $(($(now) - before))
		i=$((i + 1))
	done | sort -n | awk -v what="$what" 'NR == 11 { printf "%s: %.1f ms\n", what, $1 / 1e6 }'
}
start "start, --version (at most 100 ms)" --version
start "start, with the first model" gen --framework onnx --count 1

python=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}/torch/bin/python
if [ -x "$python" ]; then
	"$python" -m venv "$work/venv"
	"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/torch.pth"
	before=$(now)
	"$work/venv/bin/python" -m pip install -q --disable-pip-version-check --no-index "$(realpath "$(cat "$build/dist/wheel.stamp")")"
	between=$(now)
	(cd "$work" && env -u PYTHONPATH -u RULEFUZZ_PACKAGE -u RULEFUZZ_PYTHON XDG_CACHE_HOME="$work" venv/bin/rulefuzz run --backend torch-jit --count 1 \
		--db findings.db >/dev/null)
	awk -v a="$before" -v b="$between" -v c="$(now)" \
		'BEGIN { printf "wheel: installed in %.1f s, first model run %.1f s after (at most 120)\n", (b - a) / 1e9, (c - b) / 1e9 }'
fi
exit $fault
