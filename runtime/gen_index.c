#include "gen_index.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "opset.h"
#include "write.h"

#define CHEAP 4096 /* elements of all tensors of a call that is inserted where all else failed */

int64_t bounded_numel(unsigned rank, const int64_t *shape, int64_t limit)
{
	int64_t n = 1;
	bool zero = false;
	for (unsigned i = 0; i < rank; i++) {
		if (shape[i] < 0 || shape[i] > limit)
			return limit + 1;
		zero |= shape[i] == 0;
		if (n <= limit)
			n *= shape[i] ? shape[i] : 1;
	}
	return zero ? 0 : n > limit ? limit + 1 : n;
}

/* ---- keys */

static uint64_t key_begin(enum index_kind kind, uint32_t api, unsigned rank)
{
	uint64_t state = (uint64_t)kind << 60 | (uint64_t)rank << 32 | api;
	return rng_mix(&state);
}

static uint64_t key_add(uint64_t key, uint64_t value)
{
	key = (key ^ value) * 0x9e3779b97f4a7c15u;
	return key ^ key >> 29;
}

static uint64_t type_key(enum index_kind kind, uint32_t api, unsigned rank, unsigned dtype)
{
	return key_add(key_begin(kind, api, rank), dtype);
}

static uint64_t shape_key(enum index_kind kind, uint32_t api, unsigned rank, const int64_t *shape)
{
	uint64_t key = key_begin(kind, api, rank);
	for (unsigned i = 0; i < rank; i++)
		key = key_add(key, (uint64_t)shape[i]);
	return key;
}

static const index_place *find(const gen_index *x, uint64_t key, uint32_t *count)
{
	for (uint32_t i = (uint32_t)key & x->mask; x->runs[i].count; i = (i + 1) & x->mask)
		if (x->runs[i].key == key) {
			*count = x->runs[i].count;
			return x->places + x->runs[i].first;
		}
	*count = 0;
	return NULL;
}

const index_place *gen_index_type(const gen_index *x, enum index_kind kind, uint32_t api,
    unsigned rank, unsigned dtype, uint32_t *count)
{
	const index_api *a = &x->apis[api];
	*count = 0;
	if (!((kind == INDEX_INPUT ? a->takes : a->returns)[rank] >> dtype & 1))
		return NULL;
	return find(x, type_key(kind, api, rank, dtype), count);
}

