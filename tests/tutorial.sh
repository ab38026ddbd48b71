#!/bin/bash
# Runs every command of docs/tutorial.md, block by block, as a reader would; says how long each took.
#   usage: tests/tutorial.sh [DOC]     the first block that fails ends it with its exit code
# TUTORIAL_LIMIT: seconds until build/bug.py, the script of a bug, must exist.
set -u
cd "$(dirname "$0")/.."
doc=${1:-docs/tutorial.md} blocks=$(mktemp -d)
trap 'rm -rf "$blocks"' EXIT
[ $# -gt 0 ] || rm -rf build/tutorial.db* build/bug.py
awk -v to="$blocks" '/^```sh$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > sprintf("%s/%02d", to, n) }' "$doc"
count=$(find "$blocks" -type f | wc -l)
[ "$count" -gt 0 ] || { echo "$doc: no command in it"; exit 1; }
# One shell for all, since a reader has one: a block may use what the one before it set. Each begins in the folder of the tree.
run() {
	local block=$1 start=$SECONDS
	printf '\n$ %s\n' "$(sed '2,$s/^/  /' "$block")"
	# shellcheck disable=SC1090 # that is what it is for
	set -e # on a line of its own: in a list that goes on it says nothing of what is in the block
	. "$block"
	set +e
	cd "$root" && printf '(%d s)\n' $((SECONDS - start))
	[ -s build/bug.py ] && [ -z "$script" ] && script=$SECONDS && printf 'a script in hand after %d s\n' "$script"
	[ "${script:-$SECONDS}" -le "${TUTORIAL_LIMIT:-$SECONDS}" ] || { echo "no script within $TUTORIAL_LIMIT s" && exit 1; }
}
root=$PWD done=0 script=
trap 'code=$?; rm -rf "$blocks"; [ $done = "$count" ] || printf "\n%s: block %d of %d failed\n" "$doc" $((done + 1)) "$count"; exit $code' EXIT
for block in "$blocks"/*; do
	run "$block"
	done=$((done + 1))
done
printf '\n%s: all %d blocks ran, %d s\n' "$doc" "$count" "$SECONDS"
