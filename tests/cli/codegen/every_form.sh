#!/bin/sh
# generated/: signatures whose functions are on other pages (VALID_TOO, SHAPE_TOO in code.h) compute the same as
# those, on small and extreme numbers. Only this test compiles them.
. tests/cli/tap.sh

cat >"$tmp/every.h" <<'END'
#include <stdbool.h>
#include <stdint.h>
struct form {
	const char *name;
	bool (*valid)(const int64_t *), (*valid_too)(const int64_t *);
	bool (*shape)(const int64_t *, int64_t *), (*shape_too)(const int64_t *, int64_t *);
};
#define FORM __attribute__((section("rs_forms"), used, aligned(8))) static const struct form
#define RS_VALID_TOO(name, rule) RS_VALID_TOO_(name, rule, __COUNTER__)
#define RS_VALID_TOO_(name, rule, n) RS_VALID_TOO__(name, rule, n)
#define RS_VALID_TOO__(name, rule, n) \
	bool name(const int64_t *s); \
	static bool too_##n(const int64_t *s) { (void)s; return rule; } \
	FORM form_##n = {#name, name, too_##n, 0, 0};
#define RS_SHAPE_TOO(name, rule) RS_SHAPE_TOO_(name, rule, __COUNTER__)
#define RS_SHAPE_TOO_(name, rule, n) RS_SHAPE_TOO__(name, rule, n)
#define RS_SHAPE_TOO__(name, rule, n) \
	bool name(const int64_t *s, int64_t *out); \
	static bool too_##n(const int64_t *s, int64_t *out) { (void)s; (void)out; return rule; } \
	FORM form_##n = {#name, 0, 0, name, too_##n};
END
cat >"$tmp/main.c" <<'END'
#include "every.h"
#include <stdio.h>
#include <string.h>
extern const struct form __start_rs_forms[], __stop_rs_forms[];
enum { WIDTH = 4096, TIMES = 60 };
static int64_t s[WIDTH], one[4 * WIDTH], two[4 * WIDTH];
static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; return state ^= state << 17; }
int main(void)
{
	static const int64_t FAR[] = {INT64_MIN, INT64_MAX, (int64_t)1 << 62, (int64_t)1 << 32, -1};
	long forms = 0, differ = 0, held = 0;
	for (const struct form *f = __start_rs_forms; f < __stop_rs_forms; f++, forms++)
		for (int k = 0; k < TIMES; k++) {
			for (int i = 0; i < 64; i++)
				s[i] = k % 4 == 3 && next() % 3 == 0 ? FAR[next() % 5] : k % 4 == 0 ? (int64_t)(k / 4 % 3) : (int64_t)(next() % (k % 2 ? 4 : 12)) - k % 3;
			memset(one, 0, 2048); /* what a refusal leaves is not looked at */
			memset(two, 0, 2048);
			bool a = f->valid ? f->valid(s) : f->shape(s, one), b = f->valid ? f->valid_too(s) : f->shape_too(s, two);
			held += a;
			if (a != b || (a && memcmp(one, two, 2048) != 0)) {
				differ++;
				printf("# %s differs\n", f->name);
				break;
			}
		}
	printf("%ld lines, %ld times true, %ld differ\n", forms, held, differ);
	return differ || !forms || !held;
}
END
# One unit per framework, because the compiler starts slowly; -O0 saves compile time.
each() { # each FOLDER: its frameworks
	for f in "$1"/*/; do
		f=$(basename "$f")
		case $f in forms | batches) continue ;; esac # a library of its own; what is compiled together
		for c in "$1/$f"/*.c; do
			case $c in */table.c | */sampler_*) ;; *) echo "#include \"$c\"" ;; esac
		done >"$tmp/$f.c"
		${CC:-cc} -std=gnu11 -w -O0 -DRS_EVERY_FORM -include "$tmp/every.h" -iquote . -iquote runtime/include -c "$tmp/$f.c" -o "$tmp/$f.o" || return 1
	done
	${CC:-cc} -w -iquote "$tmp" "$tmp/main.c" "$tmp"/*.o -o "$tmp/every" && rm "$tmp"/*.o
}
check "the code of all signatures compiles" each generated
check "… and computes the same as their functions" "$tmp/every"
check "so does the code of the signatures of chains" each generated/forms
check "… and computes the same" "$tmp/every"
