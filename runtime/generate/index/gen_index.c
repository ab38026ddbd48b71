#include "gen_index.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"
#include "opset.h"
#include "values.h"
#include "write.h"

#define CHEAP 4096 /* elements of all tensors of a call that is inserted where all else failed */

/* ---- what an operator is asked for */

bool index_is_dimension(const index_op *o, unsigned symbol)
{
	for (unsigned i = 0; i < o->nin; i++)
		if (symbol - o->inputs[i].first < o->inputs[i].rank)
			return true;
	return false;
}

unsigned index_output_place(const index_op *o, unsigned output)
{
	unsigned at = o->nsym;
	for (unsigned i = 0; i < output; i++)
		at += o->out_ranks[i];
	return at;
}

void index_box(const index_op *o, int64_t low, int64_t high, int64_t *lows, int64_t *highs)
{
	memcpy(lows, o->bounds, o->nsym * sizeof *lows);
	memcpy(highs, o->bounds + o->nsym, o->nsym * sizeof *highs);
	for (unsigned i = 0; i < o->nin; i++)
		for (unsigned d = 0; d < o->inputs[i].rank; d++) {
			lows[o->inputs[i].first + d] = low;
			highs[o->inputs[i].first + d] = high;
		}
}

/* ---- which operators take part */

static bool value_safe(const rs_op *op, const rs_value *v)
{
	if (v->kind != RS_CONST)
		return true;
	for (unsigned i = 0; i < v->count; i++)
		if (!literal_safe(op->floats[v->first + i]))
			return false;
	return literal_safe(v->text);
}

/* Whether the call can be written as Python: names, constants, keywords behind positions. */
static bool call_safe(const rs_table *table, const rs_op *op)
{
	const char *module = rs_framework_module(table->framework);
	size_t n = strlen(module);
	if (strncmp(op->api, module, n) != 0 || op->api[n] != '.'
	    || !identifier_safe(op->api, true))
		return false;
	for (unsigned i = 0; i < op->nargs; i++)
		if (!identifier_safe(op->args[i].name, false)
		    || (i && op->args[i].by_position && !op->args[i - 1].by_position))
			return false;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (!value_safe(op, &op->values[i]))
			return false;
	return true;
}

/* Whether some input takes no class of element values at all. */
static bool no_class_serves(const rs_op *op)
{
	for (unsigned i = 0; op->classes && i < op->nin; i++)
		if (op->classes[i] == RS_VALUES_NONE)
			return true;
	return false;
}

static bool size_fits(const rs_op *op, unsigned rank_max)
{
	if (op->nsym + op->nodim > INDEX_WIDTH_MAX || op->nin > INDEX_TENSORS_MAX || !op->nout
	    || op->nout > INDEX_TENSORS_MAX)
		return false;
	for (unsigned i = 0; i < op->nout; i++)
		if (op->out_ranks[i] > rank_max)
			return false;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind) && op->values[i].count > rank_max)
			return false;
	return true;
}

static void find_inputs(const rs_op *op, index_input *inputs)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			*inputs++ = (index_input){op->values[i].first,
			    (uint8_t)op->values[i].count, op->values[i].kind == RS_RANGED};
}

static bool row_usable(const uint8_t *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (row[i] >= RS_STRING)
			return false;
	return true;
}

/* Without a table of dtypes: the inputs' own, and the first input's for every output. */
static const uint8_t *default_row(gen_index *x, const rs_op *op)
{
	uint8_t *row = arena_zalloc(x->arena, (size_t)op->nin + op->nout + 1);
	if (!row)
		return NULL;
	unsigned n = 0;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			row[n++] = op->values[i].dtype;
	memset(row + n, n ? row[0] : RS_OTHER, op->nout);
	return row;
}

/* The usable rows, before the groups, which are there already. */
static bool find_rows(gen_index *x, index_op *o)
{
	unsigned n = o->op->ndtypes ? o->op->ndtypes : 1, width = o->nin + o->nout;
	uint8_t *rows = arena_alloc(x->arena, (size_t)n * width + 2u * o->width + 1), *end = rows;
	if (!rows)
		return false;
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *row =
		    o->op->ndtypes ? o->op->dtypes + (size_t)i * width : default_row(x, o->op);
		if (!row)
			return false;
		if (row_usable(row, width)) {
			memcpy(end, row, width);
			end += width;
			o->nrows++;
		}
	}
	memcpy(end, o->rows, 2u * o->width);
	o->rows = rows;
	return true;
}

