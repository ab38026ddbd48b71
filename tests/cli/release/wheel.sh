#!/bin/sh
# The wheel, installed by pip without a network: the command, the workers, the module, the Python examples.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
here=$PWD
wheel=$(cat "$BUILD/dist/wheel.stamp")
unset PYTHONPATH RULEFUZZ_PACKAGE RULEFUZZ_PYTHON RULESMITH_LIBRARY
torch=$venvs/torch/bin/python
[ -x "$torch" ] && base=$torch || base=python3
XDG_CACHE_HOME=$tmp/cache PIP_DISABLE_PIP_VERSION_CHECK=1
export XDG_CACHE_HOME PIP_DISABLE_PIP_VERSION_CHECK
# A virtual environment that sees torch's packages and Hypothesis, as if both were installed in it.
"$base" -m venv "$tmp/venv" || exit 1
python=$tmp/venv/bin/python
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
for other in "$venvs/torch" "$venvs/hypothesis"; do
	[ ! -x "$other/bin/python" ] || "$other/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
done >"$site/others.pth"
check "at most 15 MB" [ "$(wc -c <"$wheel")" -le 15000000 ]
check "pip installs it" "$python" -m pip install -q --no-index "$wheel"
complaint() { "$python" -m pip check | grep -i rulesmith; }
check "pip has nothing against it" sh -c "! '$python' -m pip check 2>&1 | grep -i '^rulesmith'"
check "every file is as RECORD says" "$python" -c '
import base64, hashlib, importlib.metadata, sys
files = importlib.metadata.files("rulesmith")
bad = [str(f) for f in files if f.hash and base64.urlsafe_b64encode(hashlib.sha256(f.read_binary()).digest()).rstrip(b"=").decode() != f.hash.value]
sys.exit(f"wrong: {bad}" if bad or len(files) < 100 else 0)'
check "no path of the machine that built it" sh -c "! grep -rlF '$here' '$site/rulesmith'"
cd "$tmp" || exit 1
PATH=$tmp/venv/bin:$PATH
check "the command" rulefuzz gen --framework torch --count 2
check "… prints a rule" sh -c "rulefuzz rules --api torch.mm | head -1 | grep -q '^torch.mm[:(]'"
check "… of the version that the wheel has" [ "$(rulefuzz --version | cut -d' ' -f2 | tr -d ,)" = "$("$python" -c 'import importlib.metadata as m; print(m.version("rulesmith"))')" ]
if "$python" -c 'import torch' 2>/dev/null; then
	check "models run by this very Python" rulefuzz run --backend torch-jit --count 4 --db "$tmp/db"
	cp "$tmp/out" "$tmp/shown"
	check "… four of them" grep -q '^torch-jit: 4 models' "$tmp/shown"
else
	skip "models run by this very Python" "there is no torch"
fi
expect "another Python" 5 "/nothing/python" env RULEFUZZ_PYTHON=/nothing/python rulefuzz run --backend torch-jit --count 1 --db "$tmp/db"
check "import rulesmith" "$python" -c 'import rulesmith; assert rulesmith.shapes("torch.mm", (2, 3), (3, 4)) == ((2, 4),)'
check "the examples of its text" "$python" -m doctest "$site/rulesmith/__init__.py"
check "it is typed" [ -e "$site/rulesmith/py.typed" ]
if "$python" -c 'import hypothesis' 2>/dev/null; then
	check "Hypothesis draws and shrinks" "$python" "$here/tests/cli/release/strategies.py"
	cp "$tmp/err" "$tmp/shown"
	check "… all of its tests" grep -qE '^Ran ([8-9]|[1-9][0-9]) tests' "$tmp/shown"
	if "$python" -c 'import torch' 2>/dev/null; then
		check "the example of docs/examples" "$python" -W ignore -c '
import sys
sys.path.insert(0, sys.argv[1])
import test_conv2d
test_conv2d.test_conv2d(); test_conv2d.test_rejected()' "$here/docs/examples"
	else
		skip "the example of docs/examples" "there is no torch"
	fi
else
	skip "Hypothesis draws and shrinks" "there is no $venvs/hypothesis"
fi
"$python" -m pip uninstall -q -y rulesmith
check "pip takes all of it away" [ ! -e "$site/rulesmith" ]
cd "$here" || exit 1
# A library that needs more than libc: the one of `make`.
mkdir -p "$tmp/dynamic/static" "$tmp/dynamic/wheel"
cp "$BUILD/static/rulefuzz" "$tmp/dynamic/static" && cp "$BUILD/librulesmith.so" "$tmp/dynamic/wheel"
cat >"$tmp/make" <<-'SH'
	#!/bin/sh
	exit 0
SH
mkdir "$tmp/bin" && mv "$tmp/make" "$tmp/bin/make" && chmod +x "$tmp/bin/make"
expect "a library that needs more than libc is rejected" 1 "wheel: error: the wheel needs more than libc: .*libcjson" \
	env PATH="$tmp/bin:$PATH" sh packages/wheel.sh "$tmp/dynamic" "$venvs/wheel"
check "… and no wheel made" [ ! -e "$tmp/dynamic/dist" ]
printf '#!/bin/sh\necho "a.c:1: error: planted" >&2\nexit 2\n' >"$tmp/bin/make"
expect "sources that do not compile" 1 'a\.c:1: error: planted' env PATH="$tmp/bin:$PATH" sh packages/wheel.sh "$tmp/dynamic" "$venvs/wheel"

# pip install . in an empty environment: a build with the libraries of the system, whose tools come from the package index.
python3 -m venv "$tmp/empty" || exit 1
pip_install() { DEPS=skip RULESMITH_BUILD=$BUILD "$tmp/empty/bin/python" -m pip install -q --disable-pip-version-check "$@"; }
if pip_install hatchling==1.27.0 2>/dev/null; then
	check "pip install ." pip_install --no-build-isolation .
	check "… the command" "$tmp/empty/bin/rulefuzz" gen --framework onnx --count 1
	check "… the module" sh -c "cd '$tmp' && empty/bin/python -c 'import rulesmith; assert rulesmith.shapes(\"torch.mm\", (2, 3), (3, 4)) == ((2, 4),)'"
	check "… tells that it is for this machine" grep -q '^Tag: py3-none-linux_' "$tmp"/empty/lib/python3*/site-packages/rulesmith-*.dist-info/WHEEL
	expect "an editable installation" 1 'cannot be installed in editable mode' pip_install --no-build-isolation -e .
else
	skip "pip install ." "no package index"
fi
echo "1..$n"
