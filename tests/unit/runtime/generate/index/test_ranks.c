/* Signatures of ranks 6 to 8, which are made from those of rank 5. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "index_ranks.h"
#include "models.h"
#include "rulesmith.h"

static const rs_table *onnx(void)
{
	return rs_library_table(&rs_rules, "onnx");
}

/* The signature `at` of the table for a rank; NULL: its operator is not elementwise. */
static const rs_op *other_rank(uint32_t at, unsigned rank, arena *a)
{
	enum elementwise kind = index_elementwise(onnx(), at);
	const rs_op *op = kind ? index_other_rank(&onnx()->ops[at], kind, rank, a) : NULL;
	assert_true(!kind || op);
	return op;
}

/* The signature of an API for a rank; NULL: none of its signatures has one. */
static const rs_op *find(const char *api, unsigned rank, arena *a)
{
	const rs_op *found = NULL;
	for (uint32_t i = 0; i < onnx()->nops && !found; i++)
		if (strcmp(onnx()->ops[i].api, api) == 0)
			found = other_rank(i, rank, a);
	return found;
}

static void elementwise_operators(void **state)
{
	(void)state;
	arena *a = arena_new();
	int64_t out[8];
	const int64_t one[] = {2, 3, 1, 4, 1, 2, 5, 1}, equal[] = {2, 3, 1, 2, 1, 2, 2, 3, 1, 2, 1, 2};
	const rs_op *op = find("onnx.Abs", 8, a);
	assert_non_null(op);
	assert_true(rs_eval(op, one, out));
	assert_memory_equal(out, one, sizeof one);
	assert_int_equal(op->nsym, 8);
	op = find("onnx.Add", 6, a);
	assert_non_null(op);
	const int64_t sum[] = {2, 3, 1, 2, 1, 2, 2, 1, 4, 2, 3, 1}, wanted[] = {2, 3, 4, 2, 3, 2};
	assert_true(rs_eval(op, sum, out));
	assert_memory_equal(out, wanted, sizeof wanted);
	assert_true(rs_eval(op, equal, out));
	assert_false(rs_eval(op, (const int64_t[]){2, 3, 1, 2, 1, 2, 3, 3, 1, 2, 1, 2}, out));
	const char *const others[] = {"onnx.Conv", "onnx.MatMul", "onnx.Transpose", "onnx.Concat", "onnx.Shape", "onnx.Reshape", "onnx.Flatten", "onnx.ReduceSum"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_null(find(others[i], 6, a));
	arena_free(a);
}

/* Every record of a new signature is a call of it. */
static void records(void **state)
{
	(void)state;
	arena *a = arena_new();
	unsigned made = 0;
	for (uint32_t i = 0; i < onnx()->nops; i++) {
		const rs_op *op = other_rank(i, 7, a);
		int64_t out[7], s[2 * 7];
		for (unsigned k = 0; op && k < op->nrecords; k++) {
			rs_record(op, k, s);
			assert_true(rs_eval(op, s, out));
		}
		made += op != NULL;
	}
	print_message("# %u signatures\n", made);
	assert_true(made > 60);
	arena_free(a);
}

/* Casts of older operator sets were recorded for one constant at all ranks, and for the others at rank 0. */
static void other_constants(void **state)
{
	(void)state;
	uint32_t casts = 0;
	for (uint32_t i = 0; i < onnx()->nops; i++) {
		const rs_op *op = &onnx()->ops[i];
		uint32_t ranks = index_missing_ranks(onnx(), i);
		casts += ranks && strcmp(op->api, "onnx.Cast_13") == 0;
		if (!ranks)
			continue;
		assert_false(ranks & ((UINT32_C(2) << op->out_ranks[0]) - 1));
		assert_true(strcmp(op->api, "onnx.Flatten_13") && strcmp(op->api, "onnx.ReduceSum_13") && strcmp(op->api, "onnx.Transpose_13"));
		arena *a = arena_new();
		const rs_op *made = index_other_rank(op, ELEMENTWISE_UNARY, 4, a);
		const int64_t dims[] = {3, 1, 2, 5};
		int64_t out[4];
		assert_true(made && rs_eval(made, dims, out));
		assert_memory_equal(out, dims, sizeof dims);
		arena_free(a);
	}
	assert_true(casts >= 10);
	/* in models: several ranks of casts to float16 */
	rs_gen *gen = open_models(onnx(), (rs_gen_options){.sizes = RS_SIZES_MIXED, .opset_low = 13, .opset_high = 13, .features = {.repeats = 1000}});
	rs_graph *g = rs_graph_new();
	uint32_t ranks = 0;
	for (uint64_t i = 0; i < 500; i++) {
		assert_true(rs_gen_model(gen, 4, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_tensor *t = &g->tensors[g->nodes[k].outputs];
			if (strcmp(g->nodes[k].op->api, "onnx.Cast_13") == 0 && t->dtype == RS_FLOAT16)
				ranks |= UINT32_C(1) << t->rank;
		}
	}
	assert_true(__builtin_popcount(ranks) >= 4);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* A reduction without dimensions gets no others: there, keepdims decides the rank. */
static void attributes_that_decide(void **state)
{
	(void)state;
	const rs_table *forms = rs_library_table(&rs_forms, "onnx");
	uint32_t scalars = 0;
	for (uint32_t i = 0; i < forms->nops; i++) {
		if (strncmp(forms->ops[i].api, "onnx.Reduce", 11) != 0)
			continue;
		scalars += forms->ops[i].nin == 1 && forms->ops[i].values[0].count == 0;
		assert_int_equal(index_missing_ranks(forms, i), 0);
	}
	assert_true(scalars > 0);
}

/* torch.channels_last takes tensors of rank 4, and torch.channels_last_3d those of rank 5. */
static void constants_that_restrict_ranks(void **state)
{
	(void)state;
	const rs_table *torch = rs_library_table(&rs_rules, "torch");
	unsigned found = 0;
	for (uint32_t i = 0; i < torch->nops; i++)
		for (unsigned k = 0; k < torch->ops[i].nvalues; k++) {
			const rs_value *v = &torch->ops[i].values[k];
			if (v->kind != RS_CONST || strncmp(v->text, "torch.channels_last", 19) != 0)
				continue;
			found++;
			assert_int_equal(index_missing_ranks(torch, i), 0);
		}
	assert_true(found > 10);
}

/* The share of tensors of rank 6 and above, per mille. */
static unsigned share(enum rs_sizes sizes)
{
	rs_gen *gen = open_models(onnx(), (rs_gen_options){.sizes = sizes});
	rs_graph *g = rs_graph_new();
	unsigned high = 0, all = 0;
	for (uint64_t i = 0; i < 2000; i++) {
		assert_true(rs_gen_model(gen, 2, i, g));
		check_model(g);
		for (uint32_t k = 0; k < g->ntensors; k++) {
			high += g->tensors[k].live && g->tensors[k].rank >= INDEX_RANKS_FIRST;
			all += g->tensors[k].live;
		}
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	return high * 1000 / all;
}

static void in_models(void **state)
{
	(void)state;
	unsigned small = share(RS_SIZES_SMALL), mixed = share(RS_SIZES_MIXED);
	print_message("# %u of 1000 tensors, with mixed sizes %u\n", small, mixed);
	assert_in_range(small, 0, 15);
	assert_in_range(mixed, 20, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(elementwise_operators), cmocka_unit_test(records), cmocka_unit_test(other_constants), cmocka_unit_test(attributes_that_decide),
	    cmocka_unit_test(constants_that_restrict_ranks),
	    cmocka_unit_test(in_models)};
	return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
