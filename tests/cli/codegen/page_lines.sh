#!/bin/sh
# Lines of pages: axes, whole tuples, numbers in broadcasts, bounds of scalars, clauses that are counted, rules in notation.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
page() { sed -n '2,/^ \*\//p' "$tmp/c/$1.c"; } # page FILE
has() { check "$1" sh -c "printf '%s\n' \"\$1\" | grep -qxF -- \"\$2\"" sh "$text" "$2"; }
lacks() { check "$1" sh -c "! printf '%s\n' \"\$1\" | grep -qF -- \"\$2\"" sh "$text" "$2"; }

check "pages of eight APIs" "$smith" emit -q tests/data/rules/page_lines.jsonl -o "$tmp/c"

text=$(page torch/Tensor.unfold)
has "the dimension at an axis" ' *     out[dimension] = window(self[dimension], size, step)'
has "… and all others" ' *     out[i] = self[i] for each i except dimension'
lacks "… instead of a line for each rank" 'rank(self)'

text=$(page torch/Tensor.t)
has "the shape in some calls as a tuple" ' *   out   (self[-1], self[-2])  if rank(self) == 2'

text=$(page torch/norm)
has "a guard without a call that the other line states, too" ' *   out    drop(input, dim)  if keepdim is omitted'
has "… and its opposite" ' *   out    set(input, dim, 1)  if keepdim is given'
has "clauses on empty tensors are counted" ' *     2 more clauses on empty tensors                                       16'

text=$(page onnx/ArgMax_11)
has "a clause that is not printed gives no dimension a name" ' *   data  (...)'

text=$(page jax/numpy.bitwise_and)
has "a number broadcasts" ' *   out  broadcast(x, y)'

text=$(page jax/numpy.tri)
has "no dimension is named like an argument" ' *     K = M  if M is given'

text=$(page tensorflow/tf.raw_ops.EmptyTensorList)
has "bounds of a scalar are its value" ' *     element_shape == -1                                                   79'

text=$(page tensorflow/tf.raw_ops.Pad)
has "an output over a list of lists" ' *     out[i] = input[i] + paddings[i][0] + paddings[i][1] for each i'
has "… and a clause" ' *     paddings[i][j] >= 0 for each i, each j                                56'
lacks "… so that no rule is missing" 'not on this page'
