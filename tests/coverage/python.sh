#!/bin/sh
# Branch coverage of the Python package rulefuzz as JSON: of its own tests, in plain Python and in each installed
# framework's Python, and of the workers that scripts of tests/cli start if BUILD, a folder with rulefuzz, is given.
#   usage: python.sh FOLDER [BUILD]
set -eu
version=7.11.0 venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} folder=$1 build=${2-}
tool=$venvs/coverage-$version
[ -e "$tool/done" ] || { rm -rf "$tool" && python3 -m venv "$tool" && "$tool/bin/python" -m pip install --quiet "coverage==$version" && touch "$tool/done"; }
mkdir -p "$folder/start"
rm -f "$folder"/data.*
# The sandbox forks children, which end by os._exit.
cat >"$folder/settings.ini" <<END
[run]
branch = true
parallel = true
source = $PWD/runtime/python/rulefuzz
data_file = $(realpath "$folder")/data
disable_warnings = no-data-collected
patch =
  subprocess
  _exit
END
PYTHONPATH=$PWD/runtime/python:$(echo "$tool"/lib/python3*/site-packages)
export PYTHONPATH
tests() { "$1" -m coverage run --rcfile="$folder/settings.ini" -m tests.tap tests/python "$2: " 2>>"$folder/log" | grep '^not ok' || true; }
tests python3 plain
for framework in ${FRAMEWORKS-torch tensorflow onnx}; do
	[ ! -x "$venvs/$framework/bin/python" ] || tests "$venvs/$framework/bin/python" "$framework"
done
# Every Python that rulefuzz or a script starts imports the first sitecustomize it finds, and so counts.
printf 'import coverage\n\ncoverage.process_startup()\n' >"$folder/start/sitecustomize.py"
if [ -n "$build" ]; then
	at=$(realpath "$folder") scripts="fuzz/run_torch fuzz/run_onnx python/validity"
	for script in $scripts generate/gen_torch generate/gen_tensorflow generate/gen_onnx; do
		BUILD=$build LLVM_PROFILE_FILE=/dev/null COVERAGE_PROCESS_START=$at/settings.ini PYTHONPATH=$at/start:$PYTHONPATH \
			sh "tests/cli/runtime/$script.sh" 2>>"$folder/log" | grep '^not ok' || true
	done
fi
"$tool/bin/python" -m coverage combine --quiet --rcfile="$folder/settings.ini" "$folder"
"$tool/bin/python" -m coverage json --quiet --rcfile="$folder/settings.ini" -o "$folder/python.json"
