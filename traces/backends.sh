#!/bin/sh
# Makes the virtual environment of a framework or of a backend, once: does nothing when what is wanted is there.
# usage: backends.sh NAME...      (a framework of frameworks.def, a backend of `rulefuzz backends`; nnsmith, for make bench; zoo*, for make zoo; docs, for make docs)
#        backends.sh NAME@VERSION   (a framework or backend in another version: onnxruntime@1.17.1, openvino@2025.0.0)
#
# A backend that requires distributions of its own in exact versions has an environment of its own, with what its framework
# requires as well; any other is in its framework's. Another version has an environment of its own, DISTRIBUTION@VERSION.
# An environment is VENVS/NAME, with VENVS ${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}: outside the tree, so that
# every checkout has it. NAME is a link to a folder that is made whole first; whoever is killed leaves no half of one, and a
# second that comes meanwhile waits.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv}
table=$here/../runtime/rules/frameworks.def
targets=$here/../runtime/python/rulefuzz/targets
[ -e "$table" ] || table=$here/../rulefuzz/frameworks.def targets=$here/../rulefuzz/targets # installed

framework_wants() { # the exact requirements of a framework: the first is the framework itself
	sed -n "s/^FRAMEWORK($1, \"[^\"]*\", \"\([^\"]*\)\".*/\1/p" "$table" | grep .
}
target_says() { # target_says NAME LINE: what stands in its file behind LINE, without quotes and brackets
	sed -n "s/^$2 = //p" "$targets/$(echo "$1" | tr - _).py" 2>/dev/null | tr -d '"(),' | grep .
}
environment() { # the environment of a name: its own, or its framework's; of NAME@VERSION, see distribution
	version=${1#"${1%%@*}"} name=${1%%@*}
	framework=$(target_says "$name" FRAMEWORK) || framework=$name
	requires=$(target_says "$name" REQUIRES) || requires=
	case $version:$requires in
	*==*) echo "$name$version" ;;
	:*) echo "$framework" ;;
	*) echo "$(distribution "$framework" "${requires%% *}")$version" ;;
	esac
}
distribution() { # distribution FRAMEWORK REQUIREMENT: whose versions a backend in its framework's environment has
	case " $(framework_wants "$1") " in
	*" $2=="*) first=$(framework_wants "$1") && [ "${first%%==*}" != "$2" ] && echo "$2" || echo "$1" ;;
	*) echo "$1" ;;
	esac
}
# onnxruntime's versions in use, and the onnx whose operator set each of them supports (https://onnxruntime.ai/docs/reference/
# compatibility.html). onnxruntime before 1.19 was compiled for numpy 1.
fitting() {
	case $1 in
	1.15.*) echo "onnx==1.14.1 numpy<2" ;;
	1.16.*) echo "onnx==1.14.1 numpy<2" ;;
	1.17.*) echo "onnx==1.15.0 numpy<2" ;;
	1.18.*) echo "onnx==1.16.2 numpy<2" ;;
	1.19.*) echo "onnx==1.16.2 numpy" ;;
	1.20.* | 1.21.*) echo "onnx==1.17.0 numpy" ;;
	1.22.*) echo "onnx==1.18.0 numpy" ;;
	1.23.*) echo "onnx==1.19.1 numpy" ;;
	1.24.* | 1.25.*) echo "onnx==1.20.1 numpy" ;;
	1.26.* | 1.27.* | 1.28.* | 1.29.*) echo "onnx==1.21.0 numpy" ;;
	1.30.*) echo "onnx==1.22.0 numpy" ;;
	*) framework_wants onnx | sed 's/ onnxruntime==[^ ]*//' ;;
	esac
}
in_version() { # in_version NAME VERSION: the requirements of an environment of another version
	[ "$1" != onnxruntime ] || {
		echo "onnxruntime==$2 $(fitting "$2") ml_dtypes"
		return
	}
	list=$(wanted "$1") || return 1
	own=$(target_says "$1" REQUIRES) || own=$list # the first with a version is what the name means
	for wish in $own; do
		case $wish in *==*) break ;; esac
	done
	for other in $list; do
		[ "$other" != "$wish" ] || other=${wish%%==*}==$2
		case $1@$2:$other in openvino@202[34].*:numpy) other="numpy<2" ;; esac # with numpy 2 its tensors hold garbage
		printf '%s ' "$other"
	done
}
wanted() { # the exact requirements of an environment
	case $1 in *@*) in_version "${1%%@*}" "${1#*@}"; return ;; esac
	[ "$1" != nnsmith ] || {
		echo "nnsmith==0.1.0 torch==2.13.0 coverage==7.16.2 numpy"
		return
	}
	[ "$1" != docs ] || {
		echo "mkdocs==1.6.1 mkdocs-material==9.8.2 pymdown-extensions==13.1.2"
		return
	}
	[ "$1" != zoo ] || {
		echo "$(framework_wants torch) $(framework_wants onnx) transformers==5.23.0 onnxscript==0.7.2 skl2onnx==1.20.0 scikit-learn==1.9.1"
		return
	}
	[ "$1" != zoo-tf ] || {
		echo "$(framework_wants tensorflow) tf2onnx==1.17.0 $(framework_wants onnx)"
		return
	}
	[ "$1" != zoo-nncf ] || {
		echo "nncf==3.4.0 $(framework_wants onnx)"
		return
	}
	framework=$(target_says "$1" FRAMEWORK) || framework=$1
	list=$(framework_wants "$framework") || return 1
	for wish in $(target_says "$1" REQUIRES); do
		case $wish in *==*) list="$list $wish" ;; esac
	done
	echo "$list"
}

fail() {
	echo "backends.sh: error: $1" >&2
	exit 5
}

present() { # venv, requirements: all are there, in the wanted versions, and those import whose modules have their names
	[ -x "$1/bin/python" ] && "$1/bin/python" - $2 2>/dev/null <<-'PY'
		import importlib.metadata, importlib.util, sys
		for wish in sys.argv[1:]:
		    name, _, below = wish.partition("<")
		    name, _, version = name.partition("==")
		    installed = importlib.metadata.version(name).split("+")[0]
		    if installed != version and version or below and int(installed.split(".")[0]) >= int(below):
		        sys.exit(1)
		    module = name.removesuffix("-cpu").replace("-", "_")
		    if importlib.util.find_spec(module):
		        importlib.import_module(module)
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
	for left in "$venvs/.$1."?????? "$venvs/.$1.old"; do # what others left, and what this one replaces
		[ "$left" = "$new" ] || rm -rf "$left"
	done
}

[ $# -gt 0 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
for name in "$@"; do
	case ${name%%@*} in *[!a-z0-9-]* | -* | '') fail "unknown framework or backend '$name'" ;; esac
	case $name in *@*@* | *@ | *@[!a-z0-9]* | *@*[!a-z0-9.]*) fail "'$name': expected NAME@VERSION, such as onnxruntime@1.17.1" ;; esac
	name=$(environment "$name")
	list=$(wanted "$name") || fail "unknown framework or backend '${name%%@*}'"
	present "$venvs/$name" "$list" && continue
	mkdir -p "$venvs"
	(
		flock 9
		present "$venvs/$name" "$list" && exit 0
		echo "backends.sh: installing $list into $venvs/$name"
		install "$name" "$list"
	) 9>"$venvs/$name.lock"
done
