/* Regions of torch models: which calls they have, and that all else in the model stays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "models.h"
#include "rulesmith.h"

enum { MODELS = 600, SEED = 4 };

static rs_gen *open_torch(rs_features features)
{
	return open_models(rs_library_table(&rs_rules, "torch"), (rs_gen_options){.symbolic = 100, .features = features});
}

static bool is_float(const graph_tensor *t)
{
	return t->dtype == RS_FLOAT16 || t->dtype == RS_BFLOAT16 || t->dtype == RS_FLOAT32 || t->dtype == RS_FLOAT64;
}

/* Whether a region takes a float from outside. */
static bool takes_float(const graph *g, unsigned body)
{
	for (uint32_t i = body_first(g, body); i != GRAPH_NONE && body_has(g, body, i); i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].nin; k++) {
			const graph_tensor *t = &g->tensors[graph_node_input(g, &g->nodes[i], k)];
			if (is_float(t) && (t->producer == GRAPH_NONE || !body_has(g, body, t->producer)))
				return true;
		}
	return false;
}

static void regions_fit_their_kind(void **state)
{
	(void)state;
	unsigned seen[BODY_KINDS] = {0}, nested = 0, variants = 0;
	rs_gen *gen = open_torch((rs_features){.regions = 1000, .mutation = 300});
	rs_graph *g = rs_graph_new();
	for (uint64_t k = 0; k < MODELS; k++) {
		assert_true(rs_gen_model(gen, SEED, k, g));
		check_model(g);
		assert_true(!g->assignments || !g->nbodies);
		for (unsigned i = 0; i < g->nbodies; i++) {
			enum body_kind kind = (enum body_kind)g->bodies[i].kind;
			assert_true(body_is_region(kind) && g->bodies[i].trips < BODIES_VARIANTS && g->bodies[i].control == GRAPH_NONE);
			assert_true(region_needs(kind) == REGION_ANY || takes_float(g, i));
			seen[kind]++;
			nested += g->bodies[i].parent > 0;
			variants |= 1u << g->bodies[i].trips;
		}
	}
	for (unsigned kind = BODY_REGIONS; kind < BODY_KINDS; kind++)
		assert_true(seen[kind] > 5);
	assert_true(nested > 50);
	assert_int_equal(variants, (1u << BODIES_VARIANTS) - 1);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* A derivative of their own changes results only within a transform that differentiates, and only without further results. */
static void derivatives_are_often_differentiated(void **state)
{
	(void)state;
	unsigned within = 0, derived = 0;
	rs_gen *gen = open_torch((rs_features){.regions = 1000});
	rs_graph *g = rs_graph_new();
	for (uint64_t k = 0; k < MODELS; k++) {
		assert_true(rs_gen_model(gen, SEED, k, g));
		for (unsigned i = 0; i < g->nbodies; i++) {
			const unsigned around = body_parent(g, i);
			if (around == GRAPH_BODIES_MAX || region_needs((enum body_kind)g->bodies[around].kind) != REGION_DERIVES)
				continue;
			within++;
			derived += region_needs((enum body_kind)g->bodies[i].kind) == REGION_DERIVED && g->bodies[i].trips < 2;
		}
	}
	assert_true(within > 50);
	assert_true(derived * 6 > within);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void nothing_else_changes(void **state)
{
	(void)state;
	rs_gen *with = open_torch((rs_features){.regions = 1000}), *without = open_torch((rs_features){0});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	for (uint64_t k = 0; k < 50; k++) {
		assert_true(rs_gen_model(with, SEED, k, g) && rs_gen_model(without, SEED, k, plain));
		assert_int_equal(plain->nbodies, 0);
		while (g->nbodies)
			bodies_drop(g, 0);
		char *one = rs_graph_json(g), *other = rs_graph_json(plain);
		assert_string_equal(one, other);
		free(one);
		free(other);
	}
	rs_graph_free(plain);
	rs_graph_free(g);
	rs_gen_free(without);
	rs_gen_free(with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(regions_fit_their_kind),
	    cmocka_unit_test(derivatives_are_often_differentiated), cmocka_unit_test(nothing_else_changes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
