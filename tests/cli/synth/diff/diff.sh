# rulesmith diff: two versions answer the same calls; differences are reported by API and cause, with an example
# call. Versions are shell scripts with one planted fault each; each fault is reported for its API only.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith") version="sh tests/data/oracle/version.sh"
records=tests/data/oracle/records
differ() { # differ OLD NEW [OPTION…]: compares versions with these faults
	old=$1 new=$2
	shift 2
	"$smith" diff "$version 1 $old" "$version 2 $new" --traces $records --cache none "$@"
}
gives() { # gives WHAT EXIT COMMAND…: that exit code; what was printed is in $tmp/said
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/said" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/err" | head -20
	fi
}
has() { grep -qE -- "$1" "$tmp/said"; }
none() { ! has "$1"; }
planted() { # planted FAULT WORDS CALL: a fault of t.pool, reported for it alone
	gives "$1 is reported" 3 differ none t.pool:"$1"
	check "… as '$2'" has "^  $2"
	check "… with a call" has "^    $3"
	check "… at that API" has '^t\.pool$'
	check "… and at no other" none '^t\.narrow$'
	check "… one API with differences" has '; 1 APIs differ'
}

gives "two sides with equal answers" 0 differ none none
check "… are reported" has '^from t 1 to t 2: [0-9]+ calls of 2 APIs, 0 undecided; 0 APIs differ$'
check "… and no removed API" none '^APIs'
gives "a rejection with another message is no difference" 0 differ none t.pool:other-words

pool='t\.pool\(float32\[[0-9]+\], [0-9-]+, [0-9-]+, [0-9-]+\)'
planted less 'accepts less \([0-9]+ of [0-9]+ calls\): ValueError: no N any more' "$pool"
check "… with B's message" has '^      t 2: rejects: ValueError: no 3 any more'
check "… and A's output" has '^      t 1: accepts, float32 \[[0-9]+\]$'
planted more 'accepts more .*: ValueError: bad window N' "$pool"
planted shape 'different shape' "$pool"
check "… with both shapes" has '^      t 2: accepts, float32 \[99\]'
planted dtype 'different dtype .*: float32 becomes float64' "$pool"
planted elements 'depends on elements .*: it depends' "$pool"
planted absent 'removed .*: AttributeError: no t.pool' "$pool"
planted dies 'crashes .*: killed by SIGSEGV' "$pool"
planted half 'accepts less \(1 of [0-9]+ calls\): ValueError: not implemented for Half' 't\.pool\(float16\['
gives "… is not searched with --no-dtypes" 0 differ none t.pool:half --no-dtypes
gives "a process that ends" 3 differ none t.pool:ends --each 100
check "… is reported as well" has '^  crashes \(1 of [0-9]+ calls\): the process that was asked ended'
check "… for the call that ends it" has '^    t\.pool\(float32\[5\], 3, 3, 1\)'
gives "in the other direction" 3 differ t.pool:less none
check "… accepts more" has '^  accepts more'
gives "a call that kills A" 3 differ t.pool:dies none
check "… no longer kills B" has '^  no longer crashes .*: killed by SIGSEGV'
gives "an API that A lacks" 3 differ t.narrow:absent none
check "… is new" has '^  added '

gives "a difference that is not reproducible" 0 differ none t.pool:once
check "… is counted" grep -qE '^[1-9][0-9]* differences were not reproduced' "$tmp/said"

gives "a difference in all calls" 3 differ none t.pool:more --json
first=$(sed -n 's/.*"in":\[\([0-9,-]*\)\].*/\1/p' "$tmp/said" | head -1)
gives "… and its smallest call by chance" 3 differ none "t.pool:but=$first" --json
check "… is shown with another call" sh -c "grep -q '\"change\":\"more\"' '$tmp/said' && ! grep -qF '\"in\":[$first]' '$tmp/said'"

