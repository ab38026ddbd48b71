# rulesmith explain, and NeuRI's algorithm as published.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
says() { # says WHAT PATTERN: the last output has a line that matches
	if grep -qE -- "$2" "$tmp/said"; then ok "$1"; else
		not_ok "$1 (wanted /$2/)"
		sed 's/^/# /' "$tmp/said" | head -20
	fi
}
"$smith" explain 'm.narrow-0' --traces tests/data/records >"$tmp/said" 2>&1
says "explain names the records" '^from tests/data/records/m.narrow.jsonl:1: [0-9]+ passing'
says "explain shows what was found for an output" 'found: s3 '
says "explain shows a clause with its evidence" 'clause: s2 \+ s3 <= s1 +\(rejects [0-9]+, cost'
says "explain shows what was superfluous" 'superfluous: '
says "explain tells what Z3 did" '^proof: Z3 removed [0-9]+ of [0-9]+ clauses'
says "explain ends with the rule" '^valid: s2 \+ s3 <= s1'
expect "explain of nothing" 1 "no operator matches 'nothing'" "$smith" explain nothing --traces tests/data/records
expect "explain without traces" 2 'takes one operator and --traces' "$smith" explain m.narrow-0
"$smith" synth --traces tests/data/records --layer neuri --op 'm.[im]*' -o "$tmp/neuri.jsonl" 2>/dev/null
cp "$tmp/neuri.jsonl" "$tmp/said"
says "NeuRI's algorithm finds a matrix product" '"op":"m.matmul-0".*"out":\["s0","s3"\],"valid":\[.*"s2 - s1 == 0"'
says "and an identity without constraints" '"op":"m.identity-0".*"valid":\[\]'
says "and says that it is NeuRI's" '"layer":"neuri"'
