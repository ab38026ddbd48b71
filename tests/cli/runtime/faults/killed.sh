#!/bin/sh
# kill -9 in the midst of whatever writes: what was there is there afterwards, whole, or what was to be, and the same command
# given again ends well. (A run: fuzz/robust.sh.)
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz smith=$BUILD/rulesmith
ask() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$@"; }
for seed in 1 2 3; do
	"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh error" --db "$tmp/$seed.db" --count 4 \
		--seed $seed >"$tmp/out" 2>&1
done
# harass WORD COMMAND…: twelve times, killed later each time; then whether it ends. $before, a command, is run first each time,
# and $look afterwards, which must hold
harass() {
	word=$1 part=0 wrong=0 hit=0
	shift
	while [ $part -lt 12 ]; do
		$before
		"$@" >"$tmp/out" 2>&1 &
		pid=$!
		sleep "0.$(printf %03d $((part * part * 4)))"
		kill -KILL $pid 2>/dev/null && hit=$((hit + 1))
		wait $pid 2>/dev/null
		$look || wrong=$((wrong + 1))
		part=$((part + 1))
	done
	check "$word, killed $hit times: whole each time" [ $wrong -eq 0 ]
	$before
	check "… and done when it is given again" "$@"
}

# ---- merge: into a new database, which is there with all or not at all
all=$(for s in 1 2 3; do ask "$tmp/$s.db" 'SELECT bucket FROM findings'; done | sort -u | wc -l)
gone() { rm -f "$tmp/all.db"; }
has_all() {
	[ ! -e "$tmp/all.db" ] || [ "$(ask "$tmp/all.db" 'PRAGMA integrity_check')" = ok ] &&
		[ ! -e "$tmp/all.db" ] || [ "$(ask "$tmp/all.db" 'SELECT count(*) FROM findings')" = "$all" ]
}
before=gone look=has_all
harass merge "$fuzz" merge "$tmp/all.db" "$tmp/1.db" "$tmp/2.db" "$tmp/3.db"

# ---- reports: each file is the whole one, or not there
"$fuzz" report --db "$tmp/all.db" --out "$tmp/whole" >"$tmp/out" 2>&1
old() { rm -rf "$tmp/report" && cp -r "$tmp/whole" "$tmp/report" && for f in "$tmp"/report/*; do [ -d "$f" ] || echo old >"$f"; done; }
looks_whole() {
	for f in "$tmp"/report/*; do
		case $f in *.tmp) continue ;; esac # beside, never renamed
		[ -d "$f" ] || [ "$(cat "$f")" = old ] || [ "$(tail -c 1 "$f" | wc -l)" = 1 ] && continue
		return 1
	done
}
before=old look=looks_whole
harass report "$fuzz" report --db "$tmp/all.db" --out "$tmp/report"
check "… as if nobody had killed it" sh -c "rm -f '$tmp'/report/*.tmp; ls '$tmp/whole' >'$tmp/a'; ls '$tmp/report' >'$tmp/b'; cmp '$tmp/a' '$tmp/b'"

# ---- synth, with its cache, and emit
"$smith" synth --traces tests/data/records -o "$tmp/right.jsonl" -j1 >"$tmp/out" 2>&1
none() { :; }
rules_whole() { [ ! -e "$tmp/rules.jsonl" ] || cmp -s "$tmp/rules.jsonl" "$tmp/right.jsonl"; }
before=none look=rules_whole
harass synth "$smith" synth --traces tests/data/records -o "$tmp/rules.jsonl" -j1 --cache "$tmp/cache"
check "… with the rules that it finds undisturbed" cmp "$tmp/rules.jsonl" "$tmp/right.jsonl"
"$smith" emit "$tmp/right.jsonl" -o "$tmp/right" >"$tmp/out" 2>&1
before=none look=none
harass emit "$smith" emit "$tmp/right.jsonl" -o "$tmp/c"
check "… with the C that it writes undisturbed" sh -c "find '$tmp/c' -name '*.tmp' -delete; diff -r '$tmp/c' '$tmp/right'"
echo "1..$n"
