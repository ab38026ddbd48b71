/* Features of models besides calls: layouts, repeats, gradients, modules, functions and subgraphs. Each
 * leaves the rest of a model unchanged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "layout.h"
#include "models.h"
#include "toy_table.h"

enum { MODELS = 400, SEED = 5 };

static uint64_t digest(rs_features f)
{
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.features = f});
	rs_graph *g = rs_graph_new();
	uint64_t sum = digest_models(gen, g, SEED, 0, MODELS);
	rs_graph_free(g);
	rs_gen_free(gen);
	return sum;
}

/* A checked model with these features. */
static void make(rs_gen *gen, graph *g, uint64_t index)
{
	assert_true(rs_gen_model(gen, SEED, index, g));
	check_model(g);
}

static void laid_out_in_every_way(void **state)
{
	(void)state;
	rs_gen *with = open_models(&TOY_TABLE, (rs_gen_options){.features.layouts = 800}), *without = open_models(&TOY_TABLE, (rs_gen_options){0});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned expanded = 0, permuted = 0, same = 0, offset = 0, gaps = 0, inputs = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(with, g, i);
		make(without, plain, i);
		assert_int_equal(g->ntensors, plain->ntensors);
		for (uint32_t k = 0; k < g->ntensors; k++) {
			graph_tensor *t = &g->tensors[k];
			const graph_layout *l = t->layout;
			inputs += t->producer == GRAPH_NONE;
			if (l && l->same != GRAPH_NONE)
				same += layout_may_share(g, k, l->same);
			if (!l || l->same != GRAPH_NONE)
				continue;
			assert_true(t->producer == GRAPH_NONE && layout_valid(t->rank, t->shape, l->strides, l->offset));
			offset += l->offset > 0;
			gaps += layout_places(t) > t->numel + l->offset;
			for (unsigned n = 0; n + 1 < t->rank; n++)
				permuted += l->strides[n] && l->strides[n] < l->strides[n + 1];
			for (unsigned n = 0; n < t->rank; n++)
				expanded += !l->strides[n] && t->shape[n] > 1;
		}
		for (uint32_t k = 0; k < g->ntensors; k++) {
			graph_tensor *t = &g->tensors[k], *before = &plain->tensors[k];
			assert_true(t->values <= before->values);
			if (t->layout && t->layout->same != GRAPH_NONE)
				t->values = before->values, t->low = before->low, t->high = before->high;
			t->layout = NULL;
		}
		assert_true(rs_graph_hash(g) == rs_graph_hash(plain)); /* nothing else differs */
	}
	print_message("# %u inputs: %u permuted, %u expanded, %u same, %u offset, %u gaps\n", inputs, permuted, expanded, same, offset, gaps);
	assert_true(expanded > 20 && permuted > 20 && same > 5 && offset > 20 && gaps > 20);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(with), rs_gen_free(without);
}

/* True if two nodes call the same operator with the same inputs. */
static bool takes_the_same(const graph *g, const graph_node *a, const graph_node *b)
{
	bool same = a->op == b->op && a->nin > 0;
	for (unsigned i = 0; same && i < a->nin; i++)
		same = graph_node_input(g, a, i) == graph_node_input(g, b, i);
	return same;
}

/* True if the second of two calls is the first with one new model input that resembles the one it replaces. */
static bool takes_another(const graph *g, const graph_node *a, const graph_node *b)
{
	unsigned others = 0, alike = 0;
	for (unsigned i = 0; a->op == b->op && i < a->nin; i++) {
		uint32_t one = graph_node_input(g, a, i), two = graph_node_input(g, b, i);
		const graph_tensor *s = &g->tensors[one], *t = &g->tensors[two];
		others += one != two;
		alike += one != two && t->producer == GRAPH_NONE && t->nuses == 1 && s->rank == t->rank && s->dtype == t->dtype
			 && t->values <= s->values && s->low == t->low && s->high == t->high && s->constant == t->constant
			 && memcmp(s->shape, t->shape, s->rank * sizeof *s->shape) == 0;
	}
	return others == 1 && alike == 1 && memcmp(a->symbols, b->symbols, a->nsym * sizeof *a->symbols) == 0;
}

/* True if a call has a number that a repetition may change. */
static bool changes(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_INT)
			return true;
	return false;
}

static void repeated(void **state)
{
	(void)state;
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.features.repeats = 500, .nodes_low = 8, .nodes_high = 8});
	rs_graph *g = rs_graph_new();
	unsigned again = 0, nearly = 0, other = 0, dead = 0, fixed_again = 0, fixed_other = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(gen, g, i);
		for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next) {
			const graph_node *one = &g->nodes[n];
			const graph_node *two = one->next == GRAPH_NONE ? NULL : &g->nodes[one->next];
			bool used = false;
			for (unsigned k = 0; k < one->nout; k++)
				used |= g->tensors[one->outputs + k].nuses || g->tensors[one->outputs + k].kept;
			dead += !used;
			bool another = two && takes_another(g, one, two), fixed = !changes(one->op);
			other += another;
			fixed_other += another && fixed;
			if (!two || !takes_the_same(g, one, two))
				continue;
			bool equal = memcmp(one->symbols, two->symbols, one->nsym * sizeof *one->symbols) == 0;
			again += equal;
			fixed_again += equal && fixed;
			nearly += !equal;
		}
	}
	print_message("# %u again, %u nearly, %u of another, %u dead\n", again, nearly, other, dead);
	assert_true(again > 200 && nearly > 20 && other > 300 && dead > 100);
	assert_true(fixed_other > 2 * fixed_again); /* three to one: a call without changeable numbers gets another input instead */
	rs_graph_free(g);
	rs_gen_free(gen);
}

