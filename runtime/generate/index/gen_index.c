#include "gen_index.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "call_set.h"
#include "four_bits.h"
#include "framework.h"
#include "index_pack.h"
#include "index_places.h"
#include "index_programs.h"
#include "index_ranks.h"
#include "python_literal.h"
#include "op_versions.h"
#include "opset.h"
#include "values.h"

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

/* Whether the call can be written as Python: identifiers, safe constants, keyword arguments after positional ones. */
static bool call_safe(const rs_table *table, const rs_op *op)
{
	if (!framework_may_call(table->framework, op->api) || !identifier_safe(op->api, true))
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

/* Whether an input accepts no class of element values. */
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

static bool row_usable(const uint8_t *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (row[i] >= RS_STRING)
			return false;
	return true;
}

/* If the table has no dtypes: those of the inputs, and the first input's for every output. */
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

uint64_t rs_call_hash(const rs_op *op, const uint8_t *dtypes)
{
	return call_mix(graph_name_hash(op->name), dtypes, (unsigned)op->nin + op->nout);
}

const index_api *gen_index_api(const gen_index *x, const char *api)
{
	uint32_t low = 0, high = x->napis; /* the table is sorted by name, which is the API's name and a number */
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		int order = strcmp(x->ops[x->apis[middle].first].op->api, api);
		if (!order)
			return &x->apis[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool gen_index_has_call(const gen_index *x, const index_api *api, unsigned in, unsigned out)
{
	for (uint32_t i = api->first; i < api->first + api->count; i++)
		for (uint32_t r = 0; r < x->ops[i].nrows; r++) {
			const uint8_t *row = index_row(&x->ops[i], r);
			if ((in == RS_DTYPE_COUNT || !x->ops[i].nin || row[0] == in) && row[x->ops[i].nin] == out)
				return true;
		}
	return false;
}

static bool is_within(const gen_index *x, const index_api *api, const index_op *o, const uint8_t *row)
{
	return api && gen_index_has_call(x, api, o->nin ? row[0] : RS_DTYPE_COUNT, row[o->nin]);
}

/* Whether models may have a row of dtypes; api: that of f->within. */
static bool takes_row(const index_filter *f, const index_api *api, const index_op *o, const uint8_t *row)
{
	unsigned width = o->nin + o->nout;
	return row_usable(row, width) && (f->four_bits || !four_bits_has(row, width)) && (!f->opset || op_in_set(o->op, row, f->opset))
	       && (!f->within || is_within(f->within, api, o, row))
	       && !call_set_has(f->without, f->nwithout, rs_call_hash(o->op, row));
}

static bool has_row(const uint8_t *rows, const uint8_t *end, const uint8_t *row, unsigned width)
{
	for (; rows < end; rows += width)
		if (memcmp(rows, row, width) == 0)
			return true;
	return false;
}

/* Appends the rows of the definition with 4-bit integers that have no record. */
static uint8_t *add_four_bits(const index_filter *f, const index_api *api, index_op *o, const uint8_t *rows, uint8_t *end)
{
	unsigned width = o->nin + o->nout;
	four_bits types;
	if (!f->four_bits || !four_bits_find(&types, o->op))
		return end;
	for (unsigned i = 0; i < o->op->ndtypes; i++)
		for (unsigned type = 0; type < FOUR_BITS_TYPES; type++)
			if (four_bits_row(&types, o->op->dtypes + (size_t)i * width, type, end) && takes_row(f, api, o, end) && !has_row(rows, end, end, width)) {
				end += width;
				o->nrows++;
			}
	return end;
}

/* Copies the usable dtype rows in front of the groups, which exist already. */
static bool find_rows(gen_index *x, const index_filter *f, index_op *o)
{
	unsigned n = o->op->ndtypes ? o->op->ndtypes : 1, width = o->nin + o->nout, most = n * (f->four_bits ? FOUR_BITS_TYPES + 1 : 1) + 1;
	uint8_t *rows = arena_alloc(x->arena, (size_t)most * width + 2u * o->width + 1), *end = rows;
	const index_api *api = f->within ? gen_index_api(f->within, o->op->api) : NULL;
	if (!rows)
		return false;
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *row =
		    o->op->ndtypes ? o->op->dtypes + (size_t)i * width : default_row(x, o->op);
		if (!row)
			return false;
		if (takes_row(f, api, o, row)) {
			memcpy(end, row, width);
			end += width;
			o->nrows++;
		}
	}
	end = add_four_bits(f, api, o, rows, end);
	memcpy(end, o->rows, 2u * o->width);
	o->rows = rows;
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

/* Sets the range of free dimensions, the same in every call of the generator. */
static void set_box(index_op *o, const index_filter *f)
{
	int64_t *bounds = (int64_t *)o->bounds;
	for (unsigned i = 0; i < o->nsym; i++)
		if (index_is_dimension(o, i)) {
			bounds[i] = f->low;
			bounds[o->nsym + i] = f->high;
		}
}

/* Whether a model with this operator differs each time it runs. If models are files, an implementation repeats its random
 * numbers, from a seed that is an attribute; other implementations draw others, and graph_number marks such nodes. */
static bool not_repeated(const rs_table *table, const rs_op *op)
{
	return op->flags & RS_RANDOM && !framework_has_files(table->framework);
}

/* Whether no call of the API is in the requested operator set, the newest one by default. */
static bool is_old(const rs_table *table, const index_filter *f, const char *api)
{
	if (!f->opset)
		return api[framework_unversioned(table->framework, api)] != '\0';
	int newest = op_newest_set(api);
	return newest && newest < f->opset;
}

/* Appends the signature to the index if models can use it. False: out of memory. */
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
	if (not_repeated(x->table, op) || (op->flags & RS_HELD) || no_class_serves(op)) {
		x->scope.elements++;
		return true;
	}
	if (is_old(x->table, f, op->api)) {
		x->scope.old++;
		return true;
	}
	if (!index_describe(x->arena, op, f->max_numel, &o) || !find_form(x->arena, &o)
	    || !find_consts(x->arena, &o) || !find_rows(x, f, &o))
		return false;
	if (!o.nrows || !o.nfull) {
		*(o.nrows ? &x->scope.records : f->opset ? &x->scope.old : &x->scope.dtypes) += 1;
		return true;
	}
	set_box(&o, f);
	o.plain = !values_narrow(o.rows, o.nrows * (o.nin + o.nout + 0u));
	o.classes = op->classes;
	o.delicate = (op->flags & RS_DELICATE) != 0;
	o.symbolic = op->valid && op->propagate && !(op->flags & RS_BY_RECORD) && !unfit;
	x->scope.symbolic += o.symbolic;
	x->ops[x->nops++] = o;
	if (o.nconsts > x->max_consts)
		x->max_consts = o.nconsts;
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

static bool is_named(const gen_index *x, const index_filter *f, const char *api)
{
	return (!f->api || fnmatch(f->api, api, 0) == 0) && (!f->apis || listed(f, api))
	       && (!f->set || opset_has(f->set, x->table->framework, api));
}

/* A name without a version stands for the version of the requested operator set, too. */
static bool wanted(const gen_index *x, const index_filter *f, const char *api)
{
	char unversioned[128];
	size_t n = framework_unversioned(x->table->framework, api);
	if (is_named(x, f, api))
		return true;
	if (!f->opset || !api[n] || n >= sizeof unversioned)
		return false;
	memcpy(unversioned, api, n);
	unversioned[n] = '\0';
	return is_named(x, f, unversioned);
}

static bool has_api(const gen_index *x, const char *api)
{
	for (uint32_t i = 0; i < x->nops; i++)
		if (strcmp(x->ops[i].op->api, api) == 0)
			return true;
	return false;
}

/* Adds an API of a requested set that would have no signature left, with records of otherwise excluded signatures. */
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

/* Appends the last signature again for each rank without records. False: out of memory. */
static bool add_other_ranks(gen_index *x, uint32_t at, const index_filter *f)
{
	enum elementwise kind = index_elementwise(x->table, at);
	uint32_t ranks = kind ? INDEX_RANKS_BEYOND : index_missing_ranks(x->table, at);
	kind = kind ? kind : ELEMENTWISE_UNARY;
	for (unsigned rank = 1; rank <= INDEX_RANKS_LAST && rank <= f->rank_max; rank++) {
		if (!(ranks >> rank & 1))
			continue;
		const rs_op *op = index_other_rank(&x->table->ops[at], kind, rank, x->arena);
		if (!op || !add_operator(x, op, f, false))
			return false;
	}
	return true;
}

static bool collect_operators(gen_index *x, const index_filter *f)
{
	enum { RANKS = INDEX_RANKS_LAST };
	x->ops = ARENA_ARRAY(x->arena, index_op, x->table->nops * (size_t)(f->other_ranks ? 1 + RANKS : 1) + 1);
	if (!x->ops)
		return false;
	for (uint32_t i = 0; i < x->table->nops; i++) {
		const rs_op *op = &x->table->ops[i];
		x->classes |= op->classes != NULL;
		uint32_t before = x->nops;
		if (wanted(x, f, op->api) && !add_operator(x, op, f, false))
			return false;
		if (f->other_ranks && x->nops > before && !add_other_ranks(x, i, f))
			return false;
	}
	return !f->set || add_unfit(x, f);
}

/* Decodes samplers of signatures with enough support; the others use records. */
static bool find_programs(gen_index *x, diag *d)
{
	index_programs programs;
	bool ok = diag_memory(d, index_programs_open(&programs, x->arena, x->nops));
	for (uint32_t i = 0; ok && i < x->nops; i++)
		ok = !x->ops[i].symbolic || index_programs_find(&programs, &x->ops[i], d);
	index_programs_close(&programs);
	return ok;
}

/* "no API of FRAMEWORK that matches X in the set isra65 can be generated (…)"; the numbers count signatures. */
static bool refuse(const gen_index *x, const index_filter *f, diag *d)
{
	const gen_scope *s = &x->scope;
	return diag_set(d,
	    "no API of %s%s%s%s%s can be generated (%u not writable, %u without dtypes, %u without a record of fitting size, "
	    "%u random or without usable values, %u superseded)",
	    x->table->framework, f->api ? " that matches " : "", f->api ? f->api : "",
	    f->set ? " in the set " : "", f->set ? f->set : "", s->unsafe, s->dtypes, s->records,
	    s->elements, s->old);
}

bool gen_index_build(gen_index *x, const rs_table *table, const index_filter *f, diag *d)
{
	*x = (gen_index){.arena = arena_new(), .table = table, .opset = f->opset};
	if (!x->arena || !collect_operators(x, f))
		return diag_set(d, "out of memory");
	if (!find_programs(x, d))
		return false;
	if (!index_find_places(x) || !index_pack(x))
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
