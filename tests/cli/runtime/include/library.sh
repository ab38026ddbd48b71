# librulesmith for a C or C++ user: only the installed files, found by pkg-config.
. tests/cli/tap.sh
here=tests/cli/runtime/include/library
cc="${CC:-cc} $LDFLAGS" # a library under sanitizers wants their runtimes, of the compiler that built it
check "install" make --no-print-directory -s B="$BUILD" DEPS=skip DESTDIR="$tmp/root" PREFIX=/opt/rulesmith install-library
export PKG_CONFIG_PATH="$tmp/root/opt/rulesmith/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$tmp/root"
shared=$(pkg-config --cflags --libs rulesmith)
flags=$(pkg-config --cflags --libs --static rulesmith | sed 's/-lrulesmith/-l:librulesmith.a/')
nm -g --defined-only "$tmp/root/opt/rulesmith/lib/librulesmith.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/symbols"
check "every name begins with rs_" sh -c "[ \$(wc -l <$tmp/symbols) -gt 50 ] && ! grep -v '^rs_' $tmp/symbols >&2"
nm -D --defined-only "$tmp/root/opt/rulesmith/lib/librulesmith.so" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/shared"
sed -n 's/^FRAMEWORK(\([a-z]*\),.*/rs_table_\1\nrs_api_rules_\1/p' runtime/rules/frameworks.def >"$tmp/tables"
check "shared library exports the same except single tables" sh -c "grep -vxFf $tmp/tables $tmp/symbols | diff - $tmp/shared >&2"
# A prototype starts with a type at the beginning of a line and has no body.
sed -n '/^typedef/d; s/^[a-z][a-z0-9_ ]*[ *]\(rs_[a-z0-9_]*\)(.*/\1/p' "$tmp"/root/opt/rulesmith/include/rulesmith/*.h | sort -u >"$tmp/named"
grep -h '^static inline' "$tmp"/root/opt/rulesmith/include/rulesmith/*.h | sed -n 's/.*[ *]\(rs_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$tmp/inline"
check "all declared functions are exported" sh -c "[ \$(wc -l <$tmp/named) -gt 40 ] &&
	comm -23 $tmp/named $tmp/inline | comm -23 - $tmp/symbols >$tmp/missing && ! grep . $tmp/missing >&2"
check "a C program" sh -c "$cc -std=c11 -Wall -Wextra -Werror $here/use.c $flags -o $tmp/use"
check "… with the shared library" sh -c "$cc -std=c11 -Wall -Wextra -Werror $here/use.c $shared -o $tmp/use-shared"
abi=$(sed -n 's/^#define RS_LIBRARY_ABI //p' runtime/include/rulesmith.h)
check "… named with its ABI" sh -c "readelf -d $tmp/use-shared | grep -q 'NEEDED.*librulesmith\\.so\\.$abi\\]'"
check "… runs" env LD_LIBRARY_PATH="$tmp/root/opt/rulesmith/lib" "$tmp/use-shared" calls onnx
expect "… fails without it" 127 "librulesmith\.so\.$abi: cannot open" "$tmp/use-shared" calls onnx
check "traversal gives the JSON, and written models are read unchanged" sh -c "
	for f in torch tensorflow onnx; do $tmp/use models \$f 40 >&2 || exit 1; done"
check "sampled calls satisfy their rules" sh -c "for f in torch tensorflow onnx; do $tmp/use calls \$f >&2 || exit 1; done"
python=python3
for f in onnx torch tensorflow; do [ -x "$venvs/$f/bin/python" ] && python=$venvs/$f/bin/python; done
if "$python" -c 'import numpy' 2>/dev/null; then
	check "elements equal the Python package's" sh -c "$tmp/use elements onnx 5 | $python $here/elements.py >&2"
else
	skip "elements equal the Python package's" "no numpy"
fi
for compiler in "${CXX:-g++}" clang++; do
	if ! command -v "$compiler" >/dev/null; then
		skip "a C++ program, $compiler" "not installed"
		continue
	fi
	case $compiler$LDFLAGS in
	clang*-fsanitize=*)
		ok "a C++ program, $compiler # SKIP the library has another compiler's sanitizers"
		continue
		;;
	esac
	for standard in c++11 c++20; do
		check "a C++ program, $compiler, $standard" sh -c "
			$compiler $LDFLAGS -std=$standard -Wall -Wextra -Werror $here/use.cpp $flags -o $tmp/cpp && $tmp/cpp >&2"
	done
done
echo "1..$n"
