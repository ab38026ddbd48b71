#!/bin/sh
# rulefuzz run with ONNX: onnxruntime agrees with itself, but for the bugs it has; a target that is dropped in is found, and
# so is the fault that is planted in it.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz python=$venvs/onnx/bin/python
if [ ! -x "$python" ]; then
	echo "ok 1 - rulefuzz run with onnxruntime # SKIP no $python: make backends FRAMEWORK=onnx"
	echo "1..1"
	exit 0
fi
RULEFUZZ_PYTHON=$python
export RULEFUZZ_PYTHON
exits() { # exits WHAT CODE COMMAND…
	what=$1 code=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ]; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code)"
		sed 's/^/# /' "$tmp/err" "$tmp/out" | head -20
	fi
}
"$fuzz" run --db "$tmp/db" --backend onnxruntime --count 60 --verbose >"$tmp/text" 2>&1
code=$?
check "onnxruntime ends well (exit $code)" test $code -eq 0 -o $code -eq 3
check "it takes models of onnx" grep -qE '^onnxruntime: 60 models' "$tmp/text"
check "most are valid and compared" grep -qE 'compared (4[0-9]|5[0-9]|60): (4[0-9]|5[0-9]|60) agree' "$tmp/text"
check "the fast path decides nearly all" grep -qE 'fast path decided (4[0-9]|5[0-9]|60) models, full oracle [0-9]+' "$tmp/text"
"$fuzz" run --db "$tmp/db2" --backend onnxruntime --count 60 --no-fast-path --verbose >"$tmp/whole" 2>&1
check "without it, not one less is valid" test "$(sed -n 's/.* reference accepted \([0-9.]*\) %.*/\1/p' "$tmp/whole")" = "$(sed -n 's/.* reference accepted \([0-9.]*\) %.*/\1/p' "$tmp/text")"
check "… and the fast path decides none" sh -c '! grep -q "fast path" "$1"' - "$tmp/whole"
RULEFUZZ_ONNXRUNTIME=/nonexistent "$fuzz" run --db "$tmp/db3" --backend onnxruntime --count 20 --verbose >"$tmp/text" 2>&1
check "without its library, the full oracle decides all" grep -qE 'compared (1[0-9]|20): (1[0-9]|20) agree' "$tmp/text"
check "… and the summary shows it" sh -c '! grep -q "fast path" "$1"' - "$tmp/text"

# The worker by itself.
"$fuzz" gen --framework onnx --api onnx.Relu --count 1 >"$tmp/model"
{ printf '{"id":7,"do":"check","memory":4096,"title":"a \\"quoted\\" one","model":%s}\n' "$(cat "$tmp/model")" &&
	echo '{"id":8,"do":"check","model":{}}' && echo '{"id":9,"do":"script","model":{}}' && echo 'nothing'; } |
	"$fuzz" worker onnxruntime --python "$python" >"$tmp/answers" 2>"$tmp/err"
check "the worker is ready" sh -c 'sed -n 1p "$1" | grep -qE "^.\"ready\":1,\"versions\":.\"onnxruntime\":\"[0-9.]+\"..$"' - "$tmp/answers"
check "it takes a model" sh -c 'sed -n 2p "$1" | grep -qE "^.\"id\":7,\"verdict\":\"ok\",\"times\":"' - "$tmp/answers"
check "it leaves what is no model" sh -c 'sed -n 3p "$1" | grep -qE "^.\"id\":8,\"verdict\":\"undecided\",\"why\":\""' - "$tmp/answers"
check "it writes no scripts" sh -c 'sed -n 4p "$1" | grep -qE "^.\"id\":9,\"script\":\"\".$"' - "$tmp/answers"
expect "there are no others" 2 "unknown worker 'torch-jit'" "$fuzz" worker torch-jit --library /nonexistent
exits "a library that is not there is fatal" 5 "$fuzz" worker onnxruntime --library /nonexistent
cp "$tmp/out" "$tmp/text"
check "… as the protocol says it" grep -q '^{"fatal":".*/nonexistent' "$tmp/text"