static unsigned count_calls(const graph *g, const rs_op *of)
{
	unsigned count = 0;
	for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next)
		count += g->nodes[n].op == of;
	return count;
}

/* Half of the models have no repeated call, and the share of all calls is the requested one. */
static void repeated_in_half_of_the_models(void **state)
{
	(void)state;
	rs_gen *with = open_models(&TOY_TABLE, (rs_gen_options){.features.repeats = 200, .nodes_low = 12, .nodes_high = 12});
	rs_gen *without = open_models(&TOY_TABLE, (rs_gen_options){.nodes_low = 12, .nodes_high = 12});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned whole = 0, calls = 0, more = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(with, g, i);
		make(without, plain, i);
		whole += g->live_nodes == plain->live_nodes;
		calls += plain->live_nodes;
		more += g->live_nodes - plain->live_nodes;
	}
	print_message("# %u of %u calls repeated, none in %u of %u models\n", more, calls, whole, (unsigned)MODELS);
	assert_in_range(whole, MODELS * 2 / 5, MODELS * 3 / 5);
	assert_in_range(more, calls / 8, calls / 4);
	rs_graph_free(g);
	rs_graph_free(plain);
	rs_gen_free(with);
	rs_gen_free(without);
}

/* A call that draws elements would draw others: it occurs once, each other call twice. */
static void repeated_but_for_what_draws(void **state)
{
	(void)state;
	rs_op ops[sizeof TOY_OPS / sizeof *TOY_OPS];
	char names[sizeof TOY_OPS / sizeof *TOY_OPS][40];
	rs_table t = TOY_TABLE;
	for (unsigned i = 0; i < t.nops; i++) {
		ops[i] = TOY_OPS[i];
		snprintf(names[i], sizeof names[i], "onnx%s", strchr(TOY_OPS[i].api, '.'));
		ops[i].api = names[i];
	}
	ops[TOY_ADD].flags |= RS_RANDOM;
	t.framework = "onnx";
	t.ops = ops;
	rs_gen_options options = {.nodes_low = 3, .nodes_high = 3};
	rs_gen *once = open_models(&t, options);
	options.features.repeats = 1000;
	rs_gen *gen = open_models(&t, options);
	rs_graph *g = rs_graph_new();
	unsigned drawn = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(once, g, i);
		unsigned draws = count_calls(g, &ops[TOY_ADD]), others = g->live_nodes - draws;
		drawn += draws;
		make(gen, g, i);
		assert_int_equal(count_calls(g, &ops[TOY_ADD]), draws);
		assert_int_equal(g->live_nodes, draws + 2 * others);
	}
	print_message("# %u calls that draw\n", drawn);
	assert_true(drawn > 100);
	rs_graph_free(g);
	rs_gen_free(gen), rs_gen_free(once);
}

/* Whether a node casts to another dtype and its user, the next node, casts back. */
static bool is_round_trip(const graph *g, uint32_t node, const rs_op *casts)
{
	const graph_node *there = &g->nodes[node], *back = there->next == GRAPH_NONE ? NULL : &g->nodes[there->next];
	if (there->op != casts || !back || back->op != casts || graph_node_input(g, back, 0) != there->outputs)
		return false;
	uint8_t from = g->tensors[graph_node_input(g, there, 0)].dtype;
	return g->tensors[there->outputs].dtype != from && g->tensors[back->outputs].dtype == from;
}

static unsigned count_round_trips(const rs_table *t, const rs_op *casts)
{
	rs_gen *gen = open_models(t, (rs_gen_options){.features.repeats = 1000, .nodes_low = 4, .nodes_high = 4});
	rs_graph *g = rs_graph_new();
	unsigned found = 0, used = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(gen, g, i);
		for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next)
			if (is_round_trip(g, n, casts)) {
				found++;
				used += g->tensors[g->nodes[g->nodes[n].next].outputs].nuses > 0;
			}
	}
	print_message("# %u round trips, %u with users\n", found, used);
	assert_true(!found || used > found / 20);
	rs_graph_free(g);
	rs_gen_free(gen);
	return found;
}

