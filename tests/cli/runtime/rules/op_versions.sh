#!/bin/sh
# The table of ONNX versions agrees with the installed onnx.
. tests/cli/tap.sh
python=$venvs/onnx/bin/python
if [ ! -x "$python" ]; then
	skip "ONNX's versions" "no $python: make backends FRAMEWORK=onnx"
	echo "1..$n"
	exit 0
fi
"$python" -m traces.collect.frameworks.onnx.versions >"$tmp/versions.def"
check "table agrees with onnx" diff -u runtime/rules/op_versions.def "$tmp/versions.def"
"$python" -m traces.collect.frameworks.onnx.versions sets >"$tmp/sets.def"
check "table of operator sets agrees with onnx" diff -u runtime/rules/op_sets.def "$tmp/sets.def"
"$python" -m traces.collect.frameworks.onnx.versions four-bits >"$tmp/four.def"
check "table of 4-bit integers agrees with onnx" diff -u runtime/rules/op_four_bits.def "$tmp/four.def"
"$python" -m traces.collect.frameworks.onnx.versions domains >"$tmp/sets.py"
check "sets of other domains' operators agree with onnxruntime" diff -u runtime/python/rulefuzz/frameworks/domains/onnx_sets.py "$tmp/sets.py"
check "dtypes agree with the runtime's" sh -c '"$1" - <<PY
import re
from traces.collect.frameworks.onnx.versions import DTYPES
text = open("runtime/include/ruletable.h").read()
assert DTYPES == re.findall(r"X\([A-Z0-9]+, \"(\w+)\"", text)[: len(DTYPES)], DTYPES
PY' - "$python"
echo "1..$n"
