#!/bin/sh
# rulefuzz eval and rulefuzz rules, on a table written by hand (tests/data/rules/eval_table.c).
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
so=$tmp/rules.so
table() { # table SO [FLAG…]
	to=$1
	shift
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -shared -iquote runtime/include "$@" tests/data/rules/eval_table.c -o "$to"
}
check "the table compiles" table "$so"
run() { "$fuzz" eval --rules "$so" "$@"; }
said() { # said WHAT PATTERN: in the output of the last check (which this one overwrites)
	cp "$tmp/out" "$tmp/last"
	check "$1" grep -qE -- "$2" "$tmp/last"
}

# ---- answers

answers() { # answers WHAT INPUT OUTPUT: printf formats
	printf "$2" >"$tmp/in"
	printf "$3" >"$tmp/want"
	if run <"$tmp/in" >"$tmp/got" 2>"$tmp/err" && diff "$tmp/want" "$tmp/got" >"$tmp/err"; then ok "$1"; else
		not_ok "$1"
		sed 's/^/# /' "$tmp/err"
	fi
}
answers "no line, no answer" '' ''
answers "in order" '{"op":"t.echo-0","in":[3,4]}\n{"op":"t.positive-0","in":[0,1]}\n{"op":"t.echo-0","in":[5,6]}\n' \
	'{"op":"t.echo-0","valid":true,"out":[3,4]}\n{"op":"t.positive-0","valid":false}\n{"op":"t.echo-0","valid":true,"out":[5,6]}\n'
answers "the last line without a newline" '{"op":"t.echo-0","in":[3,4]}' '{"op":"t.echo-0","valid":true,"out":[3,4]}\n'
answers "blank lines, CR LF" '\n{"op":"t.echo-0","in":[3,4]}\r\n \t\n\r\n{"op":"t.echo-0","in":[1,2]}\r\n' \
	'{"op":"t.echo-0","valid":true,"out":[3,4]}\n{"op":"t.echo-0","valid":true,"out":[1,2]}\n'
answers "spaces, another key order, other keys" ' { "in" : [ 3 , 4 ] , "x" : {"in":[1.5]}, "op" : "t.echo-0" } \n' \
	'{"op":"t.echo-0","valid":true,"out":[3,4]}\n'
answers "escapes in a name" '{"op":"t.\\u0065cho-0","in":[3,4]}\n{"op":"t.\\"quoted\\"-0","in":[1,1]}\n' \
	'{"op":"t.echo-0","valid":true,"out":[3,4]}\n{"op":"t.\\"quoted\\"-0","valid":true,"out":[]}\n'
answers "an unknown operator" '{"op":"t.echo-1","in":[3,4]}\n{"op":"","in":[]}\n{"op":"t.echo","in":[3,4]}\n{"op":"t.zzzzzzzzz","in":[3,4]}\n' \
	'{"op":"t.echo-1","error":"unknown operator; did you mean t.echo-0?"}\n{"op":"","error":"unknown operator"}\n{"op":"t.echo","error":"unknown operator; did you mean t.echo-0?"}\n{"op":"t.zzzzzzzzz","error":"unknown operator"}\n'
answers "no rule, and why" '{"op":"t.mystery-0","in":[3,4]}\n{"op":"t.\303\251-0","in":[]}\n' \
	'{"op":"t.mystery-0","error":"no rule: a \\"reason\\""}\n{"op":"t.\303\251-0","error":"no rule: not ASCII"}\n'
answers "a wrong number of symbols" '{"op":"t.echo-0","in":[]}\n{"op":"t.echo-0","in":[1,2,3,4,5,6,7,8,9]}\n' \
	'{"op":"t.echo-0","error":"the operator takes 2 symbols, not 0"}\n{"op":"t.echo-0","error":"the operator takes 2 symbols, not 9"}\n'
