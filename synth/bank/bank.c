/* Enumeration, level by level: all pairs of smaller classes, fingerprinted; a new fingerprint is a new
 * class. Levels up to PROVED_OPS go through Z3 (bank_proof.c); above, threads fill one table, and the
 * least candidate of a class represents it whatever the threads did.
 *
 * Skips. With A the child of more operations and B the other:
 *   A + (b1 + b2) and likewise * min max: is (A + b1) + b2          associativity
 *   A + (b1 - b2), A - (b1 + b2), A - (b1 - b2), B - (a1 + a2), B - (a1 - a2): likewise
 * What replaces a skipped candidate has a smaller second operand or fewer operations, so replacing
 * ends, and one form of each class is evaluated. It never joins two constants: a child with an
 * operation has a hole. Each rewrite is proved by bank_prove_schemes, and the tests compare with an
 * enumeration that skips nothing.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bank_parts.h"

enum {
	UNIT = 1 << 15,	 /* candidates a thread takes at once, about */
	ROUND = 1 << 22, /* candidates between two looks at the table's size */
	WAITING = 32,
};

/* Zeroed, and aligned for columns. */
void *bank_alloc(size_t bytes)
{
	void *memory = NULL;
	if (posix_memalign(&memory, _Alignof(column), bytes ? bytes : 1) != 0) {
		fprintf(stderr, "error: out of memory for the bank (%zu bytes asked)\n", bytes);
		exit(1);
	}
	return memset(memory, 0, bytes);
}

void *bank_grow(void *array, size_t *capacity, size_t first, size_t size)
{
	*capacity = *capacity ? *capacity * 3 / 2 : first;
	array = realloc(array, *capacity * size);
	return array ? array : bank_alloc(SIZE_MAX / 2); /* reports */
}

int bank_threads(const bank *b)
{
	long n = b->options.threads > 0 ? b->options.threads : sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n;
}

/* A table: processors without an instruction for it take longer by far. */
int bank_count_holes(unsigned mask)
{
#define FOUR(n) n, n + 1, n + 1, n + 2
#define SIXTEEN(n) FOUR(n), FOUR(n + 1), FOUR(n + 1), FOUR(n + 2)
	static const uint8_t COUNT[1 << HOLES] = {SIXTEEN(0), SIXTEEN(1), SIXTEEN(1), SIXTEEN(2)};
	return COUNT[mask];
}

/* ---- plans */

/* Both children of equal size: take each unordered pair of masks once. */
static bool plan_fits(const bank *b, plan p, int holes)
{
	unsigned all = (1u << holes) - 1;
	if ((p.left_mask | p.right_mask) != all)
		return false;
	if (b->options.rarity != RARE_NONE && (p.left_mask & p.right_mask))
		return false;
	if (p.left_ops == p.right_ops && p.left_mask < p.right_mask)
		return false;
	return bank_plan_lefts(b, p) && bank_plan_rights(b, p);
}

static void make_plans(bank *b, int ops, int holes)
{
	plan_list *list = &b->plans[ops][holes];
	list->at = bank_alloc(MAX_PLANS * sizeof *list->at);
	unsigned masks = 1u << holes;
	for (int right_ops = 0; 2 * right_ops <= ops - 1; right_ops++)
		for (unsigned pair = 0; pair < masks * masks; pair++) {
			plan p = {.left_ops = (uint8_t)(ops - 1 - right_ops), .right_ops = (uint8_t)right_ops,
			    .left_mask = (uint8_t)(pair / masks), .right_mask = (uint8_t)(pair % masks)};
			if (plan_fits(b, p, holes))
				list->at[list->count++] = p;
		}
}

static size_t level_size(const bank *b, unsigned mask, int ops)
{
	const node_list *list = &b->nodes[bank_count_holes(mask)];
	return list->start[ops + 1] - list->start[ops];
}

size_t bank_plan_lefts(const bank *b, plan p)
{
	return level_size(b, p.left_mask, p.left_ops);
}

size_t bank_plan_rights(const bank *b, plan p)
{
	return level_size(b, p.right_mask, p.right_ops);
}

static size_t plan_candidates(const bank *b, plan p)
{
	return bank_plan_lefts(b, p) * bank_plan_rights(b, p) * PAIR_OPS;
}

/* ---- candidates and nodes */

