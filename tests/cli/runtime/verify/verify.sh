#!/bin/sh
# rulefuzz verify, on a table written by hand. The oracle is rulefuzz eval with a table of what is true.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
table() { # table SO [FLAG…]
	to=$1
	shift
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -shared -iquote runtime/include "$@" tests/data/rules/verify_table.c -o "$to"
}
check "the rules compile" table "$tmp/rules.so"
check "the truth compiles" table "$tmp/truth.so" -DTRUTH
cat >"$tmp/oracle" <<EOF
sed -u -e '/^{"[ks]/w $tmp/kept' -e 's/^{"keep".*/{"op":"keep","in":[]}/' -e 's/^{"save".*/{"op":"save","in":[]}/' |
	"$fuzz" eval --rules "$tmp/truth.so" |
	sed -u -e 's/"valid":true/"outcome":"pass"/' -e 's/"valid":false/"outcome":"fail","message":"no"/' \\
	    -e 's/^{"op":"keep".*/{"kept":3}/' -e 's/^{"op":"save".*/{"saved":1}/' -e "\$1"
EOF
run() { # run SED-COMMAND [OPTION…]: the command is applied to the oracle's answers
	change=$1
	shift
	"$fuzz" verify --rules "$tmp/rules.so" --framework t --oracle "sh $tmp/oracle '$change'" "$@"
}
json() { run "$@" --json >"$tmp/json"; }
number() { # number STRATUM KEY: of the last json
	sed 's/\],"worst".*//; s/{"stratum"/\n&/g' "$tmp/json" | sed -n "s/^{\"stratum\":\"$1\".*\"$2\":\([0-9]*\).*/\1/p"
}
whole() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$tmp/json"; } # whole KEY: outside the strata
is() { # is WHAT VALUE OPERATOR WANTED
	check "$1 ($2 $3 $4)" test "$2" "$3" "$4"
}

# ---- what is counted

