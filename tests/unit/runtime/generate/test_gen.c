#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "elements.h"
#include "gen.h"
#include "gen_sets.h"
#include "models.h"
#include "sampling.h"
#include "toy_table.h"
#include "python_literal.h"
#include "model_read.h"

/* Without chains: those of torch have APIs of the toys. */
static rs_gen *new_gen(rs_gen_options options)
{
	options.no_chains = true;
	return open_models(&TOY_TABLE, options);
}

static void same_seed_same_bytes(void **state)
{
	(void)state;
	rs_gen *one = new_gen((rs_gen_options){0}), *two = new_gen((rs_gen_options){0});
	rs_graph *g = rs_graph_new();
	uint64_t whole = digest_models(one, g, 7, 0, 1000);
	assert_true(digest_models(one, g, 7, 0, 1000) == whole);
	assert_true(digest_models(two, g, 7, 0, 500) + digest_models(two, g, 7, 500, 500) == whole);
	assert_true(digest_models(two, g, 8, 0, 1000) != whole);
	assert_true(rs_gen_model(one, 7, 123, g));
	char *a = rs_graph_json(g), *p = rs_graph_python(g);
	assert_true(rs_gen_model(two, 7, 123, g));
	char *b = rs_graph_json(g), *q = rs_graph_python(g);
	assert_string_equal(a, b);
	assert_string_equal(p, q);
	free(a), free(b), free(p), free(q);
	rs_graph_free(g);
	rs_gen_free(one);
	rs_gen_free(two);
}

/* A constant that must be equal on every machine, compiler and option. */
static void known_digest(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.elements = RS_ELEMENTS_REAL, .no_initializers = true});
	rs_graph *g = rs_graph_new();
	char text[32];
	snprintf(text, sizeof text, "%016llx", (unsigned long long)digest_models(gen, g, 1, 0, 100));
	assert_string_equal(text, "19899accb33b2be6");
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* True if each output depends on a fed input. */
static bool is_alive(const graph *g, bool *fed)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		fed[i] = g->tensors[i].producer == GRAPH_NONE && !g->tensors[i].constant;
	for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next) {
		bool any = false;
		for (unsigned k = 0; k < g->nodes[n].nin; k++)
			any |= fed[graph_node_input(g, &g->nodes[n], k)];
		for (unsigned k = 0; k < g->nodes[n].nout; k++)
			fed[g->nodes[n].outputs + k] = any;
	}
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].kept && !fed[i])
			return false;
	return true;
}

static void constants_do_not_make_models_constant(void **state)
{
	(void)state;
	static bool fed[4096];
	const enum rs_strategy strategies[] = {RS_NEURI, RS_ISRA, RS_GRAPH};
	for (int s = 0; s < 3; s++) {
		rs_gen *gen = new_gen((rs_gen_options){.strategy = strategies[s], .initializers = 1000, .nodes_low = 1, .nodes_high = 40});
		rs_gen *none = new_gen((rs_gen_options){.strategy = strategies[s], .no_initializers = true, .nodes_low = 1, .nodes_high = 40});
		graph *g = rs_graph_new(), *plain = rs_graph_new();
		uint32_t constants = 0, inputs = 0;
		for (uint64_t i = 0; i < 500; i++) {
			assert_true(rs_gen_model(gen, 3, i, g) && rs_gen_model(none, 3, i, plain));
			assert_true(g->live_nodes == plain->live_nodes && g->ntensors == plain->ntensors && g->ntensors < 4096);
			check_model(g);
			assert_true(is_alive(g, fed));
			for (uint32_t t = RS_NONE; (t = rs_graph_next_input(g, t)) != RS_NONE; inputs++)
				constants += g->tensors[t].constant;
			for (uint32_t t = RS_NONE; (t = rs_graph_next_input(plain, t)) != RS_NONE;) {
				assert_false(plain->tensors[t].constant);
				plain->tensors[t].constant = true; /* a model of constants only is detected */
			}
			assert_false(is_alive(plain, fed));
		}
		assert_true(constants * 10 > inputs);
		rs_graph_free(g), rs_graph_free(plain);
		rs_gen_free(gen), rs_gen_free(none);
	}
}

/* The number of calls of an API in which an input is a constant. */
static uint32_t constants_at(const graph *g, const char *api, unsigned input)
{
	uint32_t found = 0;
	for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next)
		found += strcmp(g->nodes[n].op->api, api) == 0 && g->tensors[graph_node_input(g, &g->nodes[n], input)].constant;
	return found;
}

