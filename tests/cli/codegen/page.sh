#!/bin/sh
# The page of an API, printed from its rule's tree: signature, table of shapes, clauses with numbers, guards, what was tried.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
rules=tests/data/rules/pages.jsonl
printf 'api\tparameters\ntorch.linalg.qr\tTensor A, str mode="reduced"\ntorch.mm\tTensor input, Tensor mat2\ntorch.mm\tTensor input, dtype out\ntorch.nn.functional.conv3d\tTensor input, Tensor weight, Tensor? bias=None, int[3] stride=[1,1,1], int[3] padding=0, int[3] dilation=[1,1,1], int groups=1\n' >"$tmp/SIGNATURES.tsv"
page() { sed -n '2,/^ \*\//p' "$tmp/c/torch/$1.c"; } # page FILE
has() { check "$1" sh -c "printf '%s\n' \"\$1\" | grep -qxF -- \"\$2\"" sh "$text" "$2"; }
lacks() { check "$1" sh -c "! printf '%s\n' \"\$1\" | grep -q -- \"\$2\"" sh "$text" "$2"; }

check "pages of four APIs" "$smith" emit -q "$rules" -o "$tmp/c" --signatures "$tmp/SIGNATURES.tsv"

text=$(page mm)
has "the framework's signature and version" '/* torch.mm(input, mat2)  torch 2.13.0'
lacks "… without an overload that no call needs" 'dtype out'
has "equal dimensions have one name" ' *   mat2   (M, R)'
has "… the output's, too" ' *   out    (K, R)'
check "a clause of the table stands nowhere else" test "$(printf '%s\n' "$text" | grep -c ' == ')" = 0
has "… but its number" " *     the shapes are as in the table                                        72"

text=$(page linalg.qr)
has "the dimensions before the named ones" ' *   out1  (..., min(K, M), M)'
has "an argument that no call has" ' *   not tried  mode'
has "no clauses" ' *   all recorded shapes are accepted'

text=$(page nn.functional.max_pool2d)
check "all rules of an API have one head" test "$(printf '%s\n' "$text" | grep -c 'max_pool2d(')" = 1
has "without the framework's signature, the recorded arguments" '/* torch.nn.functional.max_pool2d(input, kernel_size, stride?, ceil_mode?, padding?, dilation?,'
has "an optional dimension, and windows' names" ' *   input  (N?, C, H, W)'
has "defaults that the rules know" ' *   defaults   stride = kernel_size, padding = 0, dilation = 1'
has "two outputs of one shape" ' *   out0, out1  (N?, C, K, M)'
has "a guard" ' *     K = window(H, kernel_size[0], stride[0], padding[0], dilation[0])  if not ceil_mode'
has "… and its opposite" ' *     M = window_ceil(W, kernel_size[1], stride[1], padding[1], dilation[1])  if ceil_mode'
has "a clause at each position by its name" ' *     K > 0, M > 0                                                        1262'
has "a clause of all items, without an index" ' *     2*padding <= kernel_size                                             482'
check "only empty tensors speak for a clause" sh -c "printf '%s\n' \"\$1\" | grep -q 'C > 0, H > 0, W > 0  (empty tensors only)'" sh "$text"
lacks "no positions are counted from the end of a list" '\[-'
check "one short line on the signatures" sh -c "printf '%s\n' \"\$1\" | grep -qxF ' *   signatures 24, 0 to 23; proved'" sh "$text"

text=$(page nn.functional.conv3d)
has "a signature on several lines" ' *     groups=1)  torch 2.13.0'
has "omitted arguments have the framework's default, in all rules" " *     Q = window(D, R, stride[0], padding[0], dilation[0])  if padding != 'same'"
check "… so that a dimension has two formulas" test "$(printf '%s\n' "$text" | grep -c '^ \*     Q = ')" = 2
lacks "a default of the heading is not repeated" 'defaults  '
has "a dimension that is an expression" ' *   input   (N?, K*groups, D, H, W)'
has "an optional tensor" ' *   bias    (M)  optional'

printf 'api\tparameters\ntorch.mm Tensor input\n' >"$tmp/bad.tsv"
expect "a signature without a tab" 1 "^$tmp/bad.tsv:2: error: expected two columns and the end of a line" \
	"$smith" emit -q "$rules" -o "$tmp/never" --signatures "$tmp/bad.tsv"
