#!/bin/sh
# rulefuzz recheck, reduce and mark, and what a second run finds, against workers without a framework.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
fake() { echo "sh tests/data/backends/fake.sh $1"; }
run() { # run MODE OPTION…
	mode=$1
	shift
	"$fuzz" run --backend fake --framework torch --backend-command "$(fake "$mode")" --db "$db" --count 8 --api torch.abs "$@"
}
recheck() { # recheck MODE OPTION…
	mode=$1
	shift
	"$fuzz" recheck --db "$db" --backend-command "$(fake "$mode")" "$@"
}
fresh() { rm -f "$db" "$db"-*; }
exits() { # exits WHAT CODE COMMAND…: ends so, whatever it says
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/err" | head -20
	fi
}
output() { # output WHAT PATTERN: a line of the last command's standard output
	if grep -qE -- "$2" "$tmp/out"; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' "$tmp/out" | head -20
	fi
}
status() { "$fuzz" list --db "$db" --status all | awk -v id="$1" '$1 == id { print $3 }'; }

# A second run of the same models, and a run of other models with the same faults, find nothing new.
for mode in error differ crash hang exit; do
	fresh
	exits "$mode is found" 3 run $mode --timeout 1
	exits "and not once more" 0 run $mode --timeout 1
	output "but counted" 'findings: 0 new, [1-9] duplicate'
done

fresh
exits "what its script does not show is no new bug" 0 run unshown
output "but counted" 'findings: 0 new, 2 of 2'
check "and flaky" test "$(status 1)" = flaky
exits "its page" 0 "$fuzz" explain-finding 1 --db "$db"
output "says so" 'flaky +it did not fail each time: .*in its script'
exits "a recheck asks the script, too" 0 recheck unshown
output "and leaves it flaky" '^finding 1: reproduces sometimes, still flaky'
exits "until it shows it" 0 recheck error
output "and it is open" '^finding 1: reproduces, now open \(was flaky\)'

exits "help" 0 "$fuzz" recheck --help
expect "no such database" 1 'no such database' "$fuzz" recheck --db "$tmp/none"
fresh
run error >/dev/null 2>&1
expect "no such finding" 1 'no finding 9' recheck ok 9
expect "a number is asked for" 2 'ID' recheck ok x
exits "as JSON, too" 2 recheck ok x --json
check "and no result is printed" test ! -s "$tmp/out"
exits "nor where there is no such finding" 1 recheck ok 9 --json
check "… indeed" test ! -s "$tmp/out"
exits "the others are one object" 0 recheck error 1 --json
output "… whole" '^\{"schema":1,"command":"recheck","findings":\[\{"id":1,.*\],"counts":\{"rechecked":1,.*\}\}$'

exits "what fails still" 0 recheck error
output "stays" '^finding 1: still reproduces: fake: .* fails: '
output "a summary" '^rechecked 1 finding: 1 still reproduce, 0 fixed, 0 regressed$'
"$fuzz" mark 1 known --reason "reported, #7" --db "$db" >/dev/null
exits "what is gone" 0 recheck ok
output "is fixed" '^finding 1: does not reproduce, now fixed \(was known\)'
exits "which is kept" 0 "$fuzz" show 1 --db "$db"
output "with the reason of before, and the version" 'reason +reported, #7; fixed in fake 1.0'
output "and the versions" 'fixed in +\{"fake":"1.0"\}'
exits "what is gone stays so" 0 recheck ok
output "fixed" '^finding 1: does not reproduce, still fixed'
exits "what is back" 3 recheck error --json
output "is new, and said" '^\{"schema":1,"command":"recheck","findings":\[\{"id":1,"outcome":"reproduces","before":"fixed","status":"open","reason":"reported, #7; regressed in fake 1.0".*"counts":\{"rechecked":1,"reproduces":1,.*"regressed":1\}\}$'
cp "$tmp/out" "$tmp/json"
check "as JSON" python3 -m json.tool "$tmp/json"
: >"$tmp/turn"
exits "what fails at times" 0 recheck "turns $tmp/turn"
output "is flaky" '^finding 1: reproduces sometimes, now flaky \(was open\)'
exits "a flaky one that fails each time" 0 recheck error
output "is new" 'now open \(was flaky\)'
exits "another failure" 0 recheck differ
output "is no fix" '^finding 1: fails in another way, still open'
exits "a reference that rejects the model" 0 recheck invalid
output "says nothing" '^finding 1: inconclusive, still open'
"$fuzz" mark 1 not-a-bug --db "$db" >/dev/null
exits "what is no bug" 0 recheck ok
output "is not rechecked" '^rechecked 0 findings$'
exits "but when asked for" 0 recheck ok 1
output "and stays" 'does not reproduce, still not-a-bug'
expect "a worker that cannot start" 5 'backend fake cannot start: the fake framework is not installed' recheck fatal 1
rm -f "$tmp/turn"

# `reduce` continues a reduction.
fresh
fails='fails "\"api\":\"torch.add\""'
exits "no time to reduce" 3 run "$fails" --api 'torch.a*' --invalid 0 --mutation 0 --regions 0 --sessions 0 --count 120 --reduce-time 0
nodes() { "$fuzz" list --db "$db" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["findings"][0]["nodes"])'; }
check "leaves the model as it is" [ "$(nodes)" -ge 5 ]
exits "reduce" 0 "$fuzz" reduce 1 --db "$db" --backend-command "$(fake "$fails")"
output "prints the reduced size" '^finding 1: 1 operator, longest dimension [01], [0-9]+ models tried$'
check "which is stored" [ "$(nodes)" -eq 1 ]
exits "as one that is as small as it gets" 0 "$fuzz" show 1 --db "$db" --json
output "reduced" '"reduced":true'
exits "reduce has nothing left to do" 0 "$fuzz" reduce --db "$db" --backend-command "$(fake "$fails")"
check "and says nothing" test ! -s "$tmp/out"
exits "from the model as it was generated" 0 "$fuzz" reduce 1 --original --db "$db" --backend-command "$(fake "$fails")"
output "the same" '^finding 1: 1 operator, longest dimension [01],'
exits "it fails in another way now" 3 "$fuzz" reduce 1 --db "$db" --backend-command "$(fake ok)"
output "which is said" '^finding 1: no longer fails the same way: ok'

# It may be killed at any time and continues from the last step.
fresh
run "$fails" --api 'torch.a*' --invalid 0 --mutation 0 --regions 0 --sessions 0 --count 120 --reduce-time 0 >/dev/null 2>&1
smaller() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT length(smaller) FROM findings").fetchone()[0])' "$db"; }
drags='drags "\"api\":\"torch.add\""'
"$fuzz" reduce 1 --db "$db" --backend-command "$(fake "$drags")" >/dev/null 2>&1 &
job=$!
k=0
while [ "$(smaller)" -eq 0 ] && [ $k -lt 100 ]; do sleep 0.05 && k=$((k + 1)); done
kill -9 $job
wait $job 2>/dev/null
check "a smaller model is kept" [ "$(smaller)" -gt 100 ]
check "and is no finding yet" [ "$(nodes)" -ge 5 ]
exits "it goes on" 0 "$fuzz" reduce --db "$db" --backend-command "$(fake "$fails")"
output "to the end" '^finding 1: 1 operator, longest dimension [01],'
check "and keeps nothing to go on with" [ "$(smaller)" -eq 0 ]
expect "a time" 2 '--reduce-time' "$fuzz" reduce 1 --db "$db" --reduce-time x
echo "1..$n"
