#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "mutate.h"
#include "topology.h"

/* Edges go upwards, none occurs twice, and degrees and predecessors agree. */
static void check(topology *t)
{
	uint32_t edges = 0;
	assert_true(topology_finish(t));
	for (uint32_t i = 0; i < t->n; i++) {
		assert_int_equal(t->starts[i + 1] - t->starts[i], t->in[i]);
		for (uint32_t k = t->starts[i]; k < t->starts[i + 1]; k++, edges++) {
			assert_true(t->preds[k] < i);
			assert_true(k == t->starts[i] || t->preds[k] > t->preds[k - 1]);
			assert_true(topology_joined(t, t->preds[k], i));
			assert_true(topology_joined(t, i, t->preds[k]));
		}
	}
	assert_int_equal(edges, t->nedges);
	uint32_t out = 0;
	for (uint32_t i = 0; i < t->n; i++)
		out += t->out[i];
	assert_int_equal(out, t->nedges);
}

static uint32_t degree(const topology *t, uint32_t i)
{
	return t->in[i] + t->out[i];
}

static void a_ring_without_rewiring(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(1);
	assert_true(topology_draw(&t, TOPOLOGY_WS, 10, 4, 0, &r));
	check(&t);
	assert_int_equal(t.nedges, 20);
	for (uint32_t i = 0; i < 10; i++)
		for (uint32_t j = 0; j < i; j++) {
			uint32_t d = i - j < 10 - (i - j) ? i - j : 10 - (i - j);
			assert_int_equal(topology_joined(&t, i, j), d <= 2);
		}
	topology_free(&t);
}

static void rewiring_moves_half_of_the_edges(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(2);
	uint32_t kept = 0;
	for (int k = 0; k < 50; k++) {
		assert_true(topology_draw(&t, TOPOLOGY_WS, 100, 4, 500, &r));
		check(&t);
		assert_int_equal(t.nedges, 200);
		for (uint32_t i = 0; i < 100; i++)
			kept += topology_joined(&t, i, (i + 1) % 100)
				+ topology_joined(&t, i, (i + 2) % 100);
	}
	/* of 10,000; a moved edge sometimes lands on a ring position */
	assert_in_range(kept, 4900, 5500);
	topology_free(&t);
}

static void small_rings(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(3);
	for (uint32_t n = 1; n < 8; n++)
		for (unsigned k = 2; k <= 6; k += 2)
			for (int i = 0; i < 50; i++) {
				assert_true(topology_draw(&t, TOPOLOGY_WS, n, k, 500, &r));
				check(&t);
				assert_true(t.nedges <= n * (n - 1) / 2);
				assert_true(n < 2 || t.nedges);
			}
	topology_free(&t);
}

static void residual_networks_hold_their_line(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(4);
	for (uint32_t n = 1; n < 40; n++)
		for (unsigned k = 2; k <= 6; k += 2) {
			assert_true(topology_draw(&t, TOPOLOGY_RN, n, k, 900, &r));
			check(&t);
			for (uint32_t i = 0; i < n; i++) {
				assert_true(!i || topology_joined(&t, i - 1, i));
				assert_true(degree(&t, i) <= k);
			}
		}
	topology_free(&t);
}

static void residual_networks_fill_up(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(5);
	assert_true(topology_draw(&t, TOPOLOGY_RN, 1000, 6, 900, &r));
	uint32_t sum = 0;
	for (uint32_t i = 0; i < t.n; i++)
		sum += degree(&t, i);
	assert_in_range(sum, 5500, 6000); /* p = 0.9: most get all six neighbors */
	assert_true(topology_draw(&t, TOPOLOGY_RN, 1000, 6, 0, &r));
	assert_int_equal(t.nedges, 999); /* p = 0: the line alone */
	topology_free(&t);
}

static void edges_are_added_and_removed(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(6);
	for (int i = 0; i < 200; i++) {
		assert_true(topology_draw(&t, TOPOLOGY_RN, 15, 2, 900, &r));
		uint32_t before = t.nedges;
		assert_true(mutate_add_edges(&t, 100, &r));
		assert_int_equal(t.nedges, before + 2); /* rounded up */
		check(&t);
		mutate_remove_edges(&t, 100, &r);
		assert_int_equal(t.nedges, before + 1); /* rounded down */
		check(&t);
	}
	assert_true(topology_draw(&t, TOPOLOGY_WS, 3, 2, 0, &r));
	assert_true(mutate_add_edges(&t, 200, &r)); /* all three exist */
	assert_int_equal(t.nedges, 3);
	assert_true(topology_begin(&t, 9));
	mutate_remove_edges(&t, 200, &r); /* none exists */
	assert_int_equal(t.nedges, 0);
	topology_free(&t);
}

