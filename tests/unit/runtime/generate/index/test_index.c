/* The index of a table: its data on an operator equals the table's, whatever the packing; search results by
 * dtype or shape match the query. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen_index.h"
#include "index_places.h"
#include "op_versions.h"

enum { LOW = 2, HIGH = 7, NUMEL = 65536 };

static void open_index_of(gen_index *x, const rs_table *table, int opset)
{
	diag d = {""};
	index_filter f = {.max_numel = NUMEL, .rank_max = INDEX_RANK_MAX, .low = LOW, .high = HIGH, .opset = opset};
	if (!gen_index_build(x, table, &f, &d))
		fail_msg("%s", d.text);
}

static void open_index(gen_index *x, const rs_table *table)
{
	open_index_of(x, table, 0);
}

static void check_form(const index_op *o)
{
	const rs_op *op = o->op;
	const graph_form *f = o->form;
	unsigned n = 0, varying = 0;
	assert_true(o->nsym == op->nsym && f->nsym == op->nsym);
	assert_true(o->nin == op->nin && f->nin == op->nin);
	assert_true(o->nout == op->nout && f->nout == op->nout);
	assert_true(o->width == op->nsym + op->nodim && f->nodim == op->nodim);
	assert_true(f->name == graph_name_hash(op->name));
	assert_memory_equal(f->out_ranks, op->out_ranks, op->nout);
	assert_memory_equal(o->out_ranks, op->out_ranks, op->nout);
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_CONST) {
			varying += op->values[i].count > 0;
			assert_true(f->consts[n++] == graph_name_hash(op->values[i].text));
		}
	assert_int_equal(f->nconsts, n);
	assert_int_equal(o->nconsts, varying ? n : 0);
}

static void check_consts(const index_op *o)
{
	unsigned n = 0;
	for (unsigned i = 0; i < o->op->nvalues && o->nconsts; i++) {
		const rs_value *v = &o->op->values[i];
		if (v->kind != RS_CONST)
			continue;
		assert_int_equal(o->consts[n].count, v->count);
		assert_ptr_equal(o->consts[n].texts[0], v->count ? o->op->floats[v->first] : v->text);
		n++;
	}
	assert_int_equal(n, o->nconsts);
}

/* True if two positions have equal numbers in each record. */
static bool are_equal(const index_op *o, unsigned i, unsigned j)
{
	for (unsigned r = 0; r < o->nrecords; r++)
		if (index_record(o, r)[i] != index_record(o, r)[j])
			return false;
	return true;
}

/* True if an attribute has the same number in all records: other positions equal it only by coincidence. */
static bool says_nothing(const index_op *o, unsigned i)
{
	bool same = i < o->nsym && !index_is_dimension(o, i);
	for (unsigned r = 0; same && r < o->nrecords; r++)
		same = index_record(o, r)[i] == index_record(o, 0)[i];
	return same;
}

/* A position's group is the first position that is always equal, and not by coincidence. Returns how many
 * positions would be in another group without that exception. */
static unsigned check_groups(const index_op *o)
{
	unsigned chances = 0;
	for (unsigned i = 0; i < o->width; i++) {
		unsigned first = i, any = i;
		for (unsigned j = i; j-- > 0;) {
			bool equal = are_equal(o, i, j);
			any = equal ? j : any;
			first = equal && !says_nothing(o, j) ? j : first;
		}
		assert_int_equal(index_groups(o)[i], says_nothing(o, i) ? i : first);
		chances += !says_nothing(o, i) && any != first;
	}
	return chances;
}

/* Dimensions as in the filter, attributes as in the records; groups as in every record. */
static void check_numbers(const index_op *o)
{
	const uint8_t *groups = index_groups(o), *ties = index_ties(o);
	assert_true(o->nfull > 0 && o->nfull <= o->nrecords);
	for (unsigned i = 0; i < o->nsym; i++) {
		bool dimension = index_is_dimension(o, i);
		assert_true(!dimension || index_dimensions(o)[i]);
		assert_true(!dimension || (index_low(o, i) == LOW && index_high(o, i) == HIGH));
		for (unsigned r = 0; r < o->nrecords; r++) {
			int64_t value = index_record(o, r)[i];
			assert_true(value == index_record(o, r)[groups[i]]);
			assert_true(dimension || r >= o->nfull || value > RS_LIMIT || value < -RS_LIMIT
				    || (value >= index_low(o, i) && value <= index_high(o, i)));
		}
		assert_true(!ties || ties[(size_t)i * o->width + i] == o->nrecords);
	}
}

