# Proofs in rules.jsonl: only simplified rules are proved, also if a killed run resumes from its cache.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
proof_of() { grep "\"op\":\"$2\"" "$1" | grep -o '"proof":"[a-z]*"'; }
is() { # is WHAT FILE OP PROOF
	check "$1" test "$(proof_of "$2" "$3")" = "\"proof\":\"$4\""
}
synth() { "$smith" synth --traces tests/data/records/proof -j 1 "$@" 2>/dev/null; }
synth -o "$tmp/rules" --cache "$tmp/cache"
is "an unchanged output is not proved" "$tmp/rules" m.pads-0 none
is "a simplified output is" "$tmp/rules" m.pads-1 proved
is "an unchanged clause is not, although Z3 was asked" "$tmp/rules" m.within-0 none
is "a simplified clause is" "$tmp/rules" m.within-1 proved
check "no rule holds the earlier form" sh -c "! grep -q simplified '$tmp/rules'"
# Killed after the first pass: four entries; one holds a pending proof.
check "pending proofs are kept between the passes" \
	grep -qF '"simplified":[["s0 - s1","s0 + 2*0 - s1"]]' "$tmp/cache/solved.jsonl"
head -4 "$tmp/cache/solved.jsonl" >"$tmp/cut" && mv "$tmp/cut" "$tmp/cache/solved.jsonl"
synth -o "$tmp/again" --cache "$tmp/cache"
check "a run resumed after the first pass gives the same" cmp "$tmp/rules" "$tmp/again"
synth -o "$tmp/whole" --cache "$tmp/cache"
check "and so does one with nothing to do" cmp "$tmp/rules" "$tmp/whole"
"$smith" explain m.pads-1 --search-log --traces tests/data/records/proof >"$tmp/said" 2>&1
check "explain lists the simplifications" grep -q '^simplified: s0 - s1  (proved)' "$tmp/said"
check "… and their originals" grep -q 'from: s0 + 2\*0 - s1' "$tmp/said"
"$smith" emit -q "$tmp/rules" -o "$tmp/c"
check "the page of an API states proved" grep -q 'signatures .*; proved$' "$tmp/c/m/within.c"
check "the table flags the proved rules, and no others" test "$(grep -cwE 'RS_PROVED|PROVED' "$tmp/c/m/table_00.h")" = 2
sed 's/"proof":"proved"/"proof":"checked"/' "$tmp/rules" >"$tmp/checked"
"$smith" emit -q "$tmp/checked" -o "$tmp/d"
check "a checked rule is flagged as not proved" test "$(grep -c RS_UNPROVED "$tmp/d/m/table_00.h")" = 2
check "and its page states so" grep -q 'signatures .*; only checked: ' "$tmp/d/m/within.c"
sed 's/"proof":"proved"/"proof":"believed"/' "$tmp/rules" >"$tmp/bad"
expect "an unknown proof level is rejected" 1 'key "proof": expected none, proved, checked or unknown, not "believed"' \
	"$smith" emit -q "$tmp/bad" -o "$tmp/e"