/* The number of calls with several operands, all of them constants. */
static uint32_t folded(const graph *g)
{
	uint32_t found = 0;
	for (uint32_t n = g->first; n != GRAPH_NONE; n = g->nodes[n].next) {
		unsigned constants = 0, nin = g->nodes[n].nin;
		for (unsigned k = 0; k < nin; k++)
			constants += g->tensors[graph_node_input(g, &g->nodes[n], k)].constant;
		found += nin > 1 && constants == nin;
	}
	return found;
}

/* True if fed floats are whole numbers. */
static bool has_whole_floats(const graph *g)
{
	bool whole = false;
	for (uint32_t t = RS_NONE; (t = rs_graph_next_input(g, t)) != RS_NONE;)
		whole |= elements_are_whole(&g->tensors[t]);
	return whole;
}

/* True if a call that failed on zeros uses the tensor. */
static bool is_delicate(const graph *g, const graph_tensor *t)
{
	bool delicate = false;
	for (uint32_t u = t->uses; u != GRAPH_NONE; u = g->uses[u].next)
		delicate |= g->nodes[g->uses[u].node].op->flags & RS_DELICATE;
	return delicate;
}

/* Constants that hand-written models rarely have: a constant condition of a choice, and masks; zeros in
 * floats; and calls left for constant folding. */
static void any_operand_is_a_constant_now_and_then(void **state)
{
	(void)state;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){0});
	graph *g = rs_graph_new();
	uint32_t conditions = 0, masks = 0, ones = 0, zeros = 0, calls = 0;
	for (uint64_t i = 0; i < 12000; i++) {
		assert_true(rs_gen_model(gen, 3, i, g));
		conditions += constants_at(g, "onnx.Where", 0);
		calls += folded(g);
		for (uint32_t t = RS_NONE; (t = rs_graph_next_input(g, t)) != RS_NONE;) {
			const graph_tensor *x = &g->tensors[t];
			masks += x->constant && x->dtype > RS_BOOL && x->low == 0 && x->high == 2;
			ones += x->constant && x->low == 1 && x->high == 2;
			zeros += x->constant && x->dtype > RS_INT64 && !x->low && x->high == 1 && !has_whole_floats(g);
			bool special = x->high && x->high - x->low <= 2; /* no range of usual whole elements */
			assert_false(x->constant && x->dtype > RS_INT64 && special && is_delicate(g, x));
		}
	}
	print_message("# %u conditions, %u masks, %u of ones, %u of zeros, %u calls\n", conditions, masks, ones, zeros, calls);
	assert_in_range(conditions, 1, 250);
	assert_true(masks > 250 && ones > 250 && zeros > 100);
	assert_in_range(calls, 250, 1000);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* True if two shape instances of a model are equal. */
static bool is_repeated(const graph *g, uint32_t a, uint32_t b)
{
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		if (memcmp(graph_shape_in(&g->tensors[i], a), graph_shape_in(&g->tensors[i], b), g->tensors[i].rank * sizeof(int64_t)) != 0)
			return false;
	return true;
}

/* The rules accept each shape instance (check_model), all differ, and constants and the rest of the model
 * stay unchanged. */
static void shapes_vary(void **state)
{
	(void)state;
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	for (int s = 0; s < 9; s++) {
		rs_gen_options o = {.strategy = (enum rs_strategy)(s / 3), .nodes_low = 1, .nodes_high = 12, .assignments = s % 2 ? 0 : 5};
		const rs_table *t = rs_library_table(&rs_rules, FRAMEWORKS[s % 3]);
		rs_gen *plain = open_models(t, o), *gen = (o.symbolic = 1000, open_models(t, o));
		graph *g = rs_graph_new(), *without = rs_graph_new();
		uint32_t varying = 0;
		for (uint64_t i = 0; i < 200; i++) {
			assert_true(rs_gen_model(gen, 4, i, g) && rs_gen_model(plain, 4, i, without));
			check_model(g);
			assert_true(without->assignments == 0 && (g->assignments == 0 || g->assignments == (s % 2 ? 3 : 5)));
			for (uint32_t k = 0; k < g->assignments; k++)
				for (uint32_t l = 0; l < k; l++)
					assert_false(is_repeated(g, k, l));
			for (uint32_t x = RS_NONE; (x = rs_graph_next_input(g, x)) != RS_NONE;)
				for (uint32_t k = 1; g->tensors[x].constant && k < g->assignments; k++)
					assert_memory_equal(graph_shape_in(&g->tensors[x], k), g->tensors[x].shape,
					    g->tensors[x].rank * sizeof(int64_t));
			varying += g->assignments > 0;
			g->assignments = 0;
			assert_true(rs_graph_hash(g) == rs_graph_hash(without));
		}
		assert_true(varying >= 100 && varying == gen_get_stats(gen).varying);
		rs_graph_free(g), rs_graph_free(without);
		rs_gen_free(gen), rs_gen_free(plain);
	}
}