true >"$tmp/asked" # of the new version alone
gives "a difference that repeats four times by chance" 0 "$smith" diff "$version 1" "VERSION_LOG=$tmp/asked $version 2 t.pool:chance" \
	--traces $records --cache none --no-signatures
check "… is counted as well" grep -qE '^[1-9][0-9]* differences were not reproduced' "$tmp/said"

gives "a removed API and an added one" 3 differ none t.narrow:gone
check "… by name" sh -c "grep -q '^APIs removed, 1: t.narrow$' '$tmp/said' && grep -q '^APIs added, 1: t.young$' '$tmp/said'"
gives "… is not searched with --no-signatures" 0 differ none t.narrow:gone --no-signatures
gives "a renamed argument" 3 differ none t.narrow:renamed
check "… in both" grep -q '^  argument renamed: start to begin$' "$tmp/said"
gives "an added argument" 3 differ none t.pool:argument
check "… by name" grep -q '^  argument added: out$' "$tmp/said"
check "… with a call" grep -qE "^    $pool" "$tmp/said"
check "… and both signatures" sh -c "grep -qF 'only t 1: [\"(x,kernel,stride,padding)\"]' '$tmp/said' && grep -qF 'only t 2: [\"(x,kernel,stride,padding,out)\"]' '$tmp/said'"

gives "JSON" 3 differ none t.pool:less --json
cp "$tmp/said" "$tmp/first"
check "… reads" python3 - "$tmp/first" <<'P'
import json, sys
report = json.load(open(sys.argv[1]))
[api] = report["apis"]
[change] = api["changes"]
assert report["difference"] == 1 and report["a"] == {"name": "t 1", "live": True, "versions": {"t": "1"}}, report
assert api["api"] == "t.pool" and api["asked"] > 10
assert change["change"] == "less" and change["b"]["answer"] == "rejects" and change["a"]["dtypes"] == "float32"
assert change["op"] == "t.pool-0" and change["in"][1] == 3 and str(change["in"][0]) in change["example"]
assert report["same"] + report["undecided"] + change["calls"] == report["asked"]
P
gives "a second run" 3 differ none t.pool:less --json -o "$tmp/second"
check "… the same bytes" cmp "$tmp/first" "$tmp/second"
check "the smallest call is shown" sh -c "grep -q '\"in\":\[[0-9],3,1,[01]\]' '$tmp/first'"

echo '{"op":"t.pool-0","in":[63,61,1,0]}' >"$tmp/calls"
gives "--calls" 3 differ none t.pool:less --each 0 --draws 0 --no-dtypes --calls "$tmp/calls"
check "… is queried" grep -q 't.pool(float32\[63\], 61, 1, 0)' "$tmp/said"
gives "… and no other call" 0 differ none t.narrow:less --each 0 --draws 0 --calls "$tmp/calls"
gives "--op" 0 differ none t.pool:less --op 't.n*'
echo '{"op":"t.other-0","in":[1]}' >"$tmp/other"
expect "calls of unknown operators" 0 '^diff: skipped 1 calls of signatures without records' differ none none --calls "$tmp/other"
echo '{"op":"t.pool-0","in":["x",1,1,0]}' >"$tmp/bad"
expect "bad calls" 1 'bad:1: error: "in" is not a list of integers' differ none none --calls "$tmp/bad"

