/* Enumeration, level by level: each pair of smaller classes is combined and fingerprinted; a new fingerprint is a new
 * class. Merges of levels up to PROVED_OPS are proved by Z3 (bank_proof.c). Above, threads fill one table. The smallest
 * candidate of a class represents it, so the result does not depend on the threads.
 */
#include "bank.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bank_merge.h"
#include "bank_proof.h"
#include "bank_visit.h"

enum {
	UNIT = 1 << 15,	 /* candidates per unit of work, about */
	ROUND = 1 << 22, /* candidates between two checks of the table's size */
	WAITING = 32,
};

/* ---- a level filled by threads */

typedef struct crew {
	bank *b;
	int ops, holes, plan;
	const column *rights; /* the plan's right columns */
	uint32_t unit;	      /* left nodes per unit of work */
	uint32_t begin, end;  /* the left nodes of this round */
	_Atomic uint32_t next;
	hit_list hits; /* the hits of the level so far */
} crew;

typedef struct worker {
	crew *crew;
	pthread_t thread;
	hit_list hits;
	uint64_t evaluated, added;
	struct {
		uint64_t id, fingerprint; /* 0: free */
	} waiting[WAITING]; /* candidates whose slot is being prefetched */
} worker;

static void insert(worker *w, uint64_t id, uint64_t fingerprint)
{
	uint64_t loser = bank_table_insert(&w->crew->b->tables[w->crew->holes], fingerprint, id);
	if (loser == NO_ID)
		w->added++;
	else
		bank_add_hit(&w->hits, (hit){loser, fingerprint, 0});
}

static void insert_waiting(worker *w, unsigned place)
{
	if (w->waiting[place].fingerprint)
		insert(w, w->waiting[place].id, w->waiting[place].fingerprint);
	w->waiting[place].fingerprint = 0;
}

static void visit_any(void *context, uint64_t id, uint64_t fingerprint)
{
	worker *w = context;
	unsigned place = w->evaluated++ % WAITING;
	bank_table_prefetch(&w->crew->b->tables[w->crew->holes], fingerprint);
	insert_waiting(w, place);
	w->waiting[place].id = id;
	w->waiting[place].fingerprint = fingerprint;
}

static void *work(void *context)
{
	worker *w = context;
	crew *c = w->crew;
	for (uint32_t begin; (begin = atomic_fetch_add(&c->next, c->unit)) < c->end;) {
		uint32_t end = c->end - begin < c->unit ? c->end : begin + c->unit;
		bank_visit_candidates(
		    c->b, c->ops, c->holes, c->plan, c->rights, begin, end, visit_any, w);
	}
	for (unsigned i = 0; i < WAITING; i++)
		insert_waiting(w, i);
	return NULL;
}

