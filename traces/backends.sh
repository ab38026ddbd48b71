#!/bin/sh
# Makes the virtual environment build/venv/NAME of a framework, once: does nothing when the wanted version imports.
# usage: traces/backends.sh NAME...      (NAME: torch, tensorflow, onnx; nnsmith, for make bench)
set -eu
cd "$(dirname "$0")/.."

wanted() { # the exact requirements of a framework: the first is the framework itself
	case $1 in
	torch) echo "torch==2.13.0 numpy expecttest" ;;
	tensorflow) echo "tensorflow-cpu==2.21.0 numpy" ;;
	onnx) echo "onnx==1.23.2 onnxruntime==1.31.1 numpy" ;;
	nnsmith) echo "nnsmith==0.1.0 torch==2.13.0 numpy" ;;
	*) return 1 ;;
	esac
}

fail() {
	echo "traces/backends.sh: error: $1" >&2
	exit 5
}

present() { # venv, requirements: the framework imports, in the wanted version, and so do its companions
	[ -x "$1/bin/python" ] && "$1/bin/python" - $2 2>/dev/null <<-'PY'
		import importlib, sys
		for wish in sys.argv[1:]:
		    name, _, version = wish.partition("==")
		    module = importlib.import_module(name.removesuffix("-cpu"))
		    if version and module.__version__.split("+")[0] != version:
		        sys.exit(1)
	PY
}

[ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
for name in "$@"; do
	list=$(wanted "$name") || fail "unknown framework '$name'"
	venv=build/venv/$name
	present "$venv" "$list" && continue
	echo "traces/backends.sh: installing $list into $venv"
	log=build/venv/$name.log
	mkdir -p build/venv
	{ [ -x "$venv/bin/python" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1; } || { rm -rf "$venv" && python3 -m venv "$venv" >"$log" 2>&1; } ||
		fail "python3 -m venv failed (is python3-venv installed?): see $log"
	# shellcheck disable=SC2086 # the list is words
	"$venv/bin/python" -m pip install --quiet $list >"$log" 2>&1 || fail "pip install $list failed: see $log"
	present "$venv" "$list" || fail "$list was installed but does not import"
done
