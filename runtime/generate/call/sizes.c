#include "sizes.h"

#include <string.h>

/* Consecutive sizes with equal chances. */
typedef struct size_class {
	uint16_t weight, first, last;
} size_class;

static const size_class CLASSES[] = {{14, 1, 1}, {11, 2, 2}, {9, 3, 3}, {6, 4, 4}, {4, 5, 6}, {7, 7, 8}, {2, 9, 14}, {24, 15, 17},
    {22, 31, 33}, {18, 63, 65}, {9, 127, 129}, {5, 255, 257}, {2, 1000, SIZES_MOST}};

/* The tensors of a call have at most this many elements, with these weights. */
static const struct {
	uint32_t weight, numel;
} BUDGETS[] = {{3, 512}, {4, 4096}, {1, 1 << 16}};

/* Maximum product of a call's distinct dimensions, so that convolutions and products of large matrices end in milliseconds:
 * they visit each combination of them. */
enum { WORK = 1 << 22 };

enum { NCLASSES = sizeof CLASSES / sizeof *CLASSES, NBUDGETS = sizeof BUDGETS / sizeof *BUDGETS };

int64_t sizes_draw(rng *r, int64_t most)
{
	uint32_t sum = 0, n = 0;
	while (n < NCLASSES && CLASSES[n].first <= most)
		sum += CLASSES[n++].weight;
	uint32_t at = rng_below(r, sum), i = 0;
	while (at >= CLASSES[i].weight)
		at -= CLASSES[i++].weight;
	return rng_range(r, CLASSES[i].first, CLASSES[i].last < most ? CLASSES[i].last : most);
}

static int64_t draw_budget(rng *r, int64_t numel)
{
	uint32_t sum = 0, i = 0;
	for (unsigned k = 0; k < NBUDGETS; k++)
		sum += BUDGETS[k].weight;
	for (uint32_t at = rng_below(r, sum); at >= BUDGETS[i].weight; i++)
		at -= BUDGETS[i].weight;
	return numel && numel < BUDGETS[i].numel ? numel : BUDGETS[i].numel;
}

static int64_t at_least_one(int64_t n)
{
	return n > 1 ? n : 1;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The draws for a call: its sizes by group (0: none yet), and the bounds of the next size. */
typedef struct aims {
	int64_t size[INDEX_WIDTH_MAX], most, work;
	rng *rng;
} aims;

/* The dimensions in turn, starting at a random one, so that none is always the largest. */
static void aim_tensor(aims *a, const index_input *x, const uint8_t *groups, int64_t left)
{
	unsigned rank = x->rank, start = rank ? rng_below(a->rng, rank) : 0;
	for (unsigned i = 0; i < rank; i++)
		left /= at_least_one(a->size[groups[x->first + i]]);
	for (unsigned i = 0; i < rank; i++) {
		unsigned group = groups[x->first + (start + i) % rank];
		if (a->size[group])
			continue;
		a->size[group] = sizes_draw(a->rng, at_least_one(least(least(left, a->work), a->most)));
		left /= a->size[group];
		a->work /= a->size[group];
	}
}

void sizes_aim(const index_op *o, const int64_t *v, const uint8_t *known, int64_t numel, int64_t most, rng *r, int64_t *aim)
{
	const uint8_t *groups = index_groups(o);
	const bool *dimension = index_dimensions(o);
	int64_t budget = draw_budget(r, numel);
	aims a = {.most = most, .work = WORK, .rng = r};
	for (unsigned i = 0; i < o->nsym; i++) {
		unsigned group = groups[i];
		if (!known[i] || v[i] <= 0 || !dimension[group] || a.size[group])
			continue;
		a.size[group] = v[i];
		a.work /= v[i];
	}
	for (unsigned i = 0; i < o->nin; i++)
		if (!o->inputs[i].rank || !known[o->inputs[i].first])
			aim_tensor(&a, &o->inputs[i], groups, budget);
	for (unsigned i = 0; i < o->nsym; i++)
		aim[i] = !known[i] && dimension[groups[i]] ? a.size[groups[i]] : 0;
}
