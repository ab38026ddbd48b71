#!/bin/sh
# emit under limits of memory, from one that the loader needs to one that is enough: it writes all, or nothing and an error.
. tests/cli/tap.sh
if sanitized; then ok "memory limits # SKIP a sanitizer maps terabytes" && echo 1..1 && exit; fi
whole=0 lacking=0 bad=""
"$BUILD/rulesmith" emit tests/golden/synth/sample.jsonl -q -j 2 -o "$tmp/right" || exit 1
for kib in $(seq 8000 2000 60000) 1000000; do
	(ulimit -v "$kib" && exec "$BUILD/rulesmith" --version) >"$tmp/out" 2>&1 || continue
	rm -rf "$tmp/c"
	(ulimit -c 0 && ulimit -v "$kib" && exec "$BUILD/rulesmith" emit tests/golden/synth/sample.jsonl -q -j 2 -o "$tmp/c") 2>"$tmp/err"
	code=$?
	if [ $code -eq 0 ] && diff -r "$tmp/right" "$tmp/c" >/dev/null; then
		whole=$((whole + 1))
	elif [ $code -eq 1 ] && grep -q '^rulesmith: error: out of memory' "$tmp/err" && [ ! -e "$tmp/c" ]; then
		lacking=$((lacking + 1))
	else
		bad="$bad; $kib KiB: exit $code, $(tail -1 "$tmp/err")"
	fi
done
check "all or nothing under $((whole + lacking)) limits$bad" [ -z "$bad" ]
check "some limits are too low, some are not" [ "$lacking" -gt 2 -a "$whole" -gt 0 ]
echo "1..$n"
