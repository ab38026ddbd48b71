#!/bin/sh
# rulesmith emit: golden files, bad rules, written and untouched files. UPDATE=1 rewrites the golden files; read
# the diff before committing it.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
case $smith in /*) ;; *) smith=$PWD/$smith ;; esac
CFLAGS_STRICT='-std=gnu11 -Wall -Wextra -Werror -iquote runtime/include -O1 -fPIC'

emit() { "$smith" emit "$@"; }
all_of() { (cd "$1" && find . -type f -not -path './batches/*' | LC_ALL=C sort | while read -r f; do echo "==== $f"; cat "$f"; done); }
compile() { # compile DIR SO [COMPILER]
	${3:-${CC:-cc}} $CFLAGS_STRICT -shared "$1"/*.c "$1"/*/*.c -o "$2"
}

# ---- golden: rules and the C for them, side by side

for rules in tests/golden/*.jsonl; do
	name=$(basename "$rules" .jsonl)
	rm -rf "$tmp/c"
	check "golden $name: emits" emit -q "$rules" -o "$tmp/c"
	all_of "$tmp/c" >"$tmp/c.txt"
	[ -z "$UPDATE" ] || cp "$tmp/c.txt" "tests/golden/$name.c.txt"
	check "golden $name: as expected" diff -u "tests/golden/$name.c.txt" "$tmp/c.txt"
	check "golden $name: compiles without a warning" compile "$tmp/c" "$tmp/$name.so"
	check "golden $name: exports rs_apis and rs_rules only" test "$(nm -D --defined-only "$tmp/$name.so" | awk '{ print $3 }' | grep -v '^_' | LC_ALL=C sort | tr '\n' ' ')" = "rs_apis rs_rules "
	if command -v clang >/dev/null; then
		check "golden $name: also with clang" compile "$tmp/c" "$tmp/clang.so" clang
	fi
	# Rows of data have a line each.
	check "golden $name: no line of code beyond 120 columns" sh -c \
		"! grep -rhv '^ \\*' '$tmp/c' | grep -v '\"\|^[A-Z]*(' | expand | grep -E '^.{121}' | grep -v '^/'"
done

# ---- the same bytes in any folder; only changed files are written; only our own stale files are deleted

small=tests/data/rules/small.jsonl
check "emit" emit "$small" -o "$tmp/one"
cp "$tmp/err" "$tmp/told"
check "… prints the totals" grep -q ' functions in 27 files, 0\.0 MB; 0 stale files removed$' "$tmp/told"
cp "$small" "$tmp/copy.jsonl"
(cd "$tmp" && LC_ALL=de_DE.UTF-8 "$smith" emit -q copy.jsonl -o two/deep)
check "same bytes from another folder and locale" diff -r "$tmp/one" "$tmp/two/deep"
emit -q "$small" -j 1 -o "$tmp/single" && emit -q "$small" -j 3 -o "$tmp/threads"
check "same bytes with one thread" diff -r "$tmp/one" "$tmp/single"
check "same bytes with three threads" diff -r "$tmp/one" "$tmp/threads"
{ head -1 "$small"; tail -n +2 "$small" | sort -r; } >"$tmp/reversed.jsonl"
check "same bytes from lines in another order" emit "$tmp/reversed.jsonl" -o "$tmp/three"
check "… that really differ" diff -r "$tmp/one" "$tmp/three"
find "$tmp/one" -type f -exec touch -d '2001-01-01' {} +
emit -q "$small" -o "$tmp/one"
check "an unchanged file is not touched" test -z "$(find "$tmp/one" -newermt 2002-01-01 -type f)"
echo 'int mine;' >"$tmp/one/torch/mine.c"
echo 'note' >"$tmp/one/README"
{ echo '{"rules":1,"operators":1,"solved":1}'; grep '"torch.relu-0"' "$small"; } >"$tmp/fewer.jsonl"
emit -q "$small" -o "$tmp/one/other"
emit -q "$tmp/fewer.jsonl" -o "$tmp/one"
check "a library within the folder stays" test -e "$tmp/one/other/index.c" -a -e "$tmp/one/other/torch/matmul.c"
rm -r "$tmp/one/other"
check "a stale file is removed" test ! -e "$tmp/one/torch/matmul.c"
check "needed files stay" test -e "$tmp/one/torch/relu.c"
check "foreign files stay" test -e "$tmp/one/torch/mine.c" -a -e "$tmp/one/README"
echo '{"rules":1,"operators":0,"solved":0}' >"$tmp/none.jsonl"
rm "$tmp/one/torch/mine.c"
check "no operators" emit "$tmp/none.jsonl" -o "$tmp/one"
check "… leaves no folder behind" test ! -e "$tmp/one/torch"
check "… and still compiles" ${CC:-cc} $CFLAGS_STRICT -c "$tmp/one/index.c" -o "$tmp/index.o"

# ---- batches: each file with code in one of them, but tables, API rules and the index

batched() { # batched DIR: its .c files with code, and those that its batches include, are the same
	(cd "$1" && find . -mindepth 2 -maxdepth 2 -name '*.c' -not -name table.c -not -name api_rules.c -not -path './forms/*' -exec grep -l '^#include' {} + | LC_ALL=C sort) >"$tmp/alone"
	cat "$1"/batches/*.inc | sed -n 's|^#include "\.\./\(.*\)"$|./\1|p' | LC_ALL=C sort >"$tmp/included"
	diff "$tmp/alone" "$tmp/included"
}
emit -q "$small" -o "$tmp/batched"
check "each file is compiled in one batch" batched "$tmp/batched"
check "… at least two batches" test "$(find "$tmp/batched/batches" -name '*.inc' | wc -l)" -gt 1
check "so is each file of generated/" batched generated
check "… and of generated/forms" batched generated/forms
whole() { # whole DIR: batches, tables, API rules and the index make a library
	for f in "$1"/index.c "$1"/*/table.c "$1"/*/api_rules.c "$1"/batches/*.inc; do
		${CC:-cc} $CFLAGS_STRICT -x c -c "$f" -o "$tmp/whole_$(echo "${f#"$1"/}" | tr / _).o" || return 1
	done
	${CC:-cc} -shared "$tmp"/whole_*.o -o "$tmp/whole.so" && ! nm -D --undefined-only "$tmp/whole.so" | grep torch_
}
check "batches, tables and the index are a library" whole "$tmp/batched"
emit -q "$tmp/fewer.jsonl" -o "$tmp/batched"
check "a batch without files is removed" test "$(find "$tmp/batched/batches" -name '*.inc' | wc -l)" -eq 2
check "… and no other" batched "$tmp/batched"

# ---- records of an operator with a rule: symbols only, since the rule computes the outputs

emit -q tests/golden/pool.jsonl -o "$tmp/kept"
check "a record without its outputs" grep -qF '1,"138822220011", OUT(' "$tmp/kept/torch/table_00.h"
sed 's/1,3,4,4\]\]/1,3,4,5]]/' tests/golden/pool.jsonl >"$tmp/pool.jsonl"
emit -q "$tmp/pool.jsonl" -o "$tmp/none"
check "a record whose outputs differ from the rule is excluded" grep -q '\.nrecords = 0' "$tmp/none/torch/table_00.h"

for wide in 208:16 32768:32 2147483648:64; do
	sed "s/\[\[1,3,8,8,/[[${wide%:*},3,8,8,/; s/1,3,4,4\]\]/${wide%:*},3,4,4]]/" tests/golden/pool.jsonl >"$tmp/pool.jsonl"
	emit -q "$tmp/pool.jsonl" -o "$tmp/wide"
	check "a record with ${wide%:*} is stored in ${wide#*:} bits" grep -q "RECORDS${wide#*:}(1, ${wide%:*}," "$tmp/wide/torch/table_00.h"
done
sed 's/\[\[1,3,8,8,/[[207,3,8,8,/; s/1,3,4,4\]\]/207,3,4,4]]/' tests/golden/pool.jsonl >"$tmp/pool.jsonl"
emit -q "$tmp/pool.jsonl" -o "$tmp/wide"
check "a record with 207 is stored as characters" grep -qF '1,"\3773' "$tmp/wide/torch/table_00.h"

# ---- an operator of the maximum size: 128 symbols, 1024 output dimensions

awk 'BEGIN {
	print "{\"rules\":1,\"operators\":1,\"solved\":1}"
	printf "{\"op\":\"torch.big-0\",\"api\":\"torch.big\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":["
	for (i = 0; i < 128; i++) printf "%s\"s%d\"", i ? "," : "", i
	printf "]}],\"outputs\":["
	for (i = 0; i < 8; i++) {
		printf "%s{\"dtype\":\"float32\",\"tensor\":[", i ? "," : ""
		for (j = 0; j < 128; j++) printf "%s\"o%d\"", j ? "," : "", i * 128 + j
		printf "]}"
	}
	printf "],\"nsym\":128,\"passed\":1,\"failed\":0,\"out\":["
	for (i = 0; i < 1024; i++) printf "%s\"s%d*s%d*s%d//s%d + %d\"", i ? "," : "", i % 128, i % 127, i % 126, i % 125, i
	printf "],\"valid\":[\"s0"
	for (i = 1; i < 128; i++) printf " + %d*s%d", i, i
	print " > 0\"],\"id\":\"0123456789abcdef\"}"
}' >"$tmp/big.jsonl"
check "128 symbols and 1024 output dimensions" emit "$tmp/big.jsonl" -o "$tmp/big"
check "… compile" compile "$tmp/big" "$tmp/big.so"

# ---- bad rules: path:line: error:, exit 1, nothing written

h='{"rules":1,"operators":1,"solved":1}'
good='"api":"torch.f","args":[{"name":"x","pos":true,"value":{"tensor":["s0","s1"],"dtype":"float32"}}],"outputs":[{"tensor":["o0"],"dtype":"float32"}],"nsym":2,"passed":1,"failed":0'
rule='"out":["s0"],"valid":["s1 > 0"],"id":"0123456789abcdef"'
bad() { # bad WHAT PATTERN LINE…: the lines as a file
	what=$1 pattern=$2
	shift 2
	printf '%s\n' "$@" >"$tmp/bad.jsonl"
	expect "bad rules: $what" 1 "^$tmp/bad.jsonl:$pattern" emit "$tmp/bad.jsonl" -o "$tmp/never"
}
edit() { printf '%s' "{\"op\":\"torch.f-0\",$good,$rule}" | sed "$1"; }
printf '%s\n' "$h" "$(edit '')" >"$tmp/well.jsonl"
check "the base line of the following cases is valid" emit -q "$tmp/well.jsonl" -o "$tmp/well"

# Pages: one that would end its comment, and one without a representative.
paged() { edit "s|\"id\"|\"family\":\"torch.f-0\",\"defaults\":$1,\"id\"|; s|\"api\"|\"version\":\"*/ int evil; /*\",&|"; }
printf '%s\n' "$h" "$(paged '{"x":"1"}')" >"$tmp/page.jsonl"
check "a hostile page" emit -q "$tmp/page.jsonl" -o "$tmp/page"
check "… compiles" compile "$tmp/page" "$tmp/page.so"
check "… and cannot end the comment" grep -qF '* / int evil; / *' "$tmp/page/torch/f.c"
printf '%s\n' "$h" "$(edit 's|"id"|"family":"torch.other-1","id"|')" >"$tmp/page.jsonl"
check "an API rule without a representative" emit -q "$tmp/page.jsonl" -o "$tmp/orphan"
check "… prints the signature's own rule" grep -q '^ \*     x\[1\] > 0$' "$tmp/orphan/torch/f.c"
check "… and not that all shapes are accepted" sh -c "! grep -q 'all recorded shapes' '$tmp/orphan/torch/f.c'"
# API rules: one whose instance is the signature's rule, and others.
ruled() { edit "s|\"id\"|\"family\":\"torch.f-0\",\"api_rule\":$1,\"id\"|"; }
tree='{"version":1,"defaults":{},"accept":[{"signatures":["torch.f-0"],"clauses":[{"is":[">",["at",["dims","x"],1],0]}]}],"shapes":[{"signatures":["torch.f-0"],"outputs":[{"rank":{"plus":-1,"lists":[["dims","x"]]},"dims":[{"range":{"from":"left"},"is":["at",["dims","x"],["i",0]]}]}]}]}'
printf '%s\n' "$h" "$(ruled "$tree")" >"$tmp/tree.jsonl"
check "an API rule" emit -q "$tmp/tree.jsonl" -o "$tmp/tree"
check "… is C, with a line for the signature" grep -q '^VALID(torch_valid_.*torch_f(FROM(0, 2))' "$tmp/tree/torch/f.c"
check "… and byte code" grep -qF '"torch.f\0Ax\0A@A@A@B@@BA@\\@' "$tmp/tree/torch/api_rules.c"
for edit in 's/\],0\]}/],1]}/' 's/"plus":-1/"plus":0/' 's/\["i",0\]/["i",1]/' 's/"dims","x"\],1/"dims","x"],0/'; do
	bad "an API rule without an instance ($edit)" '2: error: key "api_rule": the rule of "torch.f-0" is no instance' "$h" \
		"$(ruled "$(printf '%s' "$tree" | sed "$edit")")"
done
bad "an API rule of no version" '2: error: key "api_rule": expected a whole number from 1 to 1' "$h" "$(ruled '{"version":7}')"
bad "an API rule of others" '2: error: key "api_rule": "torch.g-0" is no signature of the rule' "$h" "$(ruled "$(printf '%s' "$tree" | sed 's/torch.f-0/torch.g-0/')")"
bad "no header" '1: error: expected the header' "$(edit '')"
bad "another format" '1: error: rules of format 2, this rulesmith reads 1' '{"rules":2,"operators":0,"solved":0}'
bad "fewer lines than the header counts" '1: error: key "operators": 2, but 1' '{"rules":1,"operators":2,"solved":1}' "$(edit '')"
bad "fewer rules than the header counts" '1: error: key "solved": 2, but 1' '{"rules":1,"operators":1,"solved":2}' "$(edit '')"
bad "an operator twice" '3: error: duplicate operator "torch.f-0"' '{"rules":1,"operators":2,"solved":2}' "$(edit '')" "$(edit '')"
bad "a truncated line" '2: error: not JSON: the line ends too early' "$h" "$(edit 's/,"id".*//')"
bad "not an object" '2: error: expected an object' "$h" '[1]'
bad "op is missing" '2: error: key "op" is missing' "$h" "$(edit 's/"op":"torch.f-0",//')"
bad "op of another API" '2: error: key "op": "torch.g-0" does not begin with the API "torch.f"' "$h" "$(edit 's/torch.f-0/torch.g-0/')"
bad "op is empty" '2: error: key "op": the name is empty' "$h" "$(edit 's/torch.f-0//')"
for api in 'torch f' 'torch..f' '.f' 'torch.' '1torch' '' '../../etc' 'torch.f;int x'; do
	bad "API '$api'" '2: error: key "api": ".*" is not a name of dotted identifiers' "$h" \
		"$(edit "s|\"api\":\"torch.f\"|\"api\":\"$api\"|")"