"$fuzz" run --db "$tmp/both" --backend onnxruntime-basic,onnxruntime-layout --count 20 >"$tmp/text" 2>&1
code=$?
check "two backends end well (exit $code)" test $code -eq 0 -o $code -eq 3
check "… each takes all models" [ "$(grep -cE '^onnxruntime-(basic|layout): 20 models' "$tmp/text")" -eq 2 ]

# A target of one's own is a file in the package's folder; this one has Relu return one more.
cp -r runtime/python "$tmp/python"
mkdir -p "$tmp/python/traces/collect" && ln -s "$PWD/traces/onnx" "$tmp/python/traces/onnx" && cp runtime/rules/frameworks.def runtime/ort/tolerances.def "$tmp/python/rulefuzz"
cat >"$tmp/python/rulefuzz/targets/onnx_planted.py" <<'PY'
"""onnx's reference evaluator, which is wrong for Relu."""

FRAMEWORK = "onnx"
REQUIRES = ("onnx",)
MAY_DIFFER = True
PLAIN = ("""
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
class Relu(OpRun):
    op_domain = ""
    def _run(self, x):
        return (np.maximum(x, 0) + 1,)
actual = ReferenceEvaluator(model, new_ops=[Relu]).run(None, inputs)[0]
""",)


def compile(model, example, stage):
    import numpy as np
    from onnx.reference import ReferenceEvaluator
    from onnx.reference.op_run import OpRun

    class Relu(OpRun):
        op_domain = ""

        def _run(self, x):
            return (np.maximum(x, 0) + 1,)

    evaluator = ReferenceEvaluator(model, new_ops=[Relu])
    stage("run")
    return lambda *inputs: evaluator.run(None, {i.name: x for i, x in zip(model.graph.input, inputs)})
PY
RULEFUZZ_PACKAGE=$tmp/python
export RULEFUZZ_PACKAGE
exits "a target that is dropped in finds its fault" 3 "$fuzz" run --db "$tmp/planted" --backend onnx-planted --api onnx.Relu --count 5
cp "$tmp/out" "$tmp/text"
check "… without a fast path, which another target has" sh -c 'grep -q "5 models" "$1" && ! grep -qi "fast path" "$1"' - "$tmp/text"
exits "which is listed" 0 "$fuzz" list --db "$tmp/planted"
cp "$tmp/out" "$tmp/text"
check "… at its place" grep -qE 'onnx-planted: Relu.* returns ' "$tmp/text"
exits "… and reproduces" 3 "$fuzz" repro 1 --db "$tmp/planted"
"$fuzz" show 1 --db "$tmp/planted" --script >"$tmp/short.py"
check "its script is short" test "$(wc -l <"$tmp/short.py")" -le 25
check "… and has the model as text" grep -q 't1 = Relu (t0)' "$tmp/short.py"
exits "… and fails alone" 1 "$python" -I "$tmp/short.py"
cp "$tmp/out" "$tmp/text"
check "… and prints what is expected and what is not" sh -c 'grep -q ^expected: "$1" && grep -q ^actual: "$1"' - "$tmp/text"
sed 's/np.maximum(x, 0) + 1/np.maximum(x, 0)/' "$tmp/short.py" >"$tmp/mended.py"
exits "… and passes without the fault" 0 "$python" -I "$tmp/mended.py"
"$fuzz" show 1 --db "$tmp/planted" --script full >"$tmp/repro.py"
exits "the long one fails" 1 "$python" "$tmp/repro.py"
cp "$tmp/out" "$tmp/text"
check "… and says how" grep -q '^REPRODUCED: .* differs: ' "$tmp/text"
sed 's/np.maximum(x, 0) + 1/np.maximum(x, 0)/' "$tmp/repro.py" >"$tmp/mended.py"
exits "… and passes without the fault" 0 "$python" "$tmp/mended.py"
echo "1..$n"