static const enum op PLAIN_OP[PAIR_OPS] = {
    [PAIR_ADD] = OP_ADD, [PAIR_MUL] = OP_MUL, [PAIR_MIN] = OP_MIN, [PAIR_MAX] = OP_MAX,
    [PAIR_SUB] = OP_SUB, [PAIR_DIV] = OP_DIV, [PAIR_MOD] = OP_MOD,
    [PAIR_SUB_BACK] = OP_SUB, [PAIR_DIV_BACK] = OP_DIV, [PAIR_MOD_BACK] = OP_MOD,
};

node bank_node_of(const bank *b, int holes, uint64_t id)
{
	if (id >> 61 == 0) /* a leaf */
		return b->nodes[holes].at[id];
	return bank_candidate_node(b, bank_candidate(b, holes, id));
}

static const node *child(const bank *b, unsigned mask, uint32_t index)
{
	return &b->nodes[bank_count_holes(mask)].at[index];
}

static uint64_t make_id(int ops, int plan, uint32_t left, uint32_t right, int op)
{
	return (uint64_t)ops << 61 | (uint64_t)plan << 49 | (uint64_t)left << 20 | (uint64_t)right << 4
	    | (uint64_t)op;
}

candidate bank_candidate(const bank *b, int holes, uint64_t id)
{
	candidate c = {.op = (enum pair_op)(id & 15)};
	c.plan = b->plans[id >> 61][holes].at[id >> 49 & (MAX_PLANS - 1)];
	c.left = (uint32_t)(id >> 20 & ((1u << 29) - 1));
	c.right = (uint32_t)(id >> 4 & 0xffff);
	c.left += (uint32_t)b->nodes[bank_count_holes(c.plan.left_mask)].start[c.plan.left_ops];
	c.right += (uint32_t)b->nodes[bank_count_holes(c.plan.right_mask)].start[c.plan.right_ops];
	return c;
}

node bank_candidate_node(const bank *b, candidate c)
{
	node n = {c.left, c.right, PLAIN_OP[c.op], c.plan.left_mask, c.plan.right_mask, false};
	if (c.op >= PAIR_SUB_BACK)
		n = (node){c.right, c.left, PLAIN_OP[c.op], c.plan.right_mask, c.plan.left_mask, false};
	n.extreme = n.op == OP_MIN || n.op == OP_MAX || child(b, c.plan.left_mask, c.left)->extreme
	    || child(b, c.plan.right_mask, c.right)->extreme;
	return n;
}

void bank_add_node(bank *b, int holes, node n)
{
	node_list *list = &b->nodes[holes];
	if (list->count == list->capacity)
		list->at = bank_grow(list->at, &list->capacity, 64, sizeof *list->at);
	list->at[list->count++] = n;
}

static bool is_sum(int op)
{
	return op == OP_ADD || op == OP_SUB;
}

/* May this pair of a larger left and a right child be skipped under the operation, because another
 * pair is equal? */
static bool is_redundant(const node *left, const node *right, enum pair_op op)
{
	switch ((int)op) {
	case PAIR_ADD:
	case PAIR_SUB:
		return is_sum(right->op);
	case PAIR_MUL:
	case PAIR_MIN:
	case PAIR_MAX:
		return right->op == PLAIN_OP[op];
	case PAIR_SUB_BACK:
		return is_sum(left->op);
	default:
		return false;
	}
}

/* What the published figures leave out beyond the text: a second min or max; constants other than
 * in x + c, x - c, 2*x, x//2, min and max. A constant is always the right child. */
static bool is_rare(const node *left, const node *right, enum pair_op op)
{
	bool extreme = op == PAIR_MIN || op == PAIR_MAX;
	if (left->extreme + right->extreme + extreme > 1)
		return true;
	if (right->op != OP_CONST)
		return false;
	if (op == PAIR_MUL || op == PAIR_DIV)
		return right->left != 2;
	return !(extreme || op == PAIR_ADD || op == PAIR_SUB);
}

/* The operations to try on a pair, as bits. */
static unsigned wanted_ops(const bank *b, const node *left, const node *right)
{
	unsigned wanted = 0;
	for (int op = 0; op < PAIR_OPS; op++) {
		bool redundant = !b->options.no_skips && is_redundant(left, right, op);
		bool rare = b->options.rarity == RARE_PUBLISHED && is_rare(left, right, op);
		wanted |= (unsigned)!(redundant || rare) << op;
	}
	return wanted;
}

static void fill_column(const bank *b, unsigned mask, const node *n, column *out)
{
	program p = {0};
	column results[MAX_STEPS];
	int value = bank_compile(b, mask, n, &p);
	bank_run(b, &p, 0, results);
	*out = *bank_value(b, 0, results, value);
}

