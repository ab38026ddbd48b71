/* Invalid models violate what the rule knows: not what makes another signature, nor elements, nor empty
 * tensors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "rulesmith.h"

enum { MODELS = 600, SEED = 5 };

/* A window of s[1] rows, fewer than the tensor's: an equal number would leave none, which no record shows. */
static bool window_valid(const int64_t *s)
{
	return s[1] > 0 && s[1] < s[0];
}

static bool window(const int64_t *s, int64_t *out)
{
	out[0] = s[0] - s[1];
	return true;
}

/* Rows of s[0], selected by indices from s[2] to below s[3]. */
static bool take_valid(const int64_t *s)
{
	return s[0] > 1 && s[2] >= 0 && s[3] <= s[0];
}

static bool take(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	return true;
}

/* A number that is 2 in all records. */
static bool twice_valid(const int64_t *s)
{
	return s[1] == 2;
}

static bool one_row(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

/* Removes dimensions of 1: from two dimensions in one signature, from none in the other; a constant of
 * squeeze_copy may select them. */
static bool squeeze_valid(const int64_t *s)
{
	return s[0] != 1 && s[1] == 1;
}

static bool squeezed_valid(const int64_t *s)
{
	return s[0] != 1 && s[1] != 1 && s[2] != 1;
}

static bool squeezed(const int64_t *s, int64_t *out)
{
	memcpy(out, s, 3 * sizeof *out);
	return true;
}

/* Removes a dimension of 1 from three or two in two signatures; from two it removes none in a third. Each
 * differs from the others by the rank or the distance alone. */
static bool pressed_valid(const int64_t *s)
{
	return s[0] != 1 && s[1] != 1 && s[2] == 1;
}

static bool flat_valid(const int64_t *s)
{
	return s[0] != 1 && s[1] != 1;
}

static bool pressed(const int64_t *s, int64_t *out)
{
	memcpy(out, s, 2 * sizeof *out);
	return true;
}

#define ROWS(RANK) {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = RANK}
#define NUMBER {.kind = RS_INT, .first = 1}
#define DIM(TEXT) {.kind = RS_CONST, .text = TEXT}
#define INPUT_AND(NAME) .args = (const rs_arg[]){{"input", 0, 1}, {NAME, 1, 1}}, .nargs = 2, .nvalues = 2
#define INPUT .args = (const rs_arg[]){{"input", 0, 1}}, .nargs = 1, .nvalues = 1, .nin = 1
#define ONE(RANK) .out_ranks = (const uint8_t[]){RANK}, .nout = 1, .nodim = RANK, .passed = 9, .ndtypes = 1
#define FLOATS .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32}

/* Sorted by name. */
static const rs_op OPS[] = {
    {.name = "torch.press-0", .api = "torch.press", .rule = "6", .valid = pressed_valid, .propagate = pressed, INPUT,
	.values = (const rs_value[]){ROWS(3)}, ONE(2), FLOATS, .records = (const int64_t[]){4, 2, 1, 2, 3, 1}, .nsym = 3, .nrecords = 2},
    {.name = "torch.press-1", .api = "torch.press", .rule = "4", .valid = squeeze_valid, .propagate = one_row, INPUT,
	.values = (const rs_value[]){ROWS(2)}, ONE(1), FLOATS, .records = (const int64_t[]){4, 1, 2, 1}, .nsym = 2, .nrecords = 2},
    {.name = "torch.press-2", .api = "torch.press", .rule = "7", .valid = flat_valid, .propagate = pressed, INPUT,
	.values = (const rs_value[]){ROWS(2)}, ONE(2), FLOATS, .records = (const int64_t[]){4, 2, 2, 3}, .nsym = 2, .nrecords = 2},
    {.name = "torch.squeeze-0", .api = "torch.squeeze", .rule = "4", .valid = squeeze_valid, .propagate = one_row, INPUT,
	.values = (const rs_value[]){ROWS(2)}, ONE(1), FLOATS, .records = (const int64_t[]){4, 1, 2, 1}, .nsym = 2, .nrecords = 2},
    {.name = "torch.squeeze-1", .api = "torch.squeeze", .rule = "5", .valid = squeezed_valid, .propagate = squeezed, INPUT,
	.values = (const rs_value[]){ROWS(3)}, ONE(3), FLOATS, .records = (const int64_t[]){4, 2, 3, 2, 3, 2}, .nsym = 3, .nrecords = 2},
    {.name = "torch.squeeze_copy-0", .api = "torch.squeeze_copy", .rule = "4", .valid = squeeze_valid, .propagate = one_row,
	INPUT_AND("dim"), .nin = 1, .values = (const rs_value[]){ROWS(2), DIM("-1")}, ONE(1), FLOATS,
	.records = (const int64_t[]){4, 1, 2, 1}, .nsym = 2, .nrecords = 2},
    {.name = "torch.squeeze_copy-1", .api = "torch.squeeze_copy", .rule = "5", .valid = squeezed_valid, .propagate = squeezed,
	INPUT_AND("dim"), .nin = 1, .values = (const rs_value[]){ROWS(3), DIM("0")}, ONE(3), FLOATS,
	.records = (const int64_t[]){4, 2, 3, 2, 3, 2}, .nsym = 3, .nrecords = 2},
    {.name = "torch.squeeze_copy-2", .api = "torch.squeeze_copy", .rule = "5", .valid = squeezed_valid, .propagate = squeezed, INPUT,
	.values = (const rs_value[]){ROWS(3)}, ONE(3), FLOATS, .records = (const int64_t[]){4, 2, 3, 2, 3, 2}, .nsym = 3, .nrecords = 2},
    {.name = "torch.take-0", .api = "torch.take", .rule = "2", .valid = take_valid, .propagate = take, INPUT_AND("index"), .nin = 2,
	.values = (const rs_value[]){ROWS(1), {.kind = RS_RANGED, .dtype = RS_INT64, .count = 1, .first = 1}}, ONE(1),
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_INT64, RS_FLOAT32}, .records = (const int64_t[]){4, 2, 0, 4, 3, 5, 0, 3},
	.nsym = 4, .nrecords = 2},
    {.name = "torch.twice-0", .api = "torch.twice", .rule = "3", .valid = twice_valid, .propagate = one_row, INPUT_AND("n"), .nin = 1,
	.values = (const rs_value[]){ROWS(1), NUMBER}, ONE(1), FLOATS, .records = (const int64_t[]){4, 2, 3, 2}, .nsym = 2, .nrecords = 2},
    {.name = "torch.window-0", .api = "torch.window", .rule = "1", .valid = window_valid, .propagate = window, INPUT_AND("rows"), .nin = 1,
	.values = (const rs_value[]){ROWS(1), NUMBER}, ONE(1), FLOATS, .records = (const int64_t[]){6, 2, 9, 4}, .nsym = 2, .nrecords = 2},
};

