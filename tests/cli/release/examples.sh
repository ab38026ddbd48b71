#!/bin/sh
# The examples of docs/examples in C and C++, built against an installed prefix with pkg-config alone, as their
# first lines describe.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
check "make install-library" make -s -o deps B="$BUILD" DEPS=skip PREFIX="$tmp/usr" install-library
PKG_CONFIG_PATH=$tmp/usr/lib/pkgconfig LD_LIBRARY_PATH=$tmp/usr/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
static() { pkg-config --cflags --libs --static rulesmith | sed 's/-lrulesmith/-l:librulesmith.a/'; }
build() { # build COMPILER SOURCE FLAGS…: without a warning
	compiler=$1 source=$2
	shift 2
	$compiler -Wall -Wextra -Werror "docs/examples/$source" "$@" -o "$tmp/program" && "$tmp/program"
}
said() { grep -q '^mm of 2x3 and 3x4 is .*2x4' "$tmp/shown" && grep -q '^another: ' "$tmp/shown" && grep -q '^{"model":1,' "$tmp/shown"; }
for way in shared static; do
	flags=$([ $way = shared ] && pkg-config --cflags --libs rulesmith || static)
	# shellcheck disable=SC2086 # flags
	for compiler in "${CC:-cc}" clang; do
		command -v "${compiler%% *}" >/dev/null || continue
		check "library.c, $way, $compiler" build "$compiler" library.c -std=c11 $flags
		cp "$tmp/out" "$tmp/shown"
		check "… prints the expected text" said
	done
	for compiler in "${CXX:-g++}" clang++; do
		command -v "${compiler%% *}" >/dev/null || continue
		check "library.cpp, $way, $compiler" build "$compiler" library.cpp -std=c++17 $flags
		cp "$tmp/out" "$tmp/shown"
		check "… prints the expected text" said
	done
done
lines() { [ "$(grep -cvE '^ *(//|/\*|\*|$)' "$1")" -le "$2" ]; }
check "thirty lines of C" lines docs/examples/library.c 30
check "and of C++" lines docs/examples/library.cpp 30

# The library's manual page lists every exported function as the headers declare it, except those that compiled
# samplers call.
page=$tmp/usr/share/man/man3/librulesmith.3
nm -D --defined-only "$tmp/usr/lib/librulesmith.so" | sed -n 's/.* T \(rs_[a-z_]*\)$/\1/p' | grep -vx rs_run | sort >"$tmp/exported"
named() { # the page's first lines name what is exported, and every function has a page that leads there
	sed -n '/^\.SH NAME/{n;s/ \\-.*//;s/, /\n/g;p;}' "$page" | grep '^rs_' | sort >"$tmp/named"
	diff "$tmp/exported" "$tmp/named" || return 1
	while read -r name; do grep -qx '\.so man3/librulesmith\.3' "$tmp/usr/share/man/man3/$name.3" || return 1; done <"$tmp/exported"
}
check "librulesmith(3) names every exported function" named
declared() { # … and declares it: the page without markup contains the prototype
	sed 's/\\-/-/g' "$page" | tr -s ' \n\t' '   ' >"$tmp/flat"
	while read -r name; do grep -qE "[ *]$name\\([^)]*\\);" "$tmp/flat" || { echo "$name" && return 1; }; done <"$tmp/exported"
}
check "… with its prototype" declared
if command -v groff >/dev/null; then
	quiet() { groff -ww -man -Tascii "$page" 2>&1 >"$tmp/text" | diff /dev/null - && grep -q 'rs_sample_forward' "$tmp/text"; }
	check "… without a warning of groff" quiet
else
	skip "… without a warning of groff" "there is no groff"
fi
expect "no such page" 1 "manual.py: error: no such page: rs_none" python3 packages/manual.py rs_none
echo "1..$n"
