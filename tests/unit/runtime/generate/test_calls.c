/* Single calls: each signature gets its turn; without a rule every fitting, nonempty record is used, and no
 * other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "rulesmith.h"

#define OP(letter, ...)                                                                                                \
	{                                                                                                              \
		.name = "t." letter "-0", .api = "t." letter, .why = "none", .args = (const rs_arg[]){{"x", 0, 1}},     \
		.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2}},                     \
		.out_ranks = (const uint8_t[]){2}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32},                  \
		.records = (const int64_t[]){__VA_ARGS__}, .passed = 9, .nargs = 1, .nvalues = 1, .nsym = 2, .nin = 1,  \
		.nout = 1, .nodim = 2, .ndtypes = 1, .nrecords = sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t) / 4 \
	}

/* x, then the output; without rules, so that only records define the calls. */
static const rs_op OPS[] = {
    OP("empty", 0, 3, 3, 0, 5, 0, 0, 5), OP("full", 2, 3, 3, 2, 4, 4, 4, 4), OP("large", 9, 9, 9, 9, 3, 3, 3, 3, 1, 81, 3, 3, 2, 2, 9, 9),
    OP("some", 0, 9, 9, 0, 6, 1, 1, 6, 8, 8, 8, 8)};
enum { NOPS = sizeof OPS / sizeof *OPS, MOST = 64, MODELS = 300 };
static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "0", .fingerprint = "t", .ops = OPS,
    .nops = sizeof OPS / sizeof *OPS};

static bool fits(const int64_t *record)
{
	int64_t x = record[0] * record[1], out = record[2] * record[3];
	return x > 0 && x <= MOST && out > 0 && out <= MOST;
}

static void records_are_all_there_is(void **state)
{
	(void)state;
	rs_gen *gen = open_models(&TABLE, (rs_gen_options){.strategy = RS_CALLS, .max_numel = MOST});
	rs_graph *g = rs_graph_new();
	unsigned seen[NOPS][4] = {{0}}, calls[NOPS] = {0};
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 2, i, g));
		check_model(g);
		assert_int_equal(g->live_nodes, 1);
		const graph_node *n = &g->nodes[g->first];
		const int64_t *x = g->tensors[graph_node_input(g, n, 0)].shape, *out = g->tensors[n->outputs].shape;
		calls[n->op - OPS]++;
		for (unsigned k = 0; k < n->op->nrecords; k++) {
			int64_t record[4];
			rs_record(n->op, k, record);
			seen[n->op - OPS][k] += record[0] == x[0] && record[1] == x[1] && record[2] == out[0] && record[3] == out[1];
		}
	}
	for (int o = 0; o < NOPS; o++) {
		unsigned some = 0;
		for (unsigned k = 0; k < OPS[o].nrecords; k++) {
			int64_t record[4];
			rs_record(&OPS[o], k, record);
			assert_int_equal(seen[o][k] > 0, fits(record));
			some += seen[o][k];
		}
		assert_int_equal(some, calls[o]);		       /* each is one of the records */
		assert_int_equal(calls[o], some ? MODELS / 3 : 0); /* three have one that fits: in turn */
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(records_are_all_there_is)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