static const rs_table TABLE = {.abi = RS_ABI, .framework = "torch", .version = "1", .fingerprint = "near", .ops = OPS, .nops = sizeof OPS / sizeof *OPS};

/* The number of invalid calls of each operator; each is checked by `is_fair`. */
static void count_misses(unsigned counts[], bool (*is_fair)(const rs_op *, const int64_t *))
{
	rs_gen *gen = open_models(&TABLE, (rs_gen_options){.near_misses = 1000, .nodes_low = 1, .nodes_high = 1});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		if (!g->near_miss || g->change.kind != CHANGE_NONE)
			continue;
		const graph_node *last = &g->nodes[g->last];
		int64_t out[4];
		assert_false(rs_eval(last->op, last->symbols, out));
		assert_true(is_fair(last->op, last->symbols));
		counts[last->op - OPS]++;
	}
	rs_graph_free(g);
	rs_gen_free(gen);
}

static bool is_fair(const rs_op *op, const int64_t *s)
{
	int64_t out[4] = {1, 1, 1, 1};
	if (strcmp(op->api, "torch.window") == 0)
		return op->propagate(s, out) && out[0] != 0 && s[0] > 0;
	if (strcmp(op->api, "torch.take") == 0)
		return s[0] == 1;
	return strcmp(op->api, "torch.twice") == 0 && s[1] < 1;
}

static void only_what_the_rule_knows(void **state)
{
	(void)state;
	unsigned counts[sizeof OPS / sizeof *OPS] = {0};
	count_misses(counts, is_fair);
	const unsigned *press = counts, *squeeze = press + 3, *squeeze_copy = squeeze + 2, *others = squeeze_copy + 3;
	print_message("# %u of take, %u of twice, %u of window\n", others[0], others[1], others[2]);
	assert_int_equal(press[0] + press[1] + press[2], 0);
	assert_int_equal(squeeze[0] + squeeze[1], 0);
	assert_int_equal(squeeze_copy[0] + squeeze_copy[1] + squeeze_copy[2], 0);
	assert_true(others[0] > 2 && others[1] > 10 && others[2] > 20);
}