answers "no symbols" '{"op":"t.none-0","in":[]}\n' '{"op":"t.none-0","valid":true,"out":[]}\n'
answers "a negative dimension is never valid" '{"op":"t.echo-0","in":[-1,4]}\n' '{"op":"t.echo-0","valid":false}\n'
answers "an output that does not exist" '{"op":"t.echo-0","in":[1,-4]}\n' '{"op":"t.echo-0","valid":false}\n'
answers "exact beyond 2^53" '{"op":"t.echo-0","in":[9007199254740993,9223372036854775807]}\n' \
	'{"op":"t.echo-0","valid":true,"out":[9007199254740993,9223372036854775807]}\n'
answers "beyond int64: the nearest" '{"op":"t.echo-0","in":[9223372036854775808,99999999999999999999999999]}\n{"op":"t.echo-0","in":[0,-99999999999999999999]}\n' \
	'{"op":"t.echo-0","valid":true,"out":[9223372036854775807,9223372036854775807]}\n{"op":"t.echo-0","valid":false}\n'
answers "minus zero" '{"op":"t.echo-0","in":[-0,0]}\n' '{"op":"t.echo-0","valid":true,"out":[0,0]}\n'

# ---- lines that end the run, after the answers before them

bad() { # bad WHAT LINE [PATTERN]
	printf '{"op":"t.echo-0","in":[3,4]}\n\n%b\n{"op":"t.echo-0","in":[5,6]}\n' "$2" >"$tmp/in"
	expect "bad line: $1" 1 "^<stdin>:3: error: ${3:-.}" sh -c "'$fuzz' eval --rules '$so' <'$tmp/in'"
	check "… after the answers before it: $1" test "$(cat "$tmp/out")" = '{"op":"t.echo-0","valid":true,"out":[3,4]}'
}
bad "truncated" '{"op":"t.echo-0","in":[3,' 'not JSON: the line ends too early'
bad "text behind" '{"op":"t.echo-0","in":[3,4]}x' 'not JSON'
bad "a comma too many" '{"op":"t.echo-0","in":[3,4,]}' 'not JSON'
bad "a float" '{"op":"t.echo-0","in":[3,4.5]}' 'key "in": expected integers'
bad "a float that is whole" '{"op":"t.echo-0","in":[3,4.0]}' 'key "in": expected integers'
bad "an exponent" '{"op":"t.echo-0","in":[3,1e3]}' 'key "in": expected integers'
bad "a string for an integer" '{"op":"t.echo-0","in":[3,"4"]}' 'key "in": expected integers'
bad "in is no list" '{"op":"t.echo-0","in":3}' 'key "in": expected an array'
bad "in is missing" '{"op":"t.echo-0"}' 'key "in" is missing'
bad "op is missing" '{"in":[3,4]}' 'key "op" is missing'
bad "op is no string" '{"op":3,"in":[3,4]}' 'key "op": expected a string'
bad "not an object" '[1,2]' 'expected an object'
bad "a NUL byte" '{"op":"t.echo-0","in":[3,4]}\0000' 'the line contains a NUL byte'

# ---- size

awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{\"op\":\"t.echo-0\",\"in\":[%d,%d]}\n", i, i % 7 }' >"$tmp/many"
check "100,000 lines from a file" run "$tmp/many"
check "… each answered" test "$(wc -l <"$tmp/out")" -eq 100000
check "… through a pipe, in pieces" sh -c "cat '$tmp/many' | '$fuzz' eval --rules '$so' - | md5sum"
check "… equally" test "$(cat "$tmp/out")" = "$(run "$tmp/many" | md5sum)"
awk 'BEGIN { printf "{\"op\":\"t.echo-0\",\"in\":[1"; for (i = 0; i < 300000; i++) printf ",1"; print "]}" }' >"$tmp/long"
check "a line of 600 kB" run "$tmp/long"
said "… answered" 'takes 2 symbols, not 300001'
check "answers come while the input is still open" sh -c \
	"mkfifo '$tmp/to' '$tmp/from'; '$fuzz' eval --rules '$so' <'$tmp/to' >'$tmp/from' & exec 3>'$tmp/to' 4<'$tmp/from'
	echo '{\"op\":\"t.echo-0\",\"in\":[3,4]}' >&3; read -r line <&4; exec 3>&-; wait; test -n \"\$line\""

# ---- tables that cannot be read

