/* Draws from the toy table: valid inputs only, both sides of a rule, reproducible for a seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "draw.h"
#include "no_memory.h"
#include "tally.h"
#include "toy_table.h"

enum { DRAWS = 60, WIDEST = 8 };

/* DRAWS inputs, samples or mutants; returns their number. valid: the drawer's verdict. */
static unsigned draw(const rs_op *op, uint64_t seed, bool mutants, int64_t in[DRAWS][WIDEST], bool *valid)
{
	arena *a = arena_new();
	drawer d;
	unsigned n = 0;
	memset(in, 0, sizeof(int64_t[DRAWS][WIDEST]));
	assert_true(drawer_open(&d, op, seed, a));
	while (n < DRAWS && (mutants ? draw_mutant : draw_sample)(&d, a, in[n]))
		valid[n++] = d.valid;
	arena_free(a);
	return n;
}

static void assert_fresh(const rs_op *op, int64_t in[DRAWS][WIDEST], unsigned n)
{
	size_t size = op->nsym * sizeof **in;
	for (unsigned i = 0; i < n; i++) {
		for (unsigned j = 0; j < i; j++)
			assert_memory_not_equal(in[i], in[j], size);
		for (unsigned r = 0; r < op->nrecords; r++)
			assert_false(rs_record_is(op, r, in[i]));
	}
}

static void test_samples_are_accepted(void **state)
{
	static const int OPS[] = {TOY_ADD, TOY_MATMUL, TOY_POOL, TOY_SPLIT};
	int64_t in[DRAWS][WIDEST], out[WIDEST];
	bool valid[DRAWS];
	(void)state;
	for (unsigned k = 0; k < sizeof OPS / sizeof *OPS; k++) {
		const rs_op *op = &TOY_OPS[OPS[k]];
		unsigned n = draw(op, 1, false, in, valid);
		assert_in_range(n, 10, DRAWS);
		assert_fresh(op, in, n);
		for (unsigned i = 0; i < n; i++)
			assert_true(valid[i] && rs_eval(op, in[i], out));
	}
}

static void test_mutants_are_on_both_sides(void **state)
{
	static const int OPS[] = {TOY_ADD, TOY_MATMUL, TOY_POOL, TOY_SPLIT};
	int64_t in[DRAWS][WIDEST], out[WIDEST];
	bool valid[DRAWS];
	(void)state;
	for (unsigned k = 0; k < sizeof OPS / sizeof *OPS; k++) {
		const rs_op *op = &TOY_OPS[OPS[k]];
		unsigned n = draw(op, 1, true, in, valid), yes = 0;
		assert_int_equal(n, DRAWS);
		assert_fresh(op, in, n);
		for (unsigned i = 0; i < n; i++) {
			assert_int_equal(valid[i], rs_eval(op, in[i], out));
			yes += valid[i];
		}
		assert_in_range(yes, DRAWS * 2 / 5, DRAWS * 3 / 5);
	}
}

static bool ranged_out(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

/* Each draw is a record or accepted by the rule. All numbers that were equal, or multiples, move together:
 * the call's four dimensions are tied in pairs, and none moves alone. */
static void test_joint_moves(void **state)
{
	const rs_op *op = &TOY_OPS[TOY_ADD]; /* s0 == s2, s1 == s3 */
	int64_t in[WIDEST];
	arena *a = arena_new();
	drawer d;
	unsigned n = 0;
	(void)state;
	assert_true(drawer_open(&d, op, 3, a));
	for (; n < DRAWS && draw_joint(&d, a, in); n++)
		assert_true(d.valid && in[0] == in[2] && in[1] == in[3]);
	assert_in_range(n, 10, DRAWS);
	arena_free(a);
}

static bool doubled_valid(const int64_t *s)
{
	return s[1] == 2 * s[0];
}

static void test_multiples_move_along(void **state)
{
	static const rs_value VALUES[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1},
	    {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 1}};
	static const int64_t RECORDS[] = {2, 4, 3, 6};
	const rs_op op = {.name = "torch.twice-0", .valid = doubled_valid, .propagate = ranged_out, .values = VALUES,
	    .out_ranks = (const uint8_t[]){1}, .records = RECORDS, .nvalues = 2, .nsym = 2, .nin = 2, .nout = 1, .nodim = 1,
	    .nrecords = 2};
	int64_t in[WIDEST];
	arena *a = arena_new();
	drawer d;
	unsigned n = 0;
	(void)state;
	assert_true(drawer_open(&d, &op, 1, a));
	for (; n < 5 && draw_joint(&d, a, in); n++)
		assert_true(d.valid && in[1] == 2 * in[0]);
	assert_int_equal(n, 5);
	arena_free(a);
}

