#!/bin/sh
# rulefuzz run with torch: a clean target agrees, a planted fault is found, confirmed, reduced, repeated.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz python=${RULEFUZZ_PYTHON:-$venvs/torch/bin/python}
if [ ! -x "$python" ]; then
	skip "rulefuzz run with torch" "no $python: make backends"
	echo "1..1"
	exit 0
fi
RULEFUZZ_PYTHON=$python
export RULEFUZZ_PYTHON
run() { "$fuzz" run --db "$tmp/db" --count 40 "$@"; }
exits() { # exits WHAT CODE COMMAND…
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/err" "$tmp/out" | head -20
	fi
}
output() {
	if grep -qE -- "$2" "$tmp/out"; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' "$tmp/out" | head -20
	fi
}
exits "torch-eager agrees with itself" 0 run --backend torch-eager
output "most models are valid" 'reference accepted (9[0-9]|100)'
"$fuzz" run --db "$tmp/db" --count 40 --backend torch-jit >"$tmp/out" 2>"$tmp/err"
code=$?
output "torch-jit compares models" 'compared (2[0-9]|3[0-9]|40):'
check "and ends well (exit $code)" test $code -eq 0 -o $code -eq 3

# The API that is broken on purpose: one that the table has in its models.
api=torch.sin
for fault in perturb raise crash exit; do
	RULEFUZZ_BROKEN=$api:$fault
	export RULEFUZZ_BROKEN
	rm -f "$tmp/db"*
	exits "$fault: found" 3 run --backend torch-broken --api "$api" --count 10
	exits "$fault: listed" 0 "$fuzz" list --db "$tmp/db"
	output "$fault: reduced to one node" "open +[0-9]+x +[0-9-]+ +torch-broken: ${api##*.}[ (]"
	exits "$fault: reproduces" 3 "$fuzz" repro 1 --db "$tmp/db"
	"$fuzz" show 1 --db "$tmp/db" --script >"$tmp/repro.py"
	check "$fault: the long one, which says so" grep -q '^# The long script: no short one' "$tmp/repro.py"
	exits "$fault: its script alone fails" 1 "$python" "$tmp/repro.py"
	output "$fault: and says how" '^REPRODUCED: '
	[ $fault = perturb ] || continue # each of these starts torch
	sed 's/torch.sin:/torch.nothing:/' "$tmp/repro.py" >"$tmp/mended.py"
	exits "$fault: and passes without the fault" 0 "$python" "$tmp/mended.py"
	RULEFUZZ_BROKEN=torch.nothing:perturb
	exits "$fault: repro sees the mended target" 0 "$fuzz" repro 1 --db "$tmp/db"
done
# Several in one worker: the fault is that of the second, and the third is not asked.
RULEFUZZ_BROKEN=$api:perturb
rm -f "$tmp/db"*
exits "tiers: found" 3 run --backend torch-same,torch-broken,torch-eager --invalid 0 --api "$api" --count 10 --verbose
output "tiers: the first agrees" '^  torch-same: 10 models: ([0-9]|10) compared(, [0-9]+ without a verdict)?; [0-9]+ operators, [0-9.]+ per CPU second'
output "tiers: the second fails" '^  torch-broken: [0-9]+ models?: .*([1-9][0-9]* failed|[1-9][0-9]* of the compared are inconsistent)'
output "tiers: one reference" '^torch-same,torch-broken,torch-eager: 10 models'
exits "tiers: listed" 0 "$fuzz" list --db "$tmp/db"
output "tiers: by the name of the one that failed" "open +[0-9]+x +[0-9-]+ +torch-broken: ${api##*.}.* returns "
exits "tiers: reproduces" 3 "$fuzz" repro 1 --db "$tmp/db"
"$fuzz" show 1 --db "$tmp/db" --script >"$tmp/repro.py"
exits "tiers: its script alone fails" 1 "$python" "$tmp/repro.py"
exits "tiers: as JSON" 3 run --backend torch-same,torch-broken --invalid 0 --api "$api" --count 10 --json --db "$tmp/db2"
output "tiers: counted" '"tiers":\[\{"backend":"torch-same","models":10,'
echo "1..$n"
