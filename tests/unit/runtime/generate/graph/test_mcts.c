#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "mcts.h"

static void logarithms(void **state)
{
	(void)state;
	assert_true(mcts_ln(1) == 0);
	for (uint32_t n = 1; n < UINT32_MAX / 3; n += n / 7 + 1) {
		double want = log(n) * 0x1p32, got = (double)mcts_ln(n);
		assert_true(fabs(want - got) < 0x1p6);
	}
	/* a constant that must be equal on every machine */
	assert_true(mcts_ln(2) == 2977044472);
	assert_true(mcts_ln(1000003) == 59337178873);
}

static void roots(void **state)
{
	(void)state;
	rng r = rng_seed(1);
	for (uint64_t i = 0; i < 1000; i++)
		assert_true(mcts_root(i * i) == i && (!i || mcts_root(i * i - 1) == i - 1));
	for (int i = 0; i < 1000; i++) {
		uint64_t x = rng_next(&r) >> rng_below(&r, 64), root = mcts_root(x);
		assert_true(root * root <= x);
		assert_true(root == UINT32_MAX || (root + 1) * (root + 1) > x);
	}
	assert_true(mcts_root(UINT64_MAX) == UINT32_MAX);
}

/* Formula 8 with e = 1/√2. */
static void potentials(void **state)
{
	(void)state;
	static const uint32_t CASES[][3] = {{0, 1, 1}, {3, 4, 10}, {1, 100, 4000000000}, {7, 7, 7},
	    {0, 1, 4294967295}, {50, 90, 400}};
	for (unsigned i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		double v = CASES[i][0], n = CASES[i][1], N = CASES[i][2];
		double want = v / n + sqrt(0.5) * sqrt(log(N) / n);
		double got =
		    (double)mcts_potential(CASES[i][0], CASES[i][1], CASES[i][2]) * 0x1p-30;
		assert_true(fabs(want - got) < 1e-6);
	}
	assert_true(mcts_potential(0, 0, 5) == UINT64_MAX); /* not visited: comes first */
}

static uint32_t grow(mcts *m, uint32_t block, bool success)
{
	uint32_t leaf = mcts_select(m);
	assert_false(mcts_terminal(m, leaf));
	assert_false(mcts_taken(m, leaf, block));
	uint32_t node = mcts_expand(m, leaf, block);
	assert_true(mcts_taken(m, leaf, block));
	assert_true(mcts_taken(m, node, block));
	mcts_back(m, node, success);
	return node;
}

static void a_tree(void **state)
{
	(void)state;
	mcts m;
	uint32_t blocks[MCTS_LEVELS_MAX];
	assert_true(mcts_init(&m, 10, 3));
	/* the root gets children until it has three */
	uint32_t a = grow(&m, 1, true), b = grow(&m, 2, false), c = grow(&m, 3, false);
	assert_int_equal(m.nodes[a].parent, MCTS_ROOT);
	assert_int_equal(m.nodes[c].parent, MCTS_ROOT);
	/* then the successful child of maximum potential gets one */
	uint32_t d = grow(&m, 4, true);
	assert_int_equal(m.nodes[d].parent, a);
	assert_int_equal(mcts_path(&m, d, blocks), 2);
	assert_int_equal(blocks[0], 4);
	assert_int_equal(blocks[1], 1);
	assert_int_equal(m.nodes[a].visits, 2);
	assert_int_equal(m.nodes[a].success, 2);
	assert_int_equal(m.nodes[b].visits, 1);
	assert_int_equal(m.nodes[MCTS_ROOT].visits, 4);
	assert_int_equal(m.nodes[MCTS_ROOT].success, 2);
	mcts_reset(&m);
	assert_int_equal(mcts_select(&m), MCTS_ROOT);
	assert_int_equal(m.nodes[MCTS_ROOT].visits, 0);
	mcts_free(&m);
}

/* Failed children yield to less visited ones, and return later. */
static void exploration(void **state)
{
	(void)state;
	mcts m;
	unsigned visits[3] = {0};
	assert_true(mcts_init(&m, 1, 3));
	uint32_t nodes[3];
	for (uint32_t i = 0; i < 3; i++)
		nodes[i] = grow(&m, i, true);
	for (int i = 0; i < 300; i++) {
		uint32_t leaf = mcts_select(&m);
		assert_true(mcts_terminal(&m, leaf));
		for (unsigned k = 0; k < 3; k++)
			visits[k] += leaf == nodes[k];
		mcts_back(&m, leaf, leaf == nodes[1]);
	}
	assert_true(visits[1] > visits[0] * 3 && visits[1] > visits[2] * 3);
	assert_true(visits[0] > 1 && visits[2] > 1);
	mcts_free(&m);
}

static void bounds(void **state)
{
	(void)state;
	mcts m;
	uint32_t blocks[MCTS_LEVELS_MAX];
	assert_true(mcts_init(&m, 10, 3));
	for (uint32_t i = 0; i < 200000; i++) {
		uint32_t leaf = mcts_select(&m);
		if (!mcts_terminal(&m, leaf))
			leaf = mcts_expand(&m, leaf, i);
		assert_true(leaf != MCTS_NONE);
		unsigned n = mcts_path(&m, leaf, blocks);
		assert_true(n >= 1 && n <= 10);
		mcts_back(&m, leaf, true);
	}
	assert_true(m.count == (59049 * 3 - 1) / 2); /* all of 3^0 + … + 3^10 */
	mcts_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(logarithms), cmocka_unit_test(roots),
	    cmocka_unit_test(potentials), cmocka_unit_test(a_tree), cmocka_unit_test(exploration),
	    cmocka_unit_test(bounds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
