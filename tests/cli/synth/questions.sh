# rulesmith questions: inputs that violate one clause alone. An oracle that knows the truth rejects the
# questions about true rules, and accepts some about overfitted ones.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith") fake="sh tests/data/oracle/fake.sh"
records=tests/data/oracle/records
ask() { "$smith" questions "$@"; }
answer() { $fake $records <"$1"; }

check "questions about rules from few records" ask --traces $records --each 20 --seed 3 -j1 -o "$tmp/few"
check "… each with its operator, clause and input" sh -c \
	"! grep -vE '^\{\"op\":\"t\.(narrow|pool)-0\",\"clause\":[0-9]+,\"breaks\":\"[^\"]+\",\"in\":\[[-0-9,]+\]\}$' '$tmp/few'"
answer "$tmp/few" >"$tmp/answers"
check "… some inputs are accepted: the rules are wrong" grep -q '"outcome":"pass"' "$tmp/answers"
check "the same with two threads and in another locale" env LC_ALL=tr_TR.UTF-8 "$smith" questions --traces $records --each 20 --seed 3 -j2 -o "$tmp/two"
check "… the same bytes" cmp "$tmp/few" "$tmp/two"
check "… on standard output too" sh -c "'$smith' questions --traces $records --each 20 --seed 3 | cmp - '$tmp/few'"
check "another seed" ask --traces $records --each 20 --seed 4 -o "$tmp/other"
check "… gives other inputs" sh -c "! cmp -s '$tmp/few' '$tmp/other'"
check "no input twice" test -z "$(sed 's/"clause.*"in"//' "$tmp/few" | sort | uniq -d)"

cp -r $records "$tmp/true" && chmod -R u+w "$tmp/true"
"$smith" refine --oracle "$fake $tmp/true" --traces "$tmp/true" -j1 2>/dev/null
check "questions about true rules" ask --traces "$tmp/true" --each 20 -o "$tmp/right"
for clause in 's1 >= 0' 's1 + s2 <= s0' 's1 > 0' 's2 > 0' 's3 >= 0' '2\*s3 <= s1'; do
	check "… about $clause, several" test "$(grep -c "\"breaks\":\"$clause\"" "$tmp/right")" -ge 3
done
answer "$tmp/right" >"$tmp/answers"
check "… all are rejected" sh -c "grep -q '\"outcome\":\"fail\"' '$tmp/answers' && ! grep -v '\"outcome\":\"fail\"' '$tmp/answers'"
check "… none is a record" sh -c "! sed 's/.*\"in\":\(.*\)}/\1/' '$tmp/right' | while read -r x; do grep -F \"\$x\" '$tmp'/true/*.jsonl; done | grep -q ."
check "--op" ask --traces "$tmp/true" --op 't.n*' -o "$tmp/some"
check "… excludes the others" test "$(grep -c t.narrow-0 "$tmp/some")" -eq "$(wc -l <"$tmp/some")" -a -s "$tmp/some"
check "--framework" ask --traces "$tmp/true" --framework t -o "$tmp/all"
check "… selects all of it" test "$(grep -c t.pool-0 "$tmp/all")" -gt 0
check "--framework of another" ask --traces "$tmp/true" --framework u -o "$tmp/none"
check "… selects nothing" test ! -s "$tmp/none"
check "one per clause by default" test -z "$(sed 's/,"in".*//' "$tmp/some" | uniq -d)"
expect "the totals are printed" 0 '^questions: 2 signatures, [0-9]+ clauses: [0-9]+ questions found by sampling, [0-9]+ by Z3; clauses without a question: [0-9]+ implied by the others in the box, [0-9]+ without a claim about the framework, [0-9]+ open' \
	ask --traces "$tmp/true" -o "$tmp/some"

expect "bad records" 1 'bad/not_json.jsonl:1: error' ask --traces tests/bad
expect "an unwritable output" 1 'nowhere' ask --traces $records -o "$tmp/nowhere/file"
expect "no records" 2 '--traces is required' ask
expect "too few questions" 2 'each: expected 1 to 1000, got 0' ask --traces $records --each 0
expect "an unknown option" 2 'unknown option' ask --nonsense
check "--help" sh -c "'$smith' questions --help | grep -q 'usage: rulesmith questions'"
echo "1..$n"
