/* Projections: what clauses on later symbols imply for earlier ones, whichever tensor is there already. */
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

/* Tensors of one dimension each: s0 <= s1 <= … <= s7. Whichever is there, the ones before it are at most as large: that s0 is at most
 * s7 follows only when all between them are eliminated. */
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
			rs_draw d = {v, is_known, out, wanted, low, high, &r};
			int64_t there = v[known];
			if (!sampler_run(program, &op, &d))
				fail_msg("a dead end where tensor %d has %d", known, (int)there);
			assert_int_equal(v[known], there);
			for (int k = 0; k < op.rule.nclauses; k++)
				assert_true(expr_holds(clauses[k], v));
		}
	expr_pool_free(rules.exprs);
	arena_free(rules.memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_tensor_may_be_there)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