done
bad "framework is a path" '2: error: key "framework": "../x" is not an identifier' "$h" "$(edit 's|"nsym"|"framework":"../x","nsym"|')"
bad "argument name" '2: error: argument name "x y" is not an identifier' "$h" "$(edit 's/"name":"x"/"name":"x y"/')"
bad "argument without a value" '2: error: argument "x": key "value" is missing' "$h" "$(edit 's/"value"/"valve"/')"
bad "writes to no input" '2: error: key "writes": expected numbers of input tensors' "$h" "$(edit 's/"nsym"/"writes":[1],"nsym"/')"
bad "a range of one symbol" '2: error: key "range": expected two symbols' "$h" "$(edit 's/"dtype":"float32"}}/"dtype":"int64","range":["s2"]}}/')"
bad "a tensor in elements" '2: error: key "elements": tensors are not allowed here' "$h" "$(edit 's/"value":{\(.*\)}}\],"outputs"/"value":{"elements":{\1},"dtype":"int32"}}],"outputs"/')"
bad "symbols out of order" '2: error: expected symbol "s0", got "s1"' "$h" "$(edit 's/\["s0","s1"\]/["s1","s0"]/')"
bad "nsym" '2: error: key "nsym": 3, but "args" holds 2' "$h" "$(edit 's/"nsym":2/"nsym":3/')"
bad "a float where an integer belongs" '2: error: key "passed": expected a whole number' "$h" "$(edit 's/"passed":1/"passed":1.5/')"
bad "more records than the table counts" '2: error: key "failed": expected a whole number from 0 to 4294967295' "$h" "$(edit 's/"failed":0/"failed":4294967296/')"
bad "too few output expressions" '2: error: key "out": 0 expressions for 1' "$h" "$(edit 's/\["s0"\],"valid"/[],"valid"/')"
bad "an expression that does not parse" '2: error: expression "s0 \+", column' "$h" "$(edit 's/"out":\["s0"\]/"out":["s0 +"]/')"
bad "a symbol that does not exist" '2: error: expression "s2".*no such symbol' "$h" "$(edit 's/"out":\["s0"\]/"out":["s2"]/')"
bad "an unterminated expression" '2: error: key "out": an expression of 1500 operations, the most is 1024' "$h" \
	"$(edit "s/\"out\":\[\"s0\"\]/\"out\":[\"s0$(awk 'BEGIN { for (i = 0; i < 1500; i++) printf "*s1" }')\"]/")"