static void check_tensors(const index_op *o)
{
	unsigned n = 0;
	for (unsigned i = 0; i < o->op->nvalues; i++) {
		const rs_value *v = &o->op->values[i];
		if (!rs_is_tensor(v->kind))
			continue;
		assert_true(o->inputs[n].first == v->first && o->inputs[n].rank == v->count);
		assert_true(o->inputs[n++].ranged == (v->kind == RS_RANGED));
	}
	for (unsigned r = 0; r < o->nrows; r++)
		for (unsigned i = 0; i < o->nin + 0u + o->nout; i++)
			assert_true(index_row(o, r)[i] < RS_STRING);
	assert_true(!o->classes == !o->op->classes);
	if (o->classes)
		assert_memory_equal(o->classes, o->op->classes, o->nin + (size_t)RS_VALUES_COUNT);
}

static void operators_are_the_tables(void **state)
{
	(void)state;
	unsigned chances = 0;
	for (uint32_t t = 0; t < rs_rules.ntables; t++) {
		gen_index x;
		open_index(&x, rs_rules.tables[t]);
		assert_true(x.nops > 30);
		for (uint32_t i = 0; i < x.nops; i++) {
			const index_op *o = &x.ops[i];
			assert_int_equal((uintptr_t)o % 64, 0);
			assert_int_equal((uintptr_t)o->inputs % 64, 0);
			assert_true(i - x.apis[o->api].first < x.apis[o->api].count);
			assert_true(!o->sample == !(o->symbolic && o->op->sample) && !o->back == !(o->symbolic && o->op->back));
			assert_true((o->sample == o->back) == (!o->sample || o->op->sample == o->op->back));
			assert_true(o->valid == o->op->valid && o->propagate == o->op->propagate);
			check_form(o);
			check_consts(o);
			check_tensors(o);
			check_numbers(o);
			chances += check_groups(o);
		}
		gen_index_free(&x);
	}
	assert_true(chances > 0);
}

static void find_type(const gen_index *x, const index_op *o, enum index_kind kind, unsigned slot)
{
	bool input = kind == INDEX_INPUT;
	unsigned rank = input ? o->inputs[slot].rank : o->out_ranks[slot];
	uint32_t count;
	const index_place *p = gen_index_type(
	    x, kind, o->api, rank, o->rows[input ? slot : o->nin + slot], &count);
	for (uint32_t i = 0; i < count; i++) {
		const index_op *other = &x->ops[p[i].op];
		assert_int_equal(other->api, o->api);
		assert_int_equal(
		    input ? other->inputs[p[i].slot].rank : other->out_ranks[p[i].slot], rank);
		if (other == o && p[i].slot == slot)
			return;
	}
	fail_msg("%s: not found by the type of %u", o->op->name, slot);
}

static void find_shape(const gen_index *x, const index_op *o, unsigned record)
{
	unsigned rank = o->inputs[0].rank;
	const int64_t *shape = index_record(o, record) + o->inputs[0].first;
	uint32_t count;
	assert_true(gen_index_has_rank(x, INDEX_RECORD_INPUT, o->api, rank));
	const index_place *p =
	    gen_index_shape(x, INDEX_RECORD_INPUT, o->api, rank, shape, &count);
	for (uint32_t i = 0; i < count; i++)
		if (&x->ops[p[i].op] == o && p[i].slot == 0 && p[i].what == record)
			return;
	fail_msg("%s: not found by the shape of record %u", o->op->name, record);
}

static void places_are_found(void **state)
{
	(void)state;
	unsigned types = 0, shapes = 0;
	for (uint32_t t = 0; t < rs_rules.ntables; t++) {
		gen_index x;
		open_index(&x, rs_rules.tables[t]);
		for (uint32_t i = 0; i < x.nops; i++) {
			const index_op *o = &x.ops[i];
			for (unsigned k = 0; k < o->nin && o->symbolic; k++)
				if (!o->inputs[k].ranged)
					find_type(&x, o, INDEX_INPUT, k), types++;
			for (unsigned k = 0; k < o->nout && o->symbolic; k++)
				find_type(&x, o, INDEX_OUTPUT, k), types++;
			for (unsigned r = 0; r < o->nfull && o->nin && !o->symbolic; r++)
				find_shape(&x, o, r), shapes++;
		}
		gen_index_free(&x);
	}
	assert_true(types > 1000 && shapes > 100);
}