/* Half of the invalid models have a change of an existing argument, with its place among the tensors or numbers; the call
 * itself stays valid. */
static void changes_of_every_kind(void **state)
{
	(void)state;
	unsigned counts[CHANGE_KINDS] = {0};
	rs_gen *gen = open_models(&TABLE, (rs_gen_options){.near_misses = 1000, .nodes_low = 1, .nodes_high = 3});
	rs_graph *g = rs_graph_new(), *copy = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		const graph_change *c = &g->change;
		counts[c->kind]++;
		if (c->kind == CHANGE_NONE)
			continue;
		assert_true(g->near_miss);
		const graph_node *last = &g->nodes[g->last];
		int64_t out[4];
		assert_true(rs_eval(last->op, last->symbols, out));
		unsigned arg = 0;
		while (arg < last->op->nargs && strcmp(last->op->args[arg].name, c->argument) != 0)
			arg++;
		assert_true(arg < last->op->nargs);
		bool number = last->op->values[last->op->args[arg].value].kind == RS_CONST;
		assert_int_equal(number, c->kind == CHANGE_NUMBER);
		assert_int_equal(c->item, 0);
		assert_true(graph_copy(copy, g));
		char *one = rs_graph_json(g), *other = rs_graph_json(copy);
		assert_string_equal(one, other);
		free(one);
		free(other);
	}
	unsigned changed = MODELS - counts[CHANGE_NONE];
	print_message("# %u changed: %u numbers, %u dtypes, %u ranks, %u elements, %u missing\n", changed, counts[CHANGE_NUMBER],
	    counts[CHANGE_DTYPE], counts[CHANGE_RANK], counts[CHANGE_ELEMENTS], counts[CHANGE_MISSING]);
	assert_in_range(changed, MODELS / 3, MODELS * 2 / 3);
	for (unsigned kind = CHANGE_NUMBER; kind < CHANGE_KINDS; kind++)
		assert_in_range(counts[kind], 3, MODELS);
	rs_graph_free(copy);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* Single calls: one of each API in a round, all with the round's kind of change; rounds go through all numbers and dtypes. */
static void rounds_of_kinds(void **state)
{
	(void)state;
	const unsigned kinds[] = {CHANGE_NUMBER, CHANGE_DTYPE, CHANGE_ELEMENTS, CHANGE_DTYPE, CHANGE_NUMBER, CHANGE_DTYPE, CHANGE_RANK, CHANGE_NONE};
	rs_gen *gen = open_models(&TABLE, (rs_gen_options){.strategy = RS_CALLS, .near_misses = 1000});
	rs_graph *g = rs_graph_new();
	const char *apis[16], *texts[64] = {NULL};
	const uint64_t n = rs_gen_count(gen);
	unsigned dtypes = 0;
	assert_int_equal(n, 6);
	for (uint64_t i = 0; i < n; i++) {
		assert_true(rs_gen_model(gen, 0, i, g));
		apis[i] = g->nodes[g->last].op->api;
		for (uint64_t k = 0; k < i; k++)
			assert_string_not_equal(apis[i], apis[k]);
	}
	for (uint64_t round = 0; round < 32; round++) {
		assert_true(rs_gen_model(gen, round, 0, g));
		assert_int_equal(g->live_nodes, 1);
		if (g->change.kind != CHANGE_NONE)
			assert_int_equal(g->change.kind, kinds[round % 8]);
		unsigned k = 0;
		while (k < dtypes && g->change.kind == CHANGE_DTYPE && strcmp(texts[k], g->change.to) != 0)
			k++;
		if (g->change.kind == CHANGE_DTYPE && k == dtypes)
			texts[dtypes++] = g->change.to;
	}
	assert_int_equal(dtypes, 9); /* all but its own */
	rs_graph_free(g);
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_what_the_rule_knows), cmocka_unit_test(changes_of_every_kind), cmocka_unit_test(rounds_of_kinds)};
	return cmocka_run_group_tests_name("near", tests, NULL, NULL);
}
