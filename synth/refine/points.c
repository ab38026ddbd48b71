#include "points.h"

#include <stdlib.h>
#include <string.h>

/* ---- tensors among the arguments */

/* Lists the tensors of a value in order. With `to` NULL, only counts them. */
static int visit_tensors(const call_value *v, box_tensor *to, int n)
{
	if (v->kind == CALL_TENSOR && to)
		to[n] = (box_tensor){.first = v->first, .rank = v->count, .low = v->ranged ? v->first + v->count : -1,
		    .high = v->ranged ? v->first + v->count + 1 : -1};
	n += v->kind == CALL_TENSOR;
	for (int k = 0; v->items && k < v->count; k++)
		n = visit_tensors(&v->items[k], to, n);
	return n;
}

static int visit_arguments(const call *c, box_tensor *to)
{
	int n = 0;
	for (int i = 0; i < c->nargs; i++)
		n = visit_tensors(&c->args[i].value, to, n);
	return n;
}

/* The number of elements; -1 on overflow or a negative dimension. */
static int64_t elements(const box_tensor *t, const int64_t *x)
{
	int64_t n = 1;
	bool none = false;
	for (int i = 0; i < t->rank; i++) {
		int64_t d = x[t->first + i];
		if (d < 0)
			return -1;
		none |= d == 0;
		if (d > 0 && __builtin_mul_overflow(n, d, &n))
			return -1;
	}
	return none ? 0 : n;
}

box box_of(const operator *op, arena *memory)
{
	box b = {.op = op};
	b.ntensors = visit_arguments(op->call, NULL);
	b.tensors = ARENA_ARRAY(memory, box_tensor, b.ntensors + 1);
	visit_arguments(op->call, b.tensors);
	for (int t = 0; t < b.ntensors; t++) {
		b.tensors[t].most = BOX_ELEMENTS;
		for (int k = 0; k < op->npass; k++) {
			int64_t n = elements(&b.tensors[t], passing_record(op, k));
			b.tensors[t].most = n < (1 << 20) && 2 * n > b.tensors[t].most ? 2 * n : b.tensors[t].most;
		}
	}
	return b;
}

bool box_allows(const box *b, const int64_t *x)
{
	for (int i = 0; i < b->op->nsym; i++)
		if (b->op->roles[i].kind == ROLE_DIM && x[i] < 0)
			return false;
	for (int k = 0; k < b->ntensors; k++) {
		const box_tensor *t = &b->tensors[k];
		int64_t n = elements(t, x);
		if (n < 0 || n > t->most)
			return false;
		if (t->low >= 0 && (n == 0 ? x[t->low] != 0 || x[t->high] != 0 : x[t->low] >= x[t->high]))
			return false;
	}
	return true;
}

int64_t box_small_side(const box *b)
{
	int rank = 1;
	int64_t side = BOX_DIM;
	for (int t = 0; t < b->ntensors; t++)
		rank = b->tensors[t].rank > rank ? b->tensors[t].rank : rank;
	for (;; side--) {
		int64_t n = 1;
		for (int i = 0; i < rank && n <= BOX_ELEMENTS; i++)
			n *= side;
		if (n <= BOX_ELEMENTS || side == 1)
			return side;
	}
}

void box_bounds(const box *b, int64_t most, int64_t *low, int64_t *high)
{
	for (int i = 0; i < b->op->nsym; i++) {
		bool dim = b->op->roles[i].kind == ROLE_DIM;
		low[i] = dim ? 0 : BOX_LOW;
		high[i] = dim ? BOX_DIM : BOX_HIGH;
		high[i] = dim && most >= 0 && most < high[i] ? most : high[i];
	}
}

/* ---- mutants */

/* Not beyond 32 bits: larger values are rejected because of C types, which rules do not describe. */
static const int64_t BEYOND[] = {-4, -9, -100, -65536, 65, 100, 1000, 65536};

static int64_t any_value(const box *b, rng *r, int i, const int64_t *x, bool beyond)
{
	bool dim = b->op->roles[i].kind == ROLE_DIM;
	int j = (int)rng_below(r, (uint32_t)b->op->nsym);
	switch (rng_below(r, beyond ? 12 : 10)) {
	case 0:
		return x[i] + 1;
	case 1:
		return x[i] - 1;
	case 2:
		return rng_range(r, 0, 2);
	case 3:
		return dim ? 0 : rng_range(r, BOX_LOW, 1);
	case 4:
		return dim ? 1 : rng_range(r, BOX_LOW, 8);
	case 5:
		return x[j];
	case 6:
		return x[j] + rng_range(r, -1, 1);
	case 7:
		return dim ? rng_range(r, 0, 8) : -x[j] + rng_range(r, -1, 1);
	case 8:
		return rng_below(r, 4) ? rng_range(r, 1, 6) : 2 * x[i] + rng_range(r, -1, 1);
	case 9:
		return rng_below(r, 3) ? x[i] + rng_range(r, -3, 3) : rng_range(r, dim ? 0 : BOX_LOW, dim ? BOX_DIM : BOX_HIGH);
	default:
		return dim ? rng_range(r, 0, BOX_DIM) : BEYOND[rng_below(r, sizeof BEYOND / sizeof *BEYOND)];
	}
}

/* Changes all dimensions, or all symbols, that have the value of symbol i. */
static void change_equal(const box *b, rng *r, int i, int64_t *x)
{
	bool dims = b->op->roles[i].kind == ROLE_DIM && rng_below(r, 2);
	int64_t old = x[i], value = rng_below(r, 3) ? rng_range(r, 0, 8) : any_value(b, r, i, x, false);
	for (int k = 0; k < b->op->nsym; k++)
		if (x[k] == old && (!dims || b->op->roles[k].kind == ROLE_DIM))
			x[k] = value;
}

