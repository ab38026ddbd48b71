/* A call replaced by another signature of its API: which values carry over, to which symbol or input, and which
 * cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "other_signature.h"
#include "toy_table.h"

#define INPUT {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2}
#define ELEMENTS {.kind = RS_ELEMENTS, .dtype = RS_INT64}
#define LIST(n) {.kind = RS_LIST, .count = n}
#define INT(symbol) {.kind = RS_INT, .first = symbol}
#define CONST(t) {.kind = RS_CONST, .text = t}
#define NEW(rank) {.kind = RS_TENSOR, .dtype = RS_INT64, .count = rank, .first = 2}

/* f(x, at): the output has x's shape. */
static rs_op form(const char *name, const rs_value *values, unsigned nvalues, unsigned nsym, unsigned nin)
{
	static const uint8_t ROWS[] = {RS_FLOAT32, RS_FLOAT32}, ROWS2[] = {RS_FLOAT32, RS_INT64, RS_FLOAT32}, RANKS[] = {2};
	static const rs_arg ARGS[] = {{"x", 0, 1}, {"at", 1, 1}};
	return (rs_op){.name = name, .api = "torch.f", .rule = "1", .valid = toy_always, .propagate = toy_same, .args = ARGS, .values = values,
	    .out_ranks = RANKS, .dtypes = nin == 2 ? ROWS2 : ROWS, .ndtypes = 1, .nargs = 2, .nvalues = (uint16_t)nvalues, .nsym = (uint16_t)nsym,
	    .nin = (uint16_t)nin, .nout = 1, .nodim = 2};
}

/* The model of one call. */
static void make(graph *g, const rs_op *op)
{
	const int64_t symbols[] = {5, 3, 7, 8, 9};
	const uint8_t dtypes[] = {RS_FLOAT32};
	assert_true(graph_init(g));
	g->framework = "torch";
	uint32_t in = graph_input(g, 2, symbols, RS_FLOAT32);
	graph_call call = {.op = op, .symbols = symbols, .inputs = &in, .out = symbols, .out_dtypes = dtypes};
	assert_true(graph_insert(g, &call, GRAPH_NONE) != GRAPH_NONE);
	graph_keep_unused(g);
	graph_number(g);
}

/* Whether the call fits the signature; if so, its number of inputs and the shape of the second. */
static bool takes(const rs_op *from, const rs_op *to, unsigned *nin, unsigned *rank, int64_t *length, int64_t *last)
{
	graph g, got;
	make(&g, from);
	assert_true(graph_init(&got));
	bool is = reduce_signature(&got, &g, g.first, to);
	if (is) {
		const graph_node *n = &got.nodes[got.first];
		assert_ptr_equal(n->op, to);
		assert_true(graph_check(&got, NULL));
		*nin = n->nin;
		*last = n->symbols[to->nsym - 1];
		if (n->nin == 2) {
			const graph_tensor *t = &got.tensors[graph_node_input(&got, n, 1)];
			*rank = t->rank;
			*length = t->rank ? t->shape[0] : -1;
			assert_int_equal(t->dtype, RS_INT64);
			assert_int_equal(t->values, RS_VALUES_SMALL);
		}
	}
	graph_destroy(&g);
	graph_destroy(&got);
	return is;
}

#define FORM(name, nsym, nin, ...) form(name, (const rs_value[]){INPUT, __VA_ARGS__}, sizeof(rs_value[]){INPUT, __VA_ARGS__} / sizeof(rs_value), nsym, nin)

/* A list of elements becomes a vector of that length, and a single one a tensor of rank 0. Nested lists fit no
 * signature. */
static void elements_become_an_input(void **state)
{
	(void)state;
	const rs_op scalar = FORM("torch.f-8", 2, 2, NEW(0)), vector = FORM("torch.f-9", 3, 2, NEW(1));
	const rs_op one = FORM("torch.f-0", 3, 1, ELEMENTS, INT(2)), fixed = FORM("torch.f-1", 2, 1, ELEMENTS, CONST("4"));
	const rs_op two = FORM("torch.f-2", 4, 1, ELEMENTS, LIST(2), INT(2), INT(3)), mixed = FORM("torch.f-3", 3, 1, ELEMENTS, LIST(3), CONST("1"), INT(2), CONST("2"));
	const rs_op none = FORM("torch.f-4", 2, 1, ELEMENTS, LIST(0)), nested = FORM("torch.f-5", 4, 1, ELEMENTS, LIST(2), LIST(1), INT(2), INT(3));
	const rs_op last = FORM("torch.f-6", 4, 1, ELEMENTS, LIST(2), INT(2), LIST(1), INT(3));
	const struct {
		const rs_op *from;
		int length; /* -1: a single element; -2: fits no signature */
	} EACH[] = {{&one, -1}, {&fixed, -1}, {&two, 2}, {&mixed, 3}, {&none, 0}, {&nested, -2}, {&last, -2}};
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
		unsigned nin = 0, rank = 9;
		int64_t length = -9, symbol = -9;
		assert_int_equal(takes(EACH[i].from, &scalar, &nin, &rank, &length, &symbol), EACH[i].length == -1);
		assert_true(EACH[i].length != -1 || (nin == 2 && rank == 0));
		assert_int_equal(takes(EACH[i].from, &vector, &nin, &rank, &length, &symbol), EACH[i].length >= 0);
		assert_true(EACH[i].length < 0 || (nin == 2 && rank == 1 && length == EACH[i].length && symbol == length));
	}
}

/* A constant that is an integer becomes a number. Anything but a tensor becomes a constant. */
static void numbers_go_over(void **state)
{
	(void)state;
	const rs_op number = FORM("torch.f-0", 3, 1, INT(2)), fixed = FORM("torch.f-1", 2, 1, CONST("None"));
	const rs_op pair = FORM("torch.f-2", 4, 1, LIST(2), INT(2), INT(3)), triple = FORM("torch.f-3", 5, 1, LIST(3), INT(2), INT(3), INT(4));
	static const struct {
		const char *text;
		int64_t is; /* INT64_MAX: none */
	} TEXTS[] = {{"4", 4}, {"-12", -12}, {"0", 0}, {"9223372036854775806", INT64_MAX - 1}, {"9223372036854775808", INT64_MAX}, {"2.5", INT64_MAX}, {"", INT64_MAX},
	    {"None", INT64_MAX}, {"4x", INT64_MAX}, {"True", INT64_MAX}};
	unsigned nin, rank;
	int64_t length, last = 0;
	for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
		const rs_op text = FORM("torch.f-4", 2, 1, CONST(TEXTS[i].text));
		bool is = takes(&text, &number, &nin, &rank, &length, &last);
		assert_int_equal(is, TEXTS[i].is != INT64_MAX);
		assert_true(!is || last == TEXTS[i].is);
		assert_true(takes(&text, &fixed, &nin, &rank, &length, &last));
		assert_false(takes(&text, &pair, &nin, &rank, &length, &last));
	}
	assert_true(takes(&number, &number, &nin, &rank, &length, &last) && last == 7);
	assert_true(takes(&pair, &pair, &nin, &rank, &length, &last) && last == 8);
	assert_false(takes(&pair, &triple, &nin, &rank, &length, &last));
	assert_false(takes(&triple, &pair, &nin, &rank, &length, &last));
	assert_false(takes(&pair, &number, &nin, &rank, &length, &last));
	assert_true(takes(&pair, &fixed, &nin, &rank, &length, &last));
	assert_true(takes(&triple, &fixed, &nin, &rank, &length, &last));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(elements_become_an_input),
	    cmocka_unit_test(numbers_go_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
