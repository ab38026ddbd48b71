#!/bin/sh
# The installed files work without the source tree: run, verify and validity, in an empty folder.
. tests/cli/tap.sh
python=$venvs/onnx/bin/python
if [ ! -x "$BUILD/rulesmith" ] || [ ! -x "$python" ]; then
	echo "ok 1 - installed programs work # SKIP no $BUILD/rulesmith or no $python"
	echo "1..1"
	exit 0
fi
check "make install" built -o all install PREFIX="$tmp/usr"
fuzz=$tmp/usr/bin/rulefuzz here=$PWD
mkdir "$tmp/nothing" "$tmp/cache" && cd "$tmp/nothing" || exit 1
unset PYTHONPATH RULEFUZZ_PACKAGE RULEFUZZ_PYTHON
RULESMITH_VENVS=$venvs XDG_CACHE_HOME=$tmp/cache
export RULESMITH_VENVS XDG_CACHE_HOME
away() { ! grep -rlF "$here" "$tmp/usr/share" "$tmp/usr/lib/pkgconfig"; }
check "nothing installed names the source tree" away
check "the package's tests are not installed" [ -z "$(find "$tmp/usr" -name 'test*')" ]
"$fuzz" run --backend onnxruntime --count 5 --db "$tmp/db" >"$tmp/text" 2>&1
check "rulefuzz run" grep -qE '^onnxruntime: 5 models' "$tmp/text"
"$fuzz" gen --framework onnx --count 20 --seed 3 >"$tmp/models"
check "rulefuzz validity" "$fuzz" validity onnx --quiet <"$tmp/models"
cp "$tmp/err" "$tmp/text"
check "… counts" grep -qE '^(19|20) of 20 models valid' "$tmp/text"
check "rulefuzz verify" "$fuzz" verify --framework onnx --op 'onnx.Relu-*' --count 60 --require 90,90
cp "$tmp/out" "$tmp/text"
check "… runs calls" grep -qE '^total +[1-9]' "$tmp/text"
check "… writes to the cache only" sh -c "ls -A | grep . && exit 1; ls '$tmp/cache/rulesmith/oracle/onnx'"
expect "framework that is not installed" 5 "onnx is not installed .no .*/none/onnx/bin/python.; run .sh $tmp/usr/share/rulefuzz/python/traces/backends.sh onnx" \
	env RULESMITH_VENVS="$tmp/none" "$fuzz" validity onnx
expect "an unknown framework" 2 "unknown framework .nothing." "$fuzz" validity nothing
expect "no framework" 2 "expected a FRAMEWORK before the options" "$fuzz" validity --quiet
check "help" "$fuzz" validity --help
expect "backends.sh with an unknown name" 5 "unknown framework or backend 'nothing'" sh "$tmp/usr/share/rulefuzz/python/traces/backends.sh" nothing
check "backends.sh finds the installed framework" sh "$tmp/usr/share/rulefuzz/python/traces/backends.sh" onnx
echo "1..$n"
