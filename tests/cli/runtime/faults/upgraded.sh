#!/bin/sh
# A framework that is upgraded under a campaign: a run has one version of each part, or stops.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
run() { # run NEXT OPTION…
	next=$1
	shift
	"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/upgraded.sh $tmp/version $next" --db "$db" "$@"
}
ask() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$db" "$@"; }
echo 1.0 >"$tmp/version"
expect "between two starts of a worker: the run stops, and says what changed" 5 \
	'error: backend fake was changed during the run: fake changed from 1.0 to 2.0; start another run' run 2.0 --count 8
check "… what was counted until then is kept, of one version" [ "$(ask "SELECT versions FROM runs")" = '{"fake":"1.0"}' ]
check "… and no finding has the other" [ "$(ask "SELECT count(*) FROM findings WHERE versions <> '{\"fake\":\"1.0\"}'")" = 0 ]
expect "a run is not resumed in another version: a new one begins" 0 'cannot resume run 1: fake changed from 1.0 to 2.0; starting a new run' \
	run '' --count 6 --resume
check "… from its first model" [ "$(ask "SELECT value FROM counters WHERE name = 'models' AND run = 2")" = 6 ]
check "… as a run of its own" [ "$(ask "SELECT id, versions FROM runs" | tr '\n' ' ')" = '1|{"fake":"1.0"} 2|{"fake":"2.0"} ' ]
run '' --count 9 --resume >"$tmp/out" 2>"$tmp/err"
check "which is resumed as long as the version stays" [ "$(ask "SELECT value FROM counters WHERE name = 'models' AND run = 2")" = 9 ]
check "… without a word" [ ! -s "$tmp/err" ]

# Capabilities of one version are used for that version only.
known=$tmp/known.tsv
learn() { run '' --count 2 --probe 2s --capabilities "$known" >"$tmp/out" 2>"$tmp/err" || cat "$tmp/err"; }
learn
check "capabilities say what they were learned of" grep -q '^# backend fake .*versions {"fake":"2.0"}$' "$known"
printf 'torch.abs-0\tfloat32\tfloat32\trejects\tnever\n' >>"$known"
run '' --count 2 --probe 0 --seed 7 --capabilities "$known" >"$tmp/out" 2>"$tmp/err"
cp "$tmp/err" "$tmp/same"
echo 3.0 >"$tmp/version"
run '' --count 2 --probe 0 --capabilities "$known" >"$tmp/out" 2>"$tmp/err"
check "… are used for that version" grep -qE '[1-9][0-9]* calls? excluded' "$tmp/same"
check "… and are not used for another version" sh -c "! grep -qE '[1-9][0-9]* calls? excluded' '$tmp/err'"
echo "1..$n"
