/* Single reductions: of a small model by hand, and of generated ones, whose reductions must be valid models. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "layout.h"
#include "models.h"
#include "reduce.h"
#include "small_model.h"

static void assert_model(const graph *g, const char *want)
{
	char *text = rs_graph_json(g), *from = strstr(text, "\"inputs\"");
	assert_string_equal(from, want);
	free(text);
}

static void cuts_to_a_node(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, SMALL_MODEL, NULL);
	assert_true(reduce_to_node(&to, &g, NODE_D)); /* a and d remain; tensors 2 and 6 are renumbered to 1 and 2 */
	assert_model(&to,
	    "\"inputs\":[{\"id\":0,\"shape\":[2],\"dtype\":\"float32\"}],\"nodes\":["
	    "{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}],"
	    "\"outputs\":[{\"id\":1,\"shape\":[2],\"dtype\":\"float32\"}]},"
	    "{\"op\":\"t.d-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":1}}],"
	    "\"outputs\":[{\"id\":2,\"shape\":[2],\"dtype\":\"float32\"}]}],\"outputs\":[2]}");
	assert_true(to.values == UINT64_MAX && to.index == 3);
	assert_true(reduce_to_node(&to, &g, NODE_B));
	assert_int_equal(to.live_nodes, 2);
	char *text = rs_graph_json(&to);
	assert_non_null(strstr(text, "\"value\":9223372036854775807"));
	assert_non_null(strstr(text, "\"outputs\":[2,3]}"));
	free(text);
	graph_destroy(&to);
	graph_destroy(&g);
}

static void cuts_to_two_nodes(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, SMALL_MODEL, NULL);
	assert_true(reduce_to_pair(&to, &g, NODE_B, NODE_C)); /* inputs of c that a produces become model inputs, and so do those of b */
	assert_int_equal(to.live_nodes, 2);
	assert_true(to.nodes[NODE_B].live && to.nodes[NODE_C].live);
	for (unsigned i = 0; i < to.nodes[NODE_B].nin; i++)
		assert_int_equal(to.tensors[graph_node_input(&to, &to.nodes[NODE_B], i)].producer, GRAPH_NONE);
	for (uint32_t i = 0; i < to.ntensors; i++)
		assert_true(!to.tensors[i].kept || to.tensors[i].producer == NODE_C);
	g.tensors[4].kept = true; /* the second output of b */
	assert_true(reduce_to_pair(&to, &g, NODE_B, NODE_C));
	assert_true(to.tensors[4].kept && !to.tensors[3].kept);
	assert_true(reduce_to_call(&to, &g, NODE_C));
	assert_int_equal(to.live_nodes, 1);
	graph_destroy(&to);
	graph_destroy(&g);
}

static void cuts_to_an_output(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, SMALL_MODEL, NULL);
	assert_true(reduce_to_output(&to, &g, 4)); /* the second output of b */
	assert_int_equal(to.live_nodes, 2);
	assert_true(to.tensors[4].kept && !to.tensors[3].kept);
	assert_false(reduce_to_output(&to, &g, 0)); /* an input */
	graph_destroy(&to);
	graph_destroy(&g);
}

