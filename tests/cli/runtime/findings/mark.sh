#!/bin/sh
# rulefuzz mark: all findings or none, statuses, reasons.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz db=$tmp/db
"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh error' --db "$db" --count 8 >"$tmp/shown" 2>&1
statuses() { "$fuzz" list --db "$db" --status all --json | python3 -c 'import json, sys
print(*(f["status"] + ":" + f["reason"] for f in json.load(sys.stdin)["findings"]))'; }
check "two findings are open" [ "$(statuses)" = "open: open:" ]
expect "one of several that does not exist" 1 'no finding 99' "$fuzz" mark 1 99 2 known --db "$db"
check "… leaves all as they were" [ "$(statuses)" = "open: open:" ]
check "… and prints no change" [ ! -s "$tmp/out" ]
expect "one of several that is no ID" 2 'ID' "$fuzz" mark 1 x known --db "$db"
check "… leaves all as they were, too" [ "$(statuses)" = "open: open:" ]
"$fuzz" mark 1 2 known --reason 'reported, #7' --db "$db" >"$tmp/shown"
check "several are marked" [ "$(statuses)" = "known:reported, #7 known:reported, #7" ]
check "… a line each" [ "$(grep -c '^finding [12] is now known (was open)$' "$tmp/shown")" -eq 2 ]
for command in 'mark 1 new' 'show 1 --mark new' 'list --status new'; do
	# shellcheck disable=SC2086 # words
	expect "$command: the old name of a status" 2 "got 'new'; new was renamed to open" "$fuzz" $command --db "$db"
done
for status in settled closed; do
	expect "$status is no status" 2 "STATUS: expected open, known, fixed, flaky, not-a-bug or unsupported, got '$status'" "$fuzz" mark 1 $status --db "$db"
done
echo "1..$n"
