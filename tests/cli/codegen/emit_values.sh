#!/bin/sh
# rulesmith emit --values: classes of element values in the table, and malformed tables.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
small=$tmp/small.jsonl
{
	echo '{"rules":1,"operators":3,"solved":3}'
	grep -E '"op":"torch.(matmul|relu)-0"' tests/data/rules/small.jsonl
	echo '{"op":"torch.zeros-0","api":"torch.zeros","args":[{"name":"size","pos":true,"value":["s0"]}],"outputs":[{"tensor":["o0"],"dtype":"float32"}],"nsym":1,"passed":1,"failed":0,"out":["s0"],"valid":[],"id":"0123456789abcdef"}'
} >"$small"
h=$(printf 'op\taccepts\tgives')

emit() { "$smith" emit "$@"; }
table() { # table FILE LINE…: a table of these lines; spaces separate their cells
	file=$1
	shift
	{ echo "$h" && printf '%s\n' "$@" | tr ' ' '\t'; } >"$file"
}

table "$tmp/one.tsv" 'torch.matmul-0 ls sllfff' 'torch.never-0 a aaaaaa'
table "$tmp/two.tsv" 'torch.relu-0 - aaaaaa'
expect "two tables; unknown operators are counted" 0 \
	' 2 signatures with classes of element values; skipped 1 lines of signatures not in the rules' \
	emit "$small" -o "$tmp/one" --values "$tmp/one.tsv" --values "$tmp/two.tsv"
row() { # row DIR API: its signature -0
	awk -v api="\"$2\"" '/^#/ { now = $3; next } now == api' "$tmp/$1/torch/table_00.h" | grep '^[A-Z_]*("-0"'
}
classes() { row one "$1" | sed -n 's/.*TYPES([0-9]*, [0-9a-f]*, \([0-9a-f]*\)).*/\1/p; s/^ROW(.*,\([0-9a-f]*\), [0-9]*,".*/\1/p; s/.*\.classes = classes_\([0-9a-f]*\).*/\1/p'; }
array=$(classes torch.matmul)
check "the inputs' classes, then the outputs'" grep -q "^CLASSES($array, 3,2,2,3,3,4,4,4);" "$tmp/one/torch/data_00.h"
array=$(classes torch.relu)
check "an absent class is 255" grep -q "^CLASSES($array, 255,5,5,5,5,5,5);" "$tmp/one/torch/data_00.h"
check "an operator without a line has no class" test -z "$(classes torch.zeros)"
check "… and the table has such an operator" test -n "$(row one torch.zeros)"
table "$tmp/zeros.tsv" 'torch.zeros-0 . upslff'
check "no inputs" emit "$small" -o "$tmp/none" --values "$tmp/zeros.tsv"
check "… outputs only" grep -q "^CLASSES([0-9a-f]*, 0,1,2,3,4,4);" "$tmp/none/torch/data_00.h"
check "compiles" ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -iquote runtime/include -c "$tmp/one/torch/table.c" -o "$tmp/table.o"

# ---- marks of operators without a rule: models use these operators, too

sed 's/"op":"torch.nonzero-0"/&,"delicate":true,"random":true,"writes":[0]/' tests/data/rules/small.jsonl >"$tmp/marked.jsonl"
check "an operator without a rule keeps its marks" emit "$tmp/marked.jsonl" -o "$tmp/marked"
row marked torch.nonzero >"$tmp/row"
check "… in the table" grep -q 'RS_DELICATE | RS_RANDOM.*writes = 0x1' "$tmp/row"

# ---- bad tables: path:line: error:, exit 1, nothing written

bad() { # bad WHAT PATTERN LINE…: lines with spaces for tabs, after the header
	what=$1 pattern=$2
	shift 2
	table "$tmp/bad.tsv" "$@"
	expect "bad table: $what" 1 "^$tmp/bad.tsv:$pattern" emit "$small" -o "$tmp/never" --values "$tmp/bad.tsv"
}
bad "too few inputs" '2: error: accepts has 1 classes, torch.matmul-0 has 2 input tensors' 'torch.matmul-0 l sllfff'
bad "inputs for an operator without any" '2: error: accepts has 1 classes, torch.zeros-0 has 0' 'torch.zeros-0 l sllfff'
bad "no inputs for an operator with some" '2: error: accepts has 0 classes, torch.relu-0 has 1' 'torch.relu-0 . sllfff'
bad "an unknown class letter" "2: error: accepts has the class 'x', expected one of upslfa-" 'torch.relu-0 x sllfff'
bad "outputs without a class" "3: error: gives has the class '-', expected one of upslfa" 'torch.zeros-0 . llllll' 'torch.relu-0 f -----a'
bad "too few outputs" '2: error: gives has 5 classes, expected 6' 'torch.relu-0 f sllff'
bad "decreasing outputs" "2: error: gives falls from 'l' to 's'" 'torch.relu-0 f sllsff'
bad "outputs that decrease at the start" "2: error: gives falls from 'a' to 'u'" 'torch.relu-0 f auaaaa'
bad "outputs that decrease at the end" "2: error: gives falls from 'f' to 'l'" 'torch.relu-0 f sllffl'
bad "two cells" '2: error: expected three cells' 'torch.relu-0 f'
bad "four cells" '2: error: expected three cells' 'torch.relu-0 f sllfff x'
bad "an operator twice" '3: error: torch.relu-0 has two lines' 'torch.relu-0 f sllfff' 'torch.relu-0 f sllfff'
printf '%s\ntorch.relu-0\tf\tsllfff' "$h" >"$tmp/bad.tsv"
expect "bad table: truncated" 1 "^$tmp/bad.tsv:2: error: the line has no end" emit "$small" -o "$tmp/never" --values "$tmp/bad.tsv"
printf '%s\ntorch.relu-0\tf\0\tsllfff\n' "$h" >"$tmp/bad.tsv"
expect "bad table: a NUL byte" 1 "^$tmp/bad.tsv:2: error: a NUL byte" emit "$small" -o "$tmp/never" --values "$tmp/bad.tsv"
printf 'torch.relu-0\tf\tsllfff\n' >"$tmp/bad.tsv"
expect "bad table: no header" 1 "^$tmp/bad.tsv:1: error: expected the header" emit "$small" -o "$tmp/never" --values "$tmp/bad.tsv"
: >"$tmp/bad.tsv"
expect "bad table: empty" 1 "^$tmp/bad.tsv: error: the file is empty" emit "$small" -o "$tmp/never" --values "$tmp/bad.tsv"
expect "bad table: missing" 1 "absent.tsv: error: cannot open" emit "$small" -o "$tmp/never" --values "$tmp/absent.tsv"
check "nothing is written for any of them" test ! -e "$tmp/never"
