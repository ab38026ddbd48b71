#!/bin/sh
# Lines of pages: axes, whole tuples, numbers in broadcasts, bounds of scalars, counted clauses, fixed numbers, rules in notation.
. tests/cli/tap.sh
smith=$BUILD/rulesmith
page() { sed -n '2,/^ \*\//p' "$tmp/c/$1.c"; } # page FILE
has() { check "$1" sh -c "printf '%s\n' \"\$1\" | grep -qxF -- \"\$2\"" sh "$text" "$2"; }
lacks() { check "$1" sh -c "! printf '%s\n' \"\$1\" | grep -qF -- \"\$2\"" sh "$text" "$2"; }

check "pages of fourteen APIs" "$smith" emit -q tests/data/rules/page_lines.jsonl -o "$tmp/c"

text=$(page torch/Tensor.unfold)
has "the dimension at an axis" ' *     out[dimension] = window(self[dimension], size, step)'
has "… and all others" ' *     out[i] = self[i] for each i except dimension'
lacks "… instead of a line for each rank" 'rank(self)'

text=$(page torch/Tensor.t)
has "the shape in some calls as a tuple" ' *   out   (self[-1], self[-2])  if rank(self) == 2'

text=$(page torch/rms_norm)
has "an index of lists of equal lengths" ' *     normalized_shape[i] == weight[i] for each i                          554'
has "… and of other lengths, which align at their ends" ' *     input[i] == weight[i] for i = -1, -2, ...                            544'

text=$(page torch/norm)
has "a guard without a call that the other line states, too" ' *   out    drop(input, dim)  if keepdim is omitted'
has "… and its opposite" ' *   out    set(input, dim, 1)  if keepdim is given'
has "clauses on empty tensors are counted" ' *     2 more clauses on empty tensors                                       16'

text=$(page onnx/ArgMax_11)
has "a clause that is not printed gives no dimension a name" ' *   data  (...)'

text=$(page jax/numpy.less)
has "a number broadcasts" ' *   out  broadcast(x, y)'
text=$(page jax/scipy.special.poch)
has "… and so do two" ' *   out  broadcast(z, m)'

text=$(page jax/numpy.tri)
has "no dimension is named like an argument" ' *     K = M  if M is given'

text=$(page tensorflow/tf.raw_ops.EmptyTensorList)
has "bounds of a scalar are its value" ' *     element_shape == -1                                                   79'

text=$(page tensorflow/tf.raw_ops.Pad)
has "an output over a list of lists" ' *     out[i] = input[i] + paddings[i][0] + paddings[i][1] for each i'
has "… and a clause" ' *     paddings[i][j] >= 0 for each i, j'
lacks "… so that no rule is missing" 'not on this page'

text=$(page tensorflow/tf.raw_ops.Polygamma)
has "positions that one tensor lacks are no part of broadcasting" ' *     broadcastable(a, x)                                                  240'

text=$(page tensorflow/tf.raw_ops.AvgPool3D)
has "a stride that is always 1 stands in no formula" ' *   out    (K, Q, T, U, P)'
has "long clauses with little evidence are counted" ' *     2 more clauses with low support                                       22'

text=$(page onnx/Reshape_14)
has "a long formula stands once, not at each position" ' *     out[i] = numel(data)//prod(shape without [i]) if shape[i] == -1 else shape[i] for each i  if'
lacks "… as a tuple" 'shape without [-5]'

text=$(page onnx/Pad_19)
has "an alternative of empty tensors" ' *     P > 0, Q > 0, T > 0, U > 0 unless data is empty                       38'