/* Wide integers are elements of inputs for calls that accept any finite ones; without the feature there are none. */
static uint64_t count_wide(uint32_t share)
{
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.features = {.wide_integers = share}});
	rs_graph *g = rs_graph_new();
	uint64_t wide = 0;
	for (uint64_t k = 0; k < 300; k++) {
		assert_true(rs_gen_model(gen, 3, k, g));
		for (uint32_t i = rs_graph_next_input(g, RS_NONE); i != RS_NONE; i = rs_graph_next_input(g, i)) {
			rs_tensor t = rs_graph_tensor(g, i);
			bool is = t.values == RS_VALUES_FINITE && t.high >= INT64_C(1) << 24;
			wide += is;
			assert_true(!is || t.dtype == RS_INT32 || t.dtype == RS_INT64 || t.dtype == RS_UINT32 || t.dtype == RS_UINT64
				    || t.dtype == RS_FLOAT32 || t.dtype == RS_FLOAT64);
		}
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	return wide;
}

static void wide_integers_occur(void **state)
{
	(void)state;
	assert_int_equal(count_wide(0), 0);
	uint64_t some = count_wide(300), all = count_wide(1000);
	assert_true(some > 0 && all > 2 * some);
}

static void every_model_is_valid(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.max_numel = 200});
	rs_graph *g = rs_graph_new();
	uint32_t seen[sizeof TOY_OPS / sizeof *TOY_OPS] = {0};
	for (uint64_t seed = 0; seed < 100000; seed++) {
		assert_true(rs_gen_model(gen, seed, seed, g));
		assert_int_equal(rs_graph_nodes(g), 5);
		check_model(g);
		for (uint32_t i = 0; i < g->ntensors; i++)
			assert_true(!g->tensors[i].live || g->tensors[i].numel <= 200);
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			seen[g->nodes[i].op - TOY_OPS]++;
	}
	gen_stats s = gen_get_stats(gen);
	assert_true(s.models == 100000 && s.nodes == 500000);
	assert_true(s.forward > 100000 && s.backward > 50000);
	assert_int_equal(s.forward + s.backward + s.fresh, s.nodes);
	assert_int_equal(s.symbolic + s.concrete, s.nodes);
	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		if (i == TOY_HOSTILE || i == TOY_TEXT)
			assert_int_equal(seen[i], 0);
		else
			assert_true(
			    seen[i] > s.nodes / 8 / 4); /* no API dominates, none is missing */
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void scope_says_who_is_left_out(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){0});
	gen_scope c = gen_get_scope(gen);
	assert_int_equal(c.apis, 8);
	assert_int_equal(c.operators, 8);
	assert_int_equal(c.symbolic, 6);
	assert_int_equal(c.unsafe, 1);
	assert_int_equal(c.dtypes, 1);
	rs_gen_free(gen);
}

static void counts_nodes_exactly(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.nodes_low = 1, .nodes_high = 40});
	rs_graph *g = rs_graph_new();
	uint32_t low = 99, high = 0;
	for (uint64_t i = 0; i < 2000; i++) {
		assert_true(rs_gen_model(gen, 3, i, g));
		uint32_t n = rs_graph_nodes(g);
		low = n < low ? n : low;
		high = n > high ? n : high;
		check_model(g);
	}
	assert_int_equal(low, 1);
	assert_int_equal(high, 40);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* The cost of a node does not grow with the model. */
