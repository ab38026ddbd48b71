# rulesmith explain, with and without the search, and NeuRI's algorithm as published.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
says() { # says WHAT PATTERN: a line of the last output matches
	if grep -qE -- "$2" "$tmp/said"; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' "$tmp/said" | head -20
	fi
}
# Without a search: from stored rules and the records of the API alone.
"$smith" synth --traces tests/data/records --op 'm.narrow*' -o "$tmp/stored" 2>/dev/null
stored() { "$smith" explain "$@" --rules "$tmp/stored" >"$tmp/said" 2>&1; }
stored m.narrow-0 --traces tests/data/records
says "a stored rule names the records" '^from tests/data/records/m.narrow.jsonl:1: [0-9]+ accepted, [0-9]+ rejected'
says "a clause in the words of the call" '^valid: s2 \+ s3 <= s1   # start \+ length <= x\[1\]'
says "… the records that it explains" '^  rejects [1-9][0-9]* \([1-9][0-9]* uniquely\), such as \[[0-9,-]+\]'
says "… a clause that a record refutes" '^  refuted: s2 \+ s3 < s1, which rejects the accepted record \['
says "further clauses with a call that decides" '^  rival: .*, a call that decides is \['
decides=$(sed -n 's/.*rival: s2 + s3 <= s1 or s1 == 0, a call that decides is //p' "$tmp/said")
check "… which the rival accepts and the rule rejects" \
	python3 -c 'import sys; x = eval(sys.argv[1]); sys.exit(not (x[2] + x[3] > x[1] == 0))' "$decides"
says "the API's rule comes last" '^API rule:'
says "… as its page" '^  accepted when'
# The records that are printed are what they are said to be: rows of the file, of calls that passed or failed.
is_record() { # is_record pass|fail SYMBOLS: of m.narrow-0
	python3 -c 'import json, sys
(signature,) = [s for s in map(json.loads, open("tests/data/records/m.narrow.jsonl")) if s.get("op") == "m.narrow-0"]
rows = signature["fail"] if sys.argv[1] == "fail" else [row[0] for row in signature["pass"]]
sys.exit(json.loads(sys.argv[2]) not in rows)' "$@"
}
example=$(sed -n '/^valid: s2 + s3 <= s1/,/^valid/s/.* such as \(\[.*\]\)$/\1/p' "$tmp/said")
check "the example is a rejected record" is_record fail "$example"
check "… that its clause rejects" python3 -c 'import sys; x = eval(sys.argv[1]); sys.exit(x[2] + x[3] <= x[1])' "$example"
accepted=$(sed -n 's/.*refuted: s2 + s3 < s1, which rejects the accepted record //p' "$tmp/said")
check "the refuting record is an accepted one" is_record pass "$accepted"
check "… that the refuted clause rejects" python3 -c 'import sys; x = eval(sys.argv[1]); sys.exit(x[2] + x[3] < x[1])' "$accepted"
# Records of other APIs are not read: a file that cannot be read is no error.
mkdir "$tmp/alone" && cp tests/data/records/m.narrow.jsonl "$tmp/alone" && echo broken >"$tmp/alone/m.other.jsonl"
check "records of other APIs are not read" stored m.narrow --traces "$tmp/alone"
cp "$tmp/alone/m.other.jsonl" "$tmp/alone/m.narrow.jsonl"
expect "bad records" 1 'm.narrow.jsonl:1: error: ' "$smith" explain m.narrow --rules "$tmp/stored" --traces "$tmp/alone"
cp tests/data/records/m.pool.jsonl "$tmp/alone/m.narrow.jsonl"
expect "rules of other records" 1 'stored:2: error: m.narrow-0: --traces lacks its records' \
	"$smith" explain m.narrow-0 --rules "$tmp/stored" --traces "$tmp/alone"
expect "no rules" 1 "nosuch: error: cannot open.*; run 'make rules', name a file with --rules" \
	"$smith" explain m.narrow --rules "$tmp/nosuch" --traces tests/data/records
sed 's/"valid":\["/&(/' "$tmp/stored" >"$tmp/damaged"
expect "a damaged rule" 1 'damaged:2: error: ' "$smith" explain m.narrow --rules "$tmp/damaged" --traces tests/data/records
expect "nothing of that name in the rules" 1 "'m.narow'; did you mean m.narrow\?" \
	"$smith" explain m.narow --rules "$tmp/stored" --traces tests/data/records

"$smith" explain 'm.narrow-0' --search-log --traces tests/data/records >"$tmp/said" 2>&1
says "explain names the records" '^from tests/data/records/m.narrow.jsonl:1: [0-9]+ accepted, [0-9]+ rejected'
says "explain shows the outputs' search" 'found: s3 '
says "explain shows a clause with its evidence" 'clause: s2 \+ s3 <= s1 +\(rejects [0-9]+, cost'
says "explain shows redundant clauses" 'superfluous: '
says "explain reports Z3's work" '^proof: Z3 removed [0-9]+ of [0-9]+ clauses'
says "explain ends with the rule" '^valid: s2 \+ s3 <= s1'
expect "explain of nothing" 1 "error: no signature or API matches 'nothing'$" "$smith" explain nothing --search-log --traces tests/data/records
expect "… of a mistyped API" 1 "'m.narow'; did you mean m.narrow\?" "$smith" explain m.narow --search-log --traces tests/data/records
expect "… of the last part of a name" 1 "'narrow'; did you mean m.narrow\?" "$smith" explain narrow --search-log --traces tests/data/records
expect "explain of two names" 2 'expected one NAME' "$smith" explain m.narrow-0 m.pool-0
expect "explain of an API" 0 '^explain: solving 1 signature and its dependencies' "$smith" explain m.narrow --search-log --traces tests/data/records
expect "… of the checkout's records by default" 1 "^explain: reading records of .*/traces/.*\.jsonl and others$" "$smith" explain m.narow --search-log

