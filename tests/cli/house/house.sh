# .ci/house.py: a small clean tree passes; a planted fault of each kind is reported with its file and line.
. tests/cli/tap.sh
house=$PWD/.ci/house.py
command -v python3 >/dev/null || {
	skip ".ci/house.py" "no python3"
	exit 0
}

plant() { # a clean tree in $tmp/tree, to be spoilt
	rm -rf "$tmp/tree"
	mkdir -p "$tmp/tree/synth/rule" "$tmp/tree/runtime/rules" "$tmp/tree/runtime/include" "$tmp/tree/runtime/model" \
		"$tmp/tree/build" && cd "$tmp/tree" || exit 1
	cat >runtime/rules/frameworks.def <<-'C'
		/* FRAMEWORK(name, module, requirements, dialect) */
		FRAMEWORK(pytorch, "pt", "pytorch==1", "pytorch")
		FRAMEWORK(tengine, "te", "tengine==2", "")
	C
	cat >runtime/include/rulesmith.h <<-'C'
		#ifdef __cplusplus
		extern "C" {
		#endif
		int rs_read(const char *text);
		char *rs_write_pytorch(int model);
		#ifdef __cplusplus
		}
		#endif
	C
	cat >synth/rule/rule.h <<-'C'
		/* A rule; pytorch in a comment is none of the house's business: `{`. */
		#include "rulesmith.h"
		#define COMMANDS(X) X(add) \
			X(sub)
		#define DECLARE(name) int cmd_##name(void);
		COMMANDS(DECLARE)
		struct rule {
			int (*print)(struct rule *), count;
		};
		typedef int visit(struct rule *r, int (*f)(int));
		int rule_print(
		    const struct rule *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
		static inline int rule_count(const struct rule *r)
		{
			return r->count;
		}
	C
	cat >synth/rule/rule.c <<-'C'
		#include "rule.h"
		static const char *const texts[] = {"{", "'\"}", "int f(void);", "script"};
		static int helper(int pte)
		{
			return pte + '{'; // "{
		}
		int rule_print(const struct rule *r, const char *format, ...)
		{
			return helper(r->count) + (format == texts[0]);
		}
	C
	cat >synth/rule/cost.h <<-'C'
		#include "rule.h"
		int cost(void);
	C
	cat >synth/rule/cost.c <<-'C'
		#include "cost.h"
		int cost(void)
		{
			return 1;
		}
	C
	cat >runtime/model/write_pytorch.c <<-'C'
		#include "rulesmith.h"
		char *rs_write_pytorch(int model)
		{
			static char text[] = "import pytorch";
			return text + model * 0;
		}
	C
	cat >runtime/model/read.c <<-'C'
		#include "rulesmith.h"
		int rs_read(const char *text)
		{
			return rs_write_pytorch(*text) != 0;
		}
	C
	archive runtime/model/read.c runtime/model/write_pytorch.c
	cd - >/dev/null || exit 1
}
archive() { # archive C…: build/librulesmith.a of these
	rm -f build/librulesmith.a
	for c in "$@"; do ${CC:-cc} -iquote runtime/include -c "$c" -o "build/$(basename "$c" .c).o" || exit 1; done
	ar rcs build/librulesmith.a build/*.o
}
clean() { [ -z "$(python3 "$house" --root "$tmp/tree" 2>&1)" ]; }
finds() { # finds PATTERN…: exit 1, and as many lines as patterns; each pattern matches one line
	python3 "$house" --root "$tmp/tree" >"$tmp/found"
	[ $? -eq 1 ] && [ "$(wc -l <"$tmp/found")" -eq $# ] || { cat "$tmp/found" >&2 && return 1; }
	for pattern in "$@"; do grep -qE -- "$pattern" "$tmp/found" || { cat "$tmp/found" >&2 && return 1; }; done
}
at() { # at LINE FILE TEXT: the text becomes that line of the tree's file
	sed -i "$1i\\
$3" "$tmp/tree/$2"
}

plant
check "a clean tree passes" clean

at 2 synth/rule/rule.h '#include "cost.h"'
check "two files that include each other" finds \
	'^synth/rule/cost.h:1: error: include circle: synth/rule/cost -> synth/rule/rule -> synth/rule/cost$'
plant
sed 's/cost/price/' "$tmp/tree/synth/rule/cost.h" >"$tmp/tree/synth/rule/price.h"
sed -i 's/rule.h/price.h/' "$tmp/tree/synth/rule/cost.h"
at 1 synth/rule/rule.c '#include "cost.h"'
sed 's/cost/price/' "$tmp/tree/synth/rule/cost.c" >"$tmp/tree/synth/rule/price.c"
check "three files, one of them through its .c" finds \
	'^synth/rule/cost.h:1: error: include circle: synth/rule/cost -> synth/rule/price -> synth/rule/rule -> synth/rule/cost$'
plant
at 1 runtime/include/rulesmith.h '#include "rule.h"'
check "files and folders that include each other" finds \
	'^runtime/include/rulesmith.h:1: error: include circle: runtime/include/rulesmith -> synth/rule/rule -> ' \
	'^runtime/include/rulesmith.h:1: error: circle of folders: runtime/include -> synth/rule -> runtime/include$'

plant
printf 'int stray;\nint rs_fine;\nint read_text(void)\n{\n\treturn 1;\n}\n' >>"$tmp/tree/runtime/model/read.c"
(cd "$tmp/tree" && archive runtime/model/read.c)
check "exports without the prefix, a function at its definition" finds \
	'^build/librulesmith.a:1: error: stray is exported by read.o' \
	'^runtime/model/read.c:8: error: read_text is exported by read.o, and does not begin with rs_'
rm "$tmp/tree/build/librulesmith.a"
check "a missing archive is a fault" finds '^build/librulesmith.a:1: error: nm cannot read it: .*librulesmith.a'

plant
at 3 synth/rule/rule.c 'enum { FIRST_PT, empty };'
check "a framework's module in an identifier" finds "^synth/rule/rule.c:3: error: 'FIRST_PT' names a framework \\(pt\\)"
plant
at 3 synth/rule/rule.c 'static const char hello[] = "a \\"call of Tengine.add";'
check "a framework's name in a string" finds "^synth/rule/rule.c:3: error: 'Tengine' names a framework \\(tengine\\)"
plant
at 3 synth/rule/rule.h '#define WITH_TENGINE 1'
check "a framework's name in a macro" finds "^synth/rule/rule.h:3: error: 'WITH_TENGINE' names a framework"
plant
rm "$tmp/tree/runtime/rules/frameworks.def"
check "a missing table of frameworks is a fault" finds '^runtime/rules/frameworks.def:1: error: no FRAMEWORK'

plant
{ printf 'int\nlong_one(void)\n{\n' && yes '' | head -56 && printf '\treturn 0;\n}\n'; } >>"$tmp/tree/synth/rule/cost.c"
check "a function of 61 lines" finds '^synth/rule/cost.c:6: error: long_one has 61 lines, more than 60$'
sed -i 10d "$tmp/tree/synth/rule/cost.c"
check "a function of 60 lines is not" clean

plant
at 7 synth/rule/rule.h 'int cost(void);'
check "a header that declares another file's function" finds \
	'^synth/rule/rule.h:7: error: cost is declared here and defined in synth/rule/cost.c, not in synth/rule/rule.c$'
plant
echo 'const char *nowhere(int (*f)(int));' >>"$tmp/tree/synth/rule/cost.h"
check "a header that declares an undefined function" finds '^synth/rule/cost.h:3: error: nowhere is declared here and defined in no file'

plant
echo '/* another */' >"$tmp/tree/runtime/rules/cost.h"
check "two headers with one name" finds '^synth/rule/cost.h:1: error: has the name of runtime/rules/cost.h$'

plant
for i in 1 2 3 4 5 6 7 8 9 10; do touch "$tmp/tree/synth/rule/x$i.c" "$tmp/tree/synth/rule/x$i.h"; done
for i in 1 2 3; do mv "$tmp/tree/synth/rule/x$i.c" "$tmp/tree/synth/rule/cmd_x$i.c" && rm "$tmp/tree/synth/rule/x$i.h"; done
touch "$tmp/tree/synth/rule/y1.c" "$tmp/tree/synth/rule/y2.c"
mkdir -p "$tmp/tree/runtime/python/rulefuzz/targets"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do touch "$tmp/tree/runtime/python/rulefuzz/targets/t$i.py"; done
check "a dozen concepts in a folder: commands are one, as are targets" clean
touch "$tmp/tree/synth/rule/x11.c"
check "a thirteenth is too many" finds '^synth/rule:1: error: 13 concepts, more than 12: cmd_\*, cost, rule, x10, '

check "a kind can be excluded" python3 "$house" --root "$tmp/tree" --but crowd
expect "a summary counts each kind" 1 '^ +1 crowd$' python3 "$house" --root "$tmp/tree" --summary
expect "an unknown kind is wrong usage" 2 'no such kind: crowds' python3 "$house" --only crowds
expect "so is a missing tree" 2 'none of the folders' python3 "$house" --root "$tmp/found.d"
python3 "$house" --help >"$tmp/help" 2>&1
check "--help lists the kinds" grep -q '^  circle  ' "$tmp/help"

plant
# shellcheck disable=SC2016 # the names are Markdown
{ printf 'all: ## build (2 min)\n\techo a\n' && yes '# text' | head -245 && printf 'x:\n\ta \\\n  b\n'; } >"$tmp/tree/Makefile"
echo '| 2 min | `make all`, `make deb` |' >"$tmp/tree/CONTRIBUTING.md"
check "a Makefile of 250 lines whose targets state their durations" clean
echo '# one more' >>"$tmp/tree/Makefile"
check "one of 251 is too long" finds '^Makefile:1: error: has 251 lines, more than 250'
mkdir "$tmp/tree/mk"
{ printf 'deb: ## package (2 min)\n' && yes '	command' | head -6 && printf '\ta \\\n    b\n'; } >"$tmp/tree/mk/a.mk"
sed -i 1d "$tmp/tree/Makefile"
check "a recipe of 8 lines" clean
echo '	command' >>"$tmp/tree/mk/a.mk"
check "one of 9 is too long" finds '^mk/a.mk:2: error: a recipe of 9 lines, more than 8'
printf 'deb: ## package\nall: ## build (3 min)\nnew: ## text (1 s)\n' >"$tmp/tree/mk/a.mk"
check "a target without a duration, with another one than the guide's, or that the guide lacks" finds \
	'^mk/a.mk:1: error: make deb: its help states no duration' '^mk/a.mk:2: error: make all takes 3 min here and 2 min in CONTRIBUTING.md' \
	'^mk/a.mk:3: error: make new takes 1 s here and no time in CONTRIBUTING.md'
echo "1..$n"
