#!/bin/sh
# Installs missing packages for the build and its tests: checks pkg-config (or the compiler), then calls apt-get.
# usage: deps.sh [runtime]      runtime: only what building and running rulefuzz needs
set -eu
missing=
need() { missing="$missing $1"; }
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null || need gcc
[ -e /usr/include/stdio.h ] || need libc6-dev
command -v make >/dev/null || need make
command -v pkg-config >/dev/null || need pkg-config
has() { command -v pkg-config >/dev/null && pkg-config --exists "$1"; }
has libcjson || need libcjson-dev
has libxxhash || need libxxhash-dev
has sqlite3 || need libsqlite3-dev
has libprotobuf-c || need libprotobuf-c-dev
has zlib || need zlib1g-dev
command -v protoc-c >/dev/null || need protobuf-c-compiler
[ -e "${ONNX_PROTO:-/usr/include/onnx/onnx.proto}" ] || need libonnx-dev # ONNX's file format, as a schema only
if [ "${1:-all}" = all ]; then
	has z3 || need libz3-dev
	ls /usr/lib/llvm-*/include/clang-c/Index.h >/dev/null 2>&1 || need libclang-dev # for the audit
	has cmocka || need libcmocka-dev
	command -v patch >/dev/null || need patch # of `make static`: cJSON's security updates
fi
command -v python3 >/dev/null || need python3 # for tests: .ci/house.py, the Python package without a framework
# `make backends` makes virtual environments, which Debian's python3 cannot do alone.
python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else
	echo "deps: error: missing$missing; install them (apt-get install$missing), or be root" >&2
	exit 1
fi
command -v apt-get >/dev/null || {
	echo "deps: error: missing$missing, and there is no apt-get here: install them by hand, then DEPS=skip" >&2
	exit 1
}
echo "deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# shellcheck disable=SC2086
{ $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 || {
	tail -5 "$log" >&2
	echo "deps: error: apt-get could not install$missing" >&2
	exit 1
}
rm -f "$log"
