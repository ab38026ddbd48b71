#!/bin/sh
# Every output names the state of a finding with the same words: list, show, report.html, summary.md, junit.xml, SARIF, ci.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz states=tests/cli/runtime/report/states.py backend='sh tests/data/backends/fake.sh error'
"$fuzz" run --backend fake --framework torch --backend-command "$backend" --db "$tmp/db" --count 4 --api torch.abs >"$tmp/shown" 2>&1
check "a database with findings of every status" python3 $states make "$tmp/db"
"$fuzz" list --db "$tmp/db" --status all --json >"$tmp/before.json"
"$fuzz" ci --backend fake --framework torch --backend-command "$backend" --db "$tmp/db" --out "$tmp/job" --count 4 --api torch.neg --seed 1 \
	>"$tmp/ci" 2>"$tmp/told"
check "a job that makes every change fails" [ $? -eq 3 ]
check "its reports, list and show agree on each finding" python3 $states agree "$fuzz" "$tmp" job
"$fuzz" list --db "$tmp/db" --status all --json >"$tmp/before.json"
"$fuzz" report --db "$tmp/db" --out "$tmp/alone" >"$tmp/report" 2>"$tmp/told"
check "so do those of a report without a job" python3 $states agree "$fuzz" "$tmp" alone
"$fuzz" list --db "$tmp/db" --status all >"$tmp/shown" 2>"$tmp/counts"
check "list and report print the same counts" sh -c "head -1 '$tmp/report' | cmp - '$tmp/counts'"
check "… of every status" sh -c "for s in open known fixed flaky not-a-bug unsupported; do grep -q \" [0-9]* \$s\" '$tmp/counts' || exit 1; done"
echo "1..$n"