expect "a folder in place of calls" 1 "^tests:1: error: cannot read: Is a directory$" "$fuzz" eval tests
expect "no such library" 1 'error: cannot load the rules' "$fuzz" eval --rules "$tmp/absent.so"
echo 'int x;' >"$tmp/x.c"
${CC:-cc} -shared -fPIC "$tmp/x.c" -o "$tmp/x.so"
expect "a library without rules" 1 'holds no rules' "$fuzz" eval --rules "$tmp/x.so"
table "$tmp/new.so" -DLIBRARY_ABI=999
expect "a table of a newer ABI" 1 'newer than this program: update rulefuzz.*ABI is 999' "$fuzz" eval --rules "$tmp/new.so"
table "$tmp/old.so" -DLIBRARY_ABI=0
expect "a table of an older ABI" 1 "older than this program supports: run 'make rules'" "$fuzz" rules --rules "$tmp/old.so"
expect "no such file" 1 "^$tmp/absent: error: cannot open" run "$tmp/absent"
expect "two files" 2 'expected at most one file, got 2' run a b
expect "an unknown option" 2 "try 'rulefuzz eval --help'" "$fuzz" eval --fast
check "--help" "$fuzz" eval --help

# ---- rulefuzz rules

rules() { "$fuzz" rules --rules "$so" "$@"; }
check "rules: summary" rules
said "… counts signatures" 'signatures +6, with a rule 4'
rules >"$tmp/out"
said "… and samplers" 'sampled +1 signatures directly \(25\.0 %\), 0 with dead ends, 3 from records only'
check "rules --json" rules --json
cp "$tmp/out" "$tmp/json"
said "… has a schema and counts" '"schema":1.*"operators":6,"operators_with_rule":4,"rules":4,"thin":1,"by_records":0,"simplified":1,"proved":1'
check "… and samplers" grep -qF '"samplers":{"direct":1,"bounded":0,"record":3}' "$tmp/json"
check "… and reasons" grep -qF '{"why":"a \"reason\"","operators":1}' "$tmp/json"
check "rules --list --api" rules --list --api 't.e*'
check "… lists what matches" test "$(cut -f1 "$tmp/out" | tr '\n' ' ')" = "t.echo-0 t.é-0 "
check "rules --json --api" rules --json --api 't.e*'
said "… counts what matches" '"operators":2,"operators_with_rule":1,"rules":1,"thin":0,'
check "rules --list --missing" rules --list --missing
said "… says why" '^t.mystery-0	no rule	a "reason"$'
check "rules --json --list" rules --json --list
check "… an object an operator" test "$(grep -c '^{"op":' "$tmp/out")" -eq 6
expect "rules: no such framework" 2 "no rules of 'x'; try" rules --framework x
expect "rules: a misspelt framework" 2 "no rules of 'onxx'; did you mean onnx[?]$" "$fuzz" rules --framework onxx
expect "rules: no such API" 2 "no API matches 'nothing'; try" rules --api nothing --list
expect "rules: a glob of no API" 2 "no API matches 'z[*]'; try" rules --api 'z*' --list
expect "rules: an API without its module" 2 "no API matches 'conv2d'; did you mean torch.conv2d or torch.nn.functional.conv2d[?]$" "$fuzz" rules --api conv2d
check "rules --api NAME" "$fuzz" rules --api torch.nn.functional.conv2d
cp "$tmp/out" "$tmp/page"
check "… prints what the head of the generated file has" sh -c "sed -n '2,/^ \*\\//p' generated/torch/nn.functional.conv2d.c | sed '\$d; s/^\/\* //; s/^ \* \{0,1\}//' | cmp - '$tmp/page'"
check "… of each API" sh -c "for api in onnx.Add tf.raw_ops.Cast jax.lax.broadcast torch.mm; do '$fuzz' rules --api \$api | head -1 | grep -q \"^\$api[(]\" || exit 1; done"
check "… why there is no rule" sh -c "'$fuzz' rules --api onnx.MelWeightMatrix | grep -q 'no rule'"
check "… counts with --json" sh -c "'$fuzz' rules --api torch.mm --json | grep -q '\"apis\":1,'"
check "… signatures with --list" sh -c "'$fuzz' rules --api torch.mm --list | grep -q '^torch.mm-0	[0-9]* accepted, [0-9]* rejected'"
expect "… of another library: its code is needed" 1 'is not in the folder code/ beside the library' rules --api t.echo
mkdir -p "$tmp/code/t" && printf '/* Generated */\n/* t.echo: 1 signature\n *\n *   out = x\n */\nint x;\n' >"$tmp/code/t/t.echo.c"
check "… which is beside it" sh -c "'$fuzz' rules --rules '$so' --api t.echo | tr '\n' '|' | grep -qxF 't.echo: 1 signature||  out = x|'"
expect "rules: an argument" 2 "unexpected argument 'x'" rules x
check "rules --help" "$fuzz" rules --help
check "the rules linked in can be listed too" "$fuzz" rules --json --list

