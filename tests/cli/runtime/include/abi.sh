#!/bin/sh
# The ABI of librulesmith: its exported names and the layout of the public structs, against tests/golden/abi/N.txt,
# where N is RS_LIBRARY_ABI. If either changes, compiled programs must be rebuilt: raise RS_LIBRARY_ABI and write the
# new file with `UPDATE=1 sh tests/cli/runtime/include/abi.sh`. For added functions alone, only the file changes.
BUILD=${BUILD:-build}
. tests/cli/tap.sh
abi=$(sed -n 's/^#define RS_LIBRARY_ABI //p' runtime/include/rulesmith.h)
golden=tests/golden/abi/$abi.txt
{
	printf '#include <stddef.h>\n#include <stdio.h>\n#include "rulesmith.h"\nint main(void)\n{\n'
	# `typedef struct NAME {` or `struct NAME {`, then fields, with one or more per line: "int64_t low, high;".
	# Expanded, since some fields are rows of a table.
	"${CC_PLAIN:-cc}" -E -P -iquote runtime/include -include runtime/include/ruletable.h -include runtime/include/model.h \
		runtime/include/rulesmith.h | sed 's/; *\([a-z]\)/;\n\1/g' | awk '
		/^(typedef )?struct rs_[a-z_]+ \{/ { name = $(NF - 1); printf "printf(\"%s %%zu\\n\", sizeof(struct %s));\n", name, name; next }
		/^\}/ { name = "" }
		name && /;[ \t]*$/ {
			sub(/;[ \t]*$/, ""); gsub(/\[[^]]*\]/, ""); n = split($0, part, ",")
			for (i = 1; i <= n; i++) {
				m = split(part[i], word, /[ \t*]+/)
				printf "printf(\"%s.%s %%zu %%zu\\n\", offsetof(struct %s, %s), sizeof ((struct %s *)0)->%s);\n", name, word[m], name, word[m], name, word[m]
			}
		}'
	printf 'printf("RS_DTYPE_COUNT %%d\\n", RS_DTYPE_COUNT);\nreturn 0;\n}\n'
} >"$tmp/layout.c"
check "the public structs are read" "${CC_PLAIN:-cc}" -iquote runtime/include "$tmp/layout.c" -o "$tmp/layout"
{
	"$tmp/layout"
	nm -D --defined-only "$BUILD/librulesmith.so" | awk 'NF == 3 { print $3 }' | sort -u
} >"$tmp/now"
[ "${UPDATE:-0}" = 0 ] || cp "$tmp/now" "$golden"
check "lists structs and functions" sh -c "[ \$(grep -c '^rs_.*[.]' $tmp/now) -gt 60 ] && [ \$(grep -vc ' ' $tmp/now) -gt 40 ]"
check "ABI $abi is unchanged" diff -u "$golden" "$tmp/now"
cp "$tmp/out" "$tmp/shown"
[ -s "$tmp/shown" ] && sed 's/^/# /' "$tmp/shown"
echo "1..$n"
