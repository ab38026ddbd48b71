/* Flags: constant arguments that are added to calls. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"

enum { MODELS = 800 };

static rs_gen *open_onnx(enum rs_sizes sizes, const char *api)
{
	return open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.sizes = sizes, .no_chains = true, .api = api});
}

/* A call with a rule that is no signature of the table. */
static bool is_made(const graph_node *n)
{
	return n->op->rule && n->op->name == n->op->api;
}

static bool has_constant(const graph_node *n, const char *name, const char *text)
{
	const rs_value *v = graph_argument(n->op, name);
	return v && v->kind == RS_CONST && strcmp(v->text, text) == 0;
}

typedef struct counts {
	unsigned made, averages;
} counts;

static counts count(rs_gen *gen)
{
	counts c = {0};
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 4, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			if (!is_made(n))
				continue;
			c.made++;
			c.averages += has_constant(n, "count_include_pad", "1");
			/* these change shapes */
			assert_string_not_equal(n->op->args[n->op->nargs - 1].name, "ceil_mode");
			assert_string_not_equal(n->op->args[n->op->nargs - 1].name, "keepdims");
			assert_string_not_equal(n->op->args[n->op->nargs - 1].name, "axis");
			/* it changes the shape if there are no axes, as no pair shows */
			assert_false(strcmp(n->op->args[n->op->nargs - 1].name, "noop_with_empty_axes") == 0 && !graph_argument(n->op, "axes"));
		}
	}
	rs_graph_free(g);
	return c;
}

/* Some calls get one; arguments that change shapes are none; the rules accept all models. */
static void some_calls_have_flags(void **state)
{
	(void)state;
	rs_gen *gen = open_onnx(RS_SIZES_MIXED, NULL), *pools = open_onnx(RS_SIZES_MIXED, "*Pool*"), *sums = open_onnx(RS_SIZES_MIXED, "*Reduce*");
	counts all = count(gen), c = count(pools);
	assert_true(count(sums).made > 0);
	print_message("# %u calls; %u of pooling, %u with count_include_pad\n", all.made, c.made, c.averages);
	assert_true(all.made > MODELS / 20 && c.averages > MODELS / 40);
	rs_gen_free(gen), rs_gen_free(pools), rs_gen_free(sums);
}

static void small_models_have_none(void **state)
{
	(void)state;
	rs_gen *gen = open_onnx(RS_SIZES_SMALL, NULL);
	assert_int_equal(count(gen).made, 0);
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(some_calls_have_flags), cmocka_unit_test(small_models_have_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