static void large_models(void **state)
{
	(void)state;
	rs_gen *large = new_gen((rs_gen_options){.nodes_low = 10000, .nodes_high = 10000});
	rs_gen *small = new_gen((rs_gen_options){.nodes_low = 10, .nodes_high = 10});
	rs_graph *g = rs_graph_new();
	assert_true(rs_gen_model(large, 1, 1, g));
	check_model(g);
	assert_int_equal(rs_graph_nodes(g), 10000);
	double start = seconds();
	for (uint64_t i = 0; i < 5; i++)
		assert_true(rs_gen_model(large, 1, i, g));
	double middle = seconds();
	digest_models(small, g, 1, 0, 5000);
	double end = seconds();
	assert_true(middle - start < 5 * (end - middle) + 0.1);
	rs_graph_free(g);
	rs_gen_free(large);
	rs_gen_free(small);
}

/* With only an operator without a rule: recorded calls, chained if their shapes match. */
static void concrete_only(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.api = "torch.c?t"});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < 1000; i++) {
		assert_true(rs_gen_model(gen, 1, i, g));
		check_model(g);
	}
	gen_stats s = gen_get_stats(gen);
	assert_int_equal(s.concrete, 5000);
	assert_int_equal(s.symbolic, 0);
	assert_true(s.forward > 0);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* A model survives a round trip, including classes and ranges of its inputs. */
static void reads_back(const graph *g)
{
	diag d = {""};
	rs_graph *copy = rs_graph_new();
	char *a = rs_graph_json(g);
	if (!graph_read_json(copy, a, "model", 1, &rs_rules, &d))
		fail_msg("%s: %s", d.text, a);
	check_model(copy);
	char *b = rs_graph_json(copy);
	assert_string_equal(a, b);
	assert_true(rs_graph_hash(copy) == rs_graph_hash(g));
	free(a), free(b);
	rs_graph_free(copy);
}

/* Every strategy with every framework's table: each model is valid by the linked rules. */
static void real_tables(void **state)
{
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	(void)state;
	rs_graph *g = rs_graph_new();
	for (int i = 0; i < 6; i++) {
		char message[256] = "";
		rs_gen_options options = {.strategy = i / 3 ? RS_ISRA : RS_NEURI,
		    .nodes_low = 1, .nodes_high = 40};
		const rs_table *t = rs_library_table(&rs_rules, FRAMEWORKS[i % 3]);
		rs_gen *gen = rs_gen_new(t, &options, message, sizeof message);
		assert_non_null(gen);
		for (uint64_t k = 0; k < 2000; k++) {
			assert_true(rs_gen_model(gen, 5, k, g));
			check_model(g);
			if (k < 200)
				reads_back(g);
		}
		rs_gen_free(gen);
	}
	rs_graph_free(g);
}

/* ---- classes of element values */

static const uint8_t SHRINKS[] = {RS_VALUES_UNIT, 0, 0, 0, 0, 0, 0}; /* accepts UNIT, returns it */
static const uint8_t GROWS[] = {RS_VALUES_LARGE, RS_VALUES_LARGE, RS_VALUES_SMALL,
    RS_VALUES_SMALL, RS_VALUES_LARGE, RS_VALUES_FINITE, RS_VALUES_FINITE, RS_VALUES_ANY};
static const uint8_t NOTHING[] = {RS_VALUES_NONE, 0, 0, 0, 0, 0, 0};

/* The toys with classes: split accepts and returns UNIT, add grows, pool accepts none; the others' are
 * unknown. */
static rs_table table_with_classes(rs_op *ops)
{
	memcpy(ops, TOY_OPS, sizeof TOY_OPS);
	ops[TOY_SPLIT].classes = SHRINKS;
	ops[TOY_SPLIT].flags |= RS_DELICATE;
	ops[TOY_ADD].classes = GROWS;
	ops[TOY_POOL].classes = NOTHING;
	rs_table t = TOY_TABLE;
	t.ops = ops;
	return t;
}

static uint8_t taken(const rs_op *op, unsigned i)
{
	return op->classes ? op->classes[i] : (uint8_t)RS_VALUES_SMALL; /* toys are float32 */
}

static uint32_t check_classes(const graph *g, const rs_op *ops)
{
	uint32_t joined = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		uint8_t widest = 0;
		for (unsigned k = 0; k < n->op->nin; k++) {
			const graph_tensor *x = &g->tensors[graph_node_input(g, n, k)];
			assert_true(x->values <= taken(n->op, k));
			assert_true(x->producer != GRAPH_NONE || x->values <= RS_VALUES_SMALL);
			widest = x->values > widest ? x->values : widest;
			joined += n->op == &ops[TOY_SPLIT] && x->producer != GRAPH_NONE;
		}
		uint8_t gives = n->op->classes ? n->op->classes[n->op->nin + widest]
					       : (uint8_t)RS_VALUES_ANY;
		/* a backward insertion may have narrowed an input since; it never widens one */
		assert_true(g->tensors[n->outputs].values >= gives);
		assert_true(n->op != &ops[TOY_POOL]);
	}
	return joined;
}

