#!/bin/sh
# rulefuzz merge: the same bytes for any order and grouping, and nothing is lost.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz bases=tests/cli/runtime/findings/merge_databases.py
for name in a b c d; do
	"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh ok' --db "$tmp/$name.db" --count 1 \
		>"$tmp/out" 2>&1
done
check "databases with different contents in every column" python3 $bases make "$tmp"
merge() { # merge TO FROM…
	to=$tmp/$1
	shift
	set -- $(printf "$tmp/%s " "$@")
	rm -f "$to"
	"$fuzz" merge "$to" "$@"
}
check "one alone" merge alone.db a.db
check "… loses no column" python3 $bases columns "$tmp/a.db" "$tmp/alone.db"
merge all.db a.db b.db c.db d.db
python3 $bases dump "$tmp/all.db" >"$tmp/all.sql"
different=0 orders=0
for order in 'a b d c' 'a c b d' 'a d c b' 'b a c d' 'b d a c' 'c a d b' 'c b a d' 'd a b c' 'd b c a' 'd c b a'; do
	merge other.db $(for name in $order; do echo "$name.db"; done)
	orders=$((orders + 1))
	cmp -s "$tmp/all.db" "$tmp/other.db" || different=$((different + 1))
done
check "$orders orders give the same bytes" [ $different -eq 0 ]
merge ab.db a.db b.db && merge cd.db d.db c.db && merge pairs.db cd.db ab.db
check "two and two give the same" python3 $bases same "$tmp/all.db" "$tmp/pairs.db"
merge bc.db c.db b.db && merge bcd.db d.db bc.db && merge row.db bcd.db a.db
check "one after another gives the same" python3 $bases same "$tmp/all.db" "$tmp/row.db"
check "… and the file is the same, byte for byte" cmp "$tmp/all.db" "$tmp/row.db"
ask() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$@"; }
sums() { ask "$1" 'SELECT bucket, sum(count), min(found) FROM findings GROUP BY bucket ORDER BY bucket'; }
for name in a b c d; do ask "$tmp/$name.db" "SELECT bucket, count, found FROM findings"; done |
	python3 -c 'import sys
all = {}
for line in sys.stdin:
    bucket, count, found = line.rstrip("\n").split("|")
    one = all.setdefault(bucket, [0, "9"])
    one[0] += int(count)
    one[1] = min(one[1], found)
for bucket in sorted(all): print(bucket, *all[bucket], sep="|")' >"$tmp/wanted"
sums "$tmp/all.db" >"$tmp/got"
check "counts are added, the earliest time is kept" cmp "$tmp/wanted" "$tmp/got"
check "findings are numbered by their first date" [ "$(ask "$tmp/all.db" \
	'SELECT count(*) FROM findings a JOIN findings b ON a.id < b.id AND (a.id > 100000) = (b.id > 100000) WHERE a.found > b.found')" = 0 ]
short() { ask "$1" "SELECT DISTINCT bucket FROM findings WHERE short_script <> '' ORDER BY bucket"; }
for name in a b c d; do short "$tmp/$name.db"; done | sort -u >"$tmp/wanted"
short "$tmp/all.db" >"$tmp/got"
check "a short script comes before none" cmp "$tmp/wanted" "$tmp/got"
cp "$tmp/a.db" "$tmp/decided.db"
python3 -c 'import sqlite3, sys
for path, status in zip(sys.argv[1:], ("known", "fixed")):
    base = sqlite3.connect(path)
    with base: base.execute("UPDATE findings SET status = ?", [status])
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")' "$tmp/decided.db" "$tmp/a.db"
merge status.db a.db decided.db
check "a status that a person set comes first" [ "$(ask "$tmp/status.db" 'SELECT DISTINCT status FROM findings')" = known ]
expect "not over a file" 1 'all.db: error: already exists; merge writes a new file (.*all.db may be one of its inputs)' "$fuzz" merge "$tmp/all.db" "$tmp/a.db"
expect "not from a file that is no database" 1 'LICENSE: error: file is not a database' "$fuzz" merge "$tmp/none.db" "$tmp/a.db" LICENSE
expect "not from a file that does not exist" 1 'no such database' "$fuzz" merge "$tmp/none.db" "$tmp/nowhere.db"
check "… and leaves nothing behind" sh -c "! ls '$tmp' | grep none"
expect "at least two" 2 'expected OUT.db and at least one IN.db' "$fuzz" merge "$tmp/none.db"
check "help" "$fuzz" merge --help
echo "1..$n"
