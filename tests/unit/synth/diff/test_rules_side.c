/* Rule files as sides: each file's answer to every small input, and inputs that distinguish two files, found
 * if any exist. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "rng.h"
#include "rules_side.h"

enum { ROUNDS = 60, LOW = -2, HIGH = 9 };

/* Of one operator: a vector and two numbers. */
static const char *const CLAUSES[] = {"s1 <= s0", "s2 > 0", "s1 > 0", "s0 == s1*s2", "s0 > s2", "s1 == 1 or s2 == 1", "s2 <= s0 + 1"};
static const char *const OUTS[] = {"s1", "s0 - s1", "s0 + s2", "s0//s2", "s1 + s2 - 1"};
enum { NCLAUSES = sizeof CLAUSES / sizeof *CLAUSES, NOUTS = sizeof OUTS / sizeof *OUTS };

/* A rule by its clauses (bits) and its output; out < 0: no rule. */
typedef struct text_rule {
	unsigned clauses;
	int out;
} text_rule;

static void put_line(buf *to, const char *api, const text_rule *r, const char *records)
{
	buf_printf(to,
	    "{\"op\":\"%s-0\",\"api\":\"%s\",\"framework\":\"m\",\"version\":\"\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"tensor\":[\"s0\"],"
	    "\"dtype\":\"float32\"}},{\"name\":\"k\",\"pos\":true,\"value\":\"s1\"},{\"name\":\"n\",\"pos\":true,\"value\":\"s2\"}],"
	    "\"outputs\":[{\"tensor\":[\"o0\"],\"dtype\":\"float32\"}],\"nsym\":3,",
	    api, api);
	if (r->out < 0) {
		buf_puts(to, "\"why\":\"nothing fits\"");
	} else {
		const char *comma = "";
		buf_printf(to, "\"out\":[\"%s\"],\"valid\":[", OUTS[r->out]);
		for (int k = 0; k < NCLAUSES; k++)
			if (r->clauses >> k & 1) {
				buf_printf(to, "%s\"%s\"", comma, CLAUSES[k]);
				comma = ",";
			}
		buf_puts(to, "],\"layer\":\"columns\",\"proof\":\"none\",\"id\":\"0123456789abcdef\"");
	}
	buf_printf(to, ",\"passed\":2,\"failed\":0,\"records\":%s}\n", records);
}

static void write_rules(const char *path, const text_rule *r, const char *records)
{
	buf b = {0};
	buf_printf(&b, "{\"rules\":1,\"operators\":2,\"solved\":%d}\n", r->out >= 0 ? 2 : 1);
	put_line(&b, "m.other", &(text_rule){0, 0}, "[]");
	put_line(&b, "m.pick", r, records);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(b.text, 1, b.length, file), b.length);
	fclose(file);
	buf_free(&b);
}

static rules_side *side_of(const text_rule *r, const char *records, char *path)
{
	diag d = {""};
	write_rules(path, r, records);
	rules_side *s = rules_side_read(path, &d);
	if (!s)
		fail_msg("%s", d.text);
	return s;
}

