#include "bank_proof.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bank_visit.h"

static void count_verdict(bank_proofs *counts, verdict v)
{
	counts->proved += v == PROVED;
	counts->refuted += v == REFUTED;
	counts->unknown += v == UNKNOWN;
}

/* ---- merges of up to PROVED_OPS operations, in sequence */

/* An equation that was queried. Equations that differ only in the names of holes are queried once. */
typedef struct statement {
	const expr *a, *b;
	verdict answer;
} statement;

typedef struct merger {
	bank *b;
	int ops, holes;
	expr_pool *pool;
	statement *asked; /* open addressing by the two pointers; the pool makes equal trees unique */
	size_t capacity, count;
} merger;

/* Numbers the symbols of a tree in order of appearance; names[i] is -1 if symbol i has not appeared yet. */
static void name_symbols(const expr *e, int *names, int *next)
{
	if (e->op == OP_SYM && names[e->value] < 0)
		names[e->value] = (*next)++;
	if (e->a)
		name_symbols(e->a, names, next);
	if (e->b)
		name_symbols(e->b, names, next);
}

static statement *find_statement(merger *m, const expr *a, const expr *b)
{
	size_t at = (a->hash * 31u + b->hash) & (m->capacity - 1);
	while (m->asked[at].a && (m->asked[at].a != a || m->asked[at].b != b))
		at = (at + 1) & (m->capacity - 1);
	return &m->asked[at];
}

static void make_room(merger *m)
{
	if (m->count * 2 < m->capacity)
		return;
	statement *old = m->asked;
	size_t n = m->capacity;
	m->capacity = n ? n * 2 : 1024;
	m->asked = bank_alloc(m->capacity * sizeof *m->asked);
	for (size_t i = 0; i < n; i++)
		if (old[i].a)
			*find_statement(m, old[i].a, old[i].b) = old[i];
	free(old);
}

/* Tries twice with a fresh prover: some proofs need nearly the whole budget, and more of it after other queries. */
static verdict prove_in_two(prover *p, const expr *a, const expr *b)
{
	verdict v = prove_equal(p, a, b);
	if (v != UNKNOWN)
		return v;
	prover_reset(p);
	return prove_equal(p, a, b);
}

static verdict ask(merger *m, const expr *a, const expr *b)
{
	int names[HOLES] = {-1, -1, -1, -1, -1, -1}, next = 0;
	name_symbols(a, names, &next);
	name_symbols(b, names, &next);
	a = expr_copy(m->pool, a, names);
	b = expr_copy(m->pool, b, names);
	make_room(m);
	statement *s = find_statement(m, a, b);
	if (!s->a) {
		*s = (statement){a, b, prove_in_two(m->b->options.prover, a, b)};
		m->count++;
		count_verdict(&m->b->proofs, s->answer);
	}
	return s->answer;
}

static const int IN_ORDER[HOLES] = {0, 1, 2, 3, 4, 5};

/* Merges a candidate with the first class of its fingerprint that is proved equal. Classes with equal fingerprints
 * that are not proved equal get derived fingerprints. */
static void visit_small(void *context, uint64_t id, uint64_t fingerprint)
{
	merger *m = context;
	bank *b = m->b;
	bank_table *t = &b->tables[m->holes];
	node n = bank_candidate_node(b, bank_candidate(b, m->holes, id));
	const expr *e = bank_node_expr(b, m->holes, n, m->pool, IN_ORDER);
	b->evaluated++;
	for (;; fingerprint = fingerprint * 0x9e3779b97f4a7c15u + 1) {
		uint64_t kept = bank_table_find(t, fingerprint);
		if (kept == NO_ID)
			break;
		node other = bank_node_of(b, m->holes, kept);
		if (ask(m, e, bank_node_expr(b, m->holes, other, m->pool, IN_ORDER)) == PROVED)
			return;
	}
	bank_table_reserve(t, 1);
	t->count += bank_table_insert(t, fingerprint, id) == NO_ID;
	b->nodes[m->holes].classes[m->ops]++;
	bank_add_node(b, m->holes, n);
}

void bank_enumerate_proved(bank *b, int ops, int holes)
{
	merger m = {.b = b, .ops = ops, .holes = holes, .pool = expr_pool_new()};
	const plan_list *plans = &b->plans[ops][holes];
	for (int i = 0; i < plans->count; i++) {
		column *rights = bank_right_columns(b, plans->at[i]);
		bank_visit_candidates(b, ops, holes, i, rights, 0,
		    (uint32_t)bank_plan_lefts(b, plans->at[i]), visit_small, &m);
		free(rights);
	}
	expr_pool_free(m.pool);
	free(m.asked);
}