bad "a comparison as an output" '2: error: key "out": expected a number, not "s0 > 1"' "$h" "$(edit 's/"out":\["s0"\]/"out":["s0 > 1"]/')"
bad "a number as a clause" '2: error: key "valid": expected a comparison, not "s1"' "$h" "$(edit 's/s1 > 0/s1/')"
bad "invalid defaults" '2: error: key "defaults": expected an object' "$h" "$(paged 3)"
bad "a default that is no text" '2: error: key "defaults": expected strings' "$h" "$(paged '{"x":1}')"
bad "an invalid id" '2: error: key "id": expected 16 hexadecimal digits' "$h" "$(edit 's/0123456789abcdef/xyz/')"
bad "neither rule nor reason" '2: error: neither a rule \("out"\) nor a reason' "$h" "$(edit 's/,"out".*/}/')"
bad "rule and reason" '2: error: both a rule \("out"\) and a reason' "$h" "$(edit 's/,"out"/,"why":"x","out"/')"
bad "records of wrong arity" '2: error: key "records": expected rows of 2 symbols and 1' "$h" "$(edit 's/,"out"/,"records":[[1,2]],"out"/')"
bad "a float in a record" '2: error: key "records": expected integers' "$h" "$(edit 's/,"out"/,"records":[[1,2,1.5]],"out"/')"
bad "dtypes of wrong arity" '2: error: key "dtypes": expected a row of 1 input' "$h" "$(edit 's/,"out"/,"dtypes":[[[],["int8"]]],"out"/')"
bad "a rank beyond its C type" '2: error: 256 dimensions of an output, the table.s type holds 255' "$h" \
	"$(edit "s/\"o0\"/$(awk 'BEGIN { for (i = 0; i < 256; i++) printf "%s\"o%d\"", i ? "," : "", i }')/")"
