#!/bin/sh
# Operator sets (--opset): files have the model's set, and onnx's checker and onnxruntime accept them.
. tests/cli/tap.sh
gen="$BUILD/rulefuzz gen --framework onnx --nodes 1..10 --seed 2"
check "a set" sh -c "[ \$($gen --opset 11 --count 50 | grep -c '\"opset\":11,') -eq 50 ]"
$gen --opset 9..11 --count 50 | grep -o '"opset":[0-9]*' | sort -u >"$tmp/sets"
check "a range" sh -c "[ \"\$(tr '\n' ' ' <$tmp/sets)\" = '\"opset\":10 \"opset\":11 \"opset\":9 ' ]"
check "auto is 26 without a backend" sh -c "[ \$($gen --opset auto --count 5 | grep -c '\"opset\":26,') -eq 5 ]"
check "none by default" sh -c "! $gen --count 50 | grep -q opset"
check "old versions of operators" sh -c "$gen --opset 11 --count 300 | grep -q '\"onnx.AveragePool_11\"'"
check "no newer ones" sh -c "! $gen --opset 11 --count 300 | grep -qE 'onnx.AveragePool[\"_]*19|onnx.(AveragePool|LayerNormalization|Gelu)\"'"
check "reproducible" sh -c "$gen --opset 7..26 --first 150 --count 50 >$tmp/a && $gen --opset 7..26 --count 200 | tail -n 50 | cmp - $tmp/a"
check "named without a version" sh -c "[ \$($gen --opset 11 --api onnx.AveragePool --nodes 1 --count 5 | grep -c AveragePool_11) -eq 5 ]"
check "set of operators" sh -c "$gen --opset 11 --ops isra65 --count 100 | grep -q onnx.AveragePool_11"
check "coverage of a set" $BUILD/rulefuzz coverage --framework onnx --opset 11 --count 20
for bad in 6 27 x 11..9 7..; do
	expect "--opset $bad" 2 "--opset: expected N or A..B with A <= B, whole numbers from 7 to 26, got '$bad'" $BUILD/rulefuzz gen --opset $bad
done
expect "for torch" 2 "--opset needs a framework whose models are files; torch has none" $BUILD/rulefuzz gen --framework torch --opset 11
expect "no such operator in the set" 1 "no API of onnx that matches onnx.Celu can be generated" $BUILD/rulefuzz gen --framework onnx --opset 11 --api onnx.Celu
expect "a range for a strategy that learns" 2 "--opset A..B does not work with --strategy graph" $gen --strategy graph --opset 7..9
check "a set for it" $gen --strategy graph --opset 9 --count 5
# `run` asks the worker for its newest set; half of its models are of that one.
old="sh tests/data/backends/fake.sh ok | sed -u s/\\\"fake\\\":\\\"1.0\\\"/\\\"fake\\\":\\\"1.0\\\",\\\"opset\\\":\\\"13\\\"/"
sets_of_run() { # sets_of_run OPTION…: the number of models of each set
	rm -rf "$tmp/run" "$tmp"/run.db*
	"$BUILD/rulefuzz" run --backend fake --framework onnx --backend-command "$old" --db "$tmp/run.db" --count 100 --invalid 0 \
		--save-models "$tmp/run" "$@" >"$tmp/said" 2>&1
	code=$?
	cat "$tmp"/run/*.json 2>/dev/null | grep -o '"opset":[0-9]*' | sort | uniq -c | awk '{ printf "%s %s,", $1, $2 }' >"$tmp/count"
}
sets_of_run
check "run: half of the models in the newest set" sh -c 'grep -qE "(^|,)(4[0-9]|5[0-9]|6[0-9]) .opset.:13," "$1"' - "$tmp/count"
check "... others in each older one" sh -c 'grep -q "opset.:7," "$1" && grep -q "opset.:12," "$1" && ! grep -q "opset.:14" "$1"' - "$tmp/count"
sets_of_run --opset auto
check "run --opset auto" grep -qx '100 .opset.:13,' "$tmp/count"
sets_of_run --opset 12..20
check "a range ends at the newest set" sh -c 'grep -q "opset.:12,.*opset.:13,$" "$1"' - "$tmp/count"
sets_of_run --opset 20
check "a set that is too new" sh -c '[ $1 -eq 1 ] && grep -q "the newest operator set of the backend is 13, got 20" "$2"' - "$code" "$tmp/said"
python=$venvs/onnx/bin/python
if [ -x "$python" ]; then
	$gen --opset 7..26 --count 200 -o "$tmp/m"
	$gen --opset 7..26 --count 200 --format onnx -o "$tmp/m"
	check "200 files have the model's set and its IR version, and pass onnx's checker" "$python" tests/cli/runtime/model/onnx/onnx_sets.py "$tmp/m"
	check "the reference accepts them" sh -c "$gen --opset 7..26 --count 200 | $BUILD/rulefuzz validity onnx --quiet --jobs 1 2>&1 | grep -q '^200 of 200 models valid'"
else
	skip "200 files have the model's set and its IR version, and pass onnx's checker" "no $python: make backends FRAMEWORK=onnx"
	skip "the reference accepts them" "the same"
fi
echo "1..$n"
