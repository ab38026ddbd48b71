#include "index_places.h"

#include <stdlib.h>
#include <string.h>

#include "rng.h"

/* ---- APIs */

static unsigned first_rank(const index_op *o)
{
	return o->nin ? o->inputs[0].rank : 0;
}

/* By API, in-degree, rank of the first input; then in the table's order. */
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
	return strcmp(x->op->name, y->op->name); /* the table's order */
}

static bool add_span(index_span *spans, uint32_t *n, bool new, uint32_t first)
{
	if (new)
		spans[(*n)++] = (index_span){first, 0};
	spans[*n - 1].count++;
	return new;
}

/* Ranges after sorting: signatures of a rank, ranks of an in-degree, in-degrees of an API. */
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

/* A hash of the string attributes of a call. Omitted ones count as a value of their own. */
static uint64_t hash_strings(const rs_op *op)
{
	uint64_t h = 1;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_CONST && !v->count && v->text[0] == '\'')
			h = h * 31 + graph_name_hash(v->text);
	}
	return h;
}

static uint32_t count_equal(const uint64_t *list, uint32_t n, uint64_t x)
{
	uint32_t equal = 0;
	for (uint32_t i = 0; i < n; i++)
		equal += list[i] == x;
	return equal;
}

/* Counts different string attributes, and the signatures that have the same ones, relative to the rarest. hashes: of the API's
 * signatures. */
static void find_crowds(const gen_index *x, index_api *a, const uint64_t *hashes)
{
	index_op *ops = x->ops + a->first;
	uint32_t least = a->count;
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t same = count_equal(hashes, a->count, hashes[i]);
		a->strings += count_equal(hashes, i, hashes[i]) == 0;
		least = same < least ? same : least;
	}
	for (uint32_t i = 0; i < a->count; i++) {
		const uint32_t crowd = count_equal(hashes, a->count, hashes[i]) / least;
		ops[i].crowd = (uint8_t)(crowd < UINT8_MAX ? crowd : UINT8_MAX);
	}
}

static bool find_all_crowds(const gen_index *x)
{
	uint64_t *hashes = malloc((x->nops + (size_t)1) * sizeof *hashes);
	for (uint32_t i = 0; hashes && i < x->nops; i++)
		hashes[i] = hash_strings(x->ops[i].op);
	for (uint32_t i = 0; hashes && i < x->napis; i++)
		find_crowds(x, &x->apis[i], hashes + x->apis[i].first);
	free(hashes);
	return hashes;
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
	return find_all_crowds(x) && group_degrees(x);
}

/* ---- places, first with a key each */

/* The kind is in the highest bits: types before records, each in the order of APIs. */
static uint64_t type_key(enum index_kind kind, uint32_t api, unsigned rank)
{
	return (uint64_t)kind << 62 | (uint64_t)api << 8 | rank;
}

static uint64_t key_add(uint64_t key, uint64_t value)
{
	key = (key ^ value) * 0x9e3779b97f4a7c15u;
	return key ^ key >> 29;
}

static uint64_t shape_key(enum index_kind kind, uint32_t api, unsigned rank, const int64_t *shape)
{
	uint64_t state = (uint64_t)rank << 32 | api, key = rng_mix(&state);
	for (unsigned i = 0; i < rank; i++)
		key = key_add(key, (uint64_t)shape[i]);
	return (uint64_t)kind << 62 | key >> 2;
}

typedef struct keyed {
	uint64_t key;
	index_place place;
} keyed;

typedef struct places {
	keyed *list; /* NULL: only count */
	uint32_t n;
} places;

static void add_place(places *p, uint64_t key, uint32_t op, unsigned slot, unsigned what)
{
	if (p->list)
		p->list[p->n] = (keyed){key, {op, (uint16_t)slot, (uint16_t)what}};
	p->n++;
}

static void add_types(places *p, const index_op *o, uint32_t op)
{
	for (unsigned k = 0; k < o->nin; k++)
		if (!o->inputs[k].ranged)
			add_place(p, type_key(INDEX_INPUT, o->api, o->inputs[k].rank), op, k, 0);
	for (unsigned k = 0; k < o->nout; k++)
		add_place(p, type_key(INDEX_OUTPUT, o->api, o->out_ranks[k]), op, k, 0);
}

static void add_shapes(places *p, const index_op *o, uint32_t op)
{
	for (unsigned r = 0; r < o->nfull; r++) {
		for (unsigned k = 0; k < o->nin; k++)
			add_place(p,
			    shape_key(INDEX_RECORD_INPUT, o->api, o->inputs[k].rank,
				index_record(o, r) + o->inputs[k].first),
			    op, k, r);
		const int64_t *out = index_record(o, r) + o->nsym;
		for (unsigned k = 0; k < o->nout; out += o->out_ranks[k], k++)
			add_place(p, shape_key(INDEX_RECORD_OUTPUT, o->api, o->out_ranks[k], out),
			    op, k, r);
	}
}

