#!/bin/sh
# Makes the virtual environment of a framework, once: does nothing when the wanted version imports.
# usage: backends.sh NAME...      (NAME: one of frameworks.def; nnsmith, for make bench)
#
# It is VENVS/NAME, with VENVS ${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}: outside the tree, so that
# every checkout has it. NAME is a link to a folder that is made whole first; whoever is killed leaves no half of one, and a
# second that comes meanwhile waits.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}
table=$here/../runtime/rules/frameworks.def
[ -e "$table" ] || table=$here/../rulefuzz/frameworks.def # installed

wanted() { # the exact requirements of a framework: the first is the framework itself
	[ "$1" != nnsmith ] || {
		echo "nnsmith==0.1.0 torch==2.13.0 numpy"
		return
	}
	sed -n "s/^FRAMEWORK($1, \"[^\"]*\", \"\([^\"]*\)\".*/\1/p" "$table" | grep .
}

fail() {
	echo "backends.sh: error: $1" >&2
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

install() { # name, requirements: a new folder, filled, then the link to it
	new=$(mktemp -d "$venvs/.$1.XXXXXX")
	log=$venvs/$1.log
	python3 -m venv "$new" >"$log" 2>&1 || fail "python3 -m venv failed (is python3-venv installed?): see $log"
	# shellcheck disable=SC2086 # the list is words
	"$new/bin/python" -m pip install --quiet $2 >"$log" 2>&1 || fail "pip install $2 failed: see $log"
	present "$new" "$2" || fail "$2 was installed but does not import"
	ln -s "${new##*/}" "$new.link"
	if [ -d "$venvs/$1" ] && ! [ -L "$venvs/$1" ]; then # one of old, no link
		mv "$venvs/$1" "$venvs/.$1.old"
	fi
	mv -T "$new.link" "$venvs/$1"
	for left in "$venvs/.$1."*; do # what others left, and what this one replaces
		[ "$left" = "$new" ] || rm -rf "$left"
	done
}

[ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
for name in "$@"; do
	case $name in *[!a-z0-9]* | '') fail "unknown framework '$name'" ;; esac
	list=$(wanted "$name") || fail "unknown framework '$name'"
	present "$venvs/$name" "$list" && continue
	mkdir -p "$venvs"
	(
		flock 9
		present "$venvs/$name" "$list" && exit 0
		echo "backends.sh: installing $list into $venvs/$name"
		install "$name" "$list"
	) 9>"$venvs/$name.lock"
done
