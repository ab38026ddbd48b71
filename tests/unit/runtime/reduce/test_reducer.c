/* The reducer: exact results on a hand-made table; on generated models, each candidate is a valid model and the
 * results are small. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "sessions.h"
#include "settings.h"
#include "other_signature.h"
#include "models.h"
#include "no_memory.h"
#include "numbers.h"
#include "reducer.h"
#include "small_model.h"
#include "toy_table.h"

static const rs_table *const TABLES[] = {&TOY_TABLE};
static const rs_library TOY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};

#define T(id, a, b, dtype) "{\"id\":" #id ",\"shape\":[" #a "," #b "],\"dtype\":\"" dtype "\"}"
#define REF(name, id) "{\"name\":\"" name "\",\"pos\":true,\"value\":{\"ref\":" #id "}}"
#define HEAD "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":["

/* [8,6] times [6,5], plus [8,5], then a pool over 3 rows: [6,5]. */
static const char CHAIN[] = HEAD T(0, 8, 6, "float32") "," T(1, 6, 5, "float32") "," T(2, 8, 5, "float32") "],\"nodes\":["
    "{\"op\":\"torch.matmul-0\",\"api\":\"torch.matmul\",\"args\":[" REF("input", 0) "," REF("other", 1) "],\"outputs\":[" T(3, 8, 5, "float32") "]},"
    "{\"op\":\"torch.add-0\",\"api\":\"torch.add\",\"args\":[" REF("input", 3) "," REF("other", 2) "],\"outputs\":[" T(4, 8, 5, "float32") "]},"
    "{\"op\":\"torch.pool-0\",\"api\":\"torch.pool\",\"args\":[" REF("input", 4) ",{\"name\":\"size\",\"pos\":true,\"value\":3}],\"outputs\":[" T(5, 6, 5, "float32") "]}],\"outputs\":[5]}";

/* The failure condition of a test, and the number of tried models. */
typedef struct seen {
	bool (*fails)(const graph *g, const void *what);
	const void *what;
	const rs_table *table;
	unsigned tried, most; /* models; stop at `most` */
} seen;

/* The check itself may need memory, also while a test lacks it. */
static void check_with_memory(const graph *g)
{
	long at = memory.at;
	memory.at = 0;
	check_model(g);
	memory.at = at;
}

static bool alike(void *context, const graph *g)
{
	seen *s = context;
	s->tried++;
	check_with_memory(g);
	return s->fails(g, s->what);
}

static bool goes_on(void *context)
{
	const seen *s = context;
	return s->tried < s->most;
}

static bool run(graph *g, seen *s)
{
	reducer r = {.best = g, .table = s->table, .alike = alike, .goes_on = goes_on, .context = s};
	graph_number(g);
	assert_true(reducer_open(&r));
	bool complete = reducer_run(&r);
	assert_false(r.failed);
	reducer_close(&r);
	check_model(g);
	return complete;
}

static bool always(const graph *g, const void *what)
{
	(void)g, (void)what;
	return true;
}

static bool has_api(const graph *g, const void *api)
{
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (strcmp(g->nodes[i].op->api, api) == 0)
			return true;
	return false;
}

static int64_t longest(const graph *g)
{
	int64_t most = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		for (unsigned k = 0; g->tensors[i].live && k < g->tensors[i].rank; k++)
			most = g->tensors[i].shape[k] > most ? g->tensors[i].shape[k] : most;
	return most;
}

/* Reduces the chain and checks the size of the result. */
static void reduces(bool (*fails)(const graph *g, const void *what), const void *what, uint32_t nodes, int64_t dimension)
{
	graph g;
	seen s = {.fails = fails, .what = what, .most = 10000};
	assert_true(graph_init(&g));
	read_model(&g, CHAIN, &TOY);
	assert_true(run(&g, &s));
	assert_int_equal(g.live_nodes, nodes);
	assert_int_equal(longest(&g), dimension);
	graph_destroy(&g);
}

/* The matmul has an inner dimension of three or more. */
static bool sums_three(const graph *g, const void *what)
{
	(void)what;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (strcmp(g->nodes[i].op->api, "torch.matmul") == 0 && g->nodes[i].symbols[1] >= 3)
			return true;
	return false;
}

/* An inner dimension of five or more, beside an addition: more than the size that clamps all dimensions at once. */
static bool adds_five(const graph *g, const void *what)
{
	(void)what;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (strcmp(g->nodes[i].op->api, "torch.matmul") == 0 && g->nodes[i].symbols[1] >= 5)
			return has_api(g, "torch.add");
	return false;
}

