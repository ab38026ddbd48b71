#include "gen_index.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "call_set.h"
#include "framework.h"
#include "index_base.h"
#include "index_pack.h"
#include "index_places.h"
#include "index_ranks.h"
#include "op_versions.h"
#include "opset.h"
#include "values.h"

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

/* Whether the index has a row of an entry; api: that of f->within. */
static bool takes_row(const index_filter *f, const index_api *api, const index_entry *e, unsigned row)
{
	return (!f->opset || op_sets_have(e->sets[row], f->opset)) && (!f->within || is_within(f->within, api, &e->o, index_row(&e->o, row)))
	       && !(f->nwithout && call_set_has(f->without, f->nwithout, e->calls[row]));
}

/* Keeps the rows of the entry that the index has, in front of the groups. False: out of memory. */
static bool take_rows(gen_index *x, index_base *b, const index_filter *f, index_entry *e, index_op *o)
{
	if ((f->opset && !index_base_sets(b, e)) || (f->nwithout && !index_base_calls(b, e)))
		return false;
	const size_t width = o->nin + (size_t)o->nout, all = o->nrows;
	const index_api *api = f->within ? gen_index_api(f->within, o->op->api) : NULL;
	uint8_t *rows = arena_alloc(x->arena, all * width + 2u * o->width + 1), *end = rows;
	if (!rows)
		return false;
	for (unsigned i = 0; i < all; i++)
		if (takes_row(f, api, e, i)) {
			memcpy(end, index_row(&e->o, i), width);
			end += width;
		}
	memcpy(end, index_groups(&e->o), 2u * o->width);
	o->rows = rows;
	o->nrows = (uint16_t)(width ? (size_t)(end - rows) / width : 0);
	return true;
}

/* Whether no call of the API is in the requested operator set, the newest one by default. */
static bool is_old(const index_filter *f, const index_entry *e)
{
	return f->opset ? e->newest && e->newest < f->opset : e->versioned;
}

/* Appends the signature to the index if models can use it. False and d. */
static bool add_operator(gen_index *x, index_base *b, index_entry *e, const index_filter *f, bool unfit, diag *d)
{
	const bool fits = !unfit == !(e->op->flags & RS_UNFIT);
	if (!fits || e->use == INDEX_ELEMENTS) {
		x->scope.elements += fits || !unfit;
		return true;
	}
	if (e->use == INDEX_UNSAFE || is_old(f, e)) {
		*(e->use == INDEX_UNSAFE ? &x->scope.unsafe : &x->scope.old) += 1;
		return true;
	}
	if (!index_base_describe(b, e, d))
		return false;
	index_op o = e->o;
	if (!diag_memory(d, take_rows(x, b, f, e, &o)))
		return false;
	if (!o.nrows || !o.nfull) {
		*(o.nrows ? &x->scope.records : f->opset ? &x->scope.old : &x->scope.dtypes) += 1;
		return true;
	}
	o.plain = !values_narrow(o.rows, o.nrows * (o.nin + o.nout + 0u));
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
static bool add_unfit(gen_index *x, index_base *b, const index_filter *f, diag *d)
{
	for (uint32_t i = 0; i < x->table->nops; i++) {
		const rs_op *op = &x->table->ops[i];
		if ((op->flags & RS_UNFIT) && wanted(x, f, op->api) && !has_api(x, op->api)
		    && !add_operator(x, b, index_base_entry(b, i), f, true, d))
			return false;
	}
	return true;
}

/* Adds the signatures for each rank without records. */
static bool add_other_ranks(gen_index *x, index_base *b, index_entry *e, const index_filter *f, diag *d)
{
	if (!diag_memory(d, index_base_rank(b, e)))
		return false;
	for (unsigned i = 0; i < e->nranks; i++)
		if (!add_operator(x, b, &e->ranks[i], f, false, d))
			return false;
	return true;
}

static bool collect_operators(gen_index *x, index_base *b, const index_filter *f, diag *d)
{
	enum { RANKS = INDEX_RANKS_LAST };
	x->ops = arena_alloc(x->arena, sizeof *x->ops * (x->table->nops * (size_t)(f->other_ranks ? 1 + RANKS : 1) + 1));
	if (!diag_memory(d, x->ops))
		return false;
	for (uint32_t i = 0; i < x->table->nops; i++) {
		x->classes |= x->table->ops[i].classes != NULL;
		uint32_t before = x->nops;
		if (!wanted(x, f, x->table->ops[i].api))
			continue;
		index_entry *e = index_base_entry(b, i);
		if (!add_operator(x, b, e, f, false, d) || (f->other_ranks && x->nops > before && !add_other_ranks(x, b, e, f, d)))
			return false;
	}
	return !f->set || add_unfit(x, b, f, d);
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
	const index_limits limits = {f->max_numel, f->rank_max, f->low, f->high, f->four_bits, f->random};
	*x = (gen_index){.arena = arena_new(),
	    .bases = f->bases ? index_bases_share(f->bases) : index_bases_new(),
	    .table = table,
	    .opset = f->opset};
	index_base *b = x->bases ? index_bases_of(x->bases, table, &limits) : NULL;
	if (!diag_memory(d, x->arena && b) || !collect_operators(x, b, f, d))
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
	if (x->arena)
		arena_free(x->arena);
	index_bases_drop(x->bases);
	free(x->pack);
	*x = (gen_index){0};
}
