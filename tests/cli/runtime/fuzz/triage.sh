#!/bin/sh
# The budget of triage: failures beyond it wait in the database, and `rulefuzz triage` examines them.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
fake() { echo "sh tests/data/backends/fake.sh $1"; }
run() { # run MODE OPTION…
	mode=$1
	shift
	"$fuzz" run --backend fake --framework torch --backend-command "$(fake "$mode")" --db "$db" --count 8 --api torch.abs "$@"
}
triage() { # triage MODE OPTION…
	mode=$1
	shift
	"$fuzz" triage --db "$db" --backend-command "$(fake "$mode")" "$@"
}
exits() { # exits WHAT CODE PATTERN COMMAND…: ends so, and a line of standard output matches
	what=$1 code=$2 pattern=$3
	shift 3
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ] && grep -qE -- "$pattern" "$tmp/out"; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code and /$pattern/)"
		sed 's/^/# /' "$tmp/out" "$tmp/err" | head -20
	fi
}
sql() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$db" "$1"; }
fresh() { rm -f "$db" "$db"-*; }

exits "help" 0 '^usage: rulefuzz triage ' "$fuzz" triage --help
expect "a bad share" 2 '--triage-share: expected a fraction from 0 to 1' run error --triage-share 2
expect "an argument" 2 "unexpected argument '1'" triage error 1
expect "no database" 1 'no such database' triage error

exits "without a budget all failures wait" 4 '^  2 failures wait for triage: rulefuzz triage --db ' run error --triage-share 0
check "and none is a finding" [ "$(sql 'SELECT count(*) FROM findings')" = 0 ]
check "the run counts them" [ "$(sql "SELECT value FROM counters WHERE name = 'deferred'")" = 2 ]
exits "the next run with a budget takes them first" 3 'findings: 1 new, 3 duplicates; in ' run error
check "none is left" [ "$(sql 'SELECT count(*) FROM pending')" = 0 ]
exits "a known key does not wait" 0 'findings: 0 new, 2 duplicates; in ' run error --triage-share 0

fresh
exits "an accepted invalid model waits" 4 '^  2 failures wait for triage' run accepts --triage-share 0
exits "and becomes a finding" 3 'findings: 1 new, 3 duplicates; in ' run accepts
exits "its known key does not wait" 0 'findings: 0 new, 2 duplicates; in ' run accepts --triage-share 0

fresh
exits "of a key that three reductions found, most are duplicates" 3 'findings: 1 new, 39 duplicates; in ' "$fuzz" run --backend fake --framework torch \
	--db "$db" --api torch.abs --count 40 --invalid 0 --backend-command "$(fake 'fails "\"model\""')"

fresh
exits "they are in the summary" 4 '"waiting":1}' run crash --triage-share 0 --json
fresh
run error --triage-share 0 >"$tmp/out" 2>&1
exits "triage of another backend" 0 'no failures wait' triage error --backend other
exits "triage makes a finding" 3 '^fake: done in [0-9.]+ s: 1 new, 1 duplicates, 0 did not reproduce, 0 still wait$' triage error
check "with the versions" [ "$(sql 'SELECT versions FROM findings')" = '{"fake":"1.0"}' ]
check "with its model as generated" [ "$(sql "SELECT original LIKE '%\"index\":3,%' FROM findings")" = 1 ]
exits "nothing is left" 0 'no failures wait for triage' triage error
exits "the finding is in the list" 0 '1 +error +open +2x' "$fuzz" list --db "$db"

fresh
run error --triage-share 0 >"$tmp/out" 2>&1
exits "those that do not reproduce are dropped" 0 '"new":0,"duplicates":0,"not_reproduced":2,"waiting":0' triage ok --json

fresh
run error --triage-share 0 >"$tmp/out" 2>&1
python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("UPDATE runs SET versions = json_object('"'fake', '0.9'"')"); d.commit()' "$db"
exits "those of another version wait on" 4 ': 0 new, 0 duplicates, 0 did not reproduce, 2 still wait$' triage ok
exits "and are examined if they reproduce" 3 ': 1 new, 1 duplicates, 0 did not reproduce, 0 still wait$' triage error

fresh
run error --triage-share 0 >"$tmp/out" 2>&1
expect "no worker starts" 5 'cannot start: .*ImportError' triage dead
check "they still wait" [ "$(sql 'SELECT count(*) FROM pending')" = 2 ]
python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("UPDATE pending SET model = '"'{'"' WHERE id = 1"); d.commit()' "$db"
exits "a damaged model is dropped" 3 ': 1 new, 0 duplicates, 0 did not reproduce, 0 still wait$' triage error

# Many failures of one key: few models wait, and the others count.
fresh
exits "few models of a key wait" 4 '12 failures wait' "$fuzz" run --backend fake --framework torch --db "$db" --api torch.abs --count 12 \
	--invalid 0 --triage-share 0 --backend-command "$(fake 'fails "\"model\""')"
check "three" [ "$(sql 'SELECT count(*) FROM pending')" = 3 ]
exits "triage counts all" 3 ': 1 new, 2 duplicates, ' triage 'fails "\"model\""'
check "in the finding" [ "$(sql 'SELECT count FROM findings')" = 12 ]
echo "1..$n"
