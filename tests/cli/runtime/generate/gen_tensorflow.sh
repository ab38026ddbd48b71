# Generated TensorFlow scripts, where the virtual environment is.
. tests/cli/tap.sh
gen="$BUILD/rulefuzz gen --framework tensorflow --format py"
check "a ranged input says so" sh -c "$gen --count 100 -o $tmp/g && grep -qE 'make_input\(.*, \"[a-z0-9]*\", [0-9]+, span=\(-?[0-9]+, [0-9]+\)\)' $tmp/g/*.py"
check "elements as a tensor" sh -c "$gen --api tf.raw_ops.Reshape --nodes 5 -o $tmp/r && grep -qE 'shape=tf.constant\(\[[0-9, -]*\], dtype=tf.int(32|64)\)' $tmp/r/tensorflow-0-0.py"
check "Python compiles" sh -c "command -v python3 >/dev/null || exit 0; python3 -m py_compile $tmp/g/tensorflow-0-0.py $tmp/r/tensorflow-0-0.py"
check "keywords only" sh -c "! grep -E 'flat\(tf\.raw_ops\.[A-Za-z0-9]*\([^)a-z]' $tmp/g/tensorflow-0-0.py"
expect "no scripts of onnx" 2 'models of onnx are not scripts' $BUILD/rulefuzz gen --framework onnx --format py
python=${TENSORFLOW_PYTHON:-$venvs/tensorflow/bin/python}
if [ -x "$python" ]; then
	$gen --api 'tf.raw_ops.Neg' --nodes 3 -o "$tmp/n"
	check "a script runs alone and agrees with its prediction" sh -c "cd / && $(realpath -s "$python") $tmp/n/tensorflow-0-0.py"
	sed 's/^EXPECTED = \[("\(t[0-9]*\)", (/EXPECTED = [("\1", (77, /' "$tmp/n/tensorflow-0-0.py" >"$tmp/wrong.py"
	expect "a wrong shape is told" 1 'predicted \(77, .*got' "$python" "$tmp/wrong.py"
else
	skip "a script runs alone and agrees with its prediction" "no $python: make backends FRAMEWORK=tensorflow"
	skip "a wrong shape is told" "the same"
fi
echo "1..$n"