static void takes_a_node_out(void **state)
{
	(void)state;
	graph g, to, less;
	assert_true(graph_init(&g) && graph_init(&to) && graph_init(&less));
	read_model(&g, SMALL_MODEL, NULL);
	assert_true(reduce_without_node(&to, &g, NODE_B, false)); /* 3 becomes an input, 4 is not used */
	assert_int_equal(to.live_nodes, 3);
	char *text = rs_graph_json(&to);
	assert_non_null(strstr(text, "{\"id\":2,\"shape\":[2],\"dtype\":\"float32\"}],\"nodes\""));
	assert_non_null(strstr(text, "\"value\":[{\"ref\":2},[{\"ref\":1}]]"));
	free(text);
	assert_true(reduce_without_node(&to, &g, NODE_C, false)); /* b and input 1 were used by c only */
	assert_int_equal(to.live_nodes, 2);
	text = rs_graph_json(&to);
	assert_null(strstr(text, "t.b"));
	assert_non_null(strstr(text, "\"outputs\":[2]}"));
	free(text);
	assert_true(reduce_without_node(&to, &g, NODE_C, true)); /* the result of b that c used becomes an output */
	assert_int_equal(to.live_nodes, 3);
	assert_true(to.tensors[3].kept && !to.tensors[4].kept);
	assert_true(reduce_without_node(&to, &g, NODE_B, true)); /* 3 becomes an input of c, which stays; 2 is an output */
	assert_int_equal(to.live_nodes, 3);
	assert_true(to.tensors[2].kept);
	assert_false(reduce_without_node(&to, &g, NODE_A, true)); /* its input has no producer */
	g.near_miss = true;
	assert_true(reduce_without_node(&to, &g, NODE_C, true));
	assert_false(reduce_without_node(&to, &g, NODE_D, true)); /* without its last call, an invalid model is valid */
	g.near_miss = false;
	assert_true(reduce_without_node(&to, &g, NODE_C, false));
	assert_false(reduce_without_node(&less, &to, NODE_D, false)); /* the last output */
	assert_false(reduce_without_node(&less, &to, NODE_C, false)); /* is dead */
	assert_false(reduce_to_node(&less, &to, NODE_C));
	graph_destroy(&less);
	graph_destroy(&to);
	graph_destroy(&g);
}

static void feeds_constants(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, SMALL_MODEL, NULL);
	assert_false(reduce_constant(&to, &g, GRAPH_NONE)); /* no such node */
	g.tensors[0].constant = g.tensors[1].constant = true;
	assert_false(reduce_constant(&to, &g, 2)); /* a result */
	assert_true(reduce_constant(&to, &g, 1));
	assert_true(to.tensors[0].constant && !to.tensors[1].constant && g.tensors[1].constant);
	assert_true(reduce_constant(&to, &g, GRAPH_NONE));
	assert_false(to.tensors[0].constant || to.tensors[1].constant);
	g.tensors[1].dtype = RS_INT4;
	assert_false(reduce_constant(&to, &g, 1));
	graph_destroy(&to);
	graph_destroy(&g);
}

/* An input that replaces a result has elements that its users accept. */
static void assert_classes(const graph *g, uint32_t first)
{
	for (uint32_t i = first; i < g->ntensors; i++)
		for (uint32_t u = g->tensors[i].uses; u != GRAPH_NONE; u = g->uses[u].next) {
			const graph_node *n = &g->nodes[g->uses[u].node];
			if (n->op->classes)
				assert_true(g->tensors[i].values <= n->op->classes[u - n->inputs]);
			assert_true(g->tensors[i].values <= RS_VALUES_SMALL);
		}
}

/* A written model is read again as the same model. */
static void assert_reads(const graph *g, graph *scratch)
{
	char *text = rs_graph_json(g);
	assert_non_null(text);
	read_model(scratch, text, &rs_rules);
	assert_true(graph_hash(scratch) == graph_hash(g));
	assert_true(scratch->live_nodes == g->live_nodes && scratch->live_nodes > 0);
	free(text);
}

static unsigned reduce_all(const graph *g, graph *to, graph *scratch)
{
	unsigned made = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		assert_true(reduce_to_node(to, g, i));
		assert_reads(to, scratch);
		for (int keep = 0; keep < 2; keep++) {
			if (!reduce_without_node(to, g, i, keep))
				continue;
			assert_true(to->live_nodes < g->live_nodes);
			assert_classes(to, g->ntensors);
			assert_reads(to, scratch);
			made += !keep;
		}
	}
	return made;
}

static void takes_fewer_shapes(void **state)
{
	(void)state;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "torch"), (rs_gen_options){.symbolic = 1000, .assignments = 4});
	graph g, to, scratch;
	unsigned varying = 0;
	assert_true(graph_init(&g) && graph_init(&to) && graph_init(&scratch));
	for (uint64_t index = 0; index < 100; index++) {
		assert_true(rs_gen_model(gen, 5, index, &g));
		for (uint32_t k = 0; k < g.assignments; k++, varying++) {
			assert_true(reduce_assignments(&to, &g, k, false));
			assert_int_equal(to.assignments, 0);
			for (uint32_t i = 0; i < g.ntensors; i++)
				assert_memory_equal(to.tensors[i].shape, graph_shape_in(&g.tensors[i], k), g.tensors[i].rank * sizeof(int64_t));
			assert_reads(&to, &scratch);
			if (!k)
				continue;
			assert_true(reduce_assignments(&to, &g, k, true));
			for (uint32_t i = 0; i < g.ntensors && to.assignments; i++)
				assert_memory_equal(graph_shape_in(&to.tensors[i], 1), graph_shape_in(&g.tensors[i], k),
				    g.tensors[i].rank * sizeof(int64_t));
			assert_reads(&to, &scratch);
		}
		assert_false(reduce_assignments(&to, &g, g.assignments, false));
	}
	assert_true(varying > 200);
	graph_destroy(&g), graph_destroy(&to), graph_destroy(&scratch);
	rs_gen_free(gen);
}