/* A recorded number is changed up as often as down, by one and by two. */
static void test_changes_go_both_ways(void **state)
{
	static const rs_value VALUES[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}};
	static const int64_t RECORDS[] = {50, 50};
	const rs_op op = {.name = "torch.one-0", .valid = toy_always, .propagate = ranged_out, .values = VALUES,
	    .out_ranks = (const uint8_t[]){1}, .records = RECORDS, .nvalues = 1, .nsym = 1, .nin = 1, .nout = 1, .nodim = 1,
	    .nrecords = 1};
	int64_t in[WIDEST];
	unsigned times[101] = {0};
	(void)state;
	for (uint64_t seed = 0; seed < 2000; seed++) {
		arena *a = arena_new();
		drawer d;
		assert_true(drawer_open(&d, &op, seed, a));
		if (draw_mutant(&d, a, in) && in[0] >= 0 && in[0] <= 100)
			times[in[0]]++;
		arena_free(a);
	}
	for (int by = 1; by <= 2; by++) {
		unsigned up = times[50 + by], down = times[50 - by];
		assert_true(up > 20 && down > 20 && 2 * up > down && 2 * down > up);
	}
}

static void test_no_joint_move(void **state)
{
	static const rs_value VALUES[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}};
	static const int64_t RECORDS[] = {3, 5};
	const rs_op op = {.name = "torch.one-0", .valid = toy_always, .propagate = ranged_out, .values = VALUES,
	    .out_ranks = (const uint8_t[]){1}, .records = RECORDS, .nvalues = 1, .nsym = 1, .nin = 1, .nout = 1, .nodim = 1,
	    .nrecords = 2};
	int64_t in[WIDEST];
	arena *a = arena_new();
	drawer d;
	(void)state;
	assert_true(drawer_open(&d, &op, 1, a));
	assert_false(draw_joint(&d, a, in)); /* there is only one number */
	assert_true(draw_input(&d, a, DRAWN_SAMPLE, in));
	arena_free(a);
}

static void test_limits(void **state)
{
	int64_t in[DRAWS][WIDEST];
	bool valid[DRAWS];
	const rs_op *op = &TOY_OPS[TOY_POOL];
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++)
		for (unsigned i = 0, n = draw(op, seed, true, in, valid); i < n; i++) {
			assert_in_range(in[i][0], 0, DRAW_HIGH);
			assert_in_range(in[i][1], 0, DRAW_HIGH);
			assert_in_range(in[i][0] * in[i][1], 0, DRAW_NUMEL);
			assert_true(in[i][2] >= DRAW_LOW && in[i][2] <= DRAW_HIGH);
		}
}

static void test_same_seed_same_inputs(void **state)
{
	int64_t in[3][DRAWS][WIDEST];
	bool valid[DRAWS];
	(void)state;
	for (int mutants = 0; mutants < 2; mutants++) {
		for (unsigned i = 0; i < 3; i++)
			draw(&TOY_OPS[TOY_MATMUL], i == 2 ? 8 : 7, mutants, in[i], valid);
		assert_memory_equal(in[0], in[1], sizeof in[0]);
		assert_memory_not_equal(in[0], in[2], sizeof in[0]);
	}
}

static void test_nothing_to_vary(void **state)
{
	int64_t in[DRAWS][WIDEST];
	bool valid[DRAWS];
	(void)state;
	assert_int_equal(draw(&TOY_OPS[TOY_NEGATIVE], 1, false, in, valid), 0);
	assert_int_equal(draw(&TOY_OPS[TOY_NEGATIVE], 1, true, in, valid), 0);
}

static bool ranged_valid(const int64_t *s)
{
	return s[0] == 0 || (s[1] >= 0 && s[2] <= s[3] && s[1] < s[2]);
}

/* A tensor [s0] with elements in s1 … s2 - 1 picks rows of a tensor [s3]: s1 and s2 are 0 for an empty
 * tensor, and never equal otherwise. */
