/* The C of API rules with several cases, with clauses about outputs, and with whole shapes. It agrees with the interpreter on
 * inputs near the edges; the C is compiled with UBSan, so that an overflow or a division by zero kills the test. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "file.h"
#include "need.h"
#include "rng.h"
#include "rules_file.h"
#include "ruletable.h"
#include "smith_commands.h"

enum { INPUTS = 3000, MAX_SYMBOLS = 16, MAX_DIMS = 16 };

static const char *const FILES[] = {"tests/data/rules/cases.jsonl", "tests/golden/page.jsonl", "tests/golden/sizes.jsonl"};
static const int64_t EXTREMES[] = {INT64_MIN, INT64_MAX, INT64_MAX - 1, (int64_t)1 << 62, (int64_t)1 << 32, -1, 0, 1};

static bool interpreted_propagate(const rule_op *op, const int64_t *s, int64_t *out)
{
	for (unsigned i = 0; i < op->nodim; i++) {
		wide v;
		if (!expr_eval(op->rule.out[i], s, &v) || v < 0 || v > INT64_MAX)
			return false;
		out[i] = (int64_t)v;
	}
	return true;
}

static bool interpreted_valid(const rule_op *op, const int64_t *s)
{
	for (int i = 0; i < op->rule.nclauses; i++)
		if (!expr_holds(op->rule.clauses[i], s))
			return false;
	return true;
}

static void compare(const rule_op *op, const rs_op *compiled, const int64_t *s)
{
	int64_t want[MAX_DIMS], got[MAX_DIMS];
	bool has_value = interpreted_propagate(op, s, want);
	bool same = interpreted_valid(op, s) == compiled->valid(s) && has_value == compiled->propagate(s, got);
	if (!same || (has_value && memcmp(want, got, sizeof *want * op->nodim) != 0))
		fail_msg("%s differs on %lld %lld %lld %lld %lld %lld", op->name, (long long)s[0], (long long)s[1], (long long)s[2],
		    (long long)s[3], (long long)s[4], (long long)s[5]);
}

static void compare_all(const rule_set *rules, const rs_table *table)
{
	rng r = rng_seed(5);
	int64_t s[MAX_SYMBOLS];
	assert_int_equal(rules->nops, table->nops);
	for (size_t i = 0; i < rules->nops; i++)
		for (int k = 0; k < INPUTS && table->ops[i].valid; k++) {
			for (int j = 0; j < MAX_SYMBOLS; j++)
				s[j] = k % 3 == 0 && rng_below(&r, 3) == 0 ? EXTREMES[rng_below(&r, 8)] : rng_range(&r, k % 2 ? -2 : 0, 7);
			compare(&rules->ops[i], &table->ops[i], s);
		}
}

typedef struct emitted {
	char dir[40], out[64];
} emitted;

static emitted emit(const char *rules)
{
	emitted e = {.dir = "/tmp/rulesmith-functions-XXXXXX"};
	assert_non_null(mkdtemp(e.dir));
	snprintf(e.out, sizeof e.out, "%s/out", e.dir);
	optind = 1;
	assert_int_equal(cmd_emit(5, (char *[]){"emit", (char *)rules, "-o", e.out, "-q", NULL}), 0);
	return e;
}

static void drop(const emitted *e)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", e->dir);
	assert_int_equal(system(command), 0);
}

static const rs_library *compile_and_load(const emitted *e)
{
	char command[512], so[64];
	const char *cc = getenv("CC");
	snprintf(so, sizeof so, "%s/rules.so", e->dir);
	snprintf(command, sizeof command,
	    "%s -std=gnu11 -Wall -Wextra -Werror -O1 -fPIC -shared -fsanitize=undefined -fsanitize-undefined-trap-on-error"
	    " -iquote runtime/include %s/*.c %s/m/*.c -o %s",
	    cc && *cc ? cc : "cc", e->out, e->out, so);
	assert_int_equal(system(command), 0);
	void *handle = dlopen(so, RTLD_NOW);
	assert_non_null(handle);
	return dlsym(handle, "rs_rules");
}

static void functions_are_the_rules(void **state)
{
	(void)state;
	for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
		emitted e = emit(FILES[f]);
		rule_set rules;
		assert_true(rules_read(&rules, FILES[f], NULL));
		compare_all(&rules, compile_and_load(&e)->tables[0]);
		rules_free(&rules);
		drop(&e);
	}
}

static int count(const char *text, const char *what)
{
	int n = 0;
	for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
		n++;
	return n;
}

/* All signatures of each API are lines of one function for each kind. */
static void each_api_has_one_function_of_each_kind(void **state)
{
	(void)state;
	static const char *const APIS[] = {"all", "cat", "flatten", "loose", "pool", "stack", "two"};
	static const int SIGNATURES[] = {2, 2, 3, 1, 3, 2, 2};
	static const bool HAS_CLAUSES[] = {false, true, false, true, true, false, true};
	emitted e = emit(FILES[0]);
	for (int i = 0; i < 7; i++) {
		char path[96];
		size_t n;
		snprintf(path, sizeof path, "%s/m/%s.c", e.out, APIS[i]);
		char *text = file_read(path, &n, NULL);
		assert_non_null(text);
		assert_int_equal(count(text, "\nstatic inline bool "), 1 + HAS_CLAUSES[i]);
		assert_int_equal(count(text, "\nbool "), 0);
		assert_int_equal(count(text, "\nSHAPE("), SIGNATURES[i]);
		assert_int_equal(count(text, "\nVALID("), HAS_CLAUSES[i] ? SIGNATURES[i] : 0);
		free(text);
	}
	drop(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(functions_are_the_rules), cmocka_unit_test(each_api_has_one_function_of_each_kind)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
