/* Mutated models: they are valid, write only where a write has a meaning, and are otherwise the same models. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "effects.h"
#include "models.h"
#include "rulesmith.h"

enum { MODELS = 400, SEED = 4 };

static rs_gen *open_torch(uint32_t share)
{
	return open_models(rs_library_table(&rs_rules, "torch"), (rs_gen_options){.features = {.mutation = share, .layouts = 300}});
}

static void check_write(const graph *g, const uint32_t *group, const graph_node *n, unsigned input)
{
	uint32_t target = graph_node_input(g, n, input);
	assert_true(effects_disjoint(g, target));
	for (unsigned k = 0; k < n->nin; k++)
		assert_true(k == input || group[graph_node_input(g, n, k)] != group[target]);
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && group[i] == group[target])
			assert_false(g->tensors[i].constant || graph_is_ranged(g, i));
}

static void writes_have_a_meaning(void **state)
{
	(void)state;
	unsigned writes = 0, of_views = 0, of_inputs = 0, read_later = 0, mutated = 0;
	rs_gen *gen = open_torch(1000);
	rs_graph *g = rs_graph_new();
	for (uint64_t k = 0; k < MODELS; k++) {
		assert_true(rs_gen_model(gen, SEED, k, g));
		check_model(g);
		uint32_t *group = malloc(g->ntensors * sizeof *group);
		effects_group(g, group);
		mutated += effects_any(g);
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			for (unsigned input = 0; input < g->nodes[i].nin; input++) {
				const graph_node *n = &g->nodes[i];
				if (!effects_writes(n, input))
					continue;
				uint32_t target = graph_node_input(g, n, input);
				check_write(g, group, n, input);
				writes++;
				of_views += group[target] != target;
				of_inputs += g->tensors[group[target]].producer == GRAPH_NONE;
				bool later = false;
				for (uint32_t j = n->next; j != GRAPH_NONE; j = g->nodes[j].next)
					for (unsigned u = 0; u < g->nodes[j].nin; u++)
						later |= group[graph_node_input(g, &g->nodes[j], u)] == group[target];
				read_later += later;
			}
		free(group);
	}
	print_message("# %u of %u models mutated; %u writes, %u through views, %u to inputs, %u read later\n", mutated, MODELS, writes,
	    of_views, of_inputs, read_later);
	assert_true(mutated > MODELS * 8 / 10 && writes > 2 * MODELS && of_views > MODELS && of_inputs > MODELS / 4 && read_later > MODELS);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* The inputs of a model have the elements that they have without the feature. */
static void other_parts_stay(void **state)
{
	(void)state;
	rs_gen *with = open_torch(1000), *without = open_torch(0);
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	for (uint64_t k = 0; k < MODELS / 4; k++) {
		assert_true(rs_gen_model(with, SEED, k, g) && rs_gen_model(without, SEED, k, plain));
		assert_false(effects_any(plain));
		for (uint32_t i = 0; i < plain->ntensors; i++) {
			const graph_tensor *t = &g->tensors[i], *before = &plain->tensors[i];
			if (!before->live || before->producer != GRAPH_NONE)
				continue;
			assert_true(t->live && t->values == before->values && t->low == before->low && t->high == before->high);
			assert_int_equal(!t->layout, !before->layout);
		}
	}
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(with), rs_gen_free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(writes_have_a_meaning), cmocka_unit_test(other_parts_stay)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