const index_place *gen_index_shape(const gen_index *x, enum index_kind kind, uint32_t api,
    unsigned rank, const int64_t *shape, uint32_t *count)
{
	return find(x, shape_key(kind, api, rank, shape), count);
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

static bool find_rows(gen_index *x, index_op *o)
{
	unsigned n = o->op->ndtypes ? o->op->ndtypes : 1, width = o->nin + o->nout;
	uint8_t *rows = arena_alloc(x->arena, (size_t)n * width);
	if (!rows)
		return false;
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *row =
		    o->op->ndtypes ? o->op->dtypes + (size_t)i * width : default_row(x, o->op);
		if (!row)
			return false;
		if (row_usable(row, width))
			memcpy(rows + (size_t)o->nrows++ * width, row, width);
	}
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
	int64_t *records = ARENA_ARRAY(a, int64_t, (size_t)o->op->nrecords * o->width + 1);
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

static bool find_ties(arena *a, index_op *o)
{
	unsigned w = o->width;
	if (w > 96)
		return true;
	uint8_t *ties = arena_zalloc(a, (size_t)w * w + 1);
	if (!ties)
		return false;
	for (unsigned r = 0; r < o->nrecords && r < 255; r++)
		for (unsigned i = 0; i < w; i++)
			for (unsigned j = 0; j < w; j++)
				ties[i * w + j] += index_record(o, r)[i] == index_record(o, r)[j];
	o->ties = ties;
	return true;
}

static bool find_groups(arena *a, index_op *o)
{
	unsigned w = o->width;
	uint8_t *groups = arena_alloc(a, w + 1u);
	bool *dimension = arena_zalloc(a, w + 1u);
	if (!groups || !dimension)
		return false;
	for (unsigned i = 0; i < w; i++) {
		unsigned j = 0, r = 0;
		for (; j < i; j++) {
			for (r = 0; r < o->nrecords; r++)
				if (index_record(o, r)[i] != index_record(o, r)[j])
					break;
			if (r == o->nrecords)
				break;
		}
		groups[i] = (uint8_t)j;
	}
	for (unsigned i = 0; i < o->nin; i++)
		for (unsigned d = 0; d < o->inputs[i].rank; d++)
			dimension[groups[o->inputs[i].first + d]] = true;
	for (unsigned i = 0; i < o->nsym; i++)
		dimension[i] |= dimension[groups[i]];
	o->groups = groups;
	o->dimension = dimension;
	return true;
}

static bool find_bounds(arena *a, index_op *o)
{
	int64_t *low = ARENA_ARRAY(a, int64_t, o->nsym * 2u + 1), *high = low ? low + o->nsym : NULL;
	if (!low)
		return false;
	for (unsigned i = 0; i < o->nsym; i++)
		for (unsigned r = 0; r < o->nfull; r++) {
			int64_t x = index_record(o, r)[i];
			low[i] = !r || x < low[i] ? x : low[i];
			high[i] = !r || x > high[i] ? x : high[i];
		}
	o->low = low;
	o->high = high;
	return true;
}

static void count_constants(index_op *o)
{
	bool vary = false;
	unsigned n = 0;
	for (unsigned i = 0; i < o->op->nvalues; i++)
		if (o->op->values[i].kind == RS_CONST) {
			n++;
			vary |= o->op->values[i].count > 0;
		}
	o->nconsts = (uint16_t)(vary ? n : 0);
}

bool index_describe(arena *a, const rs_op *op, int64_t max_numel, index_op *o)
{
	*o = (index_op){.op = op,
	    .valid = op->valid,
	    .propagate = op->propagate,
	    .nsym = op->nsym,
	    .nin = op->nin,
	    .nout = op->nout,
	    .width = (uint16_t)(op->nsym + op->nodim)};
	index_input *inputs = ARENA_ARRAY(a, index_input, op->nin + 1);
	uint8_t *ranks = inputs ? arena_alloc(a, op->nout + 1u) : NULL;
	if (!ranks)
		return false;
	find_inputs(op, inputs);
	memcpy(ranks, op->out_ranks, op->nout);
	o->inputs = inputs;
	o->out_ranks = ranks;
	for (unsigned i = 0; i < op->nin; i++)
		o->ranged |= inputs[i].ranged;
	return find_records(a, o, max_numel) && find_ties(a, o) && find_bounds(a, o)
	       && (o->width > INDEX_WIDTH_MAX || find_groups(a, o));
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
static bool add_operator(gen_index *x, const rs_op *op, const index_filter *f)
{
	index_op o;
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
	if (!index_describe(x->arena, op, f->max_numel, &o) || !find_rows(x, &o))
		return false;
	if (!o.nrows || !o.nfull) {
		*(o.nrows ? &x->scope.records : &x->scope.dtypes) += 1;
		return true;
	}
	count_constants(&o);
	o.classes = op->classes;
	o.delicate = (op->flags & RS_DELICATE) != 0;
	o.symbolic = op->valid && op->propagate && !(op->flags & RS_THIN);
	x->scope.symbolic += o.symbolic;
	x->ops[x->nops++] = o;
	if (op->nvalues > x->max_values)
		x->max_values = op->nvalues;
	if (o.width > x->max_width)
		x->max_width = o.width;
	return true;
}

/* ---- APIs and places */

static unsigned first_rank(const index_op *o)
{
	return o->nin ? o->inputs[0].rank : 0;
}

/* By API, in-degree, rank of the first input; then as in the table. */
static int by_api(const void *a, const void *b)
{
	const index_op *x = a, *y = b;
	int c = strcmp(x->op->api, y->op->api);
	if (c)
		return c;
	if (x->nin != y->nin)
		return x->nin < y->nin ? -1 : 1;
	if (first_rank(x) != first_rank(y))
		return first_rank(x) < first_rank(y) ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static bool add_span(index_span *spans, uint32_t *n, bool new, uint32_t first)
{
	if (new)
		spans[(*n)++] = (index_span){first, 0};
	spans[*n - 1].count++;
	return new;
}

/* What stands together after sorting: operators of a rank, ranks of a degree, degrees of an API. */
static bool group_degrees(gen_index *x)
{
	x->degrees = ARENA_ARRAY(x->arena, index_span, x->nops);
	x->ranks = ARENA_ARRAY(x->arena, index_span, x->nops);
	if (!x->degrees || !x->ranks)
		return false;
	for (uint32_t i = 0; i < x->nops; i++) {
		const index_op *o = &x->ops[i], *p = o - 1;
		index_api *a = &x->apis[o->api];
		bool api = i == a->first, degree = api || o->nin != p->nin,
		     rank = degree || first_rank(o) != first_rank(p);
		if (api)
			a->degrees.first = x->ndegrees;
		a->degrees.count += degree;
		if (add_span(x->ranks, &x->nranks, rank, i))
			add_span(x->degrees, &x->ndegrees, degree, x->nranks - 1);
	}
	return true;
}

static bool group_apis(gen_index *x)
{
	qsort(x->ops, x->nops, sizeof *x->ops, by_api);
	x->apis = ARENA_ARRAY(x->arena, index_api, x->nops);
	x->cheap = ARENA_ARRAY(x->arena, uint32_t, x->nops);
	if (!x->apis || !x->cheap)
		return false;
	for (uint32_t i = 0; i < x->nops; i++) {
		if (!i || strcmp(x->ops[i].op->api, x->ops[i - 1].op->api) != 0)
			x->apis[x->napis++].first = i;
		x->apis[x->napis - 1].count++;
		x->ops[i].api = x->napis - 1;
		if (x->ops[i].cheap)
			x->cheap[x->ncheap++] = i;
	}
	return group_degrees(x);
}

static void add_place(gen_index *x, uint64_t key, uint32_t op, unsigned slot, unsigned what)
{
	if (x->places)
		x->places[x->nplaces] = (index_place){key, op, (uint16_t)slot, (uint16_t)what};
	x->nplaces++;
}

static void mark_types(gen_index *x, const index_op *o)
{
	index_api *a = &x->apis[o->api];
	for (unsigned r = 0; r < o->nrows; r++) {
		for (unsigned k = 0; k < o->nin; k++)
			if (!o->inputs[k].ranged)
				a->takes[o->inputs[k].rank] |= 1u << index_row(o, r)[k];
		for (unsigned k = 0; k < o->nout; k++)
			a->returns[o->out_ranks[k]] |= 1u << index_row(o, r)[o->nin + k];
	}
}

static void add_types(gen_index *x, uint32_t i)
{
	const index_op *o = &x->ops[i];
	unsigned nin = o->nin;
	for (unsigned r = 0; r < o->nrows; r++) {
		for (unsigned k = 0; k < nin; k++)
			if (!o->inputs[k].ranged)
				add_place(x,
				    type_key(INDEX_INPUT, o->api, o->inputs[k].rank,
					index_row(o, r)[k]),
				    i, k, r);
		for (unsigned k = 0; k < o->nout; k++)
			add_place(x,
			    type_key(
				INDEX_OUTPUT, o->api, o->out_ranks[k], index_row(o, r)[nin + k]),
			    i, k, r);
	}
}

static void add_shapes(gen_index *x, uint32_t i)
{
	const index_op *o = &x->ops[i];
	for (unsigned r = 0; r < o->nfull; r++) {
		for (unsigned k = 0; k < o->nin; k++)
			add_place(x,
			    shape_key(INDEX_RECORD_INPUT, o->api, o->inputs[k].rank,
				index_record(o, r) + o->inputs[k].first),
			    i, k, r);
		const int64_t *out = index_record(o, r) + o->nsym;
		for (unsigned k = 0; k < o->nout; out += o->out_ranks[k], k++)
			add_place(x, shape_key(INDEX_RECORD_OUTPUT, o->api, o->out_ranks[k], out),
			    i, k, r);
	}
}

static void add_places(gen_index *x)
{
	x->nplaces = 0;
	for (uint32_t i = 0; i < x->nops; i++) {
		if (x->ops[i].symbolic) {
			mark_types(x, &x->ops[i]);
			add_types(x, i);
		}
		add_shapes(x, i);
	}
}

static int by_key(const void *a, const void *b)
{
	const index_place *p = a, *q = b;
	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	if (p->op != q->op)
		return p->op < q->op ? -1 : 1;
	if (p->what != q->what)
		return p->what < q->what ? -1 : 1;
	return (p->slot > q->slot) - (p->slot < q->slot);
}

static bool collect_places(gen_index *x)
{
	add_places(x); /* counts */
	x->places = malloc((x->nplaces + (size_t)1) * sizeof *x->places);
	if (!x->places)
		return false;
	add_places(x);
	qsort(x->places, x->nplaces, sizeof *x->places, by_key);
	return true;
}

/* The length of the run of places with one key that starts at i. */
static uint32_t run_length(const gen_index *x, uint32_t i)
{
	uint32_t n = 1;
	while (i + n < x->nplaces && x->places[i + n].key == x->places[i].key)
		n++;
	return n;
}

static bool hash_places(gen_index *x)
{
	uint32_t room = 16, runs = 0;
	for (uint32_t i = 0; i < x->nplaces; i += run_length(x, i))
		runs++;
	while (room < runs * 2)
		room *= 2;
	x->mask = room - 1;
	x->runs = calloc(room, sizeof *x->runs);
	if (!x->runs)
		return false;
	for (uint32_t i = 0, n; i < x->nplaces; i += n) {
		n = run_length(x, i);
		uint32_t at = (uint32_t)x->places[i].key & x->mask;
		while (x->runs[at].count)
			at = (at + 1) & x->mask;
		x->runs[at] = (index_run){x->places[i].key, i, n};
	}
	return true;
}

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

static bool collect_operators(gen_index *x, const index_filter *f)
{
	x->ops = ARENA_ARRAY(x->arena, index_op, x->table->nops + (size_t)1);
	if (!x->ops)
		return false;
	for (uint32_t i = 0; i < x->table->nops; i++) {
		const rs_op *op = &x->table->ops[i];
		x->classes |= op->classes != NULL;
		if (wanted(x, f, op->api) && !add_operator(x, op, f))
			return false;
	}
	return true;
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
	if (!x->arena || !collect_operators(x, f) || !group_apis(x)
	    || !collect_places(x) || !hash_places(x))
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
	free(x->places);
	free(x->runs);
	*x = (gen_index){0};
}
