#!/bin/sh
# rulefuzz backends: what is installed, read from the names of files in environments that only pretend; an environment of a
# target's own.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz
unset RULEFUZZ_PYTHON
RULESMITH_VENVS=$tmp/venvs
export RULESMITH_VENVS
has() { # has ENVIRONMENT NAME-VERSION…: a Python, and distributions
	site=$tmp/venvs/$1/lib/python3.11/site-packages
	mkdir -p "$tmp/venvs/$1/bin" "$site" && : >"$tmp/venvs/$1/bin/python" && chmod +x "$tmp/venvs/$1/bin/python"
	shift
	for dist in "$@"; do mkdir -p "$site/$dist.dist-info"; done
}
lists() { # lists WHAT PATTERN ARGUMENT…: one line of what `rulefuzz backends ARGUMENT…` prints
	what=$1 pattern=$2
	shift 2
	"$fuzz" backends "$@" >"$tmp/out" 2>"$tmp/err"
	if grep -qE -- "$pattern" "$tmp/out"; then ok "$what"; else
		not_ok "$what (wanted /$pattern/)"
		sed 's/^/# /' "$tmp/out" "$tmp/err" | head -20
	fi
}
torch=$(sed -n 's/^FRAMEWORK(torch, "torch", "torch==\([0-9.]*\).*/\1/p' runtime/rules/frameworks.def)

check "help" "$fuzz" backends --help
expect "a bad option" 2 "^rulefuzz backends: error: unknown option '--nothing'; try" "$fuzz" backends --nothing
expect "… that is nearly one" 2 "^rulefuzz backends: error: unknown option '--instaled'; did you mean --installed[?]$" "$fuzz" backends --instaled
lists "nothing is installed" '^torch-jit +torch +not installed .needs torch==[0-9.]+.: run `make backends BACKEND=torch-jit`; torch.jit.trace'
check "so none is listed as such" sh -c "[ -z \"\$('$fuzz' backends --installed)\" ]"
check "which a name's exit code says" sh -c "'$fuzz' backends torch-jit; [ \$? -eq 5 ]"
expect "an unknown name" 2 "unknown backend 'nothing'; .rulefuzz backends. lists all" "$fuzz" backends torch-jit nothing
expect "a misspelt name" 2 "unknown backend 'onnx-runtime'; did you mean onnxruntime[?]" "$fuzz" backends onnx-runtime
check "… and nothing is listed" sh -c "! '$fuzz' backends torch-jit nothing 2>/dev/null | grep ."
lists "backends to fuzz have a heading" '^To fuzz:$'
check "… and do not include those for tests" sh -c "! '$fuzz' backends | sed '/^For tests/,\$d' | grep -E '^(onnxruntime-(none|planted)|torch-(broken|eager|planted|same|specialised)) '"
check "… which are the others" sh -c "[ \$('$fuzz' backends | sed '1,/^For tests/d' | grep -c .) -eq 7 ]"
check "names, one per line" sh -c "[ \$('$fuzz' backends --names | grep -cx '[a-z0-9-]*') -eq \$(ls runtime/python/rulefuzz/targets/[a-z]*.py | grep -c .) ]"
RULEFUZZ_PYTHON=$tmp/none/bin/python
export RULEFUZZ_PYTHON
lists "beside a given Python pip installs" "^openvino .*run .'$tmp/none/bin/python' -m pip install onnx onnxruntime numpy openvino.;" openvino
unset RULEFUZZ_PYTHON
mkdir -p "$tmp/share/traces/collect" && cp -r runtime/python/rulefuzz "$tmp/share/" # as an installation has it
RULEFUZZ_PACKAGE=$tmp/share "$fuzz" backends openvino >"$tmp/listed" 2>&1
check "in an installation the script does" grep -q "run .sh $(realpath "$tmp/share")/traces/backends.sh openvino.;" "$tmp/listed"

has torch "torch-$torch+cpu" torchvision-9.9
lists "a framework's version counts for its backends" "^torch-aot +torch +torch $torch\\+cpu; torch.compile without inductor"
check "… is an exit code" "$fuzz" backends torch-jit torch-aot
lists "… and the others are not there" '^onnxruntime +onnx +not installed .needs onnx==' onnxruntime
check "… and not listed as such" sh -c "'$fuzz' backends --installed --names | grep -v '^torch-' | grep -c . | grep -qx 0"
has onnx onnx-1.0 onnxruntime-1.0
lists "another version is installed, too" '^onnxruntime +onnx +onnx 1.0 \(rules learned from [0-9.]+\), onnxruntime 1.0 \(rules learned from [0-9.]+\); ' onnxruntime
check "… by the exit code" "$fuzz" backends onnxruntime

