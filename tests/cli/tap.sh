# Sourced by the test scripts: TAP from shell. `check "what" command…`, `expect "what" EXIT STDERR-PATTERN command…`.
: "${BUILD:?is not set: the folder of the programs, as tests/run.sh sets it}"
n=0
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; }
skip() { # skip WHAT WHY: this machine cannot run the test; a failure if RULESMITH_LIVE=1 (CI), which requires it
	if [ "${RULESMITH_LIVE:-0}" = 1 ]; then not_ok "$1: $2, and RULESMITH_LIVE=1"; else ok "$1 # SKIP $2"; fi
}
sanitized() { # under ASan, which maps terabytes and allocates by itself: no memory limit, no preloaded library
	grep -q __asan_init "$BUILD/rulefuzz"
}
check() { # check WHAT COMMAND…: passes if the command does
	what=$1
	shift
	if "$@" >"$tmp/out" 2>"$tmp/err"; then ok "$what"; else
		not_ok "$what"
		sed 's/^/# /' "$tmp/err" | head -20
	fi
}
expect() { # expect WHAT EXIT PATTERN COMMAND…: exits with that code, and a line of stderr matches (grep -E)
	what=$1 code=$2 pattern=$3
	shift 3
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got -eq "$code" ] && grep -qE -- "$pattern" "$tmp/err"; then ok "$what"; else
		not_ok "$what (exit $got, wanted $code and /$pattern/)"
		sed 's/^/# /' "$tmp/err" | head -20
	fi
}
built() { make -s B="$BUILD" DEPS=skip "$@"; } # built TARGET…: whoever says this runs alone (tests/run.sh)
venvs=${RULESMITH_VENVS:-${XDG_CACHE_HOME:-$HOME/.cache}/rulesmith/venv} # where traces/backends.sh installs them
PYTHONPATH=$PWD/runtime/python${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
has_terminals() { python3 -c 'import pty; pty.openpty()' 2>/dev/null; } # a chroot may have no pseudo-terminals
on_terminal() { # on_terminal COLUMNS COMMAND…: runs it on a terminal of this width
	python3 tests/cli/runtime/cli/terminal.py "$@"
}
golden() { # golden WHAT FILE COMMAND…: prints tests/golden/FILE. UPDATE=1 rewrites it; read the diff before committing it
	what=$1 wanted=tests/golden/$2
	shift 2
	"$@" >"$tmp/got" 2>"$tmp/err" || echo "exit $?" >>"$tmp/got"
	[ -z "$UPDATE" ] || cp "$tmp/got" "$wanted"
	check "$what" diff -u "$wanted" "$tmp/got"
	[ ! -s "$tmp/out" ] || sed 's/^/# /' "$tmp/out" | head -20
}
