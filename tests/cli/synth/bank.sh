# `rulesmith bank`: Table 5, its options and its exit codes.
. tests/cli/tap.sh
smith=${BUILD:-build}/rulesmith
same() { cmp -s "$1" "$2"; }
count() { # count KEY FILE: a number from the JSON output
	sed -n "s/,\"paper\".*//; s/.*\"$1\":\([0-9]*\).*/\1/p" "$2"
}
is() { [ "$1" = "$2" ]; }

check "counts two symbols" "$smith" bank --symbols 2 --ops 5 --audit 0 --json
cp "$tmp/out" "$tmp/two"
check "none is the paper's 2.88e9" is "$(count none "$tmp/two")" 2879926870
check "equiv is the paper's 9.04e7" is "$(count equiv "$tmp/two")" 90374310
check "rarity is the paper's 5.90e6" is "$(count rarity "$tmp/two")" 5898134
check "it reports its own seconds" test "$(sed 's/.*"seconds":\([0-9]*\).*/\1/' "$tmp/two")" -lt 900
check "both equals docs/measurements/neuri.md" grep -q "| 2 | $(count both "$tmp/two") |" docs/measurements/neuri.md

check "lists on one thread" "$smith" bank -n 3 -k 2 --rarity text --list -j 1
cp "$tmp/out" "$tmp/one"
cp "$tmp/err" "$tmp/told"
check "without progress lines off a terminal" test ! -s "$tmp/told"
check "lists on three threads" "$smith" bank -n 3 -k 2 --rarity text --list -j 3
cp "$tmp/out" "$tmp/three"
check "the same list" same "$tmp/one" "$tmp/three"
check "smallest first" is "$(sed -n 3p "$tmp/one")" s0
check "prints a table" "$smith" bank -n 1 -k 2 --audit 20
cp "$tmp/out" "$tmp/table"
check "with the merges' proofs" grep -q 'merges up to 2 operations .* 0 refuted' "$tmp/table"
check "audits merges that Z3 does not decide" "$smith" bank -n 3 -k 3 --rarity text -a 100 --json
cp "$tmp/out" "$tmp/audit"
cp "$tmp/err" "$tmp/told"
undecided=$(sed 's/.*"audit":{[^}]*"unknown":\([0-9]*\).*/\1/' "$tmp/audit")
check "there are some" test "$undecided" -gt 0
check "each has both sides" is "$(grep -cE '^audit: unknown: [^ =].*[^ =]   =   [^ =].*[^ =]$' "$tmp/told")" "$undecided"
check "and nothing else" is "$(wc -l <"$tmp/told")" "$undecided"

check "lists its options" "$smith" bank --help
expect "too many symbols" 2 "error: --symbols: expected 1 to 6, got '7'" "$smith" bank -n 7
expect "an invalid number of operations" 2 "error: --ops: expected 0 to 5, got 'x'" "$smith" bank -k x
expect "an unknown rarity" 2 "error: --rarity: expected published or text" "$smith" bank --rarity none
expect "an unexpected operand" 2 "error: unexpected argument 'x'" "$smith" bank x
echo "1..$n"
