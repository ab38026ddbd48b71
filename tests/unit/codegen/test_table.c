/* The committed table and the interpreter agree: every function of generated/. Most come from API
 * rules, on the records of its operator, on inputs near them, and on random inputs, including extremes. The
 * rules are those of the last `make rules`; without it the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "rng.h"
#include "rules_file.h"
#include "ruletable.h"

extern const rs_library rs_rules;

static const char RULES[] = "build/rules.jsonl";

enum { RANDOM = 60, NEAR = 8, MAX_SYMBOLS = CALL_SYMBOLS, MAX_DIMS = CALL_DIMS };

static const int64_t EXTREMES[] = {INT64_MIN, INT64_MAX, INT64_MAX - 1, 0, 1, -1, 2, (int64_t)1 << 62, (int64_t)1 << 32};
enum { NEXTREMES = sizeof EXTREMES / sizeof *EXTREMES };

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
	static int64_t want[MAX_DIMS], got[MAX_DIMS];
	bool accepted = interpreted_propagate(op, s, want), same = interpreted_valid(op, s) == compiled->valid(s);
	same = same && accepted == compiled->propagate(s, got);
	same = same && (!accepted || memcmp(want, got, sizeof *want * op->nodim) == 0);
	if (same)
		return;
	print_error("%s differs on", op->name);
	for (unsigned i = 0; i < op->nsym; i++)
		print_error(" %lld", (long long)s[i]);
	fail_msg("; are build/rules.jsonl and generated/ from the same `make rules`?");
}

/* Compares on a record with each symbol changed in turn. */
static void compare_near(const rule_op *op, const rs_op *compiled, const int64_t *record, rng *r)
{
	static int64_t s[MAX_SYMBOLS];
	memcpy(s, record, op->nsym * sizeof *s);
	compare(op, compiled, s);
	for (unsigned k = 0; k < NEAR && op->nsym; k++) {
		unsigned i = rng_below(r, op->nsym);
		s[i] = rng_below(r, 3) ? s[i] + rng_range(r, -2, 2) : EXTREMES[rng_below(r, NEXTREMES)];
		compare(op, compiled, s);
		s[i] = record[i];
	}
}

static void compare_random(const rule_op *op, const rs_op *compiled, rng *r)
{
	static int64_t s[MAX_SYMBOLS];
	for (int k = 0; k < RANDOM; k++) {
		bool extreme = k % 3 == 0;
		for (unsigned i = 0; i < op->nsym; i++)
			s[i] = extreme && rng_below(r, 2) ? EXTREMES[rng_below(r, NEXTREMES)] : rng_range(r, k % 2 ? -2 : 0, 5);
		compare(op, compiled, s);
	}
}

static const rs_op *find(const rule_op *op)
{
	for (unsigned t = 0; t < rs_rules.ntables; t++)
		for (unsigned i = 0; i < rs_rules.tables[t]->nops; i++)
			if (strcmp(rs_rules.tables[t]->ops[i].name, op->name) == 0)
				return &rs_rules.tables[t]->ops[i];
	return NULL;
}

/* Each record of the table is the next one of the rules: the table has no record whose outputs differ from the rule. */
static void compare_records(const rule_op *op, const rs_op *compiled)
{
	static int64_t record[MAX_SYMBOLS + MAX_DIMS];
	const size_t all = (size_t)op->nsym + op->nodim;
	unsigned next = 0;
	for (unsigned r = 0; r < compiled->nrecords; r++) {
		rs_record(compiled, r, record);
		const size_t size = rs_record_width(compiled) * sizeof *record;
		while (next < op->nrecords && memcmp(op->records + next * all, record, size) != 0)
			next++;
		if (next++ >= op->nrecords)
			fail_msg("record %u of %s is none of the rules", r, op->name);
	}
}

static void test_table_is_the_rules(void **state)
{
	(void)state;
	if (access(RULES, R_OK) != 0)
		skip();
	rule_set rules;
	rng r = rng_seed(11);
	assert_true(rules_read(&rules, RULES, NULL));
	for (size_t i = 0; i < rules.nops; i++) {
		const rule_op *op = &rules.ops[i];
		const rs_op *compiled = find(op);
		if (!compiled)
			fail_msg("%s is not in the table", op->name);
		compare_records(op, compiled);
		if (!op->rule.out || !compiled->valid)
			continue;
		for (unsigned k = 0; k < op->nrecords; k++)
			compare_near(op, compiled, op->records + (size_t)k * (op->nsym + op->nodim), &r);
		compare_random(op, compiled, &r);
	}
	rules_free(&rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_is_the_rules)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