static void classes_are_kept(void **state)
{
	(void)state;
	rs_op ops[sizeof TOY_OPS / sizeof *TOY_OPS];
	rs_table t = table_with_classes(ops);
	char message[256];
	rs_graph *g = rs_graph_new();
	for (int s = RS_NEURI; s <= RS_GRAPH; s++) {
		rs_gen_options options = {
		    .strategy = (enum rs_strategy)s, .nodes_low = 30, .nodes_high = 30,
		    .values = RS_KEEP_FINITE, .no_chains = true};
		rs_gen *gen = rs_gen_new(&t, &options, message, sizeof message);
		uint32_t joined = 0;
		assert_int_equal(gen_get_scope(gen).elements, 1);
		for (uint64_t k = 0; k < 1000; k++) {
			assert_true(rs_gen_model(gen, 9, k, g));
			check_model(g);
			joined += check_classes(g, ops);
		}
		/* graph feeds new tensors, which a small table soon exhausts; a few are connected */
		if (joined < (s == RS_GRAPH ? 10 : 300))
			fail_msg("%u joined", joined); /* delicate, but its class is known: it is connected */
		rs_gen_free(gen);
	}
	rs_graph_free(g);
}

/* ---- random operators */

/* The toys under another framework's name; add draws its elements. */
static rs_table random_table(const char *framework, const char *module, rs_op *ops, char names[][40])
{
	rs_table t = TOY_TABLE;
	for (unsigned i = 0; i < t.nops; i++) {
		ops[i] = TOY_OPS[i];
		snprintf(names[i], 40, "%s%s", module, strchr(TOY_OPS[i].api, '.'));
		ops[i].api = names[i];
	}
	ops[TOY_ADD].flags |= RS_RANDOM;
	t.framework = framework;
	t.ops = ops;
	return t;
}

/* Exactly the random operator's nodes and all dependent ones are marked. Returns the number of dependent
 * ones. */
static uint32_t check_random(const graph *g, const rs_op *random)
{
	uint32_t depend = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		bool taken = false;
		for (unsigned k = 0; k < n->op->nin; k++) {
			uint32_t from = g->tensors[graph_node_input(g, n, k)].producer;
			taken |= from != GRAPH_NONE && rs_graph_random(g, from);
		}
		assert_int_equal(rs_graph_random(g, i), taken || n->op == random);
		assert_int_equal(rs_graph_tensor(g, n->outputs).random, rs_graph_random(g, i));
		depend += taken && n->op != random;
	}
	return depend;
}

static void marks_survive(const graph *g, rs_graph *copy)
{
	diag d = {""};
	char *a = rs_graph_json(g);
	if (!graph_read_json(copy, a, "model", 1, NULL, &d))
		fail_msg("%s", d.text);
	char *b = rs_graph_json(copy);
	assert_string_equal(a, b);
	free(a), free(b);
}

static void random_operators_are_marked(void **state)
{
	(void)state;
	rs_op ops[sizeof TOY_OPS / sizeof *TOY_OPS];
	char names[sizeof TOY_OPS / sizeof *TOY_OPS][40], message[256];
	rs_table t = random_table("onnx", "onnx", ops, names);
	rs_graph *g = rs_graph_new(), *copy = rs_graph_new();
	for (int s = RS_NEURI; s <= RS_GRAPH; s++) {
		rs_gen_options options = {.strategy = (enum rs_strategy)s, .nodes_low = 1, .nodes_high = 30};
		rs_gen *gen = rs_gen_new(&t, &options, message, sizeof message);
		uint32_t depend = 0;
		assert_non_null(gen);
		assert_int_equal(gen_get_scope(gen).elements, 0);
		for (uint64_t k = 0; k < 300; k++) {
			assert_true(rs_gen_model(gen, 2, k, g));
			check_model(g);
			depend += check_random(g, &ops[TOY_ADD]);
			marks_survive(g, copy);
		}
		assert_true(depend > 100);
		rs_gen_free(gen);
	}
	rs_graph_free(g);
	rs_graph_free(copy);
}