/* A pool over two or more rows, of a result, beside an addition. */
static bool pools_two(const graph *g, const void *what)
{
	(void)what;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		if (strcmp(n->op->api, "torch.pool") == 0 && n->symbols[2] >= 2
		    && g->tensors[graph_node_input(g, n, 0)].producer != GRAPH_NONE)
			return has_api(g, "torch.add");
	}
	return false;
}

static void makes_small(void **state)
{
	(void)state;
	reduces(always, NULL, 1, 1);
	reduces(has_api, "torch.pool", 1, 1);
	reduces(has_api, "torch.add", 1, 1);
	reduces(sums_three, NULL, 1, 3); /* equal dimensions of two inputs move together */
	reduces(adds_five, NULL, 2, 5);
	reduces(pools_two, NULL, 2, 2);	 /* the attribute stays at its minimum, and the input shrinks to match */
}

static void says_when_it_does_not_end(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	read_model(&g, CHAIN, &TOY);
	seen s = {.fails = has_api, .what = "no such", .most = 3};
	assert_false(run(&g, &s));
	assert_int_equal(s.tried, 3);
	assert_int_equal(g.live_nodes, 3);
	assert_int_equal(longest(&g), 8);
	graph_destroy(&g);
}

static bool is_of(const graph *g, const void *dtype)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && g->tensors[i].dtype != *(const uint8_t *)dtype)
			return false;
	return true;
}

/* A dtype becomes float32 if the operators have records of it, and elements become ones. */
static void plain_dtypes_and_elements(void **state)
{
	(void)state;
	static const char WIDE[] = HEAD T(0, 8, 6, "float64") "],\"nodes\":["
	    "{\"op\":\"torch.thin-0\",\"api\":\"torch.thin\",\"args\":[" REF("input", 0) "],\"outputs\":[" T(1, 8, 6, "float64") "]}],\"outputs\":[1]}";
	uint8_t float32 = RS_FLOAT32, float64 = RS_FLOAT64;
	graph g;
	seen s = {.fails = always, .most = 1000};
	assert_true(graph_init(&g));
	read_model(&g, WIDE, &TOY);
	assert_true(run(&g, &s));
	assert_true(is_of(&g, &float32));
	assert_true(g.tensors[0].low == 1 && g.tensors[0].high == 2);
	read_model(&g, WIDE, &TOY);
	s = (seen){.fails = is_of, .what = &float64, .most = 1000};
	assert_true(run(&g, &s));
	assert_true(is_of(&g, &float64));
	graph_destroy(&g);
}

static bool is_narrow(const graph *g, const void *nothing)
{
	uint8_t int64 = RS_INT64;
	return always(g, nothing) && !is_of(g, &int64);
}

/* Integers of 4 bits get 8, also in calls of signatures without records. */
static void four_bits_become_eight(void **state)
{
	(void)state;
	static const char NARROW[] = HEAD T(0, 8, 6, "int4") "],\"nodes\":["
	    "{\"op\":\"torch.made\",\"api\":\"torch.made\",\"args\":[" REF("input", 0) "],\"outputs\":[" T(1, 8, 6, "int4") "]}],\"outputs\":[1]}";
	uint8_t int8 = RS_INT8;
	graph g, from; /* which owns the signature */
	seen s = {.fails = is_narrow, .most = 1000};
	assert_true(graph_init(&g) && graph_init(&from));
	read_model(&from, NARROW, &TOY);
	assert_true(graph_copy(&g, &from));
	assert_true(run(&g, &s));
	assert_true(is_of(&g, &int8));
	graph_destroy(&g), graph_destroy(&from);
}

/* Two calls on two inputs, all of one dtype. */
static bool is_even(const graph *g, const void *nothing)
{
	unsigned calls = 0;
	(void)nothing;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		calls++;
	return calls == 2 && is_of(g, &g->tensors[g->nodes[g->first].outputs].dtype);
}