static void mutations_of(block *b, uint32_t nodes, uint32_t edges)
{
	assert_int_equal(b->nnodes, nodes);
	assert_int_equal(b->nedges, edges);
	for (unsigned e = 0; e < b->nedges; e++)
		assert_true(b->edges[e].from < b->edges[e].to && b->edges[e].to < b->nnodes);
}

/* Conv2d+Relu+Pow+Concat of the paper's figure 5: (0,1), (1,3), (2,3). */
static block figure5(void)
{
	return (block){
	    .nnodes = 4, .apis = {10, 11, 12, 13}, .nedges = 3, .edges = {{0, 1}, {1, 3}, {2, 3}}};
}

static void subgraphs_change(void **state)
{
	(void)state;
	rng r = rng_seed(7);
	unsigned doubled[4] = {0}, removed[4] = {0};
	for (int i = 0; i < 400; i++) {
		block b = figure5();
		mutate_add_node(&b, 1000, &r);
		mutations_of(&b, 5, 4);
		for (unsigned k = 0; k + 1 < b.nnodes; k++)
			if (b.apis[k] == b.apis[k + 1]) {
				doubled[b.apis[k] - 10]++;
				assert_int_equal(b.edges[3].from, k); /* into its copy */
				assert_int_equal(b.edges[3].to, k + 1);
			}
		b = figure5();
		mutate_remove_node(&b, 1000, &r);
		unsigned gone = 0;
		while (gone < 3 && b.apis[gone] == 10 + gone)
			gone++;
		removed[gone]++;
		mutations_of(&b, 3, gone == 0 || gone == 2 ? 2 : 1);
	}
	for (int i = 0; i < 4; i++)
		assert_true(doubled[i] > 50 && removed[i] > 50);
}

static void operators_do_not_change(void **state)
{
	(void)state;
	rng r = rng_seed(8);
	block b = {.nnodes = 1, .apis = {7}};
	mutate_add_node(&b, 1000, &r);
	mutate_remove_node(&b, 1000, &r);
	mutations_of(&b, 1, 0);
	b = figure5();
	mutate_add_node(&b, 0, &r);
	mutate_remove_node(&b, 0, &r);
	mutations_of(&b, 4, 3);
	while (b.nnodes < BLOCK_NODES_MAX)
		mutate_add_node(&b, 1000, &r);
	mutate_add_node(&b, 1000, &r); /* full */
	assert_int_equal(b.nnodes, BLOCK_NODES_MAX);
}

static void rates_are_of_the_paper(void **state)
{
	(void)state;
	rng r = rng_seed(9);
	unsigned seen[3] = {0}, tsm = 0, pm = 0;
	for (int i = 0; i < 3000; i++) {
		mutation m = mutate_select(&r);
		assert_true(m.gea % 100 == 0 && m.gea <= 200 && m.ger <= 200 && m.bna <= 200
			    && m.bnr <= 200);
		seen[m.ger / 100]++;
		tsm += m.tsm;
		pm += m.pm;
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(seen[i], 900, 1100);
	assert_true(tsm > 2000 && tsm < 3000 && pm > 2000 && pm < 3000);
}

static void the_same_bytes(void **state)
{
	(void)state;
	topology t = {0};
	rng r = rng_seed(10);
	uint64_t h = 0;
	for (int i = 0; i < 100; i++) {
		assert_true(topology_draw(
		    &t, i & 1 ? TOPOLOGY_RN : TOPOLOGY_WS, 15, 4, i & 1 ? 900 : 500, &r));
		for (uint32_t e = 0; e < t.nedges; e++)
			h = (h ^ (t.edges[e].from * 64 + t.edges[e].to)) * 0x100000001b3u;
	}
	assert_true(h == UINT64_C(0x8a344e22d797bb3e));
	topology_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_ring_without_rewiring),
	    cmocka_unit_test(rewiring_moves_half_of_the_edges), cmocka_unit_test(small_rings),
	    cmocka_unit_test(residual_networks_hold_their_line),
	    cmocka_unit_test(residual_networks_fill_up),
	    cmocka_unit_test(edges_are_added_and_removed), cmocka_unit_test(subgraphs_change),
	    cmocka_unit_test(operators_do_not_change), cmocka_unit_test(rates_are_of_the_paper),
	    cmocka_unit_test(the_same_bytes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
