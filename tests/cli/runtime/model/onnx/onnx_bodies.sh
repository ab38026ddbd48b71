#!/bin/sh
# Functions and subgraphs in ONNX files: C's equal the package's, and onnx's checker and onnxruntime accept them.
. tests/cli/tap.sh
gen="$BUILD/rulefuzz gen --framework onnx --functions 1 --subgraphs 1 --repeats 0.2 --nodes 1..10 --seed 1"
check "nearly all models have a body" sh -c "[ \$($gen --count 200 | grep -c '\"bodies\":') -gt 180 ]"
for kind in function if loop scan; do
	check "some are $kind" sh -c "[ \$($gen --count 200 | grep -c '\"kind\":\"$kind\"') -gt 60 ]"
done
check "no bodies by default" sh -c "! $BUILD/rulefuzz gen --framework onnx --count 200 | grep -q bodies"
check "reproducible" sh -c "$gen --first 150 --count 50 >$tmp/a && $gen --count 200 | tail -n 50 | cmp - $tmp/a"
for feature in functions subgraphs; do
	expect "bad fraction of $feature" 2 "$feature: expected a fraction from 0 to 1, got .1.5." $BUILD/rulefuzz gen --framework onnx --$feature 1.5
	expect "$feature for torch" 2 "whose models are files; torch has none" $BUILD/rulefuzz gen --framework torch --$feature 0.5
done
python=$venvs/onnx/bin/python
if [ -x "$python" ]; then
	$gen --count 300 -o "$tmp/m"
	$gen --count 300 --format onnx -o "$tmp/m"
	check "300 files of C equal the package's" "$python" tests/cli/runtime/model/onnx/onnx_bodies.py "$tmp/m"
	$gen --count 400 --first 300 --format onnx -o "$tmp/n"
	check "400 pass onnx's checker and run" "$python" tests/cli/runtime/generate/onnx_models.py "$tmp/n" 3
else
	skip "300 files of C equal the package's" "no $python: make backends FRAMEWORK=onnx"
	skip "400 pass onnx's checker and run" "the same"
fi
echo "1..$n"
