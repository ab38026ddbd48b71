/* The emitted C and the interpreter agree on random rules and inputs, including extremes; the C is compiled
 * with UBSan, so that an overflow or a division by zero kills the test. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "buf.h"
#include "file.h"
#include "name.h"
#include "rng.h"
#include "smith_commands.h"
#include "expr.h"
#include "ruletable.h"
#include "rules_file.h"

enum { RANDOM = 300, INPUTS = 400, NSYM = 5, MAX_DIMS = 3, MAX_CLAUSES = 4, KEPT = 64 };

/* Edge cases: an output, and a clause. Values that just fit 128 bits, or just do not; facts about a divisor
 * that are known, or are not. */
static const char *const EDGES[][2] = {
    {"s0*s1//s2 + s0*s1//s3", "s0*s1//s2 + s0*s1//s3 > s4"},
    {"s0*s1 + s2*s3", "s0*s1 - s2*s3 != 0"},
    {"s0*s1 + s2*s3 - 1", "0 - s0*s1 - s2*s3 - 1 < 0"},
    {"s0*s1*2 - 1", "s0*s1*(-2) >= s2"},
    {"s0*s1*s2//s3", "s0*s1*s2*s3%s4 == 0"},
    {"(0 - s0*s1*s2 - s3)//s4", "(s0*s1*s2 - s3)//(0 - 1) > 0"},
    {"s0//(s1//(s2//s3))", "s0%(s1%(s2%s3)) == 0"},
    {"(s0 + s1)%s2*s3*s4", "s0%s1*(s2%s3)*3 > 0"},
    {"s0*s1%s2 + s0*s1%s3 + 1", "s0*s1%s2 - s0*s1%s3 < s4*s4 + s4*s4"},
    {"s0*s1*s2", "s3 == 1 or s0*s1*s2 > 4 or s0*s1*s2 < s4"},
    {"s0*s1*s2 if s3 > 0 else s4", "s0*s1*s2 > 0 or s3 == 1 or s0*s1*s2 == 0"},
    {"s0*s1*s2 if s3 == 1 else s4 if s3 == 2 else s0*s1*s2",
	"(s0*s1*s2 if s3 > 0 else 1) > s0*s1*s2"},
    {"s0//s1 if s1 > 0 else s0%s1", "s1 != 0 or s0//s1 > 1"},
    {"(s0//s1 if s2 > s3 else s4) + s0//s1", "s0//s1 > 2 or s0%s1 == 1 or s1 == 3"},
    {"s2 if s0//s1 > 1 and s3 > 0 else s3//s1", "s1 == 0 or s0//s1 > 1 and s2//s1 > 2"},
    {"s0//(s1 - s2)", "s1 - s2 > 0 and s0//(s1 - s2) > 1 or s0%(s1 - s2) == 0"},
    {"s0//s1", "s1 > 3 and s1 < 2 or s0//s1 == 2"},
    {"s0//s1//s2", "s1 == 2 and s0//s1 == 1 or s2 == -1 and s0//s2 > 0"},
    {"-9223372036854775808 - s0", "s0//-1 + -9223372036854775808//s1 > 9223372036854775807"},
    {"max(s0%s1, 0)*max(s2%s3, 0)*3", "max(s0//s1, 0)*max(s2//s3, 0)*3 > 0"},
    {"max(s0*s1*s2, 3)*min(s3, 7)", "min(s0*s1*s2, s3) < max(s4, s0*s1*s2)"},
};
enum { NEDGES = sizeof EDGES / sizeof *EDGES, RULES = RANDOM + NEDGES };

static const int64_t EXTREMES[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, 0, 1, -1, 2,
    -2, (int64_t)1 << 62, -((int64_t)1 << 62), (int64_t)1 << 32, ((int64_t)1 << 31) - 1,
    3037000500};

static int64_t random_integer(rng *r)
{
	if (rng_below(r, 3) == 0)
		return EXTREMES[rng_below(r, sizeof EXTREMES / sizeof *EXTREMES)];
	return rng_below(r, 8) == 0 ? (int64_t)rng_next(r) : rng_range(r, -6, 12);
}

/* The values most likely to overflow: all combinations are tried on the edge cases. */
static const int64_t CORNER[] = {INT64_MIN, INT64_MAX, 1, -1, 0, 2};
enum { NCORNER = sizeof CORNER / sizeof *CORNER, ALL_CORNERS = 6 * 6 * 6 * 6 * 6 };

static void corner_input(unsigned number, int64_t *s)
{
	for (int i = 0; i < NSYM; i++, number /= NCORNER)
		s[i] = CORNER[number % NCORNER];
}

static void random_input(rng *r, int64_t *s)
{
	if (rng_below(r, 3) == 0)
		return corner_input(rng_below(r, ALL_CORNERS), s);
	for (int i = 0; i < NSYM; i++)
		s[i] = random_integer(r);
}

