# rulefuzz coverage: models from files and generated, the three forms of the report, bad input.
. tests/cli/tap.sh
cov="$BUILD/rulefuzz coverage"
gen="$BUILD/rulefuzz gen"
body() { sed 1d "$1"; } # of a text report: all but where the models came from
said() { # said WHAT PATTERN: the last output has a line that matches
	if grep -qE -- "$2" "$tmp/out"; then ok "$1"; else not_ok "$1"; fi
}

# A model by hand: two relus and an add, told as graph_write_json does.
call() { # call OP API IN… OUT: one node of [2,3] tensors; IN are "name":id
	printf '{"op":"%s","api":"%s","args":[%s],"outputs":[{"id":%s,"shape":[2,3],"dtype":"float32"}]}' "$1" "$2" "$3" "$4"
}
arg() { printf '{"name":"%s","pos":true,"value":{"ref":%s}}' "$1" "$2"; }
model() { # model FRAMEWORK: a → relu → relu → add(·, ·)
	printf '{"model":1,"framework":"%s","seed":0,"index":0,"values":1,"inputs":[{"id":0,"shape":[2,3],"dtype":"float32"}],"nodes":[' "$1"
	printf '%s,' "$(call $1.relu-0 $1.relu "$(arg a 0)" 1)" "$(call $1.relu-0 $1.relu "$(arg a 1)" 2)"
	printf '%s],"outputs":[3]}\n' "$(call $1.add-0 $1.add "$(arg a 2),$(arg b 2)" 3)"
}
model x >"$tmp/hand.json"
check "a framework without rules: what is seen counts" $cov "$tmp/hand.json"
said "… nodes" '^nodes +3, 0 of them outside'
said "… edges and paths: both uses of one tensor" '^edges +3 between nodes, 2 paths of two'
said "… OTC" '^OTC +% +100\.00 '
said "… ODC: relu 1 and 2, add 0" '^ODC +1\.50 '
said "… SEC: relu relu, relu add, of 4" '^SEC +% +50\.00 '
said "… DEC: relu relu add, of 8" '^DEC +% +12\.50 '
said "… SPC" '^SPC +1\.00 '
said "… NOT" '^NOT +2\.00 '
said "… NOP" '^NOP +2\.00 '
said "… NTR" '^NTR +1\.00 '
said "… NSA: the relus alike, the add" '^NSA +2\.00 '
said "… rank 2 only" '^2 +100\.00 % +100\.00 % +2$'
{ cat "$tmp/hand.json"; echo; cat "$tmp/hand.json"; } >"$tmp/two.jsonl"
check "a line a model" sh -c "$cov $tmp/two.jsonl | grep -q '^models      2 '"
check "standard input" sh -c "$cov - <$tmp/two.jsonl | grep -q '^models      2 '"
mkdir "$tmp/dir" && cp "$tmp/two.jsonl" "$tmp/hand.json" "$tmp/dir" && echo nothing >"$tmp/dir/README"
check "a folder" sh -c "$cov $tmp/dir | grep -q '^models      3 of x, read from 2 files'"
check "a folder and a file" sh -c "$cov $tmp/dir $tmp/hand.json | grep -q '^models      4 '"

printf '# two of the types, and one that is not there\nx.relu 1 0..2\nx.add  2,3  -  # no more\n\nx.sub - 1\n' >"$tmp/corpus"
check "a corpus from a file" $cov --corpus "$tmp/corpus" --maxspc 2 --list "$tmp/hand.json"
said "… three types" '^corpus .*: 3 APIs$'
said "… OTC" '^OTC +% +66\.67 '
said "… IDC: 1, 1/2, 0" '^IDC +% +50\.00 '
said "… parts: ODC 2/3, 1/6, 0; SPC 1/2, 1/2, 0" '^OTC 66\.7 % +IDC 50\.0 % +ODC 27\.8 % +SEC 22\.2 % +SPC 33\.3 % +OLC 40\.0 %'
said "… a row a type" '^ +1 +1/2 +1/6 +0 +0 +1 .* x\.add$'
said "… and what was not met" '^ +0 +0/0 +0/1 +0 +0 +0 +0\.0%  x\.sub$'
check "out-degrees and weights" $cov --corpus "$tmp/corpus" --out-degrees 0..1 --olc-weights 0,0,1,0,0 "$tmp/hand.json"
said "… only what is weighed" 'ODC 38\.9 % .*OLC 38\.9 %'
printf 'x.relu\n' >"$tmp/small"
check "nodes outside a corpus" sh -c "$cov --corpus $tmp/small $tmp/hand.json | grep -q '^nodes       3, 1 of them outside'"

# Chains keep their own floats. A file with such a float has no signature of the table, hence no sampler.
check "generated" sh -c "$cov --framework onnx --count 40 --nodes 1..30 --chains 0 --seed 5 >$tmp/a"
check "… the same as from files" sh -c "$gen --framework onnx --count 40 --nodes 1..30 --chains 0 --seed 5 | $cov - >$tmp/b; sed 1d $tmp/a >$tmp/c; sed 1d $tmp/b | cmp - $tmp/c"
check "… the same twice" sh -c "$cov --framework onnx --count 40 --nodes 1..30 --seed 5 --json >$tmp/a; LC_ALL=C.UTF-8 $cov --framework onnx --count 40 --nodes 1..30 --seed 5 --json | cmp - $tmp/a"
check "… a part of a run" sh -c "$cov --count 10 --first 30 | sed 1d >$tmp/a; $gen --count 10 --first 30 | $cov - | sed 1d | cmp - $tmp/a"
check "a set" $cov --framework onnx --strategy isra --ops isra65 --nodes 1..200 --count 300
said "… is the corpus" '^corpus      isra65: 65 APIs'
said "… nothing else is generated" ' 0 of them outside'
said "… every operator of it" '^OTC +% +100\.00 '
check "a set as the corpus of others" sh -c "$gen --framework onnx --count 20 | $cov --corpus isra65 - | grep -q '^corpus      isra65: 65 APIs'"

