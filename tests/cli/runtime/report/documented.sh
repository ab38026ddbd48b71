#!/bin/sh
# A finding that docs/findings describes: show, explain-finding, list and the reports name its page and its upstream thread.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz page=docs/findings/onnx-mvn-constant.md
"$fuzz" run --backend fake --framework torch --backend-command 'sh tests/data/backends/fake.sh error' --db "$tmp/db" --count 4 --api torch.abs >"$tmp/out" 2>&1
# 1: the page's bug; 2: another target; 3: another operator
python3 - "$tmp/db" <<'END'
import json, sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.row_factory = sqlite3.Row
first = {"id": 1, "node": 0, "how": "1 of 1 elements, first at [0]: nan instead of 0.0", "wrong": "target"}
tensor = {"id": 0, "shape": [1, 1, 1, 1], "dtype": "float32"}
node = {"op": "x", "api": "onnx.X", "args": [{"name": "x", "pos": True, "value": {"ref": 0}}], "outputs": [{**tensor, "id": 1}]}
model = {"model": 1, "framework": "onnx", "inputs": [tensor], "nodes": [node], "outputs": [1]}
row = dict(base.execute("SELECT * FROM findings LIMIT 1").fetchone())
row |= {"kind": "inconsistency", "status": "open", "detail": json.dumps({"first": first}), "model": json.dumps(model), "pass": ""}
ROWS = (("onnxruntime-basic", "MeanVarianceNormalization"), ("tract", "MeanVarianceNormalization"), ("onnxruntime-basic", "Neg"))
with base:
    base.execute("DELETE FROM findings")
    base.execute("DELETE FROM keys")
    for number, (backend, api) in enumerate(ROWS, 1):
        row |= {"id": number, "backend": backend, "apis": f"onnx.{api}", "bucket": f"b{number}", "title": f"{backend}: {api} is wrong"}
        base.execute(f"INSERT INTO findings({','.join(row)}) VALUES({','.join('?' * len(row))})", list(row.values()))
base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
END
check "the page exists" test -f $page
named="documented +$page: onnxruntime: MeanVarianceNormalization .*\(upstream: known: onnxruntime#10228"
says() { # says PATTERN COMMAND…
	pattern=$1
	shift
	"$@" >"$tmp/said" 2>"$tmp/err" && grep -qE -- "$pattern" "$tmp/said"
}
says_not() { ! says "$@" && [ -s "$tmp/said" ]; }
check "show names the page and the thread" says "$named" "$fuzz" show 1 --db "$tmp/db"
check "explain-finding too" says "$named" "$fuzz" explain-finding 1 --db "$tmp/db"
for i in 2 3; do
	check "another target, another operator: show names none ($i)" says_not "$page" "$fuzz" show $i --db "$tmp/db"
done
check "list --json names the page of one finding" sh -c "'$fuzz' list --db '$tmp/db' --json | python3 -c '
import json, sys
found = {f[\"id\"]: f[\"documented\"] for f in json.load(sys.stdin)[\"findings\"]}
assert found[2] == found[3] == [], found
(page,) = found[1]
assert page[\"page\"] == \"$page\" and page[\"match\"] == \"documented\" and \"10228\" in page[\"upstream\"], page'"
check "show --json has the same" sh -c "'$fuzz' show 1 --db '$tmp/db' --json | python3 -c '
import json, sys
assert [p[\"page\"] for p in json.load(sys.stdin)[\"documented\"]] == [\"$page\"]'"
check "report" "$fuzz" report --db "$tmp/db" --out "$tmp/report"
check "report.html names the page once" [ "$(grep -c "<dt>documented</dt><dd>$page" "$tmp/report/report.html")" -eq 1 ]
check "summary.md names the page once" [ "$(tr -d '\\' <"$tmp/report/summary.md" | grep -c "^  - documented: .*onnx-mvn-constant.md")" -eq 1 ]
check "it works in another folder" sh -c "cp '$fuzz' '$tmp/alone' && cd '$tmp' && ./alone show 1 --db db | grep -q '$page'"
echo "1..$n"