/* ---- random rules */

/* Source of random expressions; `kept` are earlier ones to reuse. */
typedef struct source {
	expr_pool *pool;
	rng r;
	const expr *kept[KEPT];
	unsigned nkept;
} source;

static const expr *random_clause(source *f, int depth);

static const expr *random_value(source *f, int depth);

static const expr *random_new_value(source *f, int depth)
{
	expr_pool *p = f->pool;
	rng *r = &f->r;
	unsigned kind = rng_below(r, 12);
	if (depth == 0 || kind < 2)
		return rng_below(r, 4) ? expr_sym(p, (int)rng_below(r, NSYM))
				       : expr_const(p, random_integer(r));
	if (kind == 2)
		return expr_ite(p, random_clause(f, depth - 1), random_value(f, depth - 1),
		    random_value(f, depth - 1));
	enum op op = FIRST_ARITH + rng_below(r, LAST_ARITH - FIRST_ARITH + 1);
	if (kind < 5) /* products, for values that overflow 128 bits */
		op = OP_MUL;
	return expr_make(p, op, random_value(f, depth - 1), random_value(f, depth - 1));
}

static const expr *random_value(source *f, int depth)
{
	if (depth > 0 && f->nkept && rng_below(&f->r, 4) == 0)
		return f->kept[rng_below(&f->r, f->nkept)];
	const expr *e = random_new_value(f, depth);
	if (depth > 0 && depth < 4 && f->nkept < KEPT)
		f->kept[f->nkept++] = e;
	return e;
}

/* Facts such as `s2 > 0`, which later divisions may rely on. */
static const expr *random_fact(source *f)
{
	expr_pool *p = f->pool;
	rng *r = &f->r;
	enum op op = FIRST_COMPARE + rng_below(r, LAST_COMPARE - FIRST_COMPARE + 1);
	const expr *sym = expr_sym(p, (int)rng_below(r, NSYM)),
		   *k = expr_const(p, rng_range(r, -1, 1));
	return rng_below(r, 2) ? expr_make(p, op, sym, k) : expr_make(p, op, k, sym);
}

static const expr *random_clause(source *f, int depth)
{
	expr_pool *p = f->pool;
	rng *r = &f->r;
	unsigned kind = rng_below(r, 8);
	if (depth > 0 && kind < 3)
		return expr_make(p, kind == 0 ? OP_AND : OP_OR, random_clause(f, depth - 1),
		    random_clause(f, depth - 1));
	if (kind < 5)
		return random_fact(f);
	enum op op = FIRST_COMPARE + rng_below(r, LAST_COMPARE - FIRST_COMPARE + 1);
	return expr_make(p, op, random_value(f, depth), random_value(f, depth));
}

static void put_texts(buf *b, const char *key, const expr **e, unsigned n)
{
	buf text = {0};
	buf_printf(b, ",\"%s\":[", key);
	for (unsigned i = 0; i < n; i++) {
		buf_clear(&text);
		expr_print(&text, e[i]);
		buf_puts(b, i ? "," : "");
		buf_json(b, text.text);
	}
	buf_putc(b, ']');
	buf_free(&text);
}

enum { IN_FAMILIES = 150, EACH = 3 };

/* The first rules are emitted as shared API rules with three templates each, which fit one another only by
 * chance; the others are emitted separately. */
static void put_family(buf *b, unsigned index)
{
	if (index >= IN_FAMILIES)
		return;
	buf_printf(b, ",\"family\":\"torch.f%u-%03u\"", index >= IN_FAMILIES, index / EACH * EACH);
}

/* A rule as a line; e: its output dimensions, then its clauses. */
static void put_rule(buf *b, unsigned index, const expr **e, unsigned dims, unsigned clauses)
{
	buf_printf(b,
	    "{\"op\":\"torch.f%u-%03u\",\"api\":\"torch.f%u\",\"args\":[{\"name\":\"x\",\"pos\":true,"
	    "\"value\":"
	    "[\"s0\",\"s1\",\"s2\",\"s3\",\"s4\"]}],\"outputs\":[{\"tensor\":[",
	    index >= IN_FAMILIES, index, index >= IN_FAMILIES);
	for (unsigned i = 0; i < dims; i++)
		buf_printf(b, i ? ",\"o%u\"" : "\"o%u\"", i);
	buf_printf(b, "],\"dtype\":\"float32\"}],\"nsym\":%d,\"passed\":1,\"failed\":1", NSYM);
	put_texts(b, "out", e, dims);
	put_texts(b, "valid", e + dims, clauses);
	put_family(b, index);
	buf_printf(b, ",\"id\":\"%016x\"}\n", index + 1);
}

