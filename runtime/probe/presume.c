#include "presume.h"

#include <stdlib.h>

#include "call_set.h"
#include "probe.h"

#define BAD_SHARE 0.002      /* of calls, which is 1 % of models of five calls */
#define LENIENT_SHARE 0.01   /* of probed calls; a target that rejects no more gets calls that were not probed */
#define FEW 64		     /* fewer probed calls, at most one of them bad, are no evidence */
#define EVERY_NUMEL (1 << 24) /* elements per tensor: more than any generator makes */

typedef struct call {
	uint64_t hash, kind, api, form;
} call;

/* Results of the calls of a kind or an API; for a signature, calls that are bad although their kind runs. */
typedef struct tally {
	uint64_t name;
	uint32_t ran, bad;
} tally;

/* LIKENESS(name): how a call resembles those probed before it. */
#define LIKENESSES(LIKENESS)                                                                       \
	LIKENESS(kind_and_api_run)    /* some of its kind were probed, none of its API is bad */     \
	LIKENESS(kind_runs)           /* none of its kind is bad */                                \
	LIKENESS(kind_runs_at_times)  /* some of its kind are bad */                                   \
	LIKENESS(kind_never_runs)     /* all of its kind are bad */                                    \
	LIKENESS(api_runs)            /* none of its kind was probed, none of its API is bad */     \
	LIKENESS(api_runs_at_times)                                                                \
	LIKENESS(api_unknown)                                                                      \
	LIKENESS(form_is_fickle)      /* see is_fickle */

enum likeness {
#define X(name) LIKE_##name,
	LIKENESSES(X)
#undef X
	    LIKE_COUNT
};

/* A call that was not probed, or that ran and has a fickle signature. */
typedef struct doubtful {
	uint64_t hash;
	enum likeness like;
} doubtful;

/* The evidence on calls of one likeness. */
typedef struct evidence {
	enum likeness like;
	double bad;      /* the expected share of bad calls */
	uint64_t ran, broke, left;
} evidence;

typedef struct presumption {
	rs_gen *gen;     /* the calls to probe, in order */
	rs_gen *every;   /* also calls with larger tensors, which are never probed */
	uint64_t *tried; /* hashes; sorted once all are added */
	uint64_t ntried;
	doubtful *doubtful;
	uint64_t ndoubtful;
	rs_graph *graph;
	tally *tallies; /* mask + 1, open addressing by name */
	uint64_t mask;
	evidence of[LIKE_COUNT];
} presumption;

/* ---- calls and their names */

static bool take_call(presumption *p, rs_gen *from, uint64_t i, call *c)
{
	uint8_t row[UINT8_MAX + 1];
	if (!rs_gen_model(from, 0, i, p->graph))
		return false;
	const graph_node *n = &p->graph->nodes[p->graph->first];
	graph_row(p->graph, n, row);
	c->hash = rs_call_hash(n->op, row);
	c->api = graph_name_hash(n->op->api);
	c->form = graph_name_hash(n->op->name);
	c->kind = call_mix(c->api ^ UINT64_C(0x9e3779b97f4a7c15), row, n->nin); /* differs from the API's hash even without inputs */
	return true;
}

static tally *find(const presumption *p, uint64_t name)
{
	uint64_t at = name & p->mask;
	while (p->tallies[at].ran + p->tallies[at].bad > 0 && p->tallies[at].name != name)
		at = (at + 1) & p->mask;
	return &p->tallies[at];
}

static void count(const presumption *p, uint64_t name, bool bad)
{
	tally *t = find(p, name);
	t->name = name;
	t->ran += !bad;
	t->bad += bad;
}

static enum likeness liken(const presumption *p, const call *c)
{
	const tally *kind = find(p, c->kind), *api = find(p, c->api);
	if (kind->ran)
		return kind->bad ? LIKE_kind_runs_at_times : api->bad ? LIKE_kind_runs : LIKE_kind_and_api_run;
	if (kind->bad)
		return LIKE_kind_never_runs;
	return api->bad ? LIKE_api_runs_at_times : api->ran ? LIKE_api_runs : LIKE_api_unknown;
}

/* Whether calls of its signature fail for another reason than dtypes: other signatures run with these dtypes. A signature that
 * accepts only some dimensions or constants is eventually rejected with any dtypes, even if it ran once. */
static bool is_fickle(const presumption *p, const call *c)
{
	return find(p, c->form)->bad > 0;
}

/* ---- which to trust */

static int safest_first(const void *a, const void *b)
{
	const evidence *x = a, *y = b;
	return x->bad != y->bad ? (x->bad > y->bad) - (x->bad < y->bad) : (int)x->like - (int)y->like;
}

/* Whether so few probed calls are bad, or so few were probed, that trying the others is worth the rejections. */
static bool is_lenient(uint64_t ran, uint64_t tried)
{
	return (tried < FEW && tried - ran <= 1) || ((double)(tried - ran) + 0.5) / ((double)tried + 1) <= LENIENT_SHARE;
}

