#!/bin/sh
# An untrusted database: its triggers and views do not run, its texts are escaped, and damage is an error.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
cp tests/fuzz/seeds/fuzz_database/two_findings "$tmp/seed.db"
"$fuzz" mark 1 open --db "$tmp/seed.db" >"$tmp/out" 2>&1 # brings it to today's schema
python3 - "$tmp" <<'END'
import shutil
import sqlite3
import sys

folder = sys.argv[1]
seed = f"{folder}/seed.db"
for name, sql in {
    "trigger": "create trigger t after update on findings begin delete from findings; end;",
    "view": "drop table troubles; create view troubles as with recursive n(i) as (select 1 union all select i + 1 from n)"
    " select i as run, 'a' as api, 'b' as what, 'c' as message, 1 as count from n;",
    "path": "update findings set backend = '../../../../bin/sh', model = replace(model, '\"api\":\"', '\"api\":\"os.');",
    "sql": "update findings set bucket = 'x'' ; drop table findings; --', title = '\x1b[2J\u202e', status = 'nonsense' where id = 1;",
    "numbers": "update findings set seed = -9223372036854775808, nodes = 1e300, count = 'x', model = zeroblob(1000);",
}.items():
    shutil.copy(seed, f"{folder}/{name}.db")
    base = sqlite3.connect(f"{folder}/{name}.db")
    base.executescript(sql)
    base.close()
END
"$fuzz" mark 1 known --reason 'a test' --db "$tmp/trigger.db" >"$tmp/out" 2>&1
check "triggers do not run" python3 -c 'import sqlite3, sys
assert sqlite3.connect(sys.argv[1]).execute("SELECT id, status FROM findings ORDER BY id").fetchall() == [(1, "known"), (2, "open")]' "$tmp/trigger.db"
expect "endless view is rejected" 1 'view.db: error: ' timeout 60 "$fuzz" merge "$tmp/merged.db" "$tmp/view.db"
check "… and nothing is written" [ ! -e "$tmp/merged.db" ]
for name in sql numbers path; do
	check "$name: merge" "$fuzz" merge "$tmp/$name.merged" "$tmp/$name.db"
	check "$name: list" sh -c "'$fuzz' list --db '$tmp/$name.merged' >'$tmp/list'"
	check "… without control sequences" sh -c "! LC_ALL=C grep -q '$(printf '\033')' '$tmp/list'"
	check "$name: report" "$fuzz" report --db "$tmp/$name.merged" --out "$tmp/$name"
	check "… writes to its folder only" [ -z "$(find "$tmp" -newer "$tmp/$name.merged" -type f -not -path "$tmp/$name/*" -not -name "$name.*" -not -name out -not -name err -not -name list)" ]
done
"$fuzz" repro 1 --db "$tmp/path.db" >"$tmp/out" 2>"$tmp/err"
code=$?
check "path as backend name is not started ($code)" [ $code -eq 1 -o $code -eq 2 -o $code -eq 5 ]
head -c 6000 "$tmp/trigger.db" >"$tmp/cut.db"
expect "truncated database" 1 'cut.db: error: ' "$fuzz" list --db "$tmp/cut.db"
echo "1..$n"
