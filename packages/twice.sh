#!/bin/sh
# Builds the commit a second time, in another folder and without a compiler cache, and compares the packages byte by
# byte: the static program, the wheel, the Debian package. usage: twice.sh BUILD    exit code 1 if one differs or is
# missing
#
# The packages in BUILD must be built from the commit, so a tree with changes is rejected. ONLY=static (or wheel)
# compares that one alone.
set -eu
build=$1 only=${ONLY:-static wheel deb}
fault() {
	echo "twice: error: $1" >&2
	exit 1
}
changed=$(git status --porcelain --untracked-files=no) || fault "this is no git repository"
[ -z "$changed" ] || fault "there are changes that are not committed: $(echo "$changed" | head -1)"
artefact() { # artefact KIND: its path below the folder of a build
	case $1 in
	static) echo static/rulefuzz ;;
	wheel) (cd "$2" && echo dist/*.whl) ;;
	deb) (cd "$2" && echo dist/*.deb) ;;
	*) fault "unknown: $1" ;;
	esac
}
for kind in $only; do [ -e "$build/$(artefact "$kind" "$build")" ] || fault "there is no $kind in $build: make $kind"; done
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks . "$work/elsewhere" 2>/dev/null || fault "git cannot clone this"
[ ! -e "$build/static/cJSON.c" ] || CJSON_SOURCE=$(realpath "$build/static")
CCACHE_DISABLE=1 && export CCACHE_DISABLE ${CJSON_SOURCE:+CJSON_SOURCE}
# shellcheck disable=SC2086 # names
make -s -C "$work/elsewhere" -j"${JOBS:-$(nproc)}" B=build DEPS=skip $only >"$work/log" 2>&1 || {
	tail -5 "$work/log" >&2
	fault "the second build failed"
}
status=0
for kind in $only; do
	one=$build/$(artefact "$kind" "$build") other=$work/elsewhere/build/$(artefact "$kind" "$work/elsewhere/build")
	if cmp "$one" "$other" >&2; then echo "$kind: the same $(wc -c <"$one") bytes"; else status=1; fi
done
exit $status