# Another version has an environment of its own, of the distribution whose version it is.
has onnxruntime@1.17.1 onnx-1.15.0 onnxruntime-1.17.1
lists "another version" '^onnxruntime-basic@1.17.1 onnx +onnx 1.15.0 .rules learned from [0-9.]+., onnxruntime 1.17.1 .rules' onnxruntime-basic@1.17.1
lists "… that is not installed" '^onnxruntime@1.2 +onnx +not installed .*: run `make backends BACKEND=onnxruntime@1.2`; ' onnxruntime@1.2 onnxruntime@1.17.1
lists "… beside one that is" '^onnxruntime@1.17.1 ' onnxruntime@1.2 onnxruntime@1.17.1
RULEFUZZ_PYTHON=$tmp/none/bin/python
export RULEFUZZ_PYTHON
lists "RULEFUZZ_PYTHON is not of another version" '^onnxruntime@1.17.1 +onnx +onnx 1.15.0' onnxruntime@1.17.1
unset RULEFUZZ_PYTHON
for name in openvino@1 tract@1 torch@1; do
	lists "environment $name" "\"environment\":\"$name\"" --json "$(echo "$name" | sed 's/torch/torch-jit/')"
done
run_names() { expect "$1" "$2" "$3" "$fuzz" run --db "$tmp/db" --backend "$4" --count 1; }
run_names "run wants that environment" 5 "onnxruntime 1.2 is not installed .no .*/venvs/onnxruntime@1.2/bin/python.; run .make backends BACKEND=onnxruntime@1.2.$" onnxruntime@1.2
run_names "a name that is no version" 2 "backend 'onnxruntime@-1': expected NAME@VERSION, such as onnxruntime@1.17.1$" onnxruntime@-1
run_names "… or a path" 2 "backend 'onnxruntime@../1': expected NAME@VERSION" onnxruntime@../1
run_names "a version of no backend" 2 "unknown backend 'onnxruntim'; did you mean onnxruntime" onnxruntim@1.17.1
expect "a version and a Python" 2 "error: --python: backend onnxruntime@1.17.1 names a version" \
	"$fuzz" run --db "$tmp/db" --backend onnxruntime@1.17.1 --python python3

# A target with a requirement of its own.
cp -r runtime/python "$tmp/python"
cat >"$tmp/python/rulefuzz/targets/torch_far_off.py" <<'PY'
"""Far off."""

FRAMEWORK = "torch"
REQUIRES = ("Far.Off==1.2", "program:sh", "program:no-such-program")
PY
RULEFUZZ_PACKAGE=$tmp/python
export RULEFUZZ_PACKAGE
lists "its environment is not its framework's" '^torch-far-off +torch +not installed .needs torch==.*, Far.Off==1.2, program:no-such-program.: run `' torch-far-off
expect "… so run wants it" 5 "torch-far-off is not installed .no .*/venvs/torch-far-off/bin/python.; run .make backends BACKEND=torch-far-off" \
	"$fuzz" run --backend torch-far-off --db "$tmp/db"
has torch-far-off "torch-$torch" far_off-1.2
lists "a program may be missing" '^torch-far-off +torch +not installed .needs program:no-such-program.: run `' torch-far-off
sed -i 's/, "program:no-such-program"//' "$tmp/python/rulefuzz/targets/torch_far_off.py"
lists "all is there" "^torch-far-off +torch +torch $torch, Far.Off 1.2; Far off.\$" torch-far-off
lists "as JSON" "^\\{\"name\":\"torch-far-off\",\"framework\":\"torch\",\"environment\":\"torch-far-off\",.*\"for_tests\":false,\"installed\":true,\"versions\":\\{\"torch\":\"$torch\",\"Far.Off\":\"1.2\"\\},\"tested_with\":\\{\"torch\":\"$torch\",\"Far.Off\":\"1.2\"\\},\"missing\":\\[\\]" --json
lists "… with what is missing" '"name":"jax-jit",.*"installed":false,"versions":\{\},"tested_with":\{\},"missing":\["jax==' --json
cp "$tmp/out" "$tmp/json"
check "… which is JSON" python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); assert d["schema"] == 1 and len(d["backends"]) > 9' "$tmp/json"
has torch-far-off
rm -r "$tmp/venvs/torch-far-off/lib/python3.11/site-packages/far_off-1.2.dist-info"
has torch-far-off far_off_more-1.2 far-1.2
lists "a longer or a shorter name is another's" '^torch-far-off +torch +not installed .needs Far.Off==1.2.: run `' torch-far-off
echo "1..$n"