/* The elements of all tensors of a record, -1 when one has too many; *zero: whether one has none.
 */
static int64_t record_size(const index_op *o, const int64_t *record, int64_t limit, bool *zero)
{
	int64_t sum = 0;
	const int64_t *out = record + o->nsym;
	*zero = false;
	for (unsigned i = 0; i < o->nin + o->nout; i++) {
		bool in = i < o->nin;
		unsigned rank = in ? o->inputs[i].rank : o->out_ranks[i - o->nin];
		int64_t n = bounded_numel(rank, in ? record + o->inputs[i].first : out, limit);
		if (n > limit)
			return -1;
		*zero |= n == 0;
		sum += n;
		out += in ? 0 : rank;
	}
	return sum;
}

static bool find_records(arena *a, index_op *o, int64_t max_numel)
{
	static const int64_t
	    nothing[1]; /* the records of an operator without a number have no array */
	const int64_t *all = o->op->records ? o->op->records : nothing;
	size_t ties = o->width <= INDEX_TIES_MAX ? (size_t)o->width * o->width : 0; /* behind them */
	int64_t *records =
	    arena_zalloc(a, ((size_t)o->op->nrecords * o->width + 1) * sizeof *records + ties);
	int64_t least = INT64_MAX;
	bool zero;
	if (!records)
		return false;
	for (unsigned pass = 0; pass < 2; pass++) /* full ones first */
		for (unsigned i = 0; i < o->op->nrecords; i++) {
			const int64_t *record = all + (size_t)i * o->width;
			int64_t size = record_size(o, record, max_numel, &zero);
			if (size < 0 || zero != pass)
				continue;
			if (size < least && !zero) {
				least = size;
				o->small = o->nrecords;
			}
			memcpy(records + (size_t)o->nrecords++ * o->width, record,
			    o->width * sizeof *record);
			o->nfull += !zero;
		}
	o->records = records;
	o->cheap = o->nfull && least <= CHEAP;
	return true;
}

static void find_ties(index_op *o)
{
	unsigned w = o->width;
	uint8_t *ties = (uint8_t *)index_ties(o);
	for (unsigned r = 0; ties && r < o->nrecords && r < 255; r++)
		for (unsigned i = 0; i < w; i++)
			for (unsigned j = 0; j < w; j++)
				ties[i * w + j] += index_record(o, r)[i] == index_record(o, r)[j];
}

/* An attribute that has one value in all records: that a dimension has it, too, says nothing. */
static bool is_constant(const index_op *o, unsigned i)
{
	if (i >= o->nsym || index_is_dimension(o, i))
		return false;
	for (unsigned r = 1; r < o->nrecords; r++)
		if (index_record(o, r)[i] != index_record(o, 0)[i])
			return false;
	return true;
}

/* The first place that has the same number as this one in every record. */
static unsigned find_group(const index_op *o, unsigned i)
{
	if (is_constant(o, i))
		return i;
	for (unsigned j = 0, r; j < i; j++) {
		if (is_constant(o, j))
			continue;
		for (r = 0; r < o->nrecords; r++)
			if (index_record(o, r)[i] != index_record(o, r)[j])
				break;
		if (r == o->nrecords)
			return j;
	}
	return i;
}

static void find_groups(const index_op *o, uint8_t *groups, bool *dimension)
{
	for (unsigned i = 0; i < o->width; i++)
		groups[i] = (uint8_t)find_group(o, i);
	for (unsigned i = 0; i < o->nin; i++)
		for (unsigned d = 0; d < o->inputs[i].rank; d++)
			dimension[groups[o->inputs[i].first + d]] = true;
	for (unsigned i = 0; i < o->nsym; i++)
		dimension[i] |= dimension[groups[i]];
}