check "a rule that is right" json '' --op t.good-0 --count 200
is "… every input is counted" $(($(number total both) + $(number total neither))) -eq 200
is "… on both sides" "$(number total neither)" -gt 30
is "… nothing else" "$(number total said_only)$(number total was_only)" = 00
is "… all outputs are right" "$(number total 'right":{"hits')" -eq "$(number total both)"
is "… some are zero-size" "$(number zero-size neither)" -gt 0
is "… none is of rank 4" "$(number 'rank >= 4' both)" -eq 0

check "a rule that accepts too much" json '' --op t.loose-0 --count 200
is "… loses precision" "$(number total said_only)" -gt 0
is "… not recall" "$(number total was_only)" -eq 0
check "a rule that accepts too little" json '' --op t.strict-0 --count 200
is "… loses recall" "$(number total was_only)" -gt 0
is "… not precision" "$(number total said_only)" -eq 0
check "a rule with wrong outputs" json '' --op t.shape-0 --count 200
is "… its inputs are of rank 4" "$(number 'rank >= 4' both)" -eq 200
is "… some outputs are not as predicted" "$(number total 'right":{"hits')" -lt 200
is "… and some are" "$(number total 'right":{"hits')" -gt 0

check "a rule that only joint moves refute" json '' --op t.tied-0 --count 200
is "… loses precision by these" "$(number 'joint move' said_only)" -gt 0
is "… and these and the others are all" $(($(number 'joint move' said_only) + $(number plain said_only))) -eq "$(number total said_only)"

# ---- single-clause questions

cat >"$tmp/questions" <<'END'
{"op":"t.good-0","clause":0,"breaks":"s1 > 0","in":[5,0]}
{"op":"t.good-0","clause":0,"breaks":"s1 > 0","in":[6,-1]}
{"op":"t.good-0","clause":1,"breaks":"s1 <= s0","in":[5,6]}

{"op":"t.strict-0","clause":0,"breaks":"s1 > 2","in":[5,0]}
{"op":"t.strict-0","clause":0,"breaks":"s1 > 2","in":[5,1]}
{"op":"t.strict-0","clause":0,"breaks":"s1 > 2","in":[5,2]}
{"op":"t.thin-0","clause":0,"breaks":"s1 > 2","in":[6,1]}
END
check "questions about clauses" run '' --questions "$tmp/questions" --count 0 --wrong "$tmp/wrong"
cp "$tmp/out" "$tmp/text"
check "… how many are rejected, of rules with low support and others" grep -qE \
	'^clauses confirmed: 4 of 7 inputs rejected, 57.14 % \([0-9.]+ - [0-9.]+\); thin 0 of 1 inputs rejected, 0.00 % .*; others 4 of 6 inputs rejected, 66.67 % ' "$tmp/text"
check "… which clauses are refuted" grep -qx '2 of 4 clauses are refuted; most accepted first:' "$tmp/text"
check "… the worst first, with an input" sh -c \
	"grep -A1 'inputs  accepted' '$tmp/text' | grep -qE '^ +3 +2  t.strict: s1 > 2 \\(t.strict-0 \\[5,1\\]\\)$'"
check "… each in the file of wrong answers" grep -qx \
	'{"op":"t.strict-0","in":\[5,1\],"said":"invalid","was":"pass","out":\[5\],"drawn":"clause","breaks":"s1 > 2"}' "$tmp/wrong"
check "… and nothing else" test "$(wc -l <"$tmp/wrong")" -eq 3
check "… no table, since there are no inputs" sh -c "! grep -q '^total' '$tmp/text'"
check "questions and inputs" run '' --questions "$tmp/questions" --count 40
cp "$tmp/out" "$tmp/text"
check "… both are told" sh -c "grep -q '^total' '$tmp/text' && grep -q '^clauses confirmed' '$tmp/text'"
check "the same as JSON" json '' --questions "$tmp/questions" --count 0
check "… shares and the worst" grep -qE \
	'"clauses":\{"questions":7,"clauses":4,"refuted":2,.*"all":\{"hits":4,"of":7,.*"thin":\{"hits":0,"of":1,.*"others":\{"hits":4,"of":6,.*"worst":\[\{"api":"t.strict","breaks":"s1 > 2","asked":3,"accepted":2,"op":"t.strict-0","in":\[5,1\]\}' "$tmp/json"
check "questions about some operators" run '' --questions "$tmp/questions" --count 0 --op t.good-0
cp "$tmp/out" "$tmp/text"
check "… all are rejected" grep -q '^clauses confirmed: 3 of 3 inputs rejected, 100.00 %' "$tmp/text"
check "questions without an answer" run '1s/"fail","message":"no"/"mixed"/;2s/"fail","message":"no"/"lost"/' --questions "$tmp/questions" --count 0
cp "$tmp/out" "$tmp/text"
check "… are told" grep -q '7 inputs; not counted: 0 in the records, 1 nondeterministic, 1 lost, 0 errors$' "$tmp/text"
check "… and not counted" grep -q '^clauses confirmed: 2 of 5 ' "$tmp/text"
: >"$tmp/kept"
check "what is accepted, kept" run '' --questions "$tmp/questions" --count 0 --keep
check "… as passing records" grep -qx '{"keep":"t.strict-0","pass":\[\[\[5,1\],\[5\]\]\],"fail":\[\]}' "$tmp/kept"
check "… and saved once" test "$(grep -c '^{"save":true}$' "$tmp/kept")" -eq 1
check "a share that is met" run '' --questions "$tmp/questions" --count 0 --require 0,0,57
expect "a share that is missed" 3 '^rulefuzz verify: error: clauses confirmed 57.14 %; --require asks for 58$' run '' --questions "$tmp/questions" --count 0 --require 0,0,58
bad() { # bad WHAT PATTERN LINE
	echo "$3" >"$tmp/bad"
	expect "$1" 1 "bad:1: error: $2" run '' --questions "$tmp/bad" --count 0
}
bad "questions of other rules" "the rule of 't.good-0' accepts this input: these questions belong to other rules" '{"op":"t.good-0","breaks":"s1 > 0","in":[5,1]}'
bad "questions about no operator" "operator 't.gone-0' has no rule" '{"op":"t.gone-0","breaks":"s1 > 0","in":[5,1]}'
bad "too few numbers" "'t.good-0' takes 2 integers" '{"op":"t.good-0","breaks":"s1 > 0","in":[5]}'
bad "too many" "'t.good-0' takes 2 integers" '{"op":"t.good-0","breaks":"s1 > 0","in":[5,0,0]}'
bad "no integers" "'t.good-0' takes 2 integers" '{"op":"t.good-0","breaks":"s1 > 0","in":[5,"x"]}'
bad "no clause" 'key "breaks"' '{"op":"t.good-0","in":[5,0]}'
bad "no object" 'not an object' '[]'
expect "no file" 1 'nowhere' run '' --questions "$tmp/nowhere" --count 0

# ---- other answers

check "what depends on elements" json 's/"fail"/"mixed"/' --op t.good-0 --count 200
is "… is not counted" "$(number total neither)" -eq 0
is "… but told" "$(whole mixed)" -gt 30
check "what is lost" json 's/"fail"/"lost"/' --op t.good-0 --count 200
is "… is told" "$(whole lost)" -gt 30
check "other outputs" json 's/"fail"/"other"/' --op t.good-0 --count 200
is "… are not valid" "$(number total neither)" -gt 30
check "what the records hold" json '0~2s/}$/,"seen":true}/' --op t.good-0 --count 160
is "… is told" "$(whole seen)" -ge 80
is "… and replaced" $(($(number total both) + $(number total neither))) -ge 150
check "a question that the oracle rejects" json 's/.*/{"error":"no \\"such\\" operator"}/' --op t.good-0 --count 20
is "… is told" "$(whole errors)" -eq 20

# ---- the report

check "all operators" run '' --count 400 --wrong "$tmp/wrong"
cp "$tmp/out" "$tmp/text"
check "… those with a rule" grep -qE ' 6 signatures, 1[0-9]* samples, 1[0-9]* mutants, [1-9][0-9]* joint moves$' "$tmp/text"
check "… a line for each stratum" test "$(grep -cE '^(total|ordinary|zero-size|rank >= 4|rank 0|low support|plain|joint move) ' "$tmp/text")" -eq 8
check "… the APIs that were wrong" grep -q '^5 APIs have wrong answers' "$tmp/text"
check "… but not the one that was right" sh -c "! grep -q 't.good' '$tmp/text'"
check "… each wrong answer in a file" grep -qE \
	'^\{"op":"t.loose-0","in":\[[0-2],[0-9]+\],"said":"valid","predicted":\[[0-2]\],"was":"fail","message":"no","drawn":"(sample|mutant|joint)"\}$' "$tmp/wrong"
check "… with what came out" grep -qE '^\{"op":"t.strict-0","in":\[[0-9]+,[12]\],"said":"invalid","was":"pass","out":\[[0-9]+\]' "$tmp/wrong"
check "what came of each operator" run '' --count 400 --by-op "$tmp/by-op" --wrong "$tmp/wrong"
cp "$tmp/out" "$tmp/other"
check "… the same text" cmp "$tmp/other" "$tmp/text"
check "… a line for each" test "$(wc -l <"$tmp/by-op")" -eq 7
check "… rejected calls that a rule accepted" awk -F '\t' -v rejected="$(grep -c '"t.loose-0".*"said":"valid".*"was":"fail"' "$tmp/wrong")" \
	'$1 == "t.loose-0" { found = $3 >= $4 && $4 == rejected && rejected > 0 } END { exit !found }' "$tmp/by-op"
check "… nothing wrong of the one that was right" grep -qE '^t.good-0	[0-9]+	[1-9][0-9]*	0	0	0$' "$tmp/by-op"
expect "a file that cannot be written" 1 "/nowhere/by-op.*: error: " run '' --op t.good-0 --count 20 --by-op /nowhere/by-op
check "the same seed, the same report" run '' --count 400 --wrong "$tmp/again"
cp "$tmp/out" "$tmp/other"
check "… the same text" cmp "$tmp/other" "$tmp/text"
check "… the same wrong answers" cmp "$tmp/wrong" "$tmp/again"
check "another seed" run '' --count 400 --seed 2 --wrong "$tmp/again"
check "… other inputs" sh -c "! cmp -s '$tmp/wrong' '$tmp/again'"

check "--keep" run '' --count 100 --op 't.[ls]*' --keep
cp "$tmp/out" "$tmp/text"
check "… says so" grep -q '^kept 9 answers as records, in 1 files' "$tmp/text"
check "… failing ones" grep -qE '^\{"keep":"t.loose-0","pass":.*,"fail":\[\[[0-2],[0-9]+\]' "$tmp/kept"
check "… and right ones beside them" grep -qE '^\{"keep":"t.loose-0","pass":\[\[\[[0-9]+,[0-9]+\],\[[0-9]+\]\],.*,"fail"' "$tmp/kept"
check "… a dozen at most" sh -c "test \$(grep '\"t.loose-0\"' '$tmp/kept' | sed 's/,\"fail.*//' | grep -o '\]\]' | wc -l) -le 13"
check "… passing ones" grep -qE '^\{"keep":"t.strict-0","pass":\[\[\[[0-9]+,[12]\],\[[0-9]+\]\]' "$tmp/kept"
check "… true outputs" grep -qE '^\{"keep":"t.shape-0","pass":\[\[\[[-0-9,]+\],\[[0-9]+\]\]' "$tmp/kept"
check "… once saved" test "$(grep -c '^{"save":true}$' "$tmp/kept")" -eq 1

check "targets that are met" run '' --count 100 --op t.good-0 --require 99.5,98
expect "a target that is missed" 3 '^rulefuzz verify: error: precision .* --require asks for 99.5 and 98$' run '' --count 100 --op t.loose-0 --require 99.5,98

# ---- what goes wrong

expect "no such oracle" 5 'the oracle ended with exit code 127' \
	"$fuzz" verify --rules "$tmp/rules.so" --framework t --oracle /nonexistent/oracle --count 10
expect "an oracle that dies" 5 'the oracle ended with exit code 7' \
	"$fuzz" verify --rules "$tmp/rules.so" --framework t --oracle 'read -r line; echo "{\"outcome\":\"pass\"}"; exit 7' --count 10
expect "an oracle that is killed" 5 'the oracle was killed by signal 9' \
	"$fuzz" verify --rules "$tmp/rules.so" --framework t --oracle 'kill -9 $$' --count 10
expect "an answer that is not JSON" 5 'not JSON' run 's/.*/nonsense/' --count 10
expect "an answer without an outcome" 5 'has no outcome' run 's/.*/{}/' --count 10
expect "an oracle that cannot keep" 5 'did not keep' run 's/"kept":3/"error":"no"/' --count 100 --keep
expect "a misspelt operator" 2 "no signature of t matches 't.loose'; did you mean t.loose-0[?]$" run '' --op t.loose
expect "no such operator" 2 "no signature of t matches 'nothing'; try" run '' --op nothing
expect "no such framework" 2 "no rules of 'u'; try" "$fuzz" verify --rules "$tmp/rules.so" --framework u
expect "a count that is none" 2 'count: expected a whole number >= 1' run '' --count 0
expect "targets that are none" 2 "expected two or three percentages from 0 to 100, such as 99.5,98, got '99'" run '' --require 99
for wrong in 99,9,9,9 '' , 99, ,98 99,98, '99;98' '99 98' 99x98 99,98x 99,98,57x x,98 99,x -1,98 99,101 99,98,-0.1 100.01,1 nan,1; do
	expect "targets that cannot be: '$wrong'" 2 "expected two or three percentages from 0 to 100, such as 99.5,98, got '$wrong'" run '' --require "$wrong"
done
expect "an unknown option" 2 'unknown option' run '' --nonsense
expect "an argument" 2 'unexpected argument' run '' argument
check "--help" sh -c "'$fuzz' verify --help | grep -q 'usage: rulefuzz verify'"
echo "1..$n"
