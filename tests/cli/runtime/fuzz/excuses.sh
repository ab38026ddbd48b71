#!/bin/sh
# rulefuzz run counts the excuses that answers name, and keeps samples of them.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
run() {
	"$fuzz" run --backend fake --framework torch --backend-command "sh tests/data/backends/fake.sh excused" --db "$db" "$@"
}
samples() { find "$db.excuses/$1" -name '*.json' | wc -l | tr -d ' '; }
field() { python3 -c 'import json, sys; print(eval(sys.argv[2], {"x": json.load(open(sys.argv[1]))}))' "$@"; }

run --count 4 >"$tmp/out" 2>&1
line=$(grep '^  excuses: ' "$tmp/out")
check "the summary names five" test "$line" = "  excuses: a in 4 models, b in 4 models, c in 4 models, d in 4 models, e in 4 models, 2 more (--json)"
check "no samples are kept" test ! -e "$db.excuses"
run --count 6 --resume --json --audit-excuses 5 >"$tmp/json" 2>"$tmp/err"
check "a resumed run goes on counting" test "$(field "$tmp/json" 'x["excuses"]["a"]')" = "{'models': 6, 'elements': 6}"
check "elements are counted" test "$(field "$tmp/json" 'x["excuses"]["rounding"]')" = "{'models': 6, 'elements': 18}"
check "--json has all" test "$(field "$tmp/json" 'len(x["excuses"])')" = 7
check "models up to the fifth are kept" test "$(samples rounding)" = 1
sample=$(find "$db.excuses/rounding" -name '*.json')
check "a sample has the values" test "$(field "$sample" 'x["sample"]["got"], x["elements"], x["model"]["index"]')" = "('1.5', 3, 4)"
check "an excuse without values" test "$(field "$(find "$db.excuses/a" -name '*.json')" 'x["sample"]')" = None
expect "no samples at all" 2 '--audit-excuses: expected' run --audit-excuses 0
: >"$tmp/other.excuses"
db=$tmp/other
expect "samples in an impossible place" 1 'other.excuses' run --count 2 --audit-excuses 1
echo "1..$n"
