#include "metrics.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "room.h"

#define NONE UINT32_MAX

/* ---- a set of 64-bit keys: open addressing, 0 is an empty slot */

typedef struct set {
	uint64_t *keys;
	uint64_t mask, used;
} set;

static bool set_init(set *s, uint64_t room)
{
	*s = (set){.keys = calloc(room, sizeof *s->keys), .mask = room - 1};
	return s->keys != NULL;
}

static uint64_t set_slot(const set *s, uint64_t key)
{
	uint64_t i = key & s->mask;
	while (s->keys[i] && s->keys[i] != key)
		i = (i + 1) & s->mask;
	return i;
}

static bool set_grow(set *s)
{
	set new;
	if (!set_init(&new, (s->mask + 1) * 2))
		return false;
	for (uint64_t i = 0; i <= s->mask; i++)
		if (s->keys[i])
			new.keys[set_slot(&new, s->keys[i])] = s->keys[i];
	new.used = s->used;
	free(s->keys);
	*s = new;
	return true;
}

static bool set_has(const set *s, uint64_t key)
{
	return s->keys[set_slot(s, key)] != 0;
}

/* *added: whether the key is new. False: out of memory. */
static bool set_add(set *s, uint64_t key, bool *added)
{
	uint64_t i = set_slot(s, key);
	*added = s->keys[i] == 0;
	if (!*added)
		return true;
	s->keys[i] = key;
	return ++s->used <= s->mask / 2 || set_grow(s);
}

static void set_clear(set *s)
{
	memset(s->keys, 0, (s->mask + 1) * sizeof *s->keys);
	s->used = 0;
}

/* ---- keys */

enum tag { IN_POSSIBLE, OUT_POSSIBLE, IN_SEEN, OUT_SEEN, PAIR, TRIPLE, VECTOR, TYPED_VECTOR, TYPE };