awk -v h="$h" 'BEGIN {
	print h
	printf "{\"op\":\"a\",\"api\":\"torch.f\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":["
	for (i = 0; i < 65536; i++) printf "%s{\"const\":\"1\"}", i ? "," : ""
	print "]}],\"outputs\":[]}"
}' >"$tmp/many.jsonl"
expect "bad rules: more values than uint16_t counts" 1 'many.jsonl:2: error: 65536 values in a list, the table.s type holds 65535' \
	emit "$tmp/many.jsonl" -o "$tmp/never"
awk -v h="$h" 'BEGIN {
	print h
	for (i = 0; i < 20000; i++) deep = deep "["
	print "{\"op\":\"a\",\"api\":\"torch.f\",\"args\":" deep
}' >"$tmp/deep.jsonl"
expect "bad rules: nested too deep" 1 'deep.jsonl:2: error: not JSON' emit "$tmp/deep.jsonl" -o "$tmp/never"
id2=$(edit 's/torch.f-0/torch.f-1/; s/"s1 > 0"/"s1 > 1"/')
printf '%s\n' '{"rules":1,"operators":2,"solved":2}' "$(edit '')" "$id2" >"$tmp/ids.jsonl"
expect "bad rules: one id for two rules" 1 'error: the id 0123456789abcdef stands for two rules' emit "$tmp/ids.jsonl" -o "$tmp/never"
: >"$tmp/empty.jsonl"
expect "bad rules: an empty file" 1 'empty.jsonl: error: the file is empty' emit "$tmp/empty.jsonl" -o "$tmp/never"
expect "bad rules: a missing file" 1 'absent.jsonl: error: cannot open' emit "$tmp/absent.jsonl" -o "$tmp/never"
check "nothing is written for any of them" test ! -e "$tmp/never"
expect "an invalid output folder" 1 'error: cannot' emit "$small" -o "$tmp/copy.jsonl/x"

# ---- usage

check "--help" emit --help
expect "no -o" 2 '-o DIR is required' emit "$small"
expect "no file" 2 'expected one file' emit -o "$tmp/x"
expect "zero threads" 2 'expected 1 to 1024 threads' emit "$small" -j 0 -o "$tmp/x"
expect "an unknown option" 2 "try 'rulesmith emit --help'" emit --nonsense
