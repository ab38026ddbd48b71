/* Special floats: which inputs get them, and that nothing else changes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"

enum { MODELS = 400, SEED = 9 };

static rs_gen *open_onnx(unsigned share)
{
	return open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.sizes = RS_SIZES_MIXED, .features = {.special_floats = (uint16_t)share, .quantized = 200}});
}

/* Whether a call that fails on special elements depends on a tensor. */
static bool leads_to_delicate(const graph *g, uint32_t tensor)
{
	bool found = false;
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE && !found; u = g->uses[u].next) {
		const graph_node *n = &g->nodes[g->uses[u].node];
		found = n->op->flags & RS_DELICATE;
		for (unsigned i = 0; i < n->nout && !found; i++)
			found = leads_to_delicate(g, n->outputs + i);
	}
	return found;
}

/* The number of special inputs, if all of them may be special; the other inputs are as before. */
static unsigned check_inputs(const graph *g, const graph *plain, unsigned *constants)
{
	unsigned special = 0;
	assert_int_equal(g->ntensors, plain->ntensors);
	for (uint32_t i = 0; i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i], *before = &plain->tensors[i];
		if (t->producer != GRAPH_NONE || !t->live)
			continue;
		if (t->values == before->values) {
			assert_true(t->low == before->low && t->high == before->high && t->divisor == before->divisor);
			continue;
		}
		assert_int_equal(t->values, RS_VALUES_ANY);
		assert_true(t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64 && !t->low && !t->high && !t->divisor);
		assert_false(graph_is_ranged(g, i) || leads_to_delicate(g, i));
		special++;
		*constants += t->constant;
	}
	return special;
}

static void inputs_are_special(void **state)
{
	(void)state;
	rs_gen *none = open_onnx(0), *some = open_onnx(300), *all = open_onnx(1000);
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned models[2] = {0}, inputs = 0, constants = 0, ignored = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(none, SEED, i, plain));
		assert_true(rs_gen_model(some, SEED, i, g));
		check_model(g);
		models[0] += check_inputs(g, plain, &ignored) > 0;
		assert_true(rs_gen_model(all, SEED, i, g));
		check_model(g);
		unsigned special = check_inputs(g, plain, &constants);
		inputs += special;
		models[1] += special > 0;
	}
	print_message("# %u of %u models, %u inputs, %u of them constants\n", models[0], models[1], inputs, constants);
	assert_true(models[1] > MODELS / 2 && models[0] * 10 > models[1] * 2 && models[0] * 10 < models[1] * 4);
	assert_true(constants > 10 && constants * 2 < inputs);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(none), rs_gen_free(some), rs_gen_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_are_special)};
	return cmocka_run_group_tests_name("special_floats", tests, NULL, NULL);
}