static bool find_bounds(arena *a, index_op *o)
{
	int64_t *low = ARENA_ARRAY(a, int64_t, o->nsym * 2u + 1), *high = low + o->nsym;
	if (!low)
		return false;
	for (unsigned i = 0; i < o->nsym; i++)
		for (unsigned r = 0; r < o->nfull; r++) {
			int64_t x = index_record(o, r)[i];
			low[i] = !r || x < low[i] ? x : low[i];
			high[i] = !r || x > high[i] ? x : high[i];
		}
	o->bounds = low;
	return true;
}

static bool vary(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_CONST && op->values[i].count)
			return true;
	return false;
}

static bool find_consts(arena *a, index_op *o)
{
	const rs_op *op = o->op;
	index_const *consts = ARENA_ARRAY(a, index_const, op->nvalues + 1);
	if (!consts)
		return false;
	o->consts = consts;
	for (unsigned i = 0; i < op->nvalues && vary(op); i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_CONST)
			consts[o->nconsts++] =
			    (index_const){v->count ? op->floats + v->first : &v->text, v->count};
	}
	return true;
}

static bool find_form(arena *a, index_op *o)
{
	graph_form *form = ARENA_NEW(a, graph_form);
	o->form = form;
	return form && graph_find_form(form, o->op, a);
}

/* Free dimensions are drawn from the same numbers in every call of the generator. */
static void set_box(index_op *o, const index_filter *f)
{
	int64_t *bounds = (int64_t *)o->bounds;
	for (unsigned i = 0; i < o->nsym; i++)
		if (index_is_dimension(o, i)) {
			bounds[i] = f->low;
			bounds[o->nsym + i] = f->high;
		}
}

/* The parts that depend on the operator alone; groups are filled in later. */
static bool lay_out(arena *a, const rs_op *op, index_op *o)
{
	unsigned width = op->nsym + op->nodim;
	size_t size = (op->nin + (size_t)1) * sizeof *o->inputs + op->nout + 2 * (size_t)width;
	index_input *inputs = arena_zalloc(a, size);
	if (!inputs)
		return false;
	uint8_t *bytes = (uint8_t *)(inputs + op->nin + 1);
	*o = (index_op){.op = op,
	    .valid = op->valid,
	    .sample = op->sample,
	    .back = op->back,
	    .propagate = op->propagate,
	    .inputs = inputs,
	    .out_ranks = bytes,
	    .rows = bytes + op->nout, /* none yet: groups stand behind them */
	    .nsym = op->nsym,
	    .nin = op->nin,
	    .nout = op->nout,
	    .width = (uint16_t)width};
	find_inputs(op, inputs);
	memcpy(bytes, op->out_ranks, op->nout);
	for (unsigned i = 0; i < op->nin; i++)
		o->ranged |= inputs[i].ranged;
	return true;
}

bool index_describe(arena *a, const rs_op *op, int64_t max_numel, index_op *o)
{
	if (!lay_out(a, op, o) || !find_records(a, o, max_numel) || !find_bounds(a, o))
		return false;
	find_ties(o);
	if (o->width <= INDEX_WIDTH_MAX)
		find_groups(o, (uint8_t *)index_groups(o), (bool *)index_dimensions(o));
	return true;
}

/* ONNX names the operators of its earlier sets by their version: Add_7. A model has one operator set,
 * that of the names without. */
static bool superseded(const rs_table *table, const char *api)
{
	size_t n = strlen(api), digits = n;
	if (strcmp(table->framework, "onnx") != 0)
		return false;
	while (digits && api[digits - 1] >= '0' && api[digits - 1] <= '9')
		digits--;
	return digits < n && digits && api[digits - 1] == '_';
}