/* An API that returns several dtypes for one is a cast, by whatever name; one that returns two is none. */
static void round_trips_through_casts(void **state)
{
	(void)state;
	static const uint8_t ROWS[] = {RS_FLOAT32, RS_FLOAT64, RS_FLOAT32, RS_FLOAT16, RS_FLOAT32, RS_INT32, RS_FLOAT64, RS_FLOAT32,
	    RS_FLOAT16, RS_FLOAT32, RS_INT32, RS_FLOAT32};
	rs_op ops[sizeof TOY_OPS / sizeof *TOY_OPS];
	memcpy(ops, TOY_OPS, sizeof TOY_OPS);
	rs_table t = TOY_TABLE;
	t.ops = ops;
	ops[TOY_NEGATIVE].dtypes = ROWS;
	ops[TOY_NEGATIVE].ndtypes = sizeof ROWS / 2;
	unsigned chance = count_round_trips(&t, &ops[TOY_ADD]), many = count_round_trips(&t, &ops[TOY_NEGATIVE]);
	ops[TOY_NEGATIVE].dtypes = ROWS + 4; /* float32 becomes int32 only */
	ops[TOY_NEGATIVE].ndtypes = sizeof ROWS / 2 - 2;
	unsigned few = count_round_trips(&t, &ops[TOY_NEGATIVE]);
	assert_int_equal(chance, 0);
	assert_true(many > MODELS / 10 && few < many / 8);
}

static void shares_of_models(void **state)
{
	(void)state;
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.features = {.gradients = 500, .modules = 250}});
	rs_graph *g = rs_graph_new();
	unsigned gradients = 0, modules = 0, both = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(gen, g, i);
		gradients += rs_graph_gradients(g);
		modules += rs_graph_module(g);
		both += rs_graph_gradients(g) && rs_graph_module(g);
	}
	assert_in_range(gradients, MODELS * 2 / 5, MODELS * 3 / 5);
	assert_in_range(modules, MODELS / 6, MODELS / 3);
	assert_in_range(both, MODELS / 16, MODELS / 5);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* The model equals the one without bodies, once its bodies are removed. */
static void bodies_leave_the_rest(void **state)
{
	(void)state;
	rs_features on = {.repeats = 300, .functions = 600, .subgraphs = 600};
	rs_gen *with = open_models(&TOY_TABLE, (rs_gen_options){.features = on, .nodes_low = 2, .nodes_high = 8}),
	       *without = open_models(&TOY_TABLE, (rs_gen_options){.features.repeats = 300, .nodes_low = 2, .nodes_high = 8});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned kinds[BODY_KINDS] = {0}, forms[BODY_FORMS] = {0}, constant = 0, within = 0, twice = 0, deep = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		make(with, g, i);
		make(without, plain, i);
		unsigned functions = 0;
		for (unsigned b = 0; b < g->nbodies; b++) {
			kinds[g->bodies[b].kind]++;
			forms[g->bodies[b].form]++;
			functions += body_is_function(g, b);
			assert_true(body_first(g, b) != GRAPH_NONE);
			constant += g->bodies[b].control != GRAPH_NONE && g->tensors[g->bodies[b].control].constant;
		}
		twice += functions > 1;
		for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next)
			within += g->nodes[n].function && g->nodes[n].subgraph, deep += bodies_depth(g, n) == BODIES_DEPTH_MAX;
		while (g->nbodies)
			bodies_drop(g, 0);
		graph_number(g);
		assert_true(rs_graph_hash(g) == rs_graph_hash(plain));
	}
	unsigned controls = kinds[BODY_IF] + kinds[BODY_LOOP];
	print_message("# %u functions, %u models call one twice, %u nodes in both; %u if, %u loop, %u scan, %u constant, %u deep\n",
	    kinds[BODY_FUNCTION], twice, within, kinds[BODY_IF], kinds[BODY_LOOP], kinds[BODY_SCAN], constant, deep);
	assert_in_range(kinds[BODY_FUNCTION], MODELS / 2, MODELS * 3 / 2);
	assert_in_range(kinds[BODY_IF], MODELS / 4, MODELS);
	assert_in_range(kinds[BODY_LOOP], MODELS / 4, MODELS);
	assert_in_range(kinds[BODY_SCAN], MODELS / 4, MODELS);
	for (int i = 0; i < BODY_FORMS; i++)
		assert_true(forms[i] > MODELS / 40);
	assert_true(deep > MODELS / 20);
	assert_in_range(constant, controls * 2 / 5, controls * 3 / 5);
	assert_true(twice > MODELS / 20 && within > MODELS / 20);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(with), rs_gen_free(without);
}

static void each_changes_the_digest(void **state)
{
	(void)state;
	uint64_t none = digest((rs_features){0});
	assert_true(digest((rs_features){0}) == none);
	const rs_features each[] = {{.layouts = 300}, {.gradients = 300}, {.modules = 300}, {.repeats = 100}, {.functions = 100}, {.subgraphs = 100}};
	for (int i = 0; i < 6; i++) {
		uint64_t one = digest(each[i]);
		assert_true(one != none && digest(each[i]) == one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(laid_out_in_every_way), cmocka_unit_test(repeated),
	    cmocka_unit_test(repeated_in_half_of_the_models),
	    cmocka_unit_test(repeated_but_for_what_draws), cmocka_unit_test(round_trips_through_casts),
	    cmocka_unit_test(shares_of_models), cmocka_unit_test(bodies_leave_the_rest), cmocka_unit_test(each_changes_the_digest)};
	return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
