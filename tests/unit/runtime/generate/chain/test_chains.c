/* The chains of a framework: exactly those whose calls are in the index, with these dtypes, ranks and sizes,
 * in a fixed order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "call_set.h"
#include "chains.h"
#include "rng.h"

enum { ROUNDS = 24, MOST_NUMEL = 65536, WITHOUT = 1 << 15 };

static uint64_t out[WITHOUT];

/* Excludes about `share` eighths of a framework's calls, drawn by the seed. */
static void build(gen_index *x, const rs_table *table, int share, uint64_t seed)
{
	size_t n = 0;
	rng r = rng_seed(seed);
	for (uint32_t i = 0; i < table->nops; i++) {
		const rs_op *op = &table->ops[i];
		for (unsigned k = 0; k < op->ndtypes && n < WITHOUT; k++)
			if (rng_range(&r, 0, 7) < share)
				out[n++] = rs_call_hash(op, op->dtypes + (size_t)k * (op->nin + op->nout));
	}
	if (n)
		qsort(out, n, sizeof *out, call_order);
	index_filter f = {.without = out, .nwithout = n, .max_numel = MOST_NUMEL, .rank_max = INDEX_RANK_MAX, .low = 1, .high = 5};
	diag d = {""};
	if (!gen_index_build(x, table, &f, &d))
		fail_msg("%s", d.text);
}

static void open_chains(chains *c, const gen_index *x, int64_t numel, unsigned rank)
{
	diag d = {""};
	if (!chains_open(c, x, numel, rank, &d))
		fail_msg("%s", d.text);
}

/* True if an operator of the index has a row that begins with the dtype of the first input and gives the
 * first output's dtype. */
static bool is_there(const gen_index *x, const graph *g, const graph_node *n)
{
	for (uint32_t i = 0; i < x->nops; i++) {
		const index_op *o = &x->ops[i];
		if (strcmp(o->op->api, n->op->api) != 0)
			continue;
		for (uint32_t r = 0; r < o->nrows; r++) {
			const uint8_t *row = index_row(o, r);
			bool in = !n->nin || !o->nin || row[0] == g->tensors[graph_node_input(g, n, 0)].dtype;
			if (in && row[o->nin] == g->tensors[n->outputs].dtype)
				return true;
		}
	}
	return false;
}

static bool is_wanted(const chain *c, const gen_index *x, int64_t numel, unsigned rank)
{
	bool wanted = true;
	for (uint32_t i = 0; i < c->model.ntensors; i++)
		wanted &= c->model.tensors[i].numel <= numel && c->model.tensors[i].rank <= rank;
	for (uint32_t i = c->model.first; i != GRAPH_NONE; i = c->model.nodes[i].next)
		wanted &= is_there(x, &c->model, &c->model.nodes[i]);
	return wanted;
}

static uint32_t weight(const chains *c, uint32_t i)
{
	return c->list[i].upto - (i ? c->list[i - 1].upto : 0);
}

/* Also at the bounds: each second round has a size or a rank that occurs in a chain. */
static void those_whose_calls_are_there(void **state)
{
	(void)state;
	uint32_t some = 0, left = 0;
	const rs_table *table = rs_library_table(&rs_rules, "onnx");
	gen_index whole, part;
	chains all, few;
	build(&whole, table, 0, 0);
	open_chains(&all, &whole, MOST_NUMEL, INDEX_RANK_MAX);
	for (int round = 0; round < ROUNDS; round++) {
		rng r = rng_seed((uint64_t)round);
		build(&part, table, (int)rng_range(&r, 0, 4), (uint64_t)round);
		int64_t numel = round % 2 ? MOST_NUMEL : rng_range(&r, 1, 2000);
		unsigned rank = round % 4 ? INDEX_RANK_MAX : (unsigned)rng_range(&r, 1, 5);
		if (round % 2 == 0 && all.n) {
			const chain *c = &all.list[rng_range(&r, 0, all.n - 1)];
			for (uint32_t i = 0; i < c->model.ntensors; i++)
				numel = c->model.tensors[i].numel > numel || !i ? c->model.tensors[i].numel : numel;
		}
		open_chains(&few, &part, numel, rank);
		uint32_t k = 0;
		for (uint32_t i = 0; i < all.n; i++) {
			assert_true(!i || all.list[i - 1].model.live_nodes <= all.list[i].model.live_nodes);
			assert_true(weight(&all, i) > 0);
			if (!is_wanted(&all.list[i], &part, numel, rank))
				continue;
			assert_true(k < few.n);
			assert_int_equal(few.list[k].elements, all.list[i].elements);
			assert_int_equal(few.list[k].model.live_nodes, all.list[i].model.live_nodes);
			assert_int_equal(weight(&few, k), weight(&all, i));
			int64_t sum = 0;
			for (uint32_t t = 0; t < few.list[k].model.ntensors; t++)
				sum += few.list[k].model.tensors[t].numel;
			assert_int_equal(few.list[k++].elements, sum);
		}
		assert_int_equal(few.n, k);
		some += k > 0 && k < all.n;
		left += k;
		chains_close(&few);
		gen_index_free(&part);
	}
	chains_close(&all);
	gen_index_free(&whole);
	assert_true(some > ROUNDS / 4 && left > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(those_whose_calls_are_there)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
