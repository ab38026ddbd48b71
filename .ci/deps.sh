#!/bin/sh
# Looks for the packages that the build and its tests need, by pkg-config or the command, and installs what is missing with
# apt-get. usage: deps.sh [--check] [all|runtime]
#   runtime   only what building and running rulefuzz needs
#   --check   install nothing: print what is missing and why, exit code 1
set -eu
only_check=
[ "${1:-}" != --check ] || { only_check=1 && shift; }
missing='' reasons=''
need() { # need PACKAGE WHY
	missing="$missing $1"
	reasons="$reasons
deps:   $1: $2"
}
has() { command -v pkg-config >/dev/null && pkg-config --exists "$1"; }
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null || need gcc 'the C compiler'
[ -e /usr/include/stdio.h ] || need libc6-dev 'the headers of C'
command -v make >/dev/null || need make 'the build'
command -v pkg-config >/dev/null || need pkg-config 'finds libraries'
has libcjson || need libcjson-dev 'reads and writes JSON'
has libxxhash || need libxxhash-dev 'hashes of rules and models'
has sqlite3 || need libsqlite3-dev 'databases of findings'
has libprotobuf-c || need libprotobuf-c-dev 'reads and writes ONNX files'
has zlib || need zlib1g-dev 'unpacks the pages of rules'
command -v protoc-c >/dev/null || need protobuf-c-compiler 'makes C of the ONNX file format'
[ -e "${ONNX_PROTO:-/usr/include/onnx/onnx.proto}" ] || need libonnx-dev 'the ONNX file format, as a schema only'
if [ "${1:-all}" = all ]; then
	has z3 || need libz3-dev 'the solver that proves and simplifies rules'
	ls /usr/lib/llvm-*/include/clang-c/Index.h >/dev/null 2>&1 || need libclang-dev 'the audit of generated C'
	has cmocka || need libcmocka-dev 'unit tests'
	command -v patch >/dev/null || need patch 'applies security updates to the source of cJSON, for make static'
	command -v valgrind >/dev/null || need valgrind 'counts instructions, for make perf'
fi
command -v python3 >/dev/null || need python3 'tests, lints and the workers that run models'
# Debian's python3 alone cannot make virtual environments.
python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv 'virtual environments of frameworks, for make backends'
[ -n "$missing" ] || exit 0
if [ -n "$only_check" ]; then
	echo "deps: error: missing packages:$reasons" >&2
	echo "deps: \`make deps${1:+ NEEDS=$1}\` installs them; DEPS=skip turns this check off" >&2
	exit 1
fi
if [ "$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else
	echo "deps: error: missing$missing; install them (apt-get install$missing), or be root" >&2
	exit 1
fi
command -v apt-get >/dev/null || {
	echo "deps: error: missing$missing, and there is no apt-get here: install them by hand, then DEPS=skip" >&2
	exit 1
}
echo "deps: installing missing packages:$reasons"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# shellcheck disable=SC2086
{ $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 || {
	tail -5 "$log" >&2
	echo "deps: error: apt-get could not install$missing" >&2
	exit 1
}
rm -f "$log"