# ---- calls as text

call() { # call CALL ANSWER
	if [ "$("$fuzz" eval --call "$1" 2>&1)" = "$2" ]; then ok "eval --call: $1"; else
		not_ok "eval --call: $1"
		"$fuzz" eval --call "$1" 2>&1 | sed 's/^/# /'
	fi
}
call 'torch.mm(f32[2,3], f32[3,4])' '{"api":"torch.mm","valid":true,"outputs":[[2,4]],"dtypes":["float32"],"signature":"torch.mm-0"}'
call 'torch.mm((2, 3), mat2=(3, 4))' '{"api":"torch.mm","valid":true,"outputs":[[2,4]],"signature":"torch.mm-0"}'
call 'torch.Tensor.view(f32[2,3,4], 4, 3, 2, 1)' '{"api":"torch.Tensor.view","valid":true,"outputs":[[4,3,2,1]],"dtypes":["float32"],"signature":"torch.Tensor.view-2"}'
call 'onnx.Reshape_13(f32[2,3], i64([3, 2]))' "$("$fuzz" eval --call 'onnx.Reshape_13(f32[2,3], [3, 2])')"
check "a rejected call" sh -c "'$fuzz' eval --call 'torch.mm(f32[2,3], f32[4,5])' | grep -q '^{\"api\":\"torch.mm\",\"valid\":false,\"why\":'"
check "rejected dtypes" sh -c "'$fuzz' eval --call 'torch.mm(bool[2,3], bool[3,5])' | grep -qF 'the dtypes are rejected: input must not be bool, but one of '"
check "dtypes of outputs" sh -c "'$fuzz' eval --call 'torch.add(f32[2], i64[2])' | grep -qF '\"dtypes\":[\"float32\"]'"
check "an unknown call" sh -c "'$fuzz' eval --call 'torch.mm(f32[2,3], \"x\")' | grep -q '\"unknown\":'"
gives() { # gives CALL JSON: the answer has this part
	check "eval --call: $1" sh -c "'$fuzz' eval --call \"\$1\" | grep -qF \"\$2\"" - "$1" "$2"
}
gives 'torch.std(f32[3,4], dim=1, keepdim=True)' '"outputs":[[3,1]]' # the axis is recorded in another overload
gives 'torch.Tensor.max(f32[2,3], dim=1)' '"outputs":[[2],[2]]'       # by the function of the method
gives 'torch.split(f32[10,4], 3)' '"outputs":[[3,4],[3,4],[3,4],[1,4]]'
gives 'torch.squeeze(f32[1,3,1])' '"outputs":[[3]]'
gives "torch.einsum('bij,bjk->bik', f32[5,2,3], f32[5,3,4])" '"outputs":[[5,2,4]]'
gives 'torch.Tensor.permute(f32[2,2,4,2,4,3], 0, 1, 3, 2, 4, 5)' '"outputs":[[2,2,2,4,4,3]]' # a rank without records
gives 'torch.permute(f32[2,3,4], (0, 1))' '"valid":false'
gives 'torch.bmm(f32[2,3], f32[3,4])' 'never accepted: input a float tensor of rank 2, mat2 a float tensor of rank 2'
gives 'tf.raw_ops.Pack(values=[f32[2], f32[2], f32[2]], axis=1)' '"outputs":[[2,3]]'
gives 'tf.raw_ops.Unpack(value=f32[3,4], num=3)' '"outputs":[[4],[4],[4]]'
gives 'tf.raw_ops.Cast(x=f32[2,3], DstT=tf.int32)' '"outputs":[[2,3]],"dtypes":["int32"]'
gives 'tf.raw_ops.ScatterNd(indices=i32[4,1] in 0..7, updates=f32[4], shape=i32([8]))' '"outputs":[[8]]' # two dtypes in other records
gives 'tf.raw_ops.Squeeze(input=f32[2,3], axis=[0])' '"valid":false'
gives 'tf.raw_ops.SplitV(value=f32[5,30], size_splits=i32([4,15,11]), axis=i32(1), num_split=3)' '"outputs":[[5,4],[5,15],[5,11]]' # recorded as axis -1
check "… a tensor without dimensions is no evidence" sh -c "! '$fuzz' eval --call 'torch.nn.functional.hinge_embedding_loss(f32[3], f32[3])' | grep -qF '[[3]]'"
never() { # never WHAT CALL JSON: whatever the answer, it has not this part
	check "… $1" sh -c "! '$fuzz' eval --call \"\$1\" | grep -qF \"\$2\"" - "$2" "$3"
}
never "an argument that only rows with other outputs give" 'onnx.Conv(f32[1,3,9,9], f32[4,3,3,3], f32[4], strides=[2,2])' '[1,4,7,7]'
never "a length between those of fixed items" 'onnx.Slice(f32[20,10,5], i64([0,0,3]), i64([20,10,4]))' '[20,10,5]'
never "an axis that stands twice" 'tf.raw_ops.Max(input=f32[4,2,2], axis=i32([-2, -2]))' '"valid":true'
never "more repeats than dimensions" 'onnx.Tile(f32[1], i64([2, 2]))' '"valid":true'
never "flags that were never given together" "onnx.Conv(f32[1,1,3], f32[1,1,1], auto_pad='SAME_LOWER', dilations=[2])" '"valid":true'
never "other axes than the recorded ones" 'onnx.Slice(f32[20,10,5], i64([0]), i64([-1]), i64([1]))' '[20,10,4]'
check "an axis in a tensor, beyond the rank" sh -c "'$fuzz' eval --call 'tf.raw_ops.Sum(input=f32[2,3], axis=i32(2))' | grep -qF 'axis = int32(2) is no axis of a tensor of that rank'"
check "… within the rank" sh -c "'$fuzz' eval --call 'tf.raw_ops.Sum(input=f32[2,3], axis=i32(1))' | grep -qF '\"outputs\":[[2]]'"
check "the axis of a new dimension, beyond the rank of the output" sh -c "'$fuzz' eval --call 'torch.unsqueeze(f32[2,3], 3)' | grep -qF 'dim = 3 is no axis of a tensor of that rank'"
check "the axis of a new dimension, the last one" sh -c "'$fuzz' eval --call 'torch.unsqueeze(f32[2,3], 2)' | grep -qF '[[2,3,1]]'"
check "a number that the framework rejects" sh -c "'$fuzz' eval --call 'torch.nn.functional.dropout(f32[2,3], p=1.5)' | grep -qF 'p = 1.5: rejected from 1.5 to 1e+30'"
check "two numbers in the wrong order" sh -c "'$fuzz' eval --call 'torch.nn.functional.hardtanh(f32[2,3], 2.0, 1.0)' | grep -qF 'rejected if min_val > max_val'"
never "an integer for a list of two" 'torch.roll(f32[2,3,4], 1, (0,1))' '"valid":true'
check "several calls" sh -c "test \$('$fuzz' eval --call 'torch.t(f32[2])' --call 'torch.t(f32[3])' | wc -l) -eq 2"
expect "not a call" 1 "^--call 'torch.mm': error: .*column 9: expected '[(]'" "$fuzz" eval --call torch.mm
expect "calls and a file" 2 'expected at most --call and no file, got 1' "$fuzz" eval --call 'torch.mm()' x
