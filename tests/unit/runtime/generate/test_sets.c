/* Models of operator sets: each is of one set, and as the generator of that set alone makes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model_read.h"
#include "call_set.h"
#include "gen_sets.h"
#include "models.h"
#include "op_versions.h"
#include "write_json.h"

enum { COUNT = 400, LOW = 8, HIGH = 12 };

static rs_gen *open_sets(uint32_t low, uint32_t high, uint32_t newest)
{
	const rs_gen_options o = {.opset_low = low, .opset_high = high, .opset_newest = newest, .features = {.functions = 1000, .subgraphs = 1000}};
	return open_models(rs_library_table(&rs_rules, "onnx"), o);
}

static void check_calls(const graph *g)
{
	uint8_t row[512];
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		graph_row(g, &g->nodes[i], row);
		if (!op_in_set(g->nodes[i].op, row, g->opset))
			fail_msg("model %u: %s is not of set %u", (unsigned)g->index, g->nodes[i].op->name, g->opset);
	}
}

static void one_set_per_model(void **state)
{
	(void)state;
	rs_gen *range = open_sets(LOW, HIGH, 0), *each[HIGH + 1] = {NULL};
	rs_graph *g = rs_graph_new(), *alone = rs_graph_new(), *read = rs_graph_new();
	buf line = {0};
	diag d = {""};
	unsigned counts[HIGH + 1] = {0};
	for (int set = LOW; set <= HIGH; set++)
		each[set] = open_sets((uint32_t)set, (uint32_t)set, 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		assert_true(rs_gen_model(range, 3, i, g));
		assert_in_range(g->opset, LOW, HIGH);
		counts[g->opset]++;
		check_model(g);
		check_calls(g);
		assert_true(rs_gen_model(each[g->opset], 3, i, alone));
		assert_true(rs_graph_hash(g) == rs_graph_hash(alone));
		buf_clear(&line);
		graph_write_json(g, &line);
		assert_true(graph_read_json(read, buf_text(&line), "m", 1, &rs_rules, &d));
		assert_true(rs_graph_hash(g) == rs_graph_hash(read) && read->opset == g->opset);
		assert_true(graph_copy(alone, g) && rs_graph_hash(g) == rs_graph_hash(alone));
		assert_int_equal(g->nbodies, 0); /* files before set 16 have none */
	}
	for (int set = LOW; set <= HIGH; set++) {
		assert_in_range(counts[set], COUNT / 8, COUNT / 3);
		rs_gen_free(each[set]);
	}
	assert_int_equal(gen_get_stats(range).models, COUNT);
	rs_graph_free(g);
	rs_graph_free(alone);
	rs_graph_free(read);
	buf_free(&line);
	rs_gen_free(range);
}

/* A generator made like another one, with a call excluded, makes the models of a new one, after the other is freed. */
static void successors_make_the_same_models(void **state)
{
	(void)state;
	enum { MODELS = 120, ROUNDS = 2, CALLS = 20 };
	const rs_table *t = rs_library_table(&rs_rules, "onnx");
	rs_gen_options o = {.opset_low = LOW, .opset_high = HIGH, .chains = 300, .features = {.shape_arithmetic = 500, .quantized = 300}};
	char message[256];
	uint8_t row[512];
	rs_gen *old = open_models(t, o);
	rs_graph *g = rs_graph_new();
	uint64_t without[ROUNDS * CALLS];
	digest_models(old, g, 3, 0, MODELS); /* now the generators of all sets are made */
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < CALLS; i++) {
			assert_true(rs_gen_model(old, 5, o.nwithout, g));
			graph_row(g, &g->nodes[g->first], row);
			without[o.nwithout++] = rs_call_hash(g->nodes[g->first].op, row);
		}
		qsort(without, o.nwithout, sizeof *without, call_order);
		o.without = without;
		rs_gen *like = gen_like(t, &o, old, message, sizeof message), *new = open_models(t, o);
		assert_non_null(like);
		gen_sets_move(old, like);
		rs_gen_free(old);
		assert_true(digest_models(like, g, 3, 0, MODELS) == digest_models(new, g, 3, 0, MODELS));
		rs_gen_free(new);
		old = like;
	}
	rs_graph_free(g);
	rs_gen_free(old);
}

static void the_newest_more_often(void **state)
{
	(void)state;
	rs_gen *gen = open_sets(7, 26, 500);
	rs_graph *g = rs_graph_new();
	unsigned newest = 0, bodies = 0;
	for (uint64_t i = 0; i < COUNT; i++) {
		assert_true(rs_gen_model(gen, 1, i, g));
		newest += g->opset == 26;
		bodies += g->nbodies > 0;
		check_calls(g);
	}
	assert_in_range(newest, COUNT * 45 / 100, COUNT * 60 / 100);
	assert_true(bodies > COUNT / 2);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* A set without the requested operator: the next newer one that has it. */
static void sets_without_the_operator(void **state)
{
	(void)state;
	const rs_gen_options o = {.opset_low = 7, .opset_high = 12, .api = "onnx.Celu"};
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"), o);
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < 50; i++) {
		assert_true(rs_gen_model(gen, 0, i, g));
		assert_int_equal(g->opset, 12);
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void refused(const char *framework, rs_gen_options o, const char *why)
{
	char message[256] = "";
	assert_null(rs_gen_new(rs_library_table(&rs_rules, framework), &o, message, sizeof message));
	if (!strstr(message, why))
		fail_msg("'%s' is not in '%s'", why, message);
}

static void refusals(void **state)
{
	(void)state;
	refused("torch", (rs_gen_options){.opset_low = 7, .opset_high = 7}, "no operator sets");
	refused("onnx", (rs_gen_options){.opset_low = 6, .opset_high = 7}, "no such operator sets");
	refused("onnx", (rs_gen_options){.opset_low = 9, .opset_high = 8}, "no such operator sets");
	refused("onnx", (rs_gen_options){.opset_low = 9, .opset_high = 27}, "no such operator sets");
	refused("onnx", (rs_gen_options){.opset_low = 9, .opset_high = 10, .strategy = RS_GRAPH}, "learns from earlier models");
	refused("onnx", (rs_gen_options){.opset_low = 7, .opset_high = 7, .api = "onnx.Celu"}, "can be generated");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_set_per_model), cmocka_unit_test(successors_make_the_same_models), cmocka_unit_test(the_newest_more_often),
	    cmocka_unit_test(sets_without_the_operator), cmocka_unit_test(refusals)};
	return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