static uint64_t mix(uint64_t h, uint64_t value)
{
	h = (h ^ value) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static uint64_t key_of(enum tag tag, uint64_t a, uint64_t b)
{
	uint64_t h = mix(mix(mix(0x2545f4914f6cdd1du, tag), a), b);
	h = mix(h, h >> 29);
	return h ? h : 1;
}

static uint64_t key_of_three(enum tag tag, uint32_t a, uint32_t b, uint32_t c)
{
	return key_of(tag, (uint64_t)a << 32 | b, c);
}

/* ---- the object */

typedef struct row { /* a type, and the key that finds it */
	uint64_t hash;
	uint32_t number; /* NONE: empty */
} row;

struct metrics {
	metrics_options options;
	arena *arena; /* names */
	metrics_type *types;
	row *rows; /* hash table by name; the size is a power of two */
	uint32_t ntypes, mask, ncorpus;
	size_t ctypes;
	bool closed;
	set seen;    /* over all models */
	set of_model; /* keys contain the model's number; cleared only when it is full of old ones */
	uint32_t *node_types;
	uint32_t cnodes;
	metrics_sums sums;
	metrics_point points[METRICS_POINTS];
	uint32_t npoints;
	uint64_t next_point; /* number of models at which the next point is due */
};

static bool alloc_rows(metrics *m, uint32_t room)
{
	row *rows = malloc(room * sizeof *rows);
	if (!rows)
		return false;
	for (uint32_t i = 0; i < room; i++)
		rows[i] = (row){.number = NONE};
	for (uint32_t i = 0; m->rows && i <= m->mask; i++) { /* the slot of an empty array stays empty */
		uint32_t to = (uint32_t)m->rows[i].hash & (room - 1);
		while (rows[to].number != NONE)
			to = (to + 1) & (room - 1);
		rows[to] = m->rows[i];
	}
	free(m->rows);
	m->rows = rows;
	m->mask = room - 1;
	return true;
}

metrics *metrics_new(const metrics_options *options)
{
	metrics *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->options = options ? *options : (metrics_options){0};
	if (!m->options.maxspc)
		m->options.maxspc = 200;
	uint64_t weights = 0;
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		weights += m->options.weights[i];
	for (unsigned i = 0; !weights && i < METRICS_OLC_PARTS; i++)
		m->options.weights[i] = 1;
	if (!m->options.out_low && !m->options.out_high)
		m->options.out_high = 5;
	m->arena = arena_new();
	if (m->arena && alloc_rows(m, 256) && set_init(&m->seen, 1 << 12)
	    && set_init(&m->of_model, 1 << 10))
		return m;
	metrics_free(m);
	return NULL;
}

void metrics_free(metrics *m)
{
	if (!m)
		return;
	arena_free(m->arena);
	free(m->types);
	free(m->rows);
	free(m->seen.keys);
	free(m->of_model.keys);
	free(m->node_types);
	free(m);
}

/* ---- types */

static uint32_t add_type(metrics *m, const char *api, bool corpus)
{
	metrics_type *types = room_for_one(m->types, m->ntypes, &m->ctypes, sizeof *types);
	if (!types)
		return NONE;
	m->types = types;
	const char *name = arena_strdup(m->arena, api);
	if (!name)
		return NONE;
	m->types[m->ntypes] = (metrics_type){.api = name,
	    .corpus = corpus,
	    .out_possible = m->options.out_high - m->options.out_low + 1};
	m->ncorpus += corpus;
	return m->ntypes++;
}

static row *find_row(const metrics *m, uint64_t hash, const char *api)
{
	uint32_t i = (uint32_t)hash & m->mask;
	while (m->rows[i].number != NONE
	       && (m->rows[i].hash != hash
		   || strcmp(m->types[m->rows[i].number].api, api) != 0))
		i = (i + 1) & m->mask;
	return &m->rows[i];
}

/* The number of an API's type, which is made if necessary; NONE: out of memory. */
static uint32_t type_of(metrics *m, const char *api, bool corpus)
{
	uint64_t hash = XXH3_64bits(api, strlen(api));
	row *r = find_row(m, hash, api);
	if (r->number != NONE)
		return r->number;
	uint32_t number = add_type(m, api, corpus);
	if (number == NONE)
		return NONE;
	*r = (row){hash, number};
	if (m->ntypes > m->mask / 2 && !alloc_rows(m, (m->mask + 1) * 2))
		return NONE;
	return number;
}

bool metrics_corpus(metrics *m, const char *api)
{
	m->closed = true;
	return type_of(m, api, true) != NONE;
}

/* Adds a possible degree of a type. */
static bool add_possible(metrics *m, enum tag tag, uint32_t type, uint32_t degree, uint32_t *count)
{
	bool added;
	if (!set_add(&m->seen, key_of(tag, type, degree), &added))
		return false;
	*count += added;
	return true;
}

bool metrics_corpus_in(metrics *m, const char *api, uint32_t degree)
{
	m->closed = true;
	uint32_t type = type_of(m, api, true);
	return type != NONE
	       && add_possible(m, IN_POSSIBLE, type, degree, &m->types[type].in_possible);
}

/* A degree that no node can have marks types with their own out-degrees. */
bool metrics_corpus_out(metrics *m, const char *api, uint32_t degree)
{
	bool first;
	m->closed = true;
	uint32_t type = type_of(m, api, true);
	if (type == NONE || !set_add(&m->seen, key_of(OUT_POSSIBLE, type, UINT64_MAX), &first))
		return false;
	if (first)
		m->types[type].out_possible = 0;
	return add_possible(m, OUT_POSSIBLE, type, degree, &m->types[type].out_possible);
}

static bool out_possible(const metrics *m, uint32_t type, uint64_t degree)
{
	if (set_has(&m->seen, key_of(OUT_POSSIBLE, type, UINT64_MAX)))
		return set_has(&m->seen, key_of(OUT_POSSIBLE, type, degree));
	return degree >= m->options.out_low && degree <= m->options.out_high;
}

/* ---- one model */

static bool count_once(set *s, uint64_t key, uint32_t *count)
{
	bool added;
	if (!set_add(s, key, &added))
		return false;
	*count += added;
	return true;
}

/* Distinct within the current model. */
static bool count_in_model(metrics *m, uint64_t key, uint64_t *count)
{
	bool added;
	uint64_t salted = mix(key, m->sums.models);
	if (!set_add(&m->of_model, salted ? salted : 1, &added))
		return false;
	*count += added;
	return true;
}

static bool begin_model(metrics *m, const graph *g)
{
	if (m->of_model.used > m->of_model.mask / 4)
		set_clear(&m->of_model);
	if (g->nnodes > m->cnodes) {
		uint64_t room = m->cnodes ? m->cnodes : 64;
		while (room < g->nnodes)
			room *= 2;
		uint32_t *p = realloc(m->node_types, room * sizeof *p);
		if (!p)
			return false;
		m->node_types = p;
		m->cnodes = (uint32_t)room;
	}
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		m->node_types[i] = type_of(m, g->nodes[i].op->api, !m->closed);
		if (m->node_types[i] == NONE)
			return false;
	}
	return true;
}

