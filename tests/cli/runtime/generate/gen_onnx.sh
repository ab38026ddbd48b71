# rulefuzz gen --format onnx: files that onnx's checker takes and onnxruntime runs. The latter needs a virtual environment of onnx.
. tests/cli/tap.sh
gen="$BUILD/rulefuzz gen --framework onnx --format onnx"
check "files" sh -c "$gen --count 3 --seed 9 -o $tmp/a && ls $tmp/a | tr '\n' ' ' | grep -qx 'onnx-9-0.onnx onnx-9-1.onnx onnx-9-2.onnx '"
check "the same seed, the same bytes" sh -c "$gen --count 3 --seed 9 -o $tmp/b && diff -r $tmp/a $tmp/b"
check "one model on standard output" sh -c "$gen --first 1 --seed 9 | cmp - $tmp/a/onnx-9-1.onnx"
check "1,000 nodes in a file" sh -c "$gen --nodes 1000 -o $tmp/big && [ \$(grep -ao 'n999' $tmp/big/onnx-0-0.onnx | wc -l) -eq 1 ]"
json="$BUILD/rulefuzz gen --framework onnx --nodes 20 --count 200"
check "chains of calls as real models have them" sh -c "[ \$($json --chains 0.5 | grep -cE '\"op\":\"onnx\.[A-Za-z]*(-1[0-9][0-9][0-9])?\"') -gt 150 ]"
check "none where none are asked for" sh -c "! $json --chains 0 | grep -q '\"op\":\"onnx\.[A-Za-z]*\"'"
calls() { $json "$@" | awk '{ n = gsub(/"op":/, ""); if (n < 20 || n > most) bad = 1; if (n > 20) more = 1 } END { exit bad || (most > 20) != more }' most="$most"; }
most=20 check "exactly as many calls as told without chains" calls --chains 0
most=39 check "a last chain may have more" calls --chains 1
check "the same bytes with chains" sh -c "$json --chains 1 --first 150 --count 50 >$tmp/c1 && $json --chains 1 | tail -n 50 | cmp - $tmp/c1"
check "chains of allowed operators only" sh -c "! $json --chains 1 --ops isra65 | grep -q '\"api\":\"onnx.LayerNormalization\"'"
check "each chain fits the table" sh -c "[ \$($BUILD/rulefuzz coverage --json traces/onnx/CHAINS.models | grep -c '\"schema\":1') -eq 1 ]"
expect "a bad share of chains" 2 'expected a fraction from 0 to 1' $BUILD/rulefuzz gen --chains 2
expect "a bad share of initializers" 2 'expected a fraction from 0 to 1' $BUILD/rulefuzz gen --initializers x
for feature in layouts gradients modules repeats; do
	expect "a bad share of $feature" 2 "$feature: expected a fraction from 0 to 1, got '1.5'" $BUILD/rulefuzz gen --$feature 1.5
done
expect "layouts where tensors have no strides" 2 'whose tensors have strides; onnx has none' $BUILD/rulefuzz gen --framework onnx --layouts 0.5
check "repeats in ONNX" sh -c "[ \$($BUILD/rulefuzz gen --framework onnx --nodes 5 --repeats 1 | grep -o '\"op\"' | wc -l) -gt 7 ]"
check "no loop of integers of 4 bits" sh -c "$BUILD/rulefuzz gen --framework onnx --subgraphs 1 --chains 0.5 --quantized 0.3 --opset 21..26 --count 1500 | python3 tests/cli/runtime/generate/four_bits.py"
expect "torch has no ONNX files" 2 'add --framework onnx' $BUILD/rulefuzz gen --format onnx
expect "a full disk" 1 'cannot write' sh -c "$gen --nodes 100 --count 1 >/dev/full"
check "the writer's operator set is the collector's" sh -c "grep -Eq \"^(NAMED_)?OPSET = \$(sed -n 's/^.*OP_SET_LAST = \([0-9]*\).*/\1/p' runtime/rules/op_versions.h)\$\" runtime/python/rulefuzz/frameworks/onnx_evaluate.py"
check "so is its file version" sh -c "grep -q \"^FIRST_IR_VERSION, LAST_IR_VERSION = [0-9]*, \$(sed -n 's/^#define IR_VERSION \([0-9]*\).*/\1/p' runtime/model/onnx/write_onnx.c)\$\" runtime/python/rulefuzz/frameworks/onnx_evaluate.py"
python=$venvs/onnx/bin/python
if [ -x "$python" ]; then
	changed=$($BUILD/rulefuzz coverage --passes traces/onnx/CHAINS.models | sed -n 's/^passes *\([0-9]*\) of.*/\1/p')
	check "33 of onnxruntime's passes change a chain" [ "$changed" -ge 33 ]
	check "attributes have the types of ONNX's schemas" "$python" tests/cli/runtime/generate/onnx_attributes.py traces/onnx
	$gen --strategy isra --ops isra65 --count 1000 --nodes 1..20 --seed 4 -o "$tmp/m"
	check "95 % of 1,000 models pass onnx's checker and run, all of these with any elements" \
	    "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/m" 50
	$gen --strategy neuri --count 700 --nodes 1..20 --seed 4 -o "$tmp/n"
	check "so do 700 of all operators, with divisors and indices" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/n" 35
	$gen --quantized 1 --count 300 --nodes 1..10 --seed 4 -o "$tmp/q"
	check "so do 300 quantized ones, whose scales are fractions" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/q" 15
	$gen --special-floats 1 --count 200 --nodes 1..10 --seed 4 -o "$tmp/special"
	check "so do 200 with special floats" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/special" 10
	$gen --shape-arithmetic 1 --count 200 --nodes 1..10 --seed 4 -o "$tmp/s"
	check "so do 200 with shape arithmetic" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/s" 10
	$gen --shape-arithmetic 1 --opset 7..9 --count 200 --nodes 1..10 --seed 4 -o "$tmp/old"
	check "so do 200 of old operator sets" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/old" 10
else
	skip "33 of onnxruntime's passes change a chain" "no $python: make backends FRAMEWORK=onnx"
	skip "attributes have the types of ONNX's schemas" "the same"
	skip "95 % of 1,000 models pass onnx's checker and run, all of these with any elements" "the same"
	skip "so do 700 of all operators, with divisors and indices" "the same"
	skip "so do 300 quantized ones, whose scales are fractions" "the same"
	skip "so do 200 with special floats" "the same"
	skip "so do 200 with shape arithmetic" "the same"
	skip "so do 200 of old operator sets" "the same"
fi
echo "1..$n"