/* If the failure needs equal dtypes, all change to float32 at once. */
static void dtypes_change_together(void **state)
{
	(void)state;
	static const char WIDE[] = HEAD T(0, 8, 6, "float64") "," T(1, 8, 6, "float64") "],\"nodes\":["
	    "{\"op\":\"torch.thin-0\",\"api\":\"torch.thin\",\"args\":[" REF("input", 0) "],\"outputs\":[" T(2, 8, 6, "float64") "]},"
	    "{\"op\":\"torch.thin-0\",\"api\":\"torch.thin\",\"args\":[" REF("input", 1) "],\"outputs\":[" T(3, 8, 6, "float64") "]}],\"outputs\":[2,3]}";
	uint8_t float32 = RS_FLOAT32;
	graph g;
	seen s = {.fails = is_even, .most = 1000};
	assert_true(graph_init(&g));
	read_model(&g, WIDE, &TOY);
	assert_true(run(&g, &s));
	assert_true(is_even(&g, NULL) && is_of(&g, &float32));
	graph_destroy(&g);
}

/* A call replaced by any other signature that fits is a valid model. Constants and elements replace numbers. */
static void other_signatures_are_models(void **state)
{
	(void)state;
	const rs_table *table = rs_library_table(&rs_rules, "onnx");
	rs_gen *gen = open_models(table, (rs_gen_options){.strategy = RS_NEURI, .nodes_low = 4, .nodes_high = 4,
	    .features = {.functions = 500, .subgraphs = 500}});
	unsigned made = 0, of_chains = 0;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	for (uint64_t index = 0; index < 100; index++) {
		assert_true(rs_gen_model(gen, 3, index, &g));
		for (uint32_t i = g.first; i != GRAPH_NONE; i = g.nodes[i].next)
			for (uint32_t k = 0; k < table->nops; k++) {
				const rs_op *old = g.nodes[i].op;
				if (strcmp(table->ops[k].api, old->api) != 0 || !reduce_signature(&to, &g, i, &table->ops[k]))
					continue;
				check_model(&to);
				assert_int_equal(to.live_nodes, g.live_nodes);
				assert_int_equal(to.nbodies, g.nbodies); /* the new call is in the same body */
				made++;
				of_chains += !old->propagate; /* calls of real models have no rule */
			}
	}
	print_message("%u forms, %u of calls without a rule\n", made, of_chains);
	assert_true(made > 100 && of_chains > 0);
	graph_destroy(&to);
	graph_destroy(&g);
	rs_gen_free(gen);
}

static unsigned count_bodies(const graph *g, enum body_kind kind)
{
	unsigned n = 0;
	for (unsigned i = 0; i < g->nbodies; i++)
		n += g->bodies[i].kind == kind;
	return n;
}

static bool has_two(const graph *g, const void *kind)
{
	return count_bodies(g, *(const enum body_kind *)kind) >= 2;
}

/* Two subgraphs, with a call of the API in one of them. */
static bool has_two_and(const graph *g, const void *api)
{
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (g->nodes[i].subgraph && strcmp(g->nodes[i].op->api, api) == 0)
			return count_bodies(g, BODY_IF) + count_bodies(g, BODY_LOOP) + count_bodies(g, BODY_SCAN) >= 2;
	return false;
}

/* The failure needs two bodies: each reduces to an Identity call, and two within each other to the same one. If it also
 * needs one call, that call and maybe one Identity remain. */