static void run_round(bank *b, crew *c)
{
	worker workers[MAX_THREADS];
	int n = bank_threads(b);
	atomic_store(&c->next, c->begin);
	for (int i = 0; i < n; i++)
		workers[i] = (worker){.crew = c};
	for (int i = 1; i < n; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			n = i; /* fewer threads give the same result */
	work(&workers[0]);
	for (int i = 0; i < n; i++) {
		if (i)
			pthread_join(workers[i].thread, NULL);
		b->evaluated += workers[i].evaluated;
		b->tables[c->holes].count += workers[i].added;
		for (size_t h = 0; h < workers[i].hits.count; h++)
			bank_add_hit(&c->hits, workers[i].hits.at[h]);
		free(workers[i].hits.at);
	}
}

static void note_bytes(bank *b, const hit_list *hits)
{
	size_t bytes = hits->capacity * sizeof(hit);
	for (int h = 0; h <= HOLES; h++)
		bytes += b->tables[h].capacity * sizeof(bank_slot) + b->nodes[h].capacity * sizeof(node);
	b->most_bytes = bytes > b->most_bytes ? bytes : b->most_bytes;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Makes the table's new ids, in order, the nodes of the level. */
static void keep_level(bank *b, int ops, int holes, size_t added)
{
	const bank_table *t = &b->tables[holes];
	uint64_t *ids = bank_alloc(added * sizeof *ids);
	size_t n = 0;
	for (size_t i = 0; i < t->capacity && n < added; i++)
		if (t->slots[i].fingerprint && (int)(~t->slots[i].id >> 61) == ops)
			ids[n++] = ~t->slots[i].id;
	qsort(ids, n, sizeof *ids, compare_ids);
	for (size_t i = 0; i < n; i++)
		bank_add_node(b, holes, bank_candidate_node(b, bank_candidate(b, holes, ids[i])));
	free(ids);
}

static void enumerate_plan(bank *b, crew *c, size_t *done, size_t total)
{
	plan p = b->plans[c->ops][c->holes].at[c->plan];
	uint32_t lefts = (uint32_t)bank_plan_lefts(b, p);
	size_t each = bank_plan_rights(b, p) * PAIR_OPS;
	uint32_t step = (uint32_t)(ROUND / each ? ROUND / each : 1);
	column *rights = bank_right_columns(b, p);
	c->rights = rights;
	c->unit = (uint32_t)(UNIT / each ? UNIT / each : 1);
	for (uint32_t begin = 0; begin < lefts; begin += step) {
		c->begin = begin;
		c->end = lefts - begin < step ? lefts : begin + step;
		bank_table_reserve(&b->tables[c->holes], (c->end - begin) * each);
		run_round(b, c);
		*done += (c->end - begin) * each;
		if (b->options.progress)
			b->options.progress(b->options.context, c->ops, c->holes, (double)*done / total);
	}
	free(rights);
}

/* If options.count_only is set, stores only the number of classes of the last level. */
static void enumerate_fast(bank *b, int ops, int holes)
{
	const plan_list *plans = &b->plans[ops][holes];
	size_t before = b->tables[holes].count, total = 0, done = 0;
	for (int i = 0; i < plans->count; i++)
		total += bank_plan_candidates(b, plans->at[i]);
	crew c = {.b = b, .ops = ops, .holes = holes};
	for (c.plan = 0; c.plan < plans->count; c.plan++)
		enumerate_plan(b, &c, &done, total);
	bank_split_hits(b, holes, &c.hits);
	note_bytes(b, &c.hits);
	free(c.hits.at);
	size_t added = b->tables[holes].count - before;
	b->nodes[holes].classes[ops] = added;
	if (ops < b->options.ops || !b->options.count_only)
		keep_level(b, ops, holes, added);
	else
		bank_table_free(&b->tables[holes]);
}

/* ---- the bank */

static void add_leaves(bank *b)
{
	for (int i = 0; i < HOLES * BLOCKS; i++)
		column_hole(&b->holes[i / HOLES][i % HOLES], i % HOLES, i / HOLES);
	for (uint32_t c = 1; c <= 2; c++) {
		column_constant(&b->constants[c - 1], (int)c);
		bank_add_node(b, 0, (node){.left = c, .op = OP_CONST});
	}
	bank_add_node(b, 1, (node){.op = OP_SYM});
	b->nodes[0].classes[0] = 2;
	b->nodes[1].classes[0] = 1;
}

/* Inserts the fingerprints of leaf + 0, so that candidates equal to a leaf are merged with it. */
static void fingerprint_leaves(bank *b)
{
	column zero;
	uint64_t f[PAIR_OPS];
	column_constant(&zero, 0);
	const column *leaves[3] = {&b->holes[0][0], &b->constants[0], &b->constants[1]};
	for (int i = 0; i < 3; i++) {
		b->kernels->fingerprints(leaves[i], &zero, 1u << PAIR_ADD, f);
		bank_table_reserve(&b->tables[i == 0], 1);
		bank_table_insert(&b->tables[i == 0], f[PAIR_ADD], (uint64_t)(i == 2));
		b->tables[i == 0].count++;
	}
}

/* Whether the published bank excludes this level: at least three quarters of the leaves are constants. */
static bool is_barren(const bank *b, int ops, int holes)
{
	int leaves = ops + 1;
	return b->options.rarity == RARE_PUBLISHED && 4 * (leaves - holes) >= 3 * leaves;
}

static void enumerate_level(bank *b, int ops, int holes)
{
	if (is_barren(b, ops, holes))
		return;
	bank_make_plans(b, ops, holes);
	if (ops <= PROVED_OPS && b->options.prover)
		bank_enumerate_proved(b, ops, holes);
	else
		enumerate_fast(b, ops, holes);
}

bank *bank_new(const bank_options *options)
{
	bank *b = bank_alloc(sizeof *b);
	b->options = *options;
	b->kernels = column_kernels_widest();
	b->samples.capacity = options->audit;
	b->samples.at = bank_alloc((size_t)b->samples.capacity * sizeof(sampled_merge));
	if (options->prover)
		prover_reset(options->prover);
	add_leaves(b);
	fingerprint_leaves(b);
	for (int ops = 0; ops <= options->ops; ops++)
		for (int h = 0; h <= HOLES; h++) {
			b->nodes[h].start[ops] = ops ? b->nodes[h].start[ops] : 0;
			if (ops && h <= options->holes && (h || options->rarity == RARE_NONE))
				enumerate_level(b, ops, h);
			for (int later = ops + 1; later <= LEVELS; later++)
				b->nodes[h].start[later] = b->nodes[h].count;
		}
	return b;
}

void bank_free(bank *b)
{
	for (int h = 0; h <= HOLES; h++) {
		free(b->nodes[h].at);
		bank_table_free(&b->tables[h]);
		for (int ops = 0; ops < LEVELS; ops++)
			free(b->plans[ops][h].at);
	}
	free(b->samples.at);
	free(b);
}

/* ---- entries */

size_t bank_size(const bank *b)
{
	size_t n = 0;
	for (int h = 0; h <= HOLES; h++)
		n += b->nodes[h].count;
	return n;
}

/* Finds an entry: returns its index in nodes[at->holes]. */
static size_t locate(const bank *b, size_t entry, bank_entry *at)
{
	for (at->ops = 0; at->ops <= b->options.ops; at->ops++)
		for (at->holes = 0; at->holes <= HOLES; at->holes++) {
			const size_t *start = b->nodes[at->holes].start;
			size_t n = start[at->ops + 1] - start[at->ops];
			if (entry < n)
				return start[at->ops] + entry;
			entry -= n;
		}
	abort(); /* entry >= bank_size(b) */
}

bank_entry bank_at(const bank *b, size_t entry)
{
	bank_entry at;
	locate(b, entry, &at);
	return at;
}

const expr *bank_expr(const bank *b, size_t entry, expr_pool *p, const int *symbols)
{
	static const int IN_ORDER[HOLES] = {0, 1, 2, 3, 4, 5};
	bank_entry at;
	size_t index = locate(b, entry, &at);
	node n = b->nodes[at.holes].at[index];
	return bank_node_expr(b, at.holes, n, p, symbols ? symbols : IN_ORDER);
}

uint64_t bank_classes(const bank *b, int holes, int ops)
{
	return b->nodes[holes].classes[ops];
}

uint64_t bank_evaluated(const bank *b)
{
	return b->evaluated;
}

size_t bank_bytes(const bank *b)
{
	return b->most_bytes;
}