static void test_ranges(void **state)
{
	static const rs_value VALUES[] = {{.kind = RS_RANGED, .dtype = RS_INT64, .count = 1},
	    {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 3}};
	static const int64_t RECORDS[] = {3, 0, 4, 5, 2, 1, 3, 3, 0, 0, 0, 5};
	const rs_op op = {.name = "torch.pick-0", .valid = ranged_valid, .propagate = ranged_out,
	    .values = VALUES, .out_ranks = (const uint8_t[]){1}, .records = RECORDS, .nvalues = 2,
	    .nsym = 4, .nin = 2, .nout = 1, .nodim = 1, .nrecords = 3};
	int64_t in[DRAWS][WIDEST];
	bool valid[DRAWS];
	unsigned empty = 0;
	(void)state;
	for (int mutants = 0; mutants < 2; mutants++)
		for (unsigned i = 0, n = draw(&op, 1, mutants, in, valid); i < n; i++) {
			if (in[i][0] == 0)
				assert_true(in[i][1] == 0 && in[i][2] == 0);
			else
				assert_int_not_equal(in[i][1], in[i][2]);
			empty += in[i][0] == 0;
			assert_int_equal(draw_strata(&op, DRAWN_SAMPLE, in[i]) >> STRATUM_ZERO & 1,
			    in[i][0] == 0 || in[i][3] == 0);
		}
	assert_in_range(empty, 1, DRAWS);
}

static void test_strata(void **state)
{
	static const rs_value VALUES[] = {{.kind = RS_TENSOR, .count = 4},
	    {.kind = RS_TENSOR, .count = 0, .first = 4}, {.kind = RS_INT, .first = 4}};
	rs_op op = {.values = VALUES, .nvalues = 3};
	int64_t s[] = {1, 2, 3, 4, 0};
	unsigned total = 1u << STRATUM_TOTAL | 1u << STRATUM_PLAIN;
	(void)state;
	assert_int_equal(draw_strata(&op, DRAWN_SAMPLE, s), total | 1u << STRATUM_RANK4 | 1u << STRATUM_RANK0);
	s[2] = 0;
	assert_int_equal(draw_strata(&op, DRAWN_SAMPLE, s),
	    total | 1u << STRATUM_RANK4 | 1u << STRATUM_RANK0 | 1u << STRATUM_ZERO);
	op.values = VALUES + 2; /* an attribute that is 0 is not a dimension */
	op.nvalues = 1;
	assert_int_equal(draw_strata(&op, DRAWN_SAMPLE, s), total | 1u << STRATUM_ORDINARY);
	op.flags = RS_THIN;
	assert_int_equal(draw_strata(&op, DRAWN_MUTANT, s), total | 1u << STRATUM_ORDINARY | 1u << STRATUM_THIN);
	total = 1u << STRATUM_TOTAL | 1u << STRATUM_JOINT;
	assert_int_equal(draw_strata(&op, DRAWN_JOINT, s), total | 1u << STRATUM_ORDINARY | 1u << STRATUM_THIN);
}

/* The drawn inputs of each kind, as sums; without memory, the draws before it ran out are the same. */
typedef struct drawn_inputs {
	const rs_op *op;
	uint64_t sums[DRAWN_KINDS][20];
	bool known;
} drawn_inputs;

static bool draws(void *context)
{
	drawn_inputs *w = context;
	arena *a = arena_new();
	drawer d;
	bool done = a && drawer_open(&d, w->op, 5, a);
	for (int kind = 0; done && kind < DRAWN_KINDS; kind++)
		for (int i = 0; done && i < 20; i++) {
			int64_t in[WIDEST] = {0};
			uint64_t sum = 1;
			done = draw_input(&d, a, kind, in);
			for (int k = 0; k < WIDEST; k++)
				sum = sum * 31 + (uint64_t)in[k];
			if (done && w->known)
				assert_true(sum == w->sums[kind][i]);
			else if (done)
				w->sums[kind][i] = sum;
		}
	w->known |= done;
	arena_free(a);
	return done;
}

static void test_without_memory(void **state)
{
	(void)state;
	lack_memory(draws, &(drawn_inputs){.op = &TOY_OPS[TOY_MATMUL]});
	lack_memory(draws, &(drawn_inputs){.op = &TOY_OPS[TOY_ADD]});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_samples_are_accepted),
	    cmocka_unit_test(test_mutants_are_on_both_sides),
	    cmocka_unit_test(test_joint_moves),
	    cmocka_unit_test(test_multiples_move_along),
	    cmocka_unit_test(test_changes_go_both_ways), cmocka_unit_test(test_no_joint_move),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_same_seed_same_inputs),
	    cmocka_unit_test(test_nothing_to_vary),
	    cmocka_unit_test(test_ranges),
	    cmocka_unit_test(test_strata), cmocka_unit_test(test_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