static void what_bodies_hold_goes(void **state)
{
	(void)state;
	static const enum body_kind KINDS[] = {BODY_IF, BODY_LOOP, BODY_SCAN, BODY_FUNCTION};
	const rs_table *table = rs_library_table(&rs_rules, "onnx");
	rs_gen *gen = open_models(table, (rs_gen_options){.strategy = RS_NEURI, .nodes_low = 6, .nodes_high = 9,
	    .features = {.functions = 1000, .subgraphs = 1000}});
	unsigned two[BODY_KINDS] = {0}, one = 0;
	graph g, again;
	assert_true(graph_init(&g) && graph_init(&again));
	for (uint64_t index = 0; index < 800; index++)
		for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
			assert_true(rs_gen_model(gen, 5, index, &g));
			if (!has_two(&g, &KINDS[k]))
				continue;
			const char *api = g.nodes[body_first(&g, 0)].op->api;
			assert_true(graph_copy(&again, &g));
			seen s = {.fails = has_two, .what = &KINDS[k], .table = table, .most = 3000};
			assert_true(run(&g, &s));
			assert_int_equal(g.live_nodes, body_parent(&g, 1) == 0 ? 1 : 2);
			for (unsigned i = 0; i < g.nbodies; i++)
				assert_true(g.bodies[i].constants == BODY_CONSTANTS_OUTSIDE && g.bodies[i].form == BODY_PLAIN);
			for (uint32_t i = g.first; i != GRAPH_NONE; i = g.nodes[i].next)
				assert_string_equal(g.nodes[i].op->api, "onnx.Identity");
			two[KINDS[k]]++;
			if (!has_two_and(&again, api))
				continue;
			s = (seen){.fails = has_two_and, .what = api, .table = table, .most = 3000};
			assert_true(run(&again, &s));
			assert_true(has_api(&again, api));
			assert_true(again.live_nodes == 1 || (again.live_nodes == 2 && has_api(&again, "onnx.Identity")));
			one++;
		}
	print_message("# %u models with two Ifs, %u Loops, %u functions; %u with a call that matters\n", two[BODY_IF], two[BODY_LOOP],
	    two[BODY_FUNCTION], one);
	assert_true(two[BODY_IF] > 10 && two[BODY_LOOP] > 10 && two[BODY_FUNCTION] > 2 && one > 10);
	graph_destroy(&again);
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* A rejecting rule is reported. Calls without a rule keep their numbers. */
static void applies_numbers(void **state)
{
	(void)state;
	graph g, to;
	numbers ns = {0};
	uint32_t refused;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, CHAIN, &TOY);
	assert_true(numbers_read(&g, &ns));
	assert_int_equal(ns.n, 7); /* three inputs of two dimensions, one attribute */
	assert_true(numbers_size(&ns) == 8 + 6 + 6 + 5 + 8 + 5 + 3);
	assert_true(numbers_apply(&to, &g, &ns, &refused));
	assert_true(graph_hash(&to) == graph_hash(&g));
	ns.items[1].value = 4;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_string_equal(g.nodes[refused].op->api, "torch.matmul");
	ns.items[2].value = 4;
	assert_true(numbers_apply(&to, &g, &ns, &refused));
	ns.items[6].value = 9;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_string_equal(g.nodes[refused].op->api, "torch.pool");
	read_model(&g, SMALL_MODEL, NULL); /* a model without rules */
	assert_true(numbers_read(&g, &ns));
	ns.items[0].value = 1;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	numbers_free(&ns);
	graph_destroy(&to);
	graph_destroy(&g);
}

/* Generated models whose failure is the presence of an operator: most reduce to one small call. The others are
 * calls of real models with ranks that have no records. */
static void reduce_generated(const char *framework, unsigned *small, unsigned *all)
{
	graph g;
	const rs_table *table = rs_library_table(&rs_rules, framework);
	rs_gen *gen = open_models(
	    table, (rs_gen_options){.strategy = RS_NEURI, .nodes_low = 5, .nodes_high = 5});
	assert_true(graph_init(&g));
	for (uint64_t index = 0; index < 60; index++) {
		assert_true(rs_gen_model(gen, 11, index, &g));
		seen s = {.fails = has_api, .what = g.nodes[g.last].op->api, .table = table, .most = 3000};
		assert_true(run(&g, &s));
		char *text = rs_graph_json(&g);
		graph again;
		assert_true(graph_init(&again));
		read_model(&again, text, &rs_rules);
		assert_true(graph_hash(&again) == graph_hash(&g));
		graph_destroy(&again);
		free(text);
		assert_int_equal(g.live_nodes, 1);
		*small += longest(&g) <= 4;
		++*all;
	}
	graph_destroy(&g);
	rs_gen_free(gen);
}

static void generated_models_become_small(void **state)
{
	(void)state;
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	for (size_t i = 0; i < 3; i++) {
		unsigned small = 0, all = 0;
		reduce_generated(FRAMEWORKS[i], &small, &all);
		print_message("%s: %u of %u have no dimension beyond 4\n", FRAMEWORKS[i], small, all);
		assert_true(small * 10 >= all * 7);
	}
}

typedef struct reduction {
	const char *line, *api;
	const rs_table *table;
	const rs_library *lib;
} reduction;

/* A step without memory is skipped: the reduced model still fails and is no larger. */
static bool makes_smaller(void *context)
{
	const reduction *of = context;
	graph g;
	diag d = {""};
	seen s = {.fails = has_api, .what = of->api, .table = of->table, .most = 400};
	reducer r = {.best = &g, .table = of->table, .alike = alike, .goes_on = goes_on, .context = &s};
	if (!graph_init(&g))
		return false;
	bool done = graph_read_json(&g, of->line, "model", 1, of->lib, &d);
	assert_true(done || strstr(d.text, "memory"));
	if (done) {
		uint32_t nodes = g.live_nodes;
		int64_t dimension = longest(&g);
		done = reducer_open(&r) && (reducer_run(&r) || !r.failed) && !r.failed;
		reducer_close(&r);
		assert_true(has_api(&g, of->api));
		check_with_memory(&g);
		assert_true(g.live_nodes <= nodes && longest(&g) <= dimension);
	}
	graph_destroy(&g);
	return done;
}