/* Moves a prime factor from one symbol to another, as in a reshape. */
static void move_factor(const box *b, rng *r, int i, int64_t *x)
{
	static const int64_t PRIMES[] = {2, 3, 5};
	int j = (int)rng_below(r, (uint32_t)b->op->nsym);
	int64_t f = PRIMES[rng_below(r, 3)];
	if (i != j && x[i] % f == 0 && x[j] < 4096) {
		x[i] /= f;
		x[j] *= f;
	}
}

void box_repair(const box *b, int64_t *x)
{
	for (int k = 0; k < b->ntensors; k++) {
		const box_tensor *t = &b->tensors[k];
		if (t->low < 0)
			continue;
		if (elements(t, x) == 0)
			x[t->low] = x[t->high] = 0;
		else if (x[t->low] >= x[t->high])
			x[t->high] = x[t->low] + 1;
	}
}

/* Chooses the input to mutate. */
static void take_base(const box *b, rng *r, const int64_t *const *recent, int nrecent, bool failing, int64_t *x)
{
	const operator *op = b->op;
	const int64_t *base = failing ? op->fail + (size_t)rng_below(r, (uint32_t)op->nfail) * op->nsym
				      : passing_record(op, rng_below(r, (uint32_t)op->npass));
	if (nrecent && rng_below(r, 2))
		base = recent[rng_below(r, (uint32_t)nrecent)];
	memcpy(x, base, sizeof *x * (size_t)op->nsym);
}

void point_draw(const box *b, rng *r, const int64_t *const *recent, int nrecent, bool beyond, int64_t *x)
{
	const operator *op = b->op;
	bool failing = op->nfail && (op->npass == 0 || rng_below(r, 4) == 0);
	take_base(b, r, recent, nrecent, failing, x);
	int steps = 1 + (int)rng_below(r, 2) * (1 + (int)rng_below(r, 2));
	for (int k = 0; k < steps && op->nsym; k++) {
		int i = (int)rng_below(r, (uint32_t)op->nsym);
		uint32_t kind = rng_below(r, 12);
		if (kind < 2)
			change_equal(b, r, i, x);
		else if (kind == 2)
			move_factor(b, r, i, x);
		else
			x[i] = any_value(b, r, i, x, beyond);
	}
	box_repair(b, x);
}

/* ---- joint moves */

static int64_t moved_value(rng *r, int64_t old)
{
	switch (rng_below(r, 4)) {
	case 0:
		return old + (rng_below(r, 2) ? 1 : -1);
	case 1:
		return old * rng_range(r, 2, 3);
	default:
		return rng_range(r, 1, 8);
	}
}

/* Which symbols change beside those of the value: none; its multiples; or also sums of the value and another symbol, by the
 * same step. */
enum follows { FOLLOW_NONE, FOLLOW_MULTIPLES, FOLLOW_SUMS, FOLLOWS };

/* Whether v is the sum of `part` and the value of another symbol. */
static bool is_sum(const int64_t *x, int nsym, int64_t v, int64_t part)
{
	for (int k = 0; k < nsym; k++)
		if (x[k] > 0 && x[k] != part && x[k] + part == v)
			return true;
	return false;
}

static int64_t followed(const int64_t *x, int nsym, int k, int64_t old, int64_t new, enum follows how)
{
	if (x[k] == old)
		return new;
	if (how == FOLLOW_SUMS && is_sum(x, nsym, x[k], old))
		return x[k] + new - old;
	return how != FOLLOW_NONE && x[k] > 0 && x[k] % old == 0 ? x[k] / old * new : x[k];
}

/* Makes a joint move from `was` to x. */
static bool move(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *was, int64_t *x)
{
	const operator *op = b->op;
	int moved = 0;
	if (!op->nsym || !op->npass)
		return false;
	take_base(b, r, recent, nrecent, false, was);
	int64_t old = was[rng_below(r, (uint32_t)op->nsym)], new = moved_value(r, old);
	enum follows how = rng_below(r, FOLLOWS);
	if (old < 2 || new == old)
		return false;
	for (int k = 0; k < op->nsym; k++) {
		x[k] = followed(was, op->nsym, k, old, new, how);
		moved += x[k] != was[k];
	}
	return moved > 1;
}

bool point_move(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x)
{
	int64_t was[b->op->nsym + 1];
	bool moved = move(b, r, recent, nrecent, was, x);
	box_repair(b, x);
	return moved;
}

/* Undoes the change of the n-th symbol that moved. */
static void take_back(const int64_t *was, int64_t *x, int nsym, uint32_t n)
{
	for (int k = 0; k < nsym; k++)
		if (x[k] != was[k] && n-- == 0) {
			x[k] = was[k];
			return;
		}
}

bool point_part(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x)
{
	int nsym = b->op->nsym;
	int64_t was[nsym + 1];
	uint32_t moved = 0, few = 1 + rng_below(r, 2);
	if (!move(b, r, recent, nrecent, was, x))
		return false;
	for (int k = 0; k < nsym; k++)
		moved += x[k] != was[k];
	if (moved < 3)
		return false;
	bool most = rng_below(r, 2) || moved <= few + 1;
	for (uint32_t stay = most ? moved - (few < moved - 1 ? few : 1) : few + 1; moved > stay; moved--)
		take_back(was, x, nsym, rng_below(r, moved));
	box_repair(b, x);
	return true;
}
