#!/bin/sh
# What rulefuzz does not lose: to kill -9 at any moment, to a second process on the database, to a full disk, in a folder
# that cannot be written to; and shards, which are the whole together.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
run() { # run MODE OPTION…
	mode=$1
	shift
	"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh $mode" --db "$db" "$@"
}
ask() { # ask DB SQL
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$@"
}
whole() { [ "$(ask "$db" 'PRAGMA integrity_check')" = ok ]; }

# ---- kill -9: the models that fail are those with index 3, and each part finds one more kind of call
killed=0 lost=0 broken=0 part=1
while [ $part -le 25 ]; do
	run error --count 8 --seed $part >"$tmp/out" 2>"$tmp/told.$part" &
	pid=$!
	sleep "0.$(printf %02d $((part * 3 % 40)))" 2>/dev/null || sleep 1
	kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
	wait $pid 2>/dev/null
	whole || broken=$((broken + 1))
	part=$((part + 1))
done
echo "# $killed of 25 were killed"
for told in "$tmp"/told.*; do
	sed -n 's/^new finding \([0-9]*\): .*/\1/p' "$told"
done | sort -n | uniq >"$tmp/announced"
ask "$db" 'SELECT id FROM findings ORDER BY id' >"$tmp/kept"
check "kill -9 at any moment breaks no database" [ $broken -eq 0 ]
check "some were killed at work, some came through" [ $killed -gt 0 -a -s "$tmp/announced" ]
check "what was announced is there" sh -c "! comm -23 '$tmp/announced' '$tmp/kept' | grep ."
check "each has a model and a bucket of its own" [ "$(ask "$db" "SELECT count(*) FROM findings WHERE model = '' OR bucket = ''")" = 0 ]
part=1
while [ $part -le 25 ]; do
	run error --count 8 --seed $part --resume >"$tmp/out" 2>"$tmp/err" || [ $? -eq 3 ] || lost=$((lost + 1))
	part=$((part + 1))
done
check "all that were killed go on to their end" [ $lost -eq 0 ]
check "each model counts once" [ "$(ask "$db" "SELECT DISTINCT value FROM counters WHERE name = 'models'")" = 8 ]
rm -f "$db" "$db"-*

# ---- two processes
bad=0
for round in 1 2 3 4 5 6 7 8 9 10; do # that both make the database, at once
	rm -f "$db" "$db"-*
	run error --count 8 --seed 1 >"$tmp/one" 2>"$tmp/one.err" &
	one=$!
	run error --count 8 --seed 1 >"$tmp/two" 2>"$tmp/two.err"
	second=$?
	wait $one
	first=$?
	case $first$second in 03 | 30 | 33 | 00) ;; *) bad=$((bad + 1)) && cat "$tmp/one.err" "$tmp/two.err" >&2 ;; esac
done
check "two processes on one database, which both make" [ $bad -eq 0 ]
check "… which is whole" whole
check "… has a row for each fault" [ "$(ask "$db" 'SELECT count(*) - count(DISTINCT bucket) FROM findings')" = 0 ]
met=$(ask "$db" 'SELECT sum(count) FROM findings') seen=$(ask "$db" "SELECT sum(value) FROM counters WHERE name IN ('new_findings', 'duplicates')")
check "… and counts what both met ($met, $seen)" [ "$met" -eq "$seen" ]
rm -f "$db" "$db"-*

# ---- a full disk
run error --count 4 >"$tmp/out" 2>"$tmp/err"
expect "a limit of the file's size" 1 'error: .*(disk I/O error|full)' sh -c "ulimit -f 96; exec \"\$@\"" sh \
	"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh error" --db "$db" --count 5000 --seed 9
check "… costs nothing that was stored" whole
check "… nor what was announced" [ "$(ask "$db" 'SELECT count(*) FROM findings')" -ge "$(grep -c '^new finding' "$tmp/err")" ]
mkdir "$tmp/small"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=256k tmpfs "$tmp/small" 2>"$tmp/err"; then
	db=$tmp/small/db
	run error --count 4 >"$tmp/out" 2>"$tmp/err"
	expect "a full disk" 1 'error: .*(full|No space left)' run error --count 5000 --seed 9
	check "… costs nothing that was stored" whole
	kept=$(ask "$db" 'SELECT count(*) FROM findings')
	"$fuzz" merge "$tmp/beside" "$db"
	mount -o remount,size=64m "$tmp/small"
	run error --count 40 --seed 9 --resume >"$tmp/out" 2>"$tmp/err"
	code=$?
	check "… and the run goes on when there is room ($code)" [ $code -eq 0 -o $code -eq 3 ]
	check "… with all that was there" [ "$(ask "$db" 'SELECT count(*) FROM findings')" -ge "$kept" ]
	mount -o remount,ro "$tmp/small"
	expect "a folder that is read only" 1 'error: ' run error --count 4 --seed 1
	expect "… also for one that is new" 1 'error: unable to open database file|error: .*read-?only' "$fuzz" run --backend fake \
		--framework torch --backend-command true --db "$tmp/small/other" --count 1
	expect "… and for reports" 1 'cannot make the folder: Read-only' "$fuzz" report --db "$tmp/beside" --out "$tmp/small/report"
	mount -o remount,rw "$tmp/small"
	check "… where nothing is lost" whole
	umount "$tmp/small"
else
	ok "a full disk # SKIP no mount here"
fi
db=$tmp/db
rm -f "$db" "$db"-*

# ---- shards
mkdir "$tmp/whole" "$tmp/parts"
run ok --count 20 --save-models "$tmp/whole" >"$tmp/out" 2>&1
for i in 0 1 2; do
	db=$tmp/shard$i
	run ok --count 20 --shard $i/3 --save-models "$tmp/parts" >"$tmp/out" 2>&1
	ask "$db" "SELECT value FROM counters WHERE name = 'models'"
done >"$tmp/models"
check "three shards run the same models as one run" diff -r "$tmp/whole" "$tmp/parts"
check "… each once" [ "$(paste -sd+ "$tmp/models")" = "7+7+6" ]
db=$tmp/shard1
run ok --count 29 --shard 1/3 --resume --save-models "$tmp/parts" >"$tmp/shown" 2>&1
check "a shard goes on where it was" sh -c "grep -q ': 10 models .*next model 31, done' '$tmp/shown' && [ -e '$tmp/parts/torch-0-28.json' ]"
expect "another shard is another run" 1 "its --shard is '1/3', here it is '2/3'" run ok --count 29 --shard 2/3 --resume
for bad in 3/3 -1/3 1 1/0 1/3x a/b; do
	expect "--shard $bad" 2 '--shard: expected I/N' run ok --shard "$bad"
done

# ---- how it goes
db=$tmp/goes
run slow --count 12 --progress 0.2 >"$tmp/out" 2>"$tmp/shown"
check "a progress line" grep -qE \
	'^fuzzing, [0-9]+ s: [0-9]+ models? \([0-9.]+/s\), target accepts 100.0 %, reference 100.0 %, 0 new findings, [0-9.]+ % of [0-9]+ signatures, [0-9]+ s left$' "$tmp/shown"
run "drags nodes" --count 2 --progress 0.2 >"$tmp/out" 2>"$tmp/shown"
check "lines also while one failure is reduced" [ "$(grep -cE '^fuzzing, .*, reducing model 0' "$tmp/shown")" -ge 2 ]
run slow --count 4 --progress 0 >"$tmp/out" 2>"$tmp/shown"
check "none where none is asked for" [ ! -s "$tmp/shown" ]
echo "1..$n"