/* If random elements are not reproducible between runs, no model has these operators. */
static void random_operators_are_left_out(void **state)
{
	(void)state;
	rs_op ops[sizeof TOY_OPS / sizeof *TOY_OPS];
	char names[sizeof TOY_OPS / sizeof *TOY_OPS][40], message[256];
	rs_table t = random_table("torch", "torch", ops, names);
	rs_gen *gen = rs_gen_new(&t, &(rs_gen_options){.strategy = RS_NEURI}, message, sizeof message);
	rs_graph *g = rs_graph_new();
	assert_int_equal(gen_get_scope(gen).elements, 1);
	for (uint64_t k = 0; k < 300; k++) {
		assert_true(rs_gen_model(gen, 2, k, g));
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			assert_true(g->nodes[i].op != &ops[TOY_ADD] && !rs_graph_random(g, i));
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

static uint32_t uses_of_outputs(const graph *g)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].producer != GRAPH_NONE)
			n += g->tensors[i].nuses;
	return n;
}

/* Isra, table 2: the higher the picking rate, the more edges join two operations. */
static void picking_rate_joins(void **state)
{
	(void)state;
	uint32_t edges[3] = {0}, nodes = 0;
	rs_graph *g = rs_graph_new();
	for (int i = 0; i < 3; i++) {
		rs_gen *gen = new_gen((rs_gen_options){.strategy = RS_ISRA,
		    .picking = (uint32_t[]){1, 500, 1000}[i], .nodes_low = 50, .nodes_high = 50});
		for (uint64_t k = 0; k < 200; k++) {
			assert_true(rs_gen_model(gen, 1, k, g));
			check_model(g);
			edges[i] += uses_of_outputs(g);
			nodes += i == 0 ? rs_graph_nodes(g) : 0;
		}
		rs_gen_free(gen);
	}
	assert_true(edges[0] < nodes / 50);
	assert_true(edges[1] > nodes / 5 && edges[1] < edges[2] && edges[2] > nodes / 2);
	rs_graph_free(g);
}