/* Hash of input shapes and attributes by name, without the API: [2,3], 'axis' 1. The range of an index tensor's elements is
 * no attribute. */
static uint64_t hash_vector(const graph_node *n)
{
	const rs_op *op = n->op;
	uint64_t h = 0x9ddfea08eb382d69u;
	unsigned arg = 0, constant = 0;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		for (; arg < op->nargs && op->args[arg].value == i; arg++)
			h = mix(h, XXH3_64bits(op->args[arg].name, strlen(op->args[arg].name)));
		h = mix(h, v->kind == RS_RANGED ? RS_TENSOR : v->kind);
		if (v->kind == RS_CONST) {
			const char *text = n->consts ? n->consts[constant] : v->text;
			constant++;
			h = mix(h, XXH3_64bits(text, strlen(text)));
		} else if (v->kind == RS_INT) {
			h = mix(h, (uint64_t)n->symbols[v->first]);
		} else {
			h = mix(h, v->count);
		}
		for (unsigned k = 0; rs_is_tensor(v->kind) && k < v->count; k++)
			h = mix(h, (uint64_t)n->symbols[v->first + k]);
	}
	return h;
}

static uint64_t out_degree(const graph *g, const graph_node *n)
{
	uint64_t uses = 0;
	for (unsigned i = 0; i < n->op->nout; i++)
		uses += g->tensors[n->outputs + i].nuses;
	return uses;
}

static bool count_degrees(metrics *m, const graph *g, const graph_node *n, uint32_t type)
{
	metrics_type *t = &m->types[type];
	uint64_t in = n->op->nin, out = out_degree(g, n);
	bool added;
	if (!set_add(&m->seen, key_of(IN_SEEN, type, in), &added))
		return false;
	t->in_all += added;
	t->in_seen += added && set_has(&m->seen, key_of(IN_POSSIBLE, type, in));
	if (!set_add(&m->seen, key_of(OUT_SEEN, type, out), &added))
		return false;
	t->out_all += added;
	t->out_seen += added && out_possible(m, type, out);
	return true;
}

static bool count_vectors(metrics *m, const graph_node *n, uint32_t type)
{
	uint64_t h = hash_vector(n);
	return count_once(&m->seen, key_of(VECTOR, type, h), &m->types[type].vectors)
	       && count_in_model(m, key_of(VECTOR, 0, h), &m->sums.vectors)
	       && count_in_model(m, key_of(TYPED_VECTOR, type, h), &m->sums.typed_vectors);
}

/* The path a → b → c by types. */
static bool count_path(metrics *m, uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t key = key_of_three(TRIPLE, a, b, c);
	bool corpus = m->types[a].corpus && m->types[b].corpus && m->types[c].corpus;
	m->sums.paths++;
	return count_in_model(m, key, &m->sums.triples)
	       && (!corpus || count_once(&m->seen, key, &m->types[a].doubles));
}