column *bank_right_columns(const bank *b, plan p)
{
	const node_list *list = &b->nodes[bank_count_holes(p.right_mask)];
	size_t n = bank_plan_rights(b, p);
	column *columns = bank_alloc(n * sizeof *columns);
	for (size_t i = 0; i < n; i++)
		fill_column(b, p.right_mask, &list->at[list->start[p.right_ops] + i], &columns[i]);
	return columns;
}

void bank_visit_candidates(const bank *b, int ops, int holes, int index, const column *right_columns,
    uint32_t begin, uint32_t end, bank_visit *visit, void *context)
{
	plan p = b->plans[ops][holes].at[index];
	const node_list *lefts = &b->nodes[bank_count_holes(p.left_mask)];
	const node_list *rights = &b->nodes[bank_count_holes(p.right_mask)];
	uint32_t n_right = (uint32_t)bank_plan_rights(b, p);
	size_t left_start = lefts->start[p.left_ops], right_start = rights->start[p.right_ops];
	bool same = p.left_ops == p.right_ops && p.left_mask == p.right_mask;
	for (uint32_t i = begin; i < end; i++) {
		column column_of_left;
		node left = lefts->at[left_start + i]; /* a copy: visit may add nodes and move the list */
		fill_column(b, p.left_mask, &left, &column_of_left);
		for (uint32_t j = 0; j < (same ? i + 1 : n_right); j++) {
			uint64_t fingerprints[PAIR_OPS];
			unsigned wanted = wanted_ops(b, &left, &rights->at[right_start + j]);
			b->kernels->fingerprints(&column_of_left, &right_columns[j], wanted, fingerprints);
			for (int op = 0; op < PAIR_OPS; op++)
				if (wanted >> op & 1)
					visit(context, make_id(ops, index, i, j, op), fingerprints[op]);
		}
	}
}

/* ---- a level filled by threads */

typedef struct crew {
	bank *b;
	int ops, holes, plan;
	const column *rights; /* the plan's */
	uint32_t unit;	      /* left nodes a thread takes at once */
	uint32_t begin, end;  /* of this round's left nodes */
	_Atomic uint32_t next;
	hit_list hits; /* of the level so far */
} crew;

typedef struct worker {
	crew *crew;
	pthread_t thread;
	hit_list hits;
	uint64_t evaluated, added;
	struct {
		uint64_t id, fingerprint; /* 0: free */
	} waiting[WAITING]; /* candidates whose place in the table is on its way from memory */
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
			n = i; /* fewer threads do the same */
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

/* The table's new ids, in order, become the level's nodes. */
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

/* A last level that is only counted leaves nothing behind but its count. */
static void enumerate_fast(bank *b, int ops, int holes)
{
	const plan_list *plans = &b->plans[ops][holes];
	size_t before = b->tables[holes].count, total = 0, done = 0;
	for (int i = 0; i < plans->count; i++)
		total += plan_candidates(b, plans->at[i]);
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

/* A leaf's fingerprint is that of leaf + 0: what candidates equal to the leaf are found under. */
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

/* The published bank has nothing that is three quarters constants. */
static bool is_barren(const bank *b, int ops, int holes)
{
	int leaves = ops + 1;
	return b->options.rarity == RARE_PUBLISHED && 4 * (leaves - holes) >= 3 * leaves;
}

static void enumerate_level(bank *b, int ops, int holes)
{
	if (is_barren(b, ops, holes))
		return;
	make_plans(b, ops, holes);
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
	b->samples.at = bank_alloc((size_t)b->samples.capacity * sizeof(sample));
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
	if (!b)
		return;
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

/* Finds an entry's place: returns its index in nodes[at->holes]. */
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
	abort(); /* not below bank_size */
}

bank_entry bank_at(const bank *b, size_t entry)
{
	bank_entry at;
	locate(b, entry, &at);
	return at;
}

const expr *bank_node_expr(const bank *b, int holes, node n, expr_pool *p, const int *symbols)
{
	if (n.op == OP_CONST)
		return expr_const(p, n.left);
	if (n.op == OP_SYM)
		return expr_sym(p, symbols[0]);
	const expr *child[2];
	for (int side = 0; side < 2; side++) {
		unsigned mask = side ? n.right_mask : n.left_mask;
		int own[HOLES], count = 0;
		for (int h = 0; h < holes; h++)
			if (mask >> h & 1)
				own[count++] = symbols[h];
		node next = b->nodes[count].at[side ? n.right : n.left];
		child[side] = bank_node_expr(b, count, next, p, own);
	}
	return expr_make(p, n.op, child[0], child[1]);
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