# A version's answers are kept: the second run repeats none of the first one's queries, and an interrupted run
# resumes.
keep() { VERSION_LOG=$tmp/$1 "$smith" diff "$version 1" "$version 2 t.pool:less" --traces $records --no-signatures --cache "$tmp/cache" >"$tmp/$1.out"; }
keep one
keep two
check "answers are kept" sh -c "grep '\"op\":' '$tmp/two' | grep -v know | grep -v alone | wc -l | grep -qx ' *0'"
check "… and differ as before" cmp "$tmp/one.out" "$tmp/two.out"
for log in "$tmp"/cache/*.log; do head -c 2000 "$log" >"$tmp/part" && cp "$tmp/part" "$log"; done
keep three
check "an interrupted run resumes" cmp "$tmp/one.out" "$tmp/three.out"
check "… with its kept answers" sh -c "[ \$(grep -c '\"in\":' '$tmp/three') -lt \$(grep -c '\"in\":' '$tmp/one') ]"
check "… and then has all" sh -c "'$smith' diff '$version 1' '$version 2 t.pool:less' --traces $records --no-signatures --cache '$tmp/cache' | cmp - '$tmp/one.out'"

# Rules: of few records and of more.
"$smith" synth --traces $records -o "$tmp/few.jsonl" -j1 2>/dev/null
cp -r $records "$tmp/true" && chmod -R u+w "$tmp/true"
"$smith" refine --oracle "sh tests/data/oracle/fake.sh $tmp/true" --traces "$tmp/true" -j1 2>/dev/null
"$smith" synth --traces "$tmp/true" -o "$tmp/true.jsonl" -j1 2>/dev/null
gives "a rules file and itself" 0 "$smith" diff "$tmp/true.jsonl" "$tmp/true.jsonl"
gives "rules of few records and of more" 3 "$smith" diff "$tmp/few.jsonl" "$tmp/true.jsonl"
check "… differ" grep -qE '^  (accepts|different shape)' "$tmp/said"
sed 's|"valid":\["s1 >= 0"|"valid":["s1 >= 0","s0 != 41"|; s|"valid":\["s2 >= 0"|"valid":["s2 >= 0","s0 != 41"|' "$tmp/true.jsonl" >"$tmp/gap.jsonl"
if cmp -s "$tmp/gap.jsonl" "$tmp/true.jsonl"; then not_ok "the rule with a gap exists"; else ok "a rule with a gap was made"; fi
gives "a gap far from every record" 3 "$smith" diff "$tmp/true.jsonl" "$tmp/gap.jsonl" --each 0 --draws 0
check "… is found by Z3" grep -qE 't\.[a-z]+\(float32\[41\]' "$tmp/said"
gives "rules and a version" 0 "$smith" diff "$tmp/true.jsonl" "$version 2" --cache none
gives "rules and a version that accepts less" 3 "$smith" diff "$tmp/true.jsonl" "$version 2 t.pool:less" --cache none
check "… by the missing clause" grep -q '^  accepts less .*no N any more' "$tmp/said"

# A Python is started outside the checkout, with the collector that is beside the program.
here=$PWD
cat >"$tmp/python" <<END
#!/bin/sh
python3 -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("traces.collect.upgrade") is None)' || exit 9
cd "$here"
exec $version 1
END
chmod +x "$tmp/python"
outside() { (cd / && PYTHONPATH='' "$smith" diff "$tmp/python" "$tmp/python" --traces "$here/$records" --framework t --cache none "$@"); }
gives "a Python, outside the checkout" 0 outside

expect "a side that does not start" 5 'cannot start' "$smith" diff 'exit 2' "$version 2" --traces $records --cache none
expect "a folder that is no virtual environment" 5 'error' "$smith" diff "$tmp" "$version 2" --traces $records --cache none
expect "bad rules" 1 'not_json.jsonl:1: error' "$smith" diff tests/bad/not_json.jsonl "$tmp/true.jsonl"
expect "bad records" 1 'not_json.jsonl:1: error' "$smith" diff "$version 1" "$version 2" --traces tests/bad/not_json.jsonl
expect "an unwritable output" 1 'nowhere' differ none t.pool:less -o "$tmp/nowhere/file"
expect "an unwritable cache" 5 'error' "$smith" diff "$version 1" "$version 2" --traces $records --cache /dev/null/x
expect "no records" 2 'traces is required unless' "$smith" diff "$version 1" "$version 2"
expect "one side only" 2 'expected A and B, each' "$smith" diff "$version 1" --traces $records
expect "an invalid number" 2 'expected a whole number >= 0, got many' differ none none --each many
check "--help" sh -c "'$smith' diff --help | grep -q 'usage: rulesmith diff A B'"
echo "1..$n"