/* The edge from one node to another, and all paths of two edges that end with it. */
static bool count_edge(metrics *m, const graph *g, uint32_t from, uint32_t to)
{
	uint32_t b = m->node_types[from], c = m->node_types[to];
	uint64_t key = key_of(PAIR, b, c);
	const graph_node *n = &g->nodes[from];
	m->sums.edges++;
	if (!count_in_model(m, key, &m->sums.pairs))
		return false;
	if (m->types[b].corpus && m->types[c].corpus
	    && !count_once(&m->seen, key, &m->types[b].successors))
		return false;
	for (unsigned i = 0; i < n->op->nin; i++) {
		uint32_t before = g->tensors[graph_node_input(g, n, i)].producer;
		if (before != GRAPH_NONE && !count_path(m, m->node_types[before], b, c))
			return false;
	}
	return true;
}

/* Dtypes, ranks and sizes of a node's tensors, for the node and for its type. */
typedef struct kinds {
	uint32_t dtypes, ranks;
	bool zero, one;
} kinds;

static void add_kind(kinds *k, const graph_tensor *t)
{
	k->dtypes |= 1u << t->dtype;
	k->ranks |= 1u << (t->rank < METRICS_RANKS ? t->rank : METRICS_RANKS - 1);
	for (unsigned i = 0; i < t->rank; i++) {
		k->zero |= t->shape[i] == 0;
		k->one |= t->shape[i] == 1;
	}
}

static void count_share(metrics_share *share, bool node, bool yes)
{
	*(node ? &share->nodes : &share->tensors) += yes;
}

static void count_kinds(metrics *m, const kinds *k, bool node)
{
	metrics_sums *s = &m->sums;
	for (unsigned i = 0; i < RS_DTYPE_COUNT; i++)
		count_share(&s->dtypes[i], node, k->dtypes >> i & 1);
	for (unsigned i = 0; i < METRICS_RANKS; i++)
		count_share(&s->ranks[i], node, k->ranks >> i & 1);
	count_share(&s->zero, node, k->zero);
	count_share(&s->one, node, k->one);
}

static void count_node_kinds(metrics *m, const graph *g, const graph_node *n, metrics_type *t)
{
	kinds k = {0};
	for (unsigned i = 0; i < n->op->nin; i++)
		add_kind(&k, &g->tensors[graph_node_input(g, n, i)]);
	for (unsigned i = 0; i < n->op->nout; i++)
		add_kind(&k, &g->tensors[n->outputs + i]);
	count_kinds(m, &k, true);
	t->dtypes |= k.dtypes;
	t->ranks |= k.ranks;
	t->zero |= k.zero;
	t->one |= k.one;
}

static void count_tensors(metrics *m, const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++) {
		kinds k = {0};
		if (!g->tensors[i].live)
			continue;
		add_kind(&k, &g->tensors[i]);
		count_kinds(m, &k, false);
		m->sums.tensors++;
		m->sums.inputs += g->tensors[i].producer == GRAPH_NONE;
	}
}

static bool count_node(metrics *m, const graph *g, uint32_t node)
{
	const graph_node *n = &g->nodes[node];
	uint32_t type = m->node_types[node];
	metrics_type *t = &m->types[type];
	m->sums.nodes++;
	m->sums.outside += !t->corpus;
	t->nodes++;
	m->sums.samplers[n->op->sampler < METRICS_SAMPLERS ? n->op->sampler : RS_SAMPLER_RECORD]++;
	count_node_kinds(m, g, n, t);
	if (!count_in_model(m, key_of(TYPE, type, 0), &m->sums.types)
	    || !count_degrees(m, g, n, type) || !count_vectors(m, n, type))
		return false;
	for (unsigned i = 0; i < n->op->nin; i++) {
		uint32_t from = g->tensors[graph_node_input(g, n, i)].producer;
		if (from != GRAPH_NONE && !count_edge(m, g, from, node))
			return false;
	}
	return true;
}

static metrics_point point_now(const metrics *m)
{
	return (metrics_point){.models = m->sums.models,
	    .isra = metrics_get_isra(m),
	    .olc = metrics_get_coverage(m).olc};
}