bank_proofs bank_merge_proofs(const bank *b)
{
	return b->proofs;
}

/* ---- the rewrites */

bank_proofs bank_prove_schemes(prover *p)
{
	static const char *const SCHEMES[][2] = {
	    {"s0 + s1", "s1 + s0"}, {"s0*s1", "s1*s0"},
	    {"min(s0, s1)", "min(s1, s0)"}, {"max(s0, s1)", "max(s1, s0)"},
	    {"s0 + (s1 + s2)", "s0 + s1 + s2"}, {"s0*(s1*s2)", "s0*s1*s2"},
	    {"min(s0, min(s1, s2))", "min(min(s0, s1), s2)"},
	    {"max(s0, max(s1, s2))", "max(max(s0, s1), s2)"},
	    {"s0 + (s1 - s2)", "s0 + s1 - s2"}, {"s0 - (s1 + s2)", "s0 - s1 - s2"},
	    {"s0 - (s1 - s2)", "s0 - s1 + s2"}, {"s0 - (s1 - s2)", "s0 + s2 - s1"},
	};
	bank_proofs counts = {0};
	expr_pool *pool = expr_pool_new();
	for (size_t i = 0; i < sizeof SCHEMES / sizeof *SCHEMES; i++) {
		diag d;
		const expr *a = expr_parse(pool, SCHEMES[i][0], 3, "scheme", 0, &d);
		const expr *b = expr_parse(pool, SCHEMES[i][1], 3, "scheme", 0, &d);
		count_verdict(&counts, prove_equal(p, a, b));
	}
	expr_pool_free(pool);
	return counts;
}

/* ---- the audit */

static int compare_samples(const void *a, const void *b)
{
	const sampled_merge *x = a, *y = b;
	return (x->priority > y->priority) - (x->priority < y->priority);
}

enum { AUDITED_AT_ONCE = 25 };

typedef struct audited {
	const expr *merged, *kept;
	verdict answer;
} audited;

typedef struct audit {
	audited *at;
	int count;
	prover *first; /* the caller's prover; other threads create their own */
	_Atomic bool first_taken;
	_Atomic int next;
} audit;

/* Each batch resets the prover, so that its verdicts do not depend on other batches. */
static void *audit_batches(void *context)
{
	audit *a = context;
	bool first = !atomic_exchange(&a->first_taken, true);
	prover *p = first ? a->first : prover_new();
	for (int begin; (begin = atomic_fetch_add(&a->next, AUDITED_AT_ONCE)) < a->count;) {
		prover_reset(p);
		for (int i = begin; i < begin + AUDITED_AT_ONCE && i < a->count; i++)
			a->at[i].answer = prove_equal(p, a->at[i].merged, a->at[i].kept);
	}
	if (!first)
		prover_free(p);
	return NULL;
}

static void run_audit(const bank *b, audit *a)
{
	pthread_t threads[MAX_THREADS];
	int n = 1;
	while (n < bank_threads(b) && n * AUDITED_AT_ONCE < a->count
	    && pthread_create(&threads[n], NULL, audit_batches, a) == 0)
		n++;
	audit_batches(a);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
}

bank_proofs bank_audit(const bank *b, prover *p,
    void (*report)(void *context, const expr *merged, const expr *kept, verdict v), void *context)
{
	bank_proofs counts = {0};
	int n = b->samples.count;
	sampled_merge *order = bank_alloc((size_t)n * sizeof *order);
	for (int i = 0; i < n; i++)
		order[i] = b->samples.at[i];
	qsort(order, (size_t)n, sizeof *order, compare_samples);
	expr_pool *pool = expr_pool_new();
	audit a = {.at = bank_alloc((size_t)n * sizeof *a.at), .count = n, .first = p};
	for (int i = 0; i < n; i++) {
		const sampled_merge *s = &order[i];
		node merged = bank_node_of(b, s->holes, s->id), kept = bank_node_of(b, s->holes, s->kept);
		a.at[i].merged = bank_node_expr(b, s->holes, merged, pool, IN_ORDER);
		a.at[i].kept = bank_node_expr(b, s->holes, kept, pool, IN_ORDER);
	}
	run_audit(b, &a);
	for (int i = 0; i < n; i++) {
		count_verdict(&counts, a.at[i].answer);
		if (report)
			report(context, a.at[i].merged, a.at[i].kept, a.at[i].answer);
	}
	expr_pool_free(pool);
	free(a.at);
	free(order);
	return counts;
}
