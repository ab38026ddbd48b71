/* Projections: the bounds that clauses on later symbols imply for earlier ones, whichever tensor is given;
 * and bounds that hold under more conditions than a step can store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sampler_derive.h"
#include "sampler_program.h"
#include "sampler_trial.h"

enum { TENSORS = 8, HIGH = 9, DRAWS = 200 };

/* Tensors of one dimension each: s0 <= s1 <= … <= s7. Whichever is given, the ones before it are at most as
 * large: s0 <= s7 follows only once all between them are eliminated. */
static void any_tensor_may_be_there(void **state)
{
	(void)state;
	rule_set rules = {.memory = arena_new(), .exprs = expr_pool_new()};
	rs_value values[TENSORS];
	const expr *clauses[TENSORS];
	rule_op op = {.name = "test-0", .values = values, .nvalues = TENSORS, .nin = TENSORS, .nsym = TENSORS};
	sampler s;
	for (int i = 0; i < TENSORS; i++)
		values[i] = (rs_value){.kind = RS_TENSOR, .first = (uint16_t)i, .count = 1};
	for (int i = 0; i + 1 < TENSORS; i++) {
		const expr *low = expr_sym(rules.exprs, i), *high = expr_sym(rules.exprs, i + 1);
		clauses[op.rule.nclauses++] = expr_make(rules.exprs, OP_LE, low, high);
	}
	op.rule.clauses = clauses;
	assert_true(sampler_derive(&rules, &op, SAMPLER_FORWARD, 128, &s));
	const char *program = sampler_program(rules.memory, &s);
	rng r = rng_seed(7);
	for (int known = 0; known < TENSORS; known++)
		for (int i = 0; i < DRAWS; i++) {
			int64_t v[TENSORS] = {0}, low[TENSORS], high[TENSORS], out[1] = {0};
			uint8_t is_known[TENSORS] = {0}, wanted[1] = {0};
			for (int k = 0; k < TENSORS; k++) {
				low[k] = 1;
				high[k] = HIGH;
			}
			v[known] = 1 + (int64_t)rng_below(&r, HIGH);
			is_known[known] = 1;
			rs_draw d = {v, is_known, out, wanted, low, high, &r, NULL};
			int64_t there = v[known];
			if (!sampler_run(program, &op, &d))
				fail_msg("a dead end: tensor %d has %d", known, (int)there);
			assert_int_equal(v[known], there);
			for (int k = 0; k < op.rule.nclauses; k++)
				assert_true(expr_holds(clauses[k], v));
		}
	expr_pool_free(rules.exprs);
	arena_free(rules.memory);
}

/* Tensors of one dimension each, 1 or 2: s0 <= s1, or one of the others is 1. The bounds of the last one
 * hold if none before it is 1; a bound that drops one of these conditions would exclude valid calls. */
static void all_conditions_are_kept(void **state)
{
	(void)state;
	for (int others = 1; others <= 6; others++) {
		rule_set rules = {.memory = arena_new(), .exprs = expr_pool_new()};
		rs_value values[TENSORS];
		unsigned n = (unsigned)others + 2, found = 0, valid = 0;
		rule_op op = {.name = "test-0", .values = values, .nvalues = n, .nin = n, .nsym = n};
		const expr *one = expr_const(rules.exprs, 1), *two = expr_const(rules.exprs, 2);
		const expr *clause = expr_make(rules.exprs, OP_LE, expr_sym(rules.exprs, 0), expr_sym(rules.exprs, 1));
		bool seen[1 << TENSORS] = {false};
		sampler s;
		for (unsigned i = 0; i < n; i++)
			values[i] = (rs_value){.kind = RS_TENSOR, .first = (uint16_t)i, .count = 1};
		for (unsigned i = 2; i < n; i++) {
			const expr *is_one = expr_make(rules.exprs, i % 2 ? OP_LT : OP_EQ, expr_sym(rules.exprs, (int)i), i % 2 ? two : one);
			clause = expr_make(rules.exprs, OP_OR, clause, is_one);
		}
		op.rule.clauses = &clause;
		op.rule.nclauses = 1;
		assert_true(sampler_derive(&rules, &op, SAMPLER_FORWARD, 128, &s));
		const char *program = sampler_program(rules.memory, &s);
		rng r = rng_seed(3);
		for (int i = 0; i < 20000; i++) {
			int64_t v[TENSORS] = {0}, low[TENSORS], high[TENSORS], out[1] = {0};
			uint8_t known[TENSORS] = {0}, wanted[1] = {0};
			unsigned code = 0;
			for (unsigned k = 0; k < n; k++) {
				low[k] = 1;
				high[k] = 2;
			}
			rs_draw d = {v, known, out, wanted, low, high, &r, NULL};
			if (!sampler_run(program, &op, &d))
				continue;
			assert_true(expr_holds(clause, v));
			for (unsigned k = 0; k < n; k++)
				code |= (unsigned)(v[k] - 1) << k;
			assert_in_range(code, 0, (1u << n) - 1);
			found += !seen[code];
			seen[code] = true;
		}
		for (unsigned code = 0; code < 1u << n; code++) {
			int64_t v[TENSORS];
			for (unsigned k = 0; k < n; k++)
				v[k] = 1 + (code >> k & 1);
			valid += expr_holds(clause, v);
		}
		assert_int_equal(found, valid);
		expr_pool_free(rules.exprs);
		arena_free(rules.memory);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_tensor_may_be_there), cmocka_unit_test(all_conditions_are_kept)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
