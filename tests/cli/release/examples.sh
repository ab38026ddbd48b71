#!/bin/sh
# The examples of docs/examples in C and C++, built against an installed prefix by pkg-config alone, as their first lines say.
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
		check "… says so" said
	done
	for compiler in "${CXX:-g++}" clang++; do
		command -v "${compiler%% *}" >/dev/null || continue
		check "library.cpp, $way, $compiler" build "$compiler" library.cpp -std=c++17 $flags
		cp "$tmp/out" "$tmp/shown"
		check "… says so" said
	done
done
lines() { [ "$(grep -cvE '^ *(//|/\*|\*|$)' "$1")" -le "$2" ]; }
check "thirty lines of C" lines docs/examples/library.c 30
check "and of C++" lines docs/examples/library.cpp 30
echo "1..$n"