/* Distances grow, since coverage grows ever slower: 122 points reach 10^9 models. */
static void keep_point(metrics *m)
{
	if (m->sums.models < m->next_point || m->npoints == METRICS_POINTS - 1)
		return;
	m->points[m->npoints++] = point_now(m);
	m->next_point = m->sums.models + (m->sums.models < 12 ? 1 : m->sums.models / 6);
}

bool metrics_add(metrics *m, const graph *g)
{
	if (!begin_model(m, g))
		return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (!count_node(m, g, i))
			return false;
	count_tensors(m, g);
	m->sums.models++;
	keep_point(m);
	return true;
}

/* ---- ask */

const metrics_type *metrics_types(const metrics *m, uint32_t *n)
{
	*n = m->ntypes;
	return m->types;
}

const metrics_options *metrics_get_options(const metrics *m)
{
	return &m->options;
}

uint32_t metrics_corpus_size(const metrics *m)
{
	return m->ncorpus;
}

const metrics_sums *metrics_get_sums(const metrics *m)
{
	return &m->sums;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* A type without specified in-degrees has in-degree coverage 1 as soon as it occurs. */
static double in_coverage(const metrics_type *t)
{
	return t->in_possible ? ratio(t->in_seen, t->in_possible) : t->in_all > 0;
}

metrics_isra metrics_get_isra(const metrics *m)
{
	metrics_isra r = {0};
	const metrics_sums *s = &m->sums;
	double n = m->ncorpus, models = (double)s->models;
	for (uint32_t i = 0; i < m->ntypes; i++) {
		const metrics_type *t = &m->types[i];
		if (!t->corpus)
			continue;
		r.otc += t->nodes > 0;
		r.idc += in_coverage(t);
		r.odc += t->out_all;
		r.sec += t->successors;
		r.dec += t->doubles;
		r.spc += t->vectors;
	}
	r.otc = 100 * ratio(r.otc, n);
	r.idc = 100 * ratio(r.idc, n);
	r.odc = ratio(r.odc, n);
	r.sec = 100 * ratio(r.sec, n * n);
	r.dec = 100 * ratio(r.dec, n * n * n);
	r.spc = ratio(r.spc, n);
	r.noo = ratio((double)s->nodes, models);
	r.types = ratio((double)s->types, models);
	r.nop = ratio((double)s->pairs, models);
	r.ntr = ratio((double)s->triples, models);
	r.nsa = ratio((double)s->vectors, models);
	return r;
}

static double weighted(const metrics *m, const double *part)
{
	double sum = 0, weights = 0;
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++) {
		sum += m->options.weights[i] * part[i];
		weights += m->options.weights[i];
	}
	return ratio(sum, weights);
}

metrics_coverage metrics_type_coverage(const metrics *m, const metrics_type *t)
{
	double spc = ratio(t->vectors, m->options.maxspc);
	metrics_coverage c = {.part = {[METRICS_OTC] = t->nodes > 0,
				  [METRICS_IDC] = in_coverage(t),
				  [METRICS_ODC] = ratio(t->out_seen, t->out_possible),
				  [METRICS_SEC] = ratio(t->successors, m->ncorpus),
				  [METRICS_SPC] = spc < 1 ? spc : 1}};
	c.olc = weighted(m, c.part);
	return c;
}

metrics_coverage metrics_get_coverage(const metrics *m)
{
	metrics_coverage all = {0};
	for (uint32_t i = 0; i < m->ntypes; i++) {
		if (!m->types[i].corpus)
			continue;
		metrics_coverage c = metrics_type_coverage(m, &m->types[i]);
		for (unsigned k = 0; k < METRICS_OLC_PARTS; k++)
			all.part[k] += c.part[k];
	}
	for (unsigned k = 0; k < METRICS_OLC_PARTS; k++)
		all.part[k] = ratio(all.part[k], m->ncorpus);
	all.olc = weighted(m, all.part);
	return all;
}

uint32_t metrics_growth(const metrics *m, metrics_point *points)
{
	uint32_t n = m->npoints;
	memcpy(points, m->points, n * sizeof *points);
	if (m->sums.models && (!n || points[n - 1].models != m->sums.models))
		points[n++] = point_now(m);
	return n;
}