static char *fresh(char *path)
{
	strcpy(path, "/tmp/rulesmith-test-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return path;
}

/* The texts as expressions. */
typedef struct meaning {
	const expr *clauses[NCLAUSES], *outs[NOUTS];
} meaning;

static meaning meaning_of(expr_pool *p)
{
	meaning m;
	for (int k = 0; k < NCLAUSES; k++)
		m.clauses[k] = expr_parse(p, CLAUSES[k], 3, "test", 1, NULL);
	for (int k = 0; k < NOUTS; k++)
		m.outs[k] = expr_parse(p, OUTS[k], 3, "test", 1, NULL);
	return m;
}

/* Evaluates a rule by its texts: how many clauses fail, and the last of them; the output, if defined. */
static bool accepts(const meaning *m, const text_rule *r, const int64_t *x, int *failing, int *only, wide *out)
{
	*failing = 0;
	for (int k = 0; k < NCLAUSES; k++)
		if (r->clauses >> k & 1 && !expr_holds(m->clauses[k], x)) {
			++*failing;
			*only = k;
		}
	return expr_eval(m->outs[r->out], x, out) && *out >= 0 && !*failing;
}

typedef struct found {
	const meaning *m;
	text_rule a, b;
	int n;
} found;

/* Checks that a distinguishing input distinguishes: one side alone accepts it, or both do with different
 * outputs. */
static void take(void *user, const operator *op, const int64_t *x)
{
	found *f = user;
	int failing, only;
	wide a, b;
	assert_string_equal(op->api, "m.pick");
	assert_true(x[0] >= 0);
	bool one = accepts(f->m, &f->a, x, &failing, &only, &a), other = accepts(f->m, &f->b, x, &failing, &only, &b);
	assert_true(one != other || (one && a != b));
	f->n++;
}

static void says_what_the_rule_does(const meaning *m, const rules_side *s, const operator *op, const text_rule *r, bool *apart, const text_rule *other)
{
	arena *memory = arena_new();
	*apart = false;
	for (int64_t code = 0; code < 12 * 12 * 10; code++) {
		int64_t x[3] = {code % 10, code / 10 % 12 + LOW, code / 120 + LOW};
		reply said = rules_side_reply(s, op, x, memory);
		if (r->out < 0) {
			assert_int_equal(said.kind, REPLY_LOST);
			assert_string_equal(said.message, "there is no rule");
			continue;
		}
		int failing, only = -1, others, none;
		wide out, differs;
		bool is = accepts(m, r, x, &failing, &only, &out);
		assert_int_equal(said.kind, is ? REPLY_ACCEPTS : REPLY_REFUSES);
		char shape[32];
		snprintf(shape, sizeof shape, "[%lld]", (long long)out);
		assert_string_equal(said.shapes, is ? shape : "");
		assert_string_equal(said.dtypes, is ? "float32" : "");
		const char *message = is ? "" : failing == 1 ? CLAUSES[only] : failing ? "several clauses" : "an output has no dimension";
		if (failing != 1 || strcmp(said.message, "an output has no dimension") != 0) /* two reasons at once: either is correct */
			if (failing < 2)
				assert_string_equal(said.message, message);
		if (other->out >= 0) {
			bool there = accepts(m, other, x, &others, &none, &differs);
			*apart |= is != there || (is && out != differs);
		}
	}
	arena_free(memory);
}

/* Two files with equal or different clauses and outputs. */
static void two_files_are_told_apart(void **state)
{
	(void)state;
	rng r = rng_seed(21);
	prover *finder = prover_new_finder();
	expr_pool *pool = expr_pool_new();
	meaning m = meaning_of(pool);
	int told = 0, same = 0, missed = 0;
	for (int round = 0; round < ROUNDS; round++) {
		char one[40], other[40];
		text_rule a = {(unsigned)rng_range(&r, 0, (1 << NCLAUSES) - 1), (int)rng_range(&r, 0, NOUTS - 1)}, b = a;
		if (round % 3 == 0)
			b.clauses ^= 1u << rng_range(&r, 0, NCLAUSES - 1);
		else if (round % 3 == 1)
			b.out = (int)rng_range(&r, -1, NOUTS - 1);
		rules_side *x = side_of(&a, "[[5,1,1,1],[6,2,1,2]]", fresh(one)), *y = side_of(&b, "[]", fresh(other));
		records ops;
		diag d = {""};
		assert_true(rules_side_records(one, &ops, &d));
		assert_int_equal(ops.n, 2);
		const operator *op = &ops.ops[1];
		assert_string_equal(op->api, "m.pick");
		assert_int_equal(op->npass, 2);
		assert_int_equal(op->nfail, 0);
		bool apart, also;
		says_what_the_rule_does(&m, x, op, &a, &apart, &b);
		says_what_the_rule_does(&m, y, op, &b, &also, &a);
		found f = {.m = &m, .a = a, .b = b};
		rules_side_separate(x, y, op, finder, take, &f);
		told += f.n > 0;
		same += !apart && !f.n;
		missed += apart && !f.n && b.out >= 0;
		assert_true(b.out >= 0 || !f.n);
		records_free(&ops);
		rules_side_free(x);
		rules_side_free(y);
		unlink(one);
		unlink(other);
	}
	assert_true(told > ROUNDS / 4 && same > ROUNDS / 8);
	assert_true(missed * 20 < told); /* Z3 may give up on a product */
	expr_pool_free(pool);
	prover_free(finder);
}

/* An operator that the file lacks, by API or by arguments; a file without rules. */
static void others_are_absent(void **state)
{
	(void)state;
	char path[40], wrong[40];
	rules_side *s = side_of(&(text_rule){1, 0}, "[]", fresh(path));
	static const char *const NAMES[] = {"m.none", "m.pick", "m.pick", "m.pick"}, *const ARGUMENTS[] = {"x=t1 k=i n=i", "x=t2 k=i", "x=t1 k=i m=i", "x=t1 k=i n=i"};
	for (int i = 0; i < 4; i++) {
		buf b = {0};
		records r;
		int nsym, nodim;
		arena *memory = arena_new();
		put_call(&b, NAMES[i], 7, ARGUMENTS[i], "1", &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
		read_lines(&r, &b);
		reply said = rules_side_reply(s, &r.ops[0], (int64_t[]){5, 1, 1}, memory);
		assert_int_equal(said.kind, i == 3 ? REPLY_ACCEPTS : REPLY_ABSENT); /* the signature's number does not count */
		assert_string_equal(said.message, i == 3 ? "" : "there is no such operator");
		arena_free(memory);
		records_free(&r);
	}
	rules_side_free(s);
	FILE *file = fopen(fresh(wrong), "w");
	fputs("{\"rules\":1,\"operators\":1,\"solved\":0}\n{\"op\":\"m.pick-0\"\n", file);
	fclose(file);
	diag d = {""};
	records r;
	assert_null(rules_side_read(wrong, &d));
	if (!strstr(d.text, ":2: error"))
		fail_msg("%s", d.text);
	assert_false(rules_side_records(wrong, &r, &d));
	records_free(&r);
	unlink(wrong);
	assert_null(rules_side_read(wrong, &d));
	assert_false(rules_side_records(wrong, &r, &d));
	records_free(&r);
	rules_side_free(NULL);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_files_are_told_apart),
	    cmocka_unit_test(others_are_absent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
