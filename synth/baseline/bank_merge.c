/* If fingerprints agree, more points decide: a wrong merge would lose a class. Most candidates do not merge, so this costs
 * less than more points for all. Merges are offered to the audit's sample.
 */
#include "bank_merge.h"

#include <pthread.h>
#include <stdatomic.h>

#include "bank_program.h"
#include "rng.h"

enum { HITS_AT_ONCE = 1024, AHEAD = 4 };

void bank_add_hit(hit_list *list, hit h)
{
	if (list->count == list->capacity)
		list->at = bank_grow(list->at, &list->capacity, 1024, sizeof *list->at);
	list->at[list->count++] = h;
}

/* ---- the audit's sample: the merges with the smallest priorities, in any order of arrival */

static void sift_down(audit_sample *s, int at)
{
	for (int child; (child = 2 * at + 1) < s->count; at = child) {
		if (child + 1 < s->count && s->at[child + 1].priority > s->at[child].priority)
			child++;
		if (s->at[at].priority >= s->at[child].priority)
			return;
		sampled_merge t = s->at[at];
		s->at[at] = s->at[child];
		s->at[child] = t;
	}
}

static void keep_sample(audit_sample *s, sampled_merge x)
{
	if (s->count < s->capacity) {
		int at = s->count++;
		for (; at && s->at[(at - 1) / 2].priority < x.priority; at = (at - 1) / 2)
			s->at[at] = s->at[(at - 1) / 2];
		s->at[at] = x;
	} else {
		s->at[0] = x;
		sift_down(s, 0);
	}
}

/* Offers a merge to the sample. Looks the kept candidate up now: it is the smallest with its fingerprint, since
 * later levels have larger ids. */
static void offer_sample(bank *b, int holes, const hit *h)
{
	audit_sample *s = &b->samples;
	uint64_t state = h->id ^ b->options.seed ^ (uint64_t)holes << 59;
	sampled_merge x = {.priority = rng_mix(&state), .id = h->id, .holes = holes};
	if (s->count == s->capacity && (!s->capacity || x.priority >= s->at[0].priority))
		return;
	x.kept = bank_table_find(&b->tables[holes], h->fingerprint);
	keep_sample(s, x);
}

/* ---- comparisons */

/* The number of blocks to compare. Merges with few holes are few and have the rarest differences. */
static int blocks_for(int holes)
{
	return holes <= 3 ? BLOCKS : holes == 4 ? BLOCKS / 2 : BLOCKS / 4;
}

static bool agree_further(const bank *b, int holes, const node *x, const node *y)
{
	unsigned mask = (1u << holes) - 1;
	column results[MAX_STEPS];
	program p = {0};
	int u = bank_compile(b, mask, x, &p), v = bank_compile(b, mask, y, &p);
	for (int block = 1; block < blocks_for(holes); block++) {
		bank_run(b, &p, block, results);
		const column *first = bank_value(b, block, results, u);
		if (!b->kernels->equal(first, bank_value(b, block, results, v)))
			return false;
	}
	return true;
}

/* The fingerprint of a class whose first fingerprint is taken by another class. */
static uint64_t further_fingerprint(const bank *b, int holes, const node *n, uint64_t first)
{
	column results[MAX_STEPS];
	program p = {0};
	int value = bank_compile(b, (1u << holes) - 1, n, &p);
	for (int block = 1; block < blocks_for(holes); block++) {
		bank_run(b, &p, block, results);
		first = b->kernels->hash(bank_value(b, block, results, value), first);
	}
	return first;
}

/* 0 if the hit is a merge, otherwise the fingerprint of its own class. */
static uint64_t split_fingerprint(const bank *b, int holes, uint64_t id, uint64_t first)
{
	uint64_t kept = bank_table_find(&b->tables[holes], first);
	node x = bank_node_of(b, holes, id), y = bank_node_of(b, holes, kept);
	return agree_further(b, holes, &x, &y) ? 0 : further_fingerprint(b, holes, &x, first);
}

typedef struct comparison {
	const bank *b;
	int holes;
	hit_list *hits;
	_Atomic size_t next;
} comparison;

static void *compare_hits(void *context)
{
	comparison *c = context;
	for (size_t begin; (begin = atomic_fetch_add(&c->next, HITS_AT_ONCE)) < c->hits->count;)
		for (size_t i = begin; i < begin + HITS_AT_ONCE && i < c->hits->count; i++) {
			hit *h = &c->hits->at[i];
			if (i + AHEAD < c->hits->count)
				bank_table_prefetch(&c->b->tables[c->holes], h[AHEAD].fingerprint);
			h->split = split_fingerprint(c->b, c->holes, h->id, h->fingerprint);
		}
	return NULL;
}

void bank_split_hits(bank *b, int holes, hit_list *hits)
{
	pthread_t threads[MAX_THREADS];
	comparison c = {.b = b, .holes = holes, .hits = hits};
	int n = 1;
	while (n < bank_threads(b) && pthread_create(&threads[n], NULL, compare_hits, &c) == 0)
		n++;
	compare_hits(&c);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
	bank_table *t = &b->tables[holes];
	for (size_t i = 0; i < hits->count; i++) {
		const hit *h = &hits->at[i];
		if (h->split) {
			bank_table_reserve(t, 1);
			t->count += bank_table_insert(t, h->split, h->id) == NO_ID;
		} else {
			offer_sample(b, holes, h);
		}
	}
}
