#!/bin/sh
# Branch coverage of the package rulefuzz under its own tests, in plain Python and in each framework's that is installed (their
# slow tests left out: those of torch, TensorFlow and ONNX named test_[ac]*), as JSON.   usage: python.sh FOLDER
set -eu
version=7.11.0 venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} folder=$1
tool=$venvs/coverage-$version
[ -e "$tool/done" ] || { rm -rf "$tool" && python3 -m venv "$tool" && "$tool/bin/python" -m pip install --quiet "coverage==$version" && touch "$tool/done"; }
mkdir -p "$folder"
rm -f "$folder"/data.*
# Children are forked by the sandbox and end by os._exit
printf '[run]\nbranch = true\nparallel = true\nsource = runtime/python/rulefuzz\ndata_file = %s/data\npatch =\n  subprocess\n  _exit\n' \
	"$(realpath "$folder")" >"$folder/settings.ini"
PYTHONPATH=$PWD/runtime/python:$(echo "$tool"/lib/python3*/site-packages)
export PYTHONPATH
tests() { "$1" -m coverage run --rcfile="$folder/settings.ini" -m tests.tap tests/python "$2: " "$3" 2>>"$folder/log" | grep '^not ok' || true; }
tests python3 plain 'test*.py'
for framework in ${FRAMEWORKS-torch tensorflow onnx}; do
	[ ! -x "$venvs/$framework/bin/python" ] || tests "$venvs/$framework/bin/python" "$framework" 'test_[ac]*.py'
done
"$tool/bin/python" -m coverage combine --quiet --rcfile="$folder/settings.ini" "$folder"
"$tool/bin/python" -m coverage json --quiet --rcfile="$folder/settings.ini" -o "$folder/python.json"