/* Marks, in trusted, the likenesses whose calls go into models. */
static void choose(presumption *p, uint64_t ran, bool trusted[LIKE_COUNT])
{
	if (is_lenient(ran, p->ntried)) {
		for (int i = 0; i < LIKE_COUNT; i++)
			trusted[i] = i != LIKE_kind_never_runs && i != LIKE_form_is_fickle;
		return;
	}
	double calls = (double)ran, bad = 0;
	for (int i = 0; i < LIKE_COUNT; i++) {
		evidence *l = &p->of[i];
		l->like = (enum likeness)i;
		l->bad = ((double)l->broke + 0.5) / ((double)(l->ran + l->broke) + 1);
	}
	qsort(p->of, LIKE_COUNT, sizeof *p->of, safest_first);
	for (int i = 0; i < LIKE_COUNT; i++) {
		const evidence *l = &p->of[i];
		double more = (double)l->left;
		trusted[l->like] = l->like != LIKE_form_is_fickle && more > 0 && bad + more * l->bad <= BAD_SHARE * (calls + more);
		if (!trusted[l->like])
			continue;
		calls += more;
		bad += more * l->bad;
	}
}

/* ---- all of it */

static bool learn(presumption *p, capabilities *known, uint64_t next, uint64_t *ran)
{
	size_t n;
	const uint64_t *without = capabilities_without(known, &n);
	for (uint64_t i = 0; i < next; i++) {
		call c;
		if (!take_call(p, p->gen, i, &c))
			return false;
		bool bad = call_set_has(without, n, c.hash);
		evidence *l = &p->of[liken(p, &c)];
		l->ran += !bad;
		l->broke += bad;
		*ran += !bad;
		count(p, c.kind, bad);
		count(p, c.api, bad);
		p->tried[p->ntried++] = c.hash;
	}
	qsort(p->tried, p->ntried, sizeof *p->tried, call_order);
	return true;
}

/* Includes calls that capability learning excluded. */
static bool find_fickle(presumption *p, capabilities *known)
{
	size_t n;
	const uint64_t all = rs_gen_count(p->every), *without = capabilities_without(known, &n);
	for (uint64_t i = 0; i < all; i++) {
		call c;
		if (!take_call(p, p->every, i, &c))
			return false;
		if (call_set_has(without, n, c.hash) && capabilities_refused(known, c.hash) && find(p, c.kind)->ran > 0)
			count(p, c.form, true);
	}
	return true;
}

/* Lists the calls that were not probed, each with its likeness, and those of fickle signatures. */
static bool list_doubtful(presumption *p, capabilities *known)
{
	size_t n;
	const uint64_t all = rs_gen_count(p->every), *without = capabilities_without(known, &n);
	p->doubtful = malloc((all + 1) * sizeof *p->doubtful);
	for (uint64_t i = 0; p->doubtful && i < all; i++) {
		call c;
		if (!take_call(p, p->every, i, &c))
			return false;
		const bool fickle = is_fickle(p, &c);
		if (fickle ? call_set_has(without, n, c.hash) : call_set_has(p->tried, p->ntried, c.hash))
			continue;
		enum likeness like = fickle ? LIKE_form_is_fickle : liken(p, &c);
		p->of[like].left++;
		p->doubtful[p->ndoubtful++] = (doubtful){c.hash, like};
	}
	return p->doubtful;
}

static bool go_through(presumption *p, capabilities *known, uint64_t next)
{
	bool trusted[LIKE_COUNT];
	uint64_t ran = 0;
	if (!learn(p, known, next, &ran) || !find_fickle(p, known) || !list_doubtful(p, known))
		return false;
	choose(p, ran, trusted);
	for (uint64_t i = 0; i < p->ndoubtful; i++)
		if (!trusted[p->doubtful[i].like] && !capabilities_presume(known, p->doubtful[i].hash))
			return false;
	return true;
}

static bool make_room(presumption *p, uint64_t tried)
{
	uint64_t size = 64;
	while (size < 4 * tried + rs_gen_count(p->every)) /* a kind and an API per call, signatures, and as many free slots */
		size *= 2;
	p->mask = size - 1;
	p->tallies = calloc(size, sizeof *p->tallies);
	p->tried = calloc(tried, sizeof *p->tried);
	p->graph = rs_graph_new();
	return p->tallies && p->tried && p->graph;
}

bool presume_untried(const rs_table *table, capabilities *known, diag *d)
{
	presumption p = {.gen = open_calls(table, CALLS_NUMEL, d), .every = open_calls(table, EVERY_NUMEL, d)};
	uint64_t next = *capabilities_next(known);
	bool ok = p.gen && p.every;
	if (ok && next > rs_gen_count(p.gen))
		next = rs_gen_count(p.gen); /* the file may be written by hand */
	if (ok && next > 0)
		ok = diag_memory(d, make_room(&p, next) && go_through(&p, known, next));
	free(p.tallies);
	free(p.tried);
	free(p.doubtful);
	rs_graph_free(p.graph);
	rs_gen_free(p.every);
	rs_gen_free(p.gen);
	return ok;
}