check "JSON" sh -c "$cov --framework onnx --count 20 --json >$tmp/json"
check "… is JSON" sh -c "command -v python3 >/dev/null || exit 0; python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); t=d[\"types\"]; assert d[\"schema\"]==1 and sum(x[\"nodes\"] for x in t)==d[\"nodes\"]>=100 and d[\"growth\"][-1][\"models\"]==20 and sum(x[\"tensors\"] for x in d[\"ranks\"].values())==d[\"tensors\"]==sum(x[\"tensors\"] for x in d[\"dtypes\"].values())' $tmp/json"
check "… has the metrics" grep -q '"isra":{"OTC":[0-9.]*,"IDC":.*"NSA":[0-9.]*}' "$tmp/json"
check "a page" sh -c "$cov --framework onnx --count 20 --html $tmp/page.html >/dev/null"
check "… with charts" sh -c "[ \$(grep -c '<svg ' $tmp/page.html) -ge 8 ]"
check "… and nothing from elsewhere, no script" sh -c "! grep -qiE '<script|<link|<img|src=|href=|url\(|@import' $tmp/page.html"
check "… well-formed" sh -c "command -v xmllint >/dev/null || exit 0; sed 's/<meta [^>]*>//g; s/<!DOCTYPE html>//' $tmp/page.html | xmllint --noout -"
check "… no NaN or infinity" sh -c "! grep -qE '[\"> ](-?nan|-?inf)[\" <]' $tmp/page.html"
printf 'x.a<b>&c\n' >"$tmp/odd"
check "… a name that HTML would take for its own" sh -c "$cov --corpus $tmp/odd --html $tmp/odd.html $tmp/hand.json >/dev/null && grep -q 'a&lt;b&gt;&amp;c' $tmp/odd.html && ! grep -q 'a<b>' $tmp/odd.html"

check "help" sh -c "$cov --help | grep -q -- --out-degrees"
expect "no models" 2 'no models' $cov
expect "generation and files at once" 2 'options for generated models and MODELS .* exclude each other' $cov --seed 1 "$tmp/hand.json"
expect "a misspelt corpus" 2 "no operator set and no file 'isra56'; did you mean isra65[?]$" $cov --corpus isra56 "$tmp/hand.json"
expect "no such corpus" 2 "no operator set and no file 'nothing'; try" $cov --corpus nothing "$tmp/hand.json"
expect "a set of another framework" 2 'isra65 is a set of onnx operators, and the models are of x' $cov --corpus isra65 "$tmp/hand.json"
expect "four weights" 2 'five whole numbers' $cov --olc-weights 1,1,1,1 "$tmp/hand.json"
expect "six weights" 2 'five whole numbers' $cov --olc-weights 1,1,1,1,1,1 "$tmp/hand.json"
expect "no weight" 2 'not all 0' $cov --olc-weights 0,0,0,0,0 "$tmp/hand.json"
expect "an empty range" 2 'with A <= B' $cov --out-degrees 3..2 "$tmp/hand.json"
expect "no vectors" 2 'whole number' $cov --maxspc 0 "$tmp/hand.json"
expect "an unknown option" 2 'try' $cov --nothing
expect "a missing file" 1 'none.json' $cov "$tmp/none.json"
expect "no JSON" 1 'README:1: error' $cov "$tmp/dir/README"
mkdir "$tmp/empty"
expect "an empty folder" 1 '/empty: error: no .json or .jsonl file in the folder$' $cov "$tmp/empty"
check "files of the framework's own format" $gen --framework onnx --format onnx --count 3 -o "$tmp/files"
expect "… are not read, and it says so" 1 '/files: error: no .json or .jsonl file in the folder, but 3 .onnx files; coverage reads JSON models: write them with .rulefuzz gen --format json' \
	$cov "$tmp/files"
expect "… nor is one of them" 1 'onnx-0-1.onnx: error: not a JSON model' $cov "$tmp/files/onnx-0-1.onnx"
: >"$tmp/empty/no.jsonl"
expect "a file without models" 1 '/empty: error: no model in 1 file; expected JSON models' $cov "$tmp/empty"
expect "an API that there is not" 2 "no API of torch matches 'conv2d'; did you mean" $cov --api conv2d --count 3
model y >"$tmp/other.json"
expect "two frameworks" 1 'other.json:1: error: a model of y among models of x' $cov "$tmp/hand.json" "$tmp/other.json"
expect "another framework than told" 1 'a model of x among models of onnx' $cov --framework onnx "$tmp/hand.json"
for bad in 1..x 5..2 1, 2000 a 1-2; do
	printf 'x.relu 1\nx.add %s\n' "$bad" >"$tmp/bad"
	expect "bad degrees: $bad" 1 'bad:2: error: expected degrees' $cov --corpus "$tmp/bad" "$tmp/hand.json"
done
printf 'x.relu 1 2 3\n' >"$tmp/bad"
expect "a word too many" 1 'bad:1: error: more than' $cov --corpus "$tmp/bad" "$tmp/hand.json"
printf '# nothing\n' >"$tmp/bad"
expect "an empty corpus" 1 'bad: error: no operator in the file' $cov --corpus "$tmp/bad" "$tmp/hand.json"
expect "a full disk" 1 'cannot write' sh -c "$cov $tmp/hand.json >/dev/full"
expect "a page nowhere" 1 'error' $cov --html "$tmp/no/such/dir/page.html" "$tmp/hand.json"
echo "1..$n"