static void every_reduced_model_is_one(void **state)
{
	(void)state;
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	graph g, to, scratch;
	assert_true(graph_init(&g) && graph_init(&to) && graph_init(&scratch));
	for (int i = 0; i < 6; i++) {
		const rs_table *t = rs_library_table(&rs_rules, FRAMEWORKS[i % 3]);
		rs_gen *gen = open_models(t,
		    (rs_gen_options){.strategy = i < 3 ? RS_NEURI : RS_ISRA, .nodes_low = 2, .nodes_high = 12, .symbolic = 500});
		unsigned made = 0;
		for (uint64_t index = 0; index < 150; index++) {
			assert_true(rs_gen_model(gen, 5, index, &g));
			made += reduce_all(&g, &to, &scratch);
		}
		assert_true(made > 300);
		rs_gen_free(gen);
	}
	graph_destroy(&scratch);
	graph_destroy(&to);
	graph_destroy(&g);
}

/* Layouts (all or one), gradients and the module are removed; the rest of the model stays the same. */
static void lies_as_usual(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, SMALL_MODEL, NULL);
	uint64_t plain = rs_graph_hash(&g);
	assert_false(reduce_layout(&to, &g, GRAPH_NONE) || reduce_gradients(&to, &g) || reduce_module(&to, &g));
	assert_true(layout_set(&g, 0, (const int64_t[]){3}, 2) && layout_set(&g, 1, (const int64_t[]){7}, 0));
	assert_true(rs_graph_hash(&g) != plain);
	assert_true(reduce_layout(&to, &g, 1));
	assert_true(to.tensors[0].layout && to.tensors[0].layout->offset == 2 && !to.tensors[1].layout && g.tensors[1].layout);
	assert_false(reduce_layout(&to, &g, 2)); /* a result */
	assert_true(reduce_layout(&to, &g, GRAPH_NONE));
	assert_true(rs_graph_hash(&to) == plain);
	g.gradients = g.module = true;
	assert_true(reduce_gradients(&to, &g) && !to.gradients && to.module && to.tensors[0].layout);
	assert_true(reduce_module(&to, &g) && to.gradients && !to.module);
	graph_destroy(&to);
	graph_destroy(&g);
}

/* The newest set that has all calls: of an older version, at most the one before the next. */
static void in_a_newer_set(void **state)
{
	(void)state;
	graph g, to;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"),
	    (rs_gen_options){.opset_low = 11, .opset_high = 11, .api = "onnx.AveragePool", .nodes_low = 1, .nodes_high = 1});
	assert_true(graph_init(&g) && graph_init(&to));
	assert_true(rs_gen_model(gen, 1, 1, &g));
	assert_string_equal(g.nodes[g.first].op->api, "onnx.AveragePool_11");
	assert_true(reduce_opset(&to, &g));
	assert_int_equal(to.opset, 18);
	assert_false(reduce_opset(&g, &to));
	to.opset = 0;
	assert_false(reduce_opset(&g, &to));
	rs_gen_free(gen);
	graph_destroy(&to);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_to_a_node), cmocka_unit_test(in_a_newer_set),
	    cmocka_unit_test(cuts_to_two_nodes),
	    cmocka_unit_test(cuts_to_an_output), cmocka_unit_test(takes_a_node_out), cmocka_unit_test(feeds_constants), cmocka_unit_test(takes_fewer_shapes), cmocka_unit_test(lies_as_usual), cmocka_unit_test(every_reduced_model_is_one)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