static bool has(const gen_index *x, const char *api)
{
	for (uint32_t i = 0; i < x->napis; i++)
		if (strcmp(x->ops[x->apis[i].first].op->api, api) == 0)
			return true;
	return false;
}

static void apis_are_found_by_name(void **state)
{
	(void)state;
	for (uint32_t t = 0; t < rs_rules.ntables; t++) {
		gen_index x;
		open_index(&x, rs_rules.tables[t]);
		for (uint32_t i = 0; i < x.napis; i++) {
			char other[256];
			const char *name = x.ops[x.apis[i].first].op->api;
			assert_ptr_equal(gen_index_api(&x, name), &x.apis[i]);
			assert_true(snprintf(other, sizeof other, "%s!", name) < (int)sizeof other);
			assert_null(gen_index_api(&x, other));
		}
		assert_null(gen_index_api(&x, ""));
		assert_null(gen_index_api(&x, "~"));
		gen_index_free(&x);
	}
}

/* The index of an operator set has calls of that set only, and each API by one name. */
static void calls_of_a_set(void **state)
{
	(void)state;
	const rs_table *table = rs_library_table(&rs_rules, "onnx");
	uint32_t before = 0;
	for (int set = OP_SET_FIRST; set <= OP_SET_LAST; set++) {
		gen_index x;
		open_index_of(&x, table, set);
		for (uint32_t i = 0; i < x.nops; i++)
			for (unsigned r = 0; r < x.ops[i].nrows; r++)
				assert_true(op_in_set(x.ops[i].op, index_row(&x.ops[i], r), set));
		assert_int_equal(has(&x, "onnx.AveragePool"), set >= 22);
		assert_int_equal(has(&x, "onnx.AveragePool_11"), set >= 11 && set < 19);
		assert_int_equal(has(&x, "onnx.Upsample_9"), set == 9);
		assert_true(has(&x, "onnx.Acos")); /* of float32, the same call since 7 */
		assert_false(has(&x, "onnx.Acos_7"));
		assert_true(x.napis + 3 > before); /* few operators are withdrawn */
		before = x.napis;
		gen_index_free(&x);
	}
}

static unsigned rows_of(const rs_table *table, bool four_bits, uint8_t dtype)
{
	gen_index x;
	diag d = {""};
	index_filter f = {.max_numel = NUMEL, .rank_max = INDEX_RANK_MAX, .low = LOW, .high = HIGH, .four_bits = four_bits};
	unsigned found = 0;
	assert_true(gen_index_build(&x, table, &f, &d));
	for (unsigned r = 0; r < x.ops[0].nrows; r++)
		found += index_row(&x.ops[0], r)[0] == dtype && index_row(&x.ops[0], r)[1] == dtype;
	gen_index_free(&x);
	return found;
}

/* Rows with 4-bit integers, recorded or not, take part on demand, each once. */
static void rows_of_four_bits(void **state)
{
	(void)state;
	static const rs_value values[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}};
	static const rs_arg args[] = {{"data", 0, 1}};
	const rs_op ops[] = {{.name = "onnx.Transpose-0", .api = "onnx.Transpose", .args = args, .values = values,
	    .out_ranks = (const uint8_t[]){1}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32, RS_INT4, RS_INT4, RS_INT8, RS_INT8, RS_UINT8, RS_UINT8},
	    .records = (const int64_t[]){2, 2}, .passed = 1, .nargs = 1, .nvalues = 1, .nsym = 1, .nin = 1, .nout = 1, .nodim = 1, .ndtypes = 4,
	    .nrecords = 1}};
	const rs_table table = {.abi = RS_ABI, .framework = "onnx", .version = "0", .fingerprint = "0", .ops = ops, .nops = 1};
	for (int k = 0; k < 2; k++) {
		assert_int_equal(rows_of(&table, k, RS_INT4), k);
		assert_int_equal(rows_of(&table, k, RS_UINT4), k);
		assert_int_equal(rows_of(&table, k, RS_FLOAT32), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(operators_are_the_tables),
	    cmocka_unit_test(places_are_found),
	    cmocka_unit_test(apis_are_found_by_name),
	    cmocka_unit_test(calls_of_a_set),
	    cmocka_unit_test(rows_of_four_bits),
	};
	return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