# The explained rule is the shipped one: with its API's templates, other APIs' shape functions and the operators
# of its structure. In shared/, m.sweep uses a function that m.pooling and m.unfold share; m.taken uses the rule
# of m.take.
mkdir "$tmp/records" && cp tests/data/records/shared/*.jsonl tests/data/records/family/m.[cv]*.jsonl "$tmp/records"
sed 's/m\.pool/m.pools/g' tests/data/records/family/m.pool.jsonl >"$tmp/records/m.pools.jsonl" # there is another m.pool
# Another signature of m.taken, with a list for the number, has no sibling, but shares a rule with the other
# signature.
sed 's/"op":"m.taken-0"/"op":"m.taken-1"/; s/"value":"s1"}\]/"value":["s1"]}]/' \
	tests/data/records/shared/m.taken.jsonl >>"$tmp/records/m.taken.jsonl"
records="--traces $tmp/records --traces tests/data/records"
# shellcheck disable=SC2086
"$smith" synth $records --cache "$tmp/cache" -o "$tmp/rules" 2>/dev/null
line() { grep "^{\"op\":\"$1\"," "$tmp/rules"; }
texts() { # texts OP KEY: the expressions under a key of the rule in rules.jsonl, one per line
	line "$1" | sed -n "s/.*\"$2\":\[\"\([^]]*\)\"\].*/\1/p" | sed 's/","/\n/g'
}
shipped() {
	texts "$1" out | sed 's/^/out /'
	texts "$1" valid | sed 's/^/valid /'
	line "$1" | sed -n 's/.*"why":"\([^"]*\)".*/why \1/p; s/.*"layer":"\([a-z]*\)".*/layer \1/p; s/.*"thin":true.*/thin/p'
}
explained() { # the same, from the last explanation
	sed -n 's/^out[0-9]*\[[0-9]*\] = /out /p; s/^valid: /valid /p; s/^no rule: /why /p; s/^layer \([a-z]*\);.*/layer \1/p
		s/^layer.*low support.*/thin/p' "$tmp/said"
}
ops=$(sed -n 's/^{"op":"\([^"]*\)".*/\1/p' "$tmp/rules") told=0
for op in $ops; do
	# shellcheck disable=SC2086
	"$smith" explain "$op" --search-log $records >"$tmp/said" 2>/dev/null
	shipped "$op" | LC_ALL=C sort >"$tmp/shipped"
	explained | LC_ALL=C sort >"$tmp/explained"
	told=$((told + $(wc -l <"$tmp/shipped")))
	cmp -s "$tmp/shipped" "$tmp/explained" || { echo "$op" >>"$tmp/other"; diff "$tmp/shipped" "$tmp/explained" >>"$tmp/other"; }
done
check "every operator is explained as shipped" sh -c "! cat '$tmp/other' >&2"
check "… at least one" test "$told" -gt 60
check "… some by a shape function of other APIs" grep -q '"op":"m.sweep-0".*"layer":"functions"' "$tmp/rules"
check "… and some by a sibling's rule" grep -q '"op":"m.taken-0".*"layer":"sibling"' "$tmp/rules"
check "… or by that of a signature that has one" grep -q '"op":"m.taken-1".*"valid":\["s1' "$tmp/rules"
# shellcheck disable=SC2086
"$smith" explain m.sweep-0 --search-log $records --cache "$tmp/cache" >"$tmp/said" 2>&1
says "explain names the shape function" '^functions: \(s0 \+ 2\*s2 - s3\)//s1 \+ 1 +\(output 0, dimension 0: used by 2 or 3 APIs'
explained | LC_ALL=C sort >"$tmp/explained"
shipped m.sweep-0 | LC_ALL=C sort >"$tmp/shipped"
check "other operators' results come from the cache: the same rule" cmp "$tmp/shipped" "$tmp/explained"
# shellcheck disable=SC2086
"$smith" explain m.taken-0 --search-log $records >"$tmp/said" 2>&1
says "explain names the rule's origin" '^siblings: .* takes the rule of m.take-0, which agrees with [2-9] APIs'

"$smith" synth --traces tests/data/records --layer neuri --op 'm.[im]*' -o "$tmp/neuri.jsonl" 2>/dev/null
cp "$tmp/neuri.jsonl" "$tmp/said"
says "NeuRI's algorithm finds a matrix product" '"op":"m.matmul-0".*"out":\["s0","s3"\],"valid":\[.*"s2 - s1 == 0"'
says "and an identity without constraints" '"op":"m.identity-0".*"valid":\[\]'
says "and is labelled as NeuRI's" '"layer":"neuri"'