/* Signatures with a rule are found by type; only the others need the shapes of their records. */
static void add_places(const gen_index *x, places *p)
{
	p->n = 0;
	for (uint32_t i = 0; i < x->nops; i++)
		(x->ops[i].symbolic ? add_types : add_shapes)(p, &x->ops[i], i);
}

static int by_key(const void *a, const void *b)
{
	const keyed *p = a, *q = b;
	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	if (p->place.op != q->place.op)
		return p->place.op < q->place.op ? -1 : 1;
	if (p->place.what != q->place.what)
		return p->place.what < q->place.what ? -1 : 1;
	return (p->place.slot > q->place.slot) - (p->place.slot < q->place.slot);
}

/* ---- then in runs: of a type beside its API, of a shape in a hash table */

static uint32_t run_length(const places *p, uint32_t i)
{
	uint32_t n = 1;
	while (i + n < p->n && p->list[i + n].key == p->list[i].key)
		n++;
	return n;
}

static void add_type_run(gen_index *x, uint64_t key, index_span run)
{
	bool input = key >> 62 == INDEX_INPUT;
	index_api *a = &x->apis[key >> 8 & 0xffffffff];
	index_type *t = &(input ? a->takes : a->returns)[key & 0xff];
	t->first = run.first;
	uint32_t *begin = input ? &a->inputs : &a->outputs;
	if (!*begin)
		*begin = run.first;
	t->count = (uint16_t)(run.count < UINT16_MAX ? run.count : UINT16_MAX);
	for (uint32_t i = run.first; i < run.first + run.count; i++) {
		const index_op *o = &x->ops[x->places[i].op];
		unsigned place = x->places[i].slot + (input ? 0u : o->nin);
		for (unsigned r = 0; r < o->nrows; r++)
			t->dtypes |= 1u << index_row(o, r)[place];
	}
}

static void add_shape_run(gen_index *x, uint64_t key, index_span run)
{
	uint32_t at = (uint32_t)key & x->mask;
	while (x->runs[at].span.count)
		at = (at + 1) & x->mask;
	x->runs[at] = (index_run){key, run};
	const index_place *p = &x->places[run.first];
	const index_op *o = &x->ops[p->op];
	bool input = key >> 62 == INDEX_RECORD_INPUT;
	unsigned rank = input ? o->inputs[p->slot].rank : o->out_ranks[p->slot];
	index_api *a = &x->apis[o->api];
	*(input ? &a->record_inputs : &a->record_outputs) |= (uint16_t)(1u << rank);
}

static bool is_type(uint64_t key)
{
	return key >> 62 == INDEX_INPUT || key >> 62 == INDEX_OUTPUT;
}

static bool make_runs(gen_index *x, const places *p)
{
	uint32_t room = 16, shapes = 0;
	for (uint32_t i = 0; i < p->n; i += run_length(p, i))
		shapes += !is_type(p->list[i].key);
	while (room < shapes * 2)
		room *= 2;
	x->mask = room - 1;
	x->runs = ARENA_ARRAY(x->arena, index_run, room);
	x->places = ARENA_ARRAY(x->arena, index_place, p->n + (size_t)1);
	x->nplaces = p->n;
	if (!x->runs || !x->places)
		return false;
	for (uint32_t i = 0; i < p->n; i++)
		x->places[i] = p->list[i].place;
	for (uint32_t i = 0; i < p->n;) {
		index_span run = {i, run_length(p, i)};
		(is_type(p->list[i].key) ? add_type_run : add_shape_run)(x, p->list[i].key, run);
		i += run.count;
	}
	return true;
}

bool index_find_places(gen_index *x)
{
	places p = {0};
	if (!group_apis(x))
		return false;
	add_places(x, &p);
	p.list = malloc((p.n + (size_t)1) * sizeof *p.list);
	if (!p.list)
		return false;
	add_places(x, &p);
	qsort(p.list, p.n, sizeof *p.list, by_key);
	bool ok = make_runs(x, &p);
	free(p.list);
	return ok;
}

/* ---- look-ups */

const index_place *gen_index_shape(const gen_index *x, enum index_kind kind, uint32_t api,
    unsigned rank, const int64_t *shape, uint32_t *count)
{
	*count = 0;
	if (!gen_index_has_rank(x, kind, api, rank))
		return NULL;
	uint64_t key = shape_key(kind, api, rank, shape);
	for (uint32_t i = (uint32_t)key & x->mask; x->runs[i].span.count; i = (i + 1) & x->mask)
		if (x->runs[i].key == key) {
			*count = x->runs[i].span.count;
			return x->places + x->runs[i].span.first;
		}
	return NULL;
}
