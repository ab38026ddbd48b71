/* Which inputs may be merged: their elements must suit the consumers, and shape and dtype must match. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models.h"
#include "rulesmith.h"

enum { MODELS = 600, SEED = 3 };

static bool alike(const int64_t *s)
{
	return s[0] == s[1] && s[0] > 0;
}

static bool first(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

/* Two index tensors: the elements of the first are s1 to s2 - 1, of the second s4 to s5 - 1. */
static bool alike_ranges(const int64_t *s)
{
	return s[0] == s[3] && s[0] > 0 && s[1] == 0 && s[4] == 0 && s[2] > 0 && s[5] > 0 && s[2] <= 3 && s[5] <= 3;
}

/* From elements of the classes x and y the call returns class z, for all float dtypes. */
#define CLASSES(x, y, z)                                                                                               \
	(const uint8_t[])                                                                                              \
	{                                                                                                              \
		RS_VALUES_##x, RS_VALUES_##y, RS_VALUES_##z, RS_VALUES_##z, RS_VALUES_##z, RS_VALUES_##z, RS_VALUES_##z, \
		    RS_VALUES_##z                                                                                      \
	}
#define TWO                                                                                                            \
	.args = (const rs_arg[]){{"x", 0, 1}, {"y", 1, 1}}, .out_ranks = (const uint8_t[]){1}, .propagate = first, .rule = "1", \
	.passed = 9, .nargs = 2, .nvalues = 2, .nin = 2, .nout = 1, .nodim = 1, .ndtypes = 1
#define FLOATS                                                                                                         \
	.valid = alike, .nsym = 2, .nrecords = 2, .records = (const int64_t[]){2, 2, 3, 3},                            \
	.values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1},                             \
	    {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 1}},                                         \
	.dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32, RS_FLOAT32}

static const rs_op OPS[] = {
    {.name = "t.at-0", .api = "t.at", TWO, .valid = alike_ranges, .nsym = 6, .nrecords = 3,
	.records = (const int64_t[]){2, 0, 1, 2, 0, 3, 3, 0, 2, 3, 0, 2, 2, 0, 3, 2, 0, 1},
	.values = (const rs_value[]){{.kind = RS_RANGED, .dtype = RS_INT64, .count = 1},
	    {.kind = RS_RANGED, .dtype = RS_INT64, .count = 1, .first = 3}},
	.dtypes = (const uint8_t[]){RS_INT64, RS_INT64, RS_INT64}, .classes = CLASSES(SMALL, SMALL, SMALL)},
    {.name = "t.narrow-0", .api = "t.narrow", TWO, FLOATS, .classes = CLASSES(SMALL, UNIT, SMALL)},
    {.name = "t.same-0", .api = "t.same", TWO, FLOATS, .classes = CLASSES(POSITIVE, POSITIVE, SMALL)},
    {.name = "t.wide-0", .api = "t.wide", TWO, FLOATS, .classes = CLASSES(UNIT, SMALL, SMALL)},
};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "0", .fingerprint = "t", .ops = OPS,
    .nops = sizeof OPS / sizeof *OPS};

static bool suits(const graph_tensor *t, const graph_tensor *other)
{
	if (t->dtype == RS_FLOAT32)
		return other->dtype == RS_FLOAT32 && other->values <= t->values;
	return other->dtype == t->dtype && other->values == t->values && other->low == t->low && other->high == t->high;
}

/* The same models without layouts give the elements that each input would have had. */
static void elements_suit_who_takes_them(void **state)
{
	(void)state;
	rs_gen *with = open_models(&TABLE, (rs_gen_options){.features.layouts = 1000}), *without = open_models(&TABLE, (rs_gen_options){0});
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned narrower = 0, equal = 0, integers = 0, could_not = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(with, SEED, i, g));
		assert_true(rs_gen_model(without, SEED, i, plain));
		check_model(g);
		assert_int_equal(g->ntensors, plain->ntensors);
		for (uint32_t k = 0; k < g->ntensors; k++) {
			const graph_tensor *t = &g->tensors[k], *before = &plain->tensors[k];
			for (uint32_t j = 0; j < k && before->producer == GRAPH_NONE; j++)
				could_not += plain->tensors[j].producer == GRAPH_NONE && plain->tensors[j].dtype == before->dtype
					     && !suits(before, &plain->tensors[j]);
			if (!t->layout || t->layout->same == GRAPH_NONE) {
				assert_true(t->values == before->values && t->low == before->low && t->high == before->high);
				continue;
			}
			const graph_tensor *other = &plain->tensors[t->layout->same];
			assert_int_equal(other->producer, GRAPH_NONE);
			assert_true(suits(before, other));
			assert_true(t->values == other->values && t->low == other->low && t->high == other->high);
			integers += t->dtype == RS_INT64;
			narrower += other->values < before->values;
			equal += other->values == before->values;
		}
	}
	print_message("# same as one of narrower elements: %u, of equal ones: %u, of integers: %u; %u do not suit\n", narrower, equal, integers, could_not);
	assert_true(narrower > 20 && equal > 20 && integers > 20 && could_not > 100);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(with), rs_gen_free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(elements_suit_who_takes_them)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