/* Operators are drawn uniformly, and nearly all drawn ones are inserted. */
static void isra_draws_apis_alike(void **state)
{
	(void)state;
	uint32_t seen[sizeof TOY_OPS / sizeof *TOY_OPS] = {0}, nodes = 0;
	rs_graph *g = rs_graph_new();
	rs_gen *gen = new_gen((rs_gen_options){.strategy = RS_ISRA, .nodes_low = 20, .nodes_high = 20});
	for (uint64_t k = 0; k < 5000; k++) {
		assert_true(rs_gen_model(gen, 2, k, g));
		nodes += rs_graph_nodes(g);
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			seen[g->nodes[i].op - TOY_OPS]++;
	}
	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		if (i != TOY_HOSTILE && i != TOY_TEXT)
			assert_true(seen[i] > nodes / 8 * 9 / 10 && seen[i] < nodes / 8 * 11 / 10);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* One call per model: each operator with each row of dtypes once; no API repeats before all others had a
 * turn. */
static void calls_come_round(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	uint64_t n = rs_gen_count(gen), rows = 0, seen[64];
	const char *apis[16];
	unsigned napis = 0;
	for (uint32_t i = 0; i < gen->index.nops; i++)
		rows += gen->index.ops[i].nrows;
	assert_true(n == rows && n <= 64);
	for (uint64_t i = 0; i < n; i++) {
		uint8_t row[16];
		assert_true(rs_gen_model(gen, 3, i, g));
		check_model(g);
		const graph_node *node = &g->nodes[g->first];
		assert_int_equal(g->live_nodes, 1);
		graph_row(g, node, row);
		seen[i] = rs_call_hash(node->op, row);
		for (uint64_t before = 0; before < i; before++)
			assert_true(seen[before] != seen[i]);
		for (unsigned a = 0; i < gen->index.napis && a < napis; a++)
			assert_string_not_equal(apis[a], node->op->api);
		if (i < gen->index.napis && napis < 16)
			apis[napis++] = node->op->api;
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* Floats of each dtype and class become whole numbers; the rest of the model stays. */
static void whole_elements(void **state)
{
	(void)state;
	rs_gen *real = new_gen((rs_gen_options){.elements = RS_ELEMENTS_REAL});
	rs_gen *whole = new_gen((rs_gen_options){.elements = RS_ELEMENTS_WHOLE});
	rs_gen *mixed = new_gen((rs_gen_options){0});
	rs_graph *a = rs_graph_new(), *b = rs_graph_new(), *c = rs_graph_new();
	uint64_t filled = 0, models = 0;
	for (uint64_t i = 0; i < 400; i++) {
		assert_true(rs_gen_model(real, 5, i, a) && rs_gen_model(whole, 5, i, b) && rs_gen_model(mixed, 5, i, c));
		bool any = false, mixed_any = false;
		assert_int_equal(a->ntensors, b->ntensors);
		for (uint32_t t = 0; t < a->ntensors; t++) {
			const graph_tensor *x = &a->tensors[t], *y = &b->tensors[t], *z = &c->tensors[t];
			bool ranged = y->low || y->high, is_float = y->dtype >= RS_FLOAT16 && y->dtype <= RS_FLOAT64;
			if (x->producer != GRAPH_NONE || !is_float)
				continue;
			assert_false(x->low || x->high);
			any |= elements_are_whole(y);
			mixed_any |= elements_are_whole(z);
			filled += ranged;
			if (ranged)
				assert_true(y->low < y->high && y->low >= -64 && y->high <= 65
					    && (y->values != RS_VALUES_POSITIVE || y->low > 0)
					    && y->values != RS_VALUES_UNIT);
		}
		models += any;
		assert_int_equal(mixed_any, any && (c->values & 1));
	}
	assert_true(filled > 200 && models > 200);
	rs_graph_free(a), rs_graph_free(b), rs_graph_free(c);
	rs_gen_free(real), rs_gen_free(whole), rs_gen_free(mixed);
}

static void refuse(rs_gen_options options, const char *why)
{
	char message[256] = "";
	assert_null(rs_gen_new(&TOY_TABLE, &options, message, sizeof message));
	if (!strstr(message, why))
		fail_msg("'%s' does not contain '%s'", message, why);
}

static void refusals(void **state)
{
	(void)state;
	refuse((rs_gen_options){.strategy = (enum rs_strategy)99}, "unknown strategy");
	refuse((rs_gen_options){.nodes_low = 3, .nodes_high = 2}, "nodes_high is less than nodes_low");
	refuse((rs_gen_options){.api = "tf.*"}, "no API of torch that matches tf.*");
	refuse((rs_gen_options){.api = "torch.add", .max_numel = 2}, "record of fitting size");
	rs_gen_free(NULL);
	rs_graph_free(NULL);
}

static void broken_samplers_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *program, *why;
	} SAMPLERS[] = {
	    {"D#%P.", "torch.add-0: a sampler's program is broken at character 0 of 5: a symbol without an end"},
	    {"F#~99;.", "torch.add-0: a sampler's program is broken at character 0 of 7: no such symbol"},
	};
	for (size_t i = 0; i < sizeof SAMPLERS / sizeof *SAMPLERS; i++) {
		char message[256] = "";
		rs_op op = *rs_table_find(&TOY_TABLE, "torch.add-0");
		rs_table t = TOY_TABLE;
		op.sample = op.back = SAMPLERS[i].program;
		t.ops = &op, t.nops = 1;
		assert_null(rs_gen_new(&t, &(rs_gen_options){.strategy = RS_NEURI}, message, sizeof message));
		if (!strstr(message, SAMPLERS[i].why))
			fail_msg("'%s' does not contain '%s'", message, SAMPLERS[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(wide_integers_occur),
	    cmocka_unit_test(same_seed_same_bytes),
	    cmocka_unit_test(known_digest), cmocka_unit_test(constants_do_not_make_models_constant),
	    cmocka_unit_test(any_operand_is_a_constant_now_and_then), cmocka_unit_test(shapes_vary), cmocka_unit_test(every_model_is_valid),
	    cmocka_unit_test(scope_says_who_is_left_out), cmocka_unit_test(counts_nodes_exactly),
	    cmocka_unit_test(large_models), cmocka_unit_test(concrete_only),
	    cmocka_unit_test(real_tables), cmocka_unit_test(classes_are_kept), cmocka_unit_test(random_operators_are_marked),
	    cmocka_unit_test(random_operators_are_left_out), cmocka_unit_test(picking_rate_joins),
	    cmocka_unit_test(isra_draws_apis_alike), cmocka_unit_test(calls_come_round), cmocka_unit_test(whole_elements),
	    cmocka_unit_test(refusals), cmocka_unit_test(broken_samplers_are_refused)};
	return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