static void without_memory(void **state)
{
	(void)state;
	lack_memory(makes_smaller, &(reduction){.line = CHAIN, .api = "torch.matmul", .table = &TOY_TABLE, .lib = &TOY});
	const rs_table *torch = rs_library_table(&rs_rules, "torch");
	static const char *const APIS[] = {"torch.add", "torch.bmm", "torch.nn.functional.linear"};
	rs_gen *gen = open_models(torch, (rs_gen_options){.apis = APIS, .napis = 3, .initializers = 500, .symbolic = 300,
	    .features = {.layouts = 1000, .gradients = 500, .modules = 500}});
	graph g;
	assert_true(graph_init(&g));
	for (uint64_t i = 0; i < 3; i++) {
		assert_true(rs_gen_model(gen, 1, i, &g));
		char *line = rs_graph_json(&g);
		lack_memory(makes_smaller, &(reduction){.line = line, .api = g.nodes[g.last].op->api, .table = torch, .lib = &rs_rules});
		free(line);
	}
	graph_destroy(&g);
	rs_gen_free(gen);
}

/* Each number belongs to the calls that use it, with the index of its symbol. Changed numbers give another model,
 * or a call rejects them. */
static void numbers_are_of_their_calls(void **state)
{
	(void)state;
	enum { ROWS, COLUMNS, OTHER_ROWS, OTHER_COLUMNS, ADDED_ROWS, ADDED_COLUMNS, SIZE, ALL };
	static const int FIRST[ALL][3] = {{0, -1, -1}, {0, -1, -1}, {2, -1, -1}, {2, -1, -1}, {-1, 2, -1}, {-1, 2, -1}};
	graph g, to;
	numbers ns = {0};
	uint32_t refused;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, CHAIN, &TOY);
	assert_true(numbers_read(&g, &ns));
	assert_int_equal(ns.n, ALL);
	for (int k = 0; k < ALL; k++)
		for (uint32_t node = 0; node < 3; node++) {
			assert_int_equal(number_is_of(&g, &ns.items[k], node), k == SIZE ? node == 2 : FIRST[k][node] >= 0);
			if (k != SIZE)
				assert_int_equal(numbers_symbol(&g, &g.nodes[node], &ns.items[k]), FIRST[k][node]);
		}
	assert_true(numbers_apply(&to, &g, &ns, &refused));
	assert_true(graph_hash(&to) == graph_hash(&g));
	ns.items[ROWS].value = 9;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_int_equal(refused, 1); /* adding 9 rows and 8 */
	ns.items[ADDED_ROWS].value = 9;
	assert_true(numbers_apply(&to, &g, &ns, &refused));
	assert_int_equal(to.tensors[5].shape[0], 7);
	ns.items[SIZE].value = 10;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_int_equal(refused, 2);
	ns.items[SIZE].value = 1;
	ns.items[COLUMNS].value = -6;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_int_equal(refused, GRAPH_NONE); /* no tensor has a negative size */
	ns.items[COLUMNS].value = 6;
	g.tensors[2].low = 5, g.tensors[2].high = 6;
	assert_true(numbers_apply(&to, &g, &ns, &refused));
	g.tensors[2].high = 5;
	assert_false(numbers_apply(&to, &g, &ns, &refused));
	assert_int_equal(refused, GRAPH_NONE); /* an empty range of elements */
	numbers_free(&ns);
	graph_destroy(&to);
	graph_destroy(&g);
}

/* Applying any subset of a model's own numbers gives the same model: here each number alone, for operators of
 * every kind. */
static void numbers_stand_alone(void **state)
{
	(void)state;
	graph g, to;
	numbers ns = {0};
	uint32_t refused;
	unsigned kinds[NUMBER_ATTRIBUTE + 1] = {0};
	assert_true(graph_init(&g) && graph_init(&to));
	for (uint32_t t = 0; t < rs_rules.ntables; t++) {
		rs_gen *gen = open_models(rs_rules.tables[t], (rs_gen_options){.nodes_low = 5, .nodes_high = 5});
		for (uint64_t index = 0; index < 60; index++) {
			assert_true(rs_gen_model(gen, 12, index, &g) && numbers_read(&g, &ns));
			for (size_t i = 0; i < ns.n; i++) {
				numbers one = {.items = &ns.items[i], .n = 1};
				assert_true(numbers_apply(&to, &g, &one, &refused));
				assert_true(graph_hash(&to) == graph_hash(&g));
				kinds[ns.items[i].kind]++;
			}
		}
		rs_gen_free(gen);
	}
	print_message("# %u dimensions, %u and %u bounds, %u attributes\n", kinds[0], kinds[1], kinds[2], kinds[3]);
	for (int k = 0; k <= NUMBER_ATTRIBUTE; k++)
		assert_true(kinds[k] > 30);
	numbers_free(&ns);
	graph_destroy(&to);
	graph_destroy(&g);
}

