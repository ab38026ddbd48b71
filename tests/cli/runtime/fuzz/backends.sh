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
expect "a bad option" 2 'unrecognized option' "$fuzz" backends --nothing
lists "nothing is installed" '^torch-jit +torch +no torch==[0-9.]+: `make backends BACKEND=torch-jit`; torch.jit.trace'
check "so none is listed as such" sh -c "[ -z \"\$('$fuzz' backends --installed)\" ]"
check "which a name's exit code says" sh -c "'$fuzz' backends torch-jit; [ \$? -eq 5 ]"
expect "an unknown name" 5 'unknown backend nothing; there are ' "$fuzz" backends torch-jit nothing

has torch "torch-$torch+cpu" torchvision-9.9
lists "a framework's version counts for its backends" "^torch-aot +torch +torch $torch\\+cpu; torch.compile without inductor"
check "… is an exit code" "$fuzz" backends torch-jit torch-aot
lists "… and the others are not there" '^onnxruntime +onnx +no onnx==' onnxruntime
check "… and not listed as such" sh -c "'$fuzz' backends --installed | grep -v '^torch-' | grep -c . | grep -qx 0"
has onnx onnx-1.0 onnxruntime-1.0
lists "another version is none" '^onnxruntime +onnx +no onnx==[0-9.]+ \(but 1.0\), onnxruntime==[0-9.]+ \(but 1.0\): `' onnxruntime

# A target with a requirement of its own.
cp -r runtime/python "$tmp/python"
cat >"$tmp/python/rulefuzz/targets/torch_far_off.py" <<'PY'
"""Far off."""

FRAMEWORK = "torch"
REQUIRES = ("Far.Off==1.2", "program:sh", "program:no-such-program")
PY
RULEFUZZ_PACKAGE=$tmp/python
export RULEFUZZ_PACKAGE
lists "its environment is not its framework's" '^torch-far-off +torch +no torch==.*, Far.Off==1.2, program:no-such-program: `' torch-far-off
expect "… so run wants it" 5 "/venvs/torch-far-off/bin/python: run .make backends BACKEND=torch-far-off" \
	"$fuzz" run --backend torch-far-off --db "$tmp/db"
has torch-far-off "torch-$torch" far_off-1.2
lists "a program may be missing" '^torch-far-off +torch +no program:no-such-program: `' torch-far-off
sed -i 's/, "program:no-such-program"//' "$tmp/python/rulefuzz/targets/torch_far_off.py"
lists "all is there" "^torch-far-off +torch +torch $torch, Far.Off 1.2; Far off.\$" torch-far-off
lists "as JSON" "^\\{\"name\":\"torch-far-off\",\"framework\":\"torch\",\"environment\":\"torch-far-off\",.*\"installed\":true,\"versions\":\\{\"torch\":\"$torch\",\"Far.Off\":\"1.2\"\\},\"missing\":\\[\\]" --json
lists "… with what is missing" '"name":"onnxruntime",.*"installed":false,"versions":\{\},"missing":\["onnx==' --json
cp "$tmp/out" "$tmp/json"
check "… which is JSON" python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); assert d["schema"] == 1 and len(d["backends"]) > 9' "$tmp/json"
has torch-far-off
rm -r "$tmp/venvs/torch-far-off/lib/python3.11/site-packages/far_off-1.2.dist-info"
has torch-far-off far_off_more-1.2 far-1.2
lists "a longer or a shorter name is another's" '^torch-far-off +torch +no Far.Off==1.2: `' torch-far-off
echo "1..$n"
