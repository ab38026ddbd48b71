#!/bin/sh
# rulefuzz report: hosts, build servers and browsers can read its files, whatever a compiler prints.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz check=tests/cli/runtime/report/findings_report.py
schemas=$venvs/schemas/bin/python # .ci/run makes it
make_db() { # make_db NAME FINDINGS
	"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh ok' --db "$tmp/$1" --count 1 \
		>"$tmp/out" 2>&1 && python3 $check make "$tmp/$1" "$2"
}
check "a database of 200 findings with hostile texts" make_db db 200
check "reports" "$fuzz" report --db "$tmp/db" --out "$tmp/report"
check "JUnit XML is well formed, and its counts are right" python3 $check junit "$tmp/report/junit.xml"
check "the page runs only its own script, loads nothing, and has at most 2 MB" python3 $check html "$tmp/report/report.html"
check "hostile text is no markup in the summary" python3 $check markdown "$tmp/report/summary.md"
if [ -x "$schemas" ]; then
	check "SARIF by its schema, within the hosts' limits" "$schemas" $check sarif "$tmp/report/rulefuzz.sarif"
else
	skip "SARIF by its schema" "no $schemas"
fi
check "a script for each finding that is not closed" [ "$(ls "$tmp/report/scripts" | wc -l)" -eq 167 ]
check "the page has a drawing for each" [ "$(grep -c '<svg class="model"' "$tmp/report/report.html")" -ge 160 ]
check "… with shapes on its edges" grep -q '<text class="shape"[^>]*>float32\[2,1,3\]</text>' "$tmp/report/report.html"
browser=$(command -v chromium || command -v google-chrome || :)
if [ -n "$browser" ]; then
	timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --virtual-time-budget=3000 --dump-dom "file://$tmp/report/report.html" \
		>"$tmp/dom" 2>"$tmp/err"
	check "a browser runs its script: the filters are filled in" grep -q '<option value="crash">crash</option>' "$tmp/dom"
	check "… and counts the findings it shows" grep -qE 'id="shown">200 of 200<' "$tmp/dom"
else
	ok "in a browser # SKIP none is installed"
fi
mkdir "$tmp/host"
check "the summary is appended to the file of the host" env GITHUB_STEP_SUMMARY="$tmp/host/summary" "$fuzz" report --db "$tmp/db" --out "$tmp/report"
check "… also a second time" env GITHUB_STEP_SUMMARY="$tmp/host/summary" "$fuzz" report --db "$tmp/db" --out "$tmp/report"
check "… whole, twice" [ "$(wc -c <"$tmp/host/summary")" -eq $((2 * $(wc -c <"$tmp/report/summary.md"))) ]

check "a database of 12,000" make_db many 12000
check "… has reports" "$fuzz" report --db "$tmp/many" --out "$tmp/large"
check "… of Markdown within the limit of hosts" python3 $check markdown "$tmp/large/summary.md"
[ ! -x "$schemas" ] || check "… and SARIF within their limits, which counts what it omits" sh -c \
	"'$schemas' $check sarif '$tmp/large/rulefuzz.sarif' && grep -q 'results are omitted' '$tmp/large/rulefuzz.sarif'"
check "a database of none" make_db none 0
check "… has reports" "$fuzz" report --db "$tmp/none" --out "$tmp/empty"
check "… which are well formed" sh -c "python3 $check junit '$tmp/empty/junit.xml' && python3 $check html '$tmp/empty/report.html'"
expect "no database" 1 'no such database' "$fuzz" report --db "$tmp/nowhere" --out "$tmp/report"
expect "no folder" 1 'cannot make the folder' "$fuzz" report --db "$tmp/db" --out "$tmp/db/report"
check "help" "$fuzz" report --help

# ---- by terminal
check "explain-finding prints no control sequences" sh -c "'$fuzz' explain-finding 5 --db '$tmp/db' >'$tmp/told' && ! grep -q \"\$(printf '\\033')\" '$tmp/told'"
check "… nor does show" sh -c "'$fuzz' show 6 --db '$tmp/db' >'$tmp/told' && ! grep -q \"\$(printf '\\033')\" '$tmp/told'"
check "… nor list" sh -c "'$fuzz' list --db '$tmp/db' >'$tmp/told' && ! grep -q \"\$(printf '\\033')\" '$tmp/told'"
check "… a line a finding" [ "$(wc -l <"$tmp/told")" -eq 167 ]

# ---- as JSON
python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as base:
    base.execute("UPDATE findings SET kind = ?, class = ? WHERE id = 1", (chr(34), chr(10)))' "$tmp/db"
check "show prints the members that list prints, also of a damaged row" sh -c "'$fuzz' list --db '$tmp/db' --json >'$tmp/list' &&
	'$fuzz' show 1 --db '$tmp/db' --json >'$tmp/one' && python3 -c 'import json, sys
listed, shown = json.load(open(sys.argv[1], errors=\"replace\"))[\"findings\"][0], json.load(open(sys.argv[2], errors=\"replace\"))
assert listed[\"kind\"] == chr(34) and listed == {k: shown[k] for k in listed}, listed' '$tmp/list' '$tmp/one'"
echo "1..$n"