/* Appends the operator to the index when it can take part. False: out of memory. */
static bool add_operator(gen_index *x, const rs_op *op, const index_filter *f, bool unfit)
{
	index_op o;
	if (!unfit != !(op->flags & RS_UNFIT)) {
		x->scope.elements += !unfit;
		return true;
	}
	if (!size_fits(op, f->rank_max) || !call_safe(x->table, op)) {
		x->scope.unsafe++;
		return true;
	}
	if ((op->flags & (RS_RANDOM | RS_HELD)) || no_class_serves(op)) {
		x->scope.elements++;
		return true;
	}
	if (superseded(x->table, op->api)) {
		x->scope.old++;
		return true;
	}
	if (!index_describe(x->arena, op, f->max_numel, &o) || !find_form(x->arena, &o)
	    || !find_consts(x->arena, &o) || !find_rows(x, &o))
		return false;
	if (!o.nrows || !o.nfull) {
		*(o.nrows ? &x->scope.records : &x->scope.dtypes) += 1;
		return true;
	}
	set_box(&o, f);
	o.plain = !values_narrow(o.rows, o.nrows * (o.nin + o.nout + 0u));
	o.classes = op->classes;
	o.delicate = (op->flags & RS_DELICATE) != 0;
	o.symbolic = op->valid && op->propagate && !(op->flags & RS_THIN) && !unfit;
	x->scope.symbolic += o.symbolic;
	x->ops[x->nops++] = o;
	if (op->nvalues > x->max_values)
		x->max_values = op->nvalues;
	if (o.width > x->max_width)
		x->max_width = o.width;
	return true;
}

/* ---- the whole index */

static bool listed(const index_filter *f, const char *api)
{
	for (uint32_t i = 0; i < f->napis; i++)
		if (strcmp(f->apis[i], api) == 0)
			return true;
	return false;
}

static bool wanted(const gen_index *x, const index_filter *f, const char *api)
{
	return (!f->api || fnmatch(f->api, api, 0) == 0) && (!f->apis || listed(f, api))
	       && (!f->set || opset_has(f->set, x->table->framework, api));
}

static bool has_api(const gen_index *x, const char *api)
{
	for (uint32_t i = 0; i < x->nops; i++)
		if (strcmp(x->ops[i].op->api, api) == 0)
			return true;
	return false;
}

/* An API of a set that is asked for by its name, and of which nothing is left, takes part by the
 * records of operators that are left out otherwise. */
static bool add_unfit(gen_index *x, const index_filter *f)
{
	for (uint32_t i = 0; i < x->table->nops; i++) {
		const rs_op *op = &x->table->ops[i];
		if ((op->flags & RS_UNFIT) && wanted(x, f, op->api) && !has_api(x, op->api)
		    && !add_operator(x, op, f, true))
			return false;
	}
	return true;
}

static bool collect_operators(gen_index *x, const index_filter *f)
{
	x->ops = ARENA_ARRAY(x->arena, index_op, x->table->nops + (size_t)1);
	if (!x->ops)
		return false;
	for (uint32_t i = 0; i < x->table->nops; i++) {
		const rs_op *op = &x->table->ops[i];
		x->classes |= op->classes != NULL;
		if (wanted(x, f, op->api) && !add_operator(x, op, f, false))
			return false;
	}
	return !f->set || add_unfit(x, f);
}

/* "no operator of onnx that matches X in the set isra65 can take part (…)" */
static bool refuse(const gen_index *x, const index_filter *f, diag *d)
{
	const gen_scope *s = &x->scope;
	return diag_set(d,
	    "no operator of %s%s%s%s%s can take part (%u not writable, %u without dtypes, %u without "
	    "a record that fits, %u with random outputs or unfit elements, %u of an earlier version)",
	    x->table->framework, f->api ? " that matches " : "", f->api ? f->api : "",
	    f->set ? " in the set " : "", f->set ? f->set : "", s->unsafe, s->dtypes, s->records,
	    s->elements, s->old);
}

bool gen_index_build(gen_index *x, const rs_table *table, const index_filter *f, diag *d)
{
	*x = (gen_index){.arena = arena_new(), .table = table};
	if (!x->arena || !collect_operators(x, f) || !gen_index_arrange(x) || !gen_index_pack(x))
		return diag_set(d, "out of memory");
	if (!x->ncheap)
		return refuse(x, f, d);
	x->scope.apis = x->napis;
	x->scope.operators = x->nops;
	return true;
}

void gen_index_free(gen_index *x)
{
	arena_free(x->arena);
	free(x->pack);
	*x = (gen_index){0};
}
