#!/bin/sh
# The clock jumps a day ahead or back during a run: time limits use the monotonic clock.
. tests/cli/tap.sh
if sanitized; then ok "a clock that jumps # SKIP a sanitizer comes first" && echo 1..1 && exit; fi
command -v "${CC:-cc}" >/dev/null || { ok "a clock that jumps # SKIP no compiler" && echo 1..1 && exit; }
"${CC:-cc}" -O1 -shared -fPIC tests/data/faults/clock.c -o "$tmp/clock.so" || exit 1
fuzz=$BUILD/rulefuzz
run() { # run JUMP MODE OPTION…
	jump=$1 mode=$2
	shift 2
	LD_PRELOAD=$tmp/clock.so JUMP=$jump JUMP_AFTER=0.5 timeout 60 "$fuzz" run --backend fake --framework torch \
		--backend-command "sh tests/data/backends/fake.sh $mode" --db "$tmp/db$jump" "$@"
}
ask() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$@"; }
date=$(JUMP=-86400 LD_PRELOAD=$tmp/clock.so date +%s)
check "the library moves the clock" [ "$date" -lt "$(($(date +%s) - 80000))" ]
for jump in 86400 -86400; do # slow: 0.1 s a model, so the clock jumps in the midst
	run $jump slow --count 12 >"$tmp/out" 2>"$tmp/err"
	code=$?
	check "by $jump s: every model is judged once (exit $code)" [ "$(ask "$tmp/db$jump" "SELECT value FROM counters WHERE name = 'models'")" = 12 ]
	check "… none hangs" [ "$(ask "$tmp/db$jump" "SELECT sum(value) FROM counters WHERE name IN ('hang', 'lost', 'restarts')")" = 0 ]
	check "… the seconds are those that passed" [ "$(ask "$tmp/db$jump" 'SELECT seconds >= 0.5 AND seconds < 60 FROM runs')" = 1 ]
	run $jump slow --time 2s --seed 2 >"$tmp/out" 2>"$tmp/err"
	code=$?
	check "… a budget of time is spent, not cut or overrun (exit $code)" \
		[ "$(ask "$tmp/db$jump" 'SELECT seconds >= 1.0 AND seconds < 6 FROM runs WHERE seed = 2')" = 1 ]
	run $jump error --count 4 --seed 3 >"$tmp/out" 2>"$tmp/err"
	check "… findings are stored" [ "$(ask "$tmp/db$jump" 'SELECT count(*) FROM findings')" -ge 1 ]
	check "… and shown, whenever they were met" "$fuzz" list --db "$tmp/db$jump"
done
check "databases of both are merged" "$fuzz" merge "$tmp/both" "$tmp/db86400" "$tmp/db-86400"
earliest=$(for jump in 86400 -86400; do ask "$tmp/db$jump" 'SELECT min(found) FROM findings'; done | sort | head -1)
check "… with the time that is the earlier" [ "$(ask "$tmp/both" 'SELECT min(found) FROM findings')" = "$earliest" ]
echo "1..$n"