static void put_random_rule(buf *b, source *f, unsigned index)
{
	const expr *e[MAX_DIMS + MAX_CLAUSES];
	unsigned dims = 1 + rng_below(&f->r, MAX_DIMS), clauses = rng_below(&f->r, MAX_CLAUSES + 1);
	f->nkept = 0;
	for (unsigned i = 0; i < dims; i++)
		e[i] = random_value(f, 1 + (int)rng_below(&f->r, 4));
	for (unsigned i = dims; i < dims + clauses; i++)
		e[i] = rng_below(&f->r, 3) ? random_clause(f, (int)rng_below(&f->r, 4))
					   : random_fact(f);
	put_rule(b, index, e, dims, clauses);
}

static void write_rules(const char *path, uint64_t seed)
{
	buf b = {0};
	source f = {.pool = expr_pool_new(), .r = rng_seed(seed)};
	diag d = {0};
	buf_printf(
	    &b, "{\"rules\":1,\"tool\":\"test\",\"operators\":%d,\"solved\":%d}\n", RULES, RULES);
	for (unsigned i = 0; i < RANDOM; i++)
		put_random_rule(&b, &f, i);
	for (unsigned i = 0; i < NEDGES; i++) {
		const expr *e[2];
		for (int k = 0; k < 2; k++)
			if (!(e[k] = expr_parse(f.pool, EDGES[i][k], NSYM, "EDGES", i, &d)))
				fail_msg("%s", d.text);
		put_rule(&b, RANDOM + i, e, 1, 1);
	}
	assert_false(b.failed);
	assert_true(file_write(path, b.text, b.length, NULL));
	buf_free(&b);
	expr_pool_free(f.pool);
}

/* ---- comparing */

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
	bool accepted = interpreted_propagate(op, s, want);
	bool same = interpreted_valid(op, s) == compiled->valid(s);
	same = same && accepted == compiled->propagate(s, got);
	same = same && (!accepted || memcmp(want, got, sizeof *want * op->nodim) == 0);
	if (!same)
		fail_msg("%s differs on %lld %lld %lld %lld %lld", op->name, (long long)s[0],
		    (long long)s[1], (long long)s[2], (long long)s[3], (long long)s[4]);
}

static void compare_on_all(const rule_op *op, const rs_op *compiled, rng *r, bool corners)
{
	int64_t s[NSYM];
	for (int k = 0; k < INPUTS; k++) {
		random_input(r, s);
		compare(op, compiled, s);
	}
	for (unsigned k = 0; corners && k < ALL_CORNERS; k++) {
		corner_input(k, s);
		compare(op, compiled, s);
	}
}

static const rs_library *compile_and_load(const char *dir)
{
	char command[1024], so[256];
	const char *cc = getenv("CC");
	snprintf(so, sizeof so, "%s/rules.so", dir);
	snprintf(command, sizeof command,
	    "%s -std=gnu11 -Wall -Wextra -Werror -Wno-tautological-compare -O1 -fPIC -shared"
	    " -fsanitize=undefined -fsanitize-undefined-trap-on-error"
	    " -iquote runtime/include %s/out/*.c %s/out/torch/*.c -o %s",
	    cc && *cc ? cc : "cc", dir, dir, so);
	assert_int_equal(system(command), 0);
	void *handle = dlopen(so, RTLD_NOW);
	assert_non_null(handle);
	return dlsym(handle, "rs_rules");
}

static void test_interpreter_equals_compiled(void **state)
{
	(void)state;
	char dir[] = "/tmp/rulesmith-codegen-XXXXXX", path[64], out[64], command[64];
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/rules.jsonl", dir);
	snprintf(out, sizeof out, "%s/out", dir);
	write_rules(path, 20231);
	optind = 1;
	assert_int_equal(cmd_emit(5, (char *[]){"emit", path, "-o", out, "-q", NULL}), 0);
	const rs_library *lib = compile_and_load(dir);
	rule_set rules;
	assert_true(rules_read(&rules, path, NULL));
	assert_int_equal(lib->tables[0]->nops, RULES);
	rng r = rng_seed(7);
	for (unsigned i = 0; i < RULES; i++) {
		assert_string_equal(rules.ops[i].name, lib->tables[0]->ops[i].name);
		compare_on_all(&rules.ops[i], &lib->tables[0]->ops[i], &r, i >= RANDOM);
	}
	rules_free(&rules);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	assert_int_equal(system(command), 0);
}

static void test_names_are_as_long_as_tells_them_apart(void **state)
{
	(void)state;
	assert_int_equal(name_digits(0xf000000000000000, 0), 1);
	assert_int_equal(name_digits(0x12345678a0000000, 0x12345678b0000000), 9);
	assert_int_equal(name_digits(1, 0), 16);
	assert_int_equal(name_digits(7, 7), 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_interpreter_equals_compiled),
	    cmocka_unit_test(test_names_are_as_long_as_tells_them_apart)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