static bool has_setting(const graph *g, const void *what)
{
	for (unsigned i = 0; i < g->nsettings; i++)
		if (strcmp(g->settings[i].name, what) == 0)
			return true;
	return false;
}

static bool has_both_settings(const graph *g, const void *what)
{
	return has_setting(g, what) && has_setting(g, "d");
}

/* Settings that the failure does not need go, one by one if not all do. */
static void settings_that_matter_stay(void **state)
{
	(void)state;
	const struct {
		bool (*fails)(const graph *g, const void *what);
		const char *what;
		unsigned left;
	} CASES[] = {{always, "", 0}, {has_setting, "a", 1}, {has_setting, "b", 1}, {has_setting, "d", 1}, {has_both_settings, "b", 2},
	    {has_both_settings, "d", 1}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		graph g;
		seen s = {.fails = CASES[i].fails, .what = CASES[i].what, .most = 10000};
		assert_true(graph_init(&g));
		read_model(&g, CHAIN, &TOY);
		for (const char *name = "abcd"; *name; name++)
			assert_true(settings_add(&g, (char[]){*name, '\0'}, "1"));
		assert_true(run(&g, &s));
		assert_int_equal(g.nsettings, CASES[i].left);
		assert_true(CASES[i].fails(&g, CASES[i].what));
		graph_destroy(&g);
	}
}

/* Whether a list of the session has this item. */
static bool has_item(const graph *g, enum session_list list, const char *what)
{
	for (unsigned i = 0; i < g->session[list].n; i++)
		if (strcmp(g->session[list].items[i].name, what) == 0)
			return true;
	return false;
}

static bool needs_construct(const graph *g, const void *what)
{
	return has_item(g, SESSION_CONSTRUCTS, what);
}

static bool needs_both(const graph *g, const void *what)
{
	return has_item(g, SESSION_CHANGES, "x") && needs_construct(g, what);
}

/* Constructs and changes that the failure does not need go, and the others become plain. */
static void sessions_become_small(void **state)
{
	(void)state;
	const struct {
		bool (*fails)(const graph *g, const void *what);
		const char *what;
		unsigned constructs, changes;
	} CASES[] = {{always, "", 0, 0}, {needs_construct, "b", 1, 0}, {needs_both, "c", 1, 1}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		graph g;
		seen s = {.fails = CASES[i].fails, .what = CASES[i].what, .most = 10000};
		assert_true(graph_init(&g));
		read_model(&g, CHAIN, &TOY);
		for (const char *name = "abc"; *name; name++)
			assert_true(session_add(&g, SESSION_CONSTRUCTS, (char[]){*name, '\0'}, 7));
		for (const char *name = "wxyz"; *name; name++)
			assert_true(session_add(&g, SESSION_CHANGES, (char[]){*name, '\0'}, 9));
		assert_true(run(&g, &s));
		assert_int_equal(g.session[SESSION_CONSTRUCTS].n, CASES[i].constructs);
		assert_int_equal(g.session[SESSION_CHANGES].n, CASES[i].changes);
		for (unsigned list = 0; list < 2; list++)
			for (unsigned k = 0; k < g.session[list].n; k++)
				assert_int_equal(g.session[list].items[k].pick, 0);
		graph_destroy(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(makes_small), cmocka_unit_test(says_when_it_does_not_end),
	    cmocka_unit_test(plain_dtypes_and_elements), cmocka_unit_test(four_bits_become_eight), cmocka_unit_test(dtypes_change_together),
	    cmocka_unit_test(applies_numbers),
	    cmocka_unit_test(settings_that_matter_stay), cmocka_unit_test(sessions_become_small), cmocka_unit_test(other_signatures_are_models), cmocka_unit_test(what_bodies_hold_goes),
	    cmocka_unit_test(generated_models_become_small), cmocka_unit_test(without_memory), cmocka_unit_test(numbers_are_of_their_calls),
	    cmocka_unit_test(numbers_stand_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
