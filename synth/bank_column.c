#include "bank_column.h"

#include <math.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/rng.h"

typedef int64_t masks __attribute__((vector_size(LANES * sizeof(int64_t))));

#define INLINE static inline __attribute__((always_inline))

INLINE lanes pick(masks condition, lanes yes, lanes no)
{
	return (lanes)((condition & (masks)yes) | (~condition & (masks)no));
}

/* To the nearest integer by the rounding of an addition, then down: no instruction beyond SSE2, and
 * exact below 2^51. */
INLINE lanes floor_lanes(lanes x)
{
	const lanes magic = (lanes){} + 0x1.8p52;
	lanes r = (x + magic) - magic;
	return r - pick(r > x, (lanes){} + 1.0, (lanes){});
}

INLINE lanes quotient(lanes a, lanes b)
{
	return pick(b == 0.0, (lanes){} + (double)NAN, floor_lanes(a / b));
}

INLINE lanes smaller(lanes a, lanes b)
{
	return pick(a < b, a, b) + (a - a); /* a - a hands on a's NaN; the comparison picks b's */
}

INLINE lanes larger(lanes a, lanes b)
{
	return pick(a > b, a, b) + (a - a);
}

void column_constant(column *out, int value)
{
	for (int i = 0; i < VECTORS; i++)
		out->v[i] = (lanes){} + (double)value;
}

/* What a hole is at a point. Expressions like 2//(□1*□2 + 1) differ from their neighbours at tiny
 * values only, so most points are tiny; minima and long sums tell themselves apart at large ones. */
static int64_t point(rng *r, int index)
{
	if (index % 8 < 4)
		return rng_range(r, -2, 3);
	if (index % 8 < 6)
		return rng_range(r, -9, 12);
	return rng_range(r, -199, 200);
}

/* The other blocks: a scale of its own for each hole and point, as a floor's thin cases need a large
 * dividend over a small divisor, or all tiny; a quarter of them positive. */
static int64_t further_point(rng *r, int block)
{
	bool tiny = block % 4 == 2, positive = block % 4 == 3;
	int64_t reach = (int64_t)1 << (tiny ? 1 + rng_below(r, 2) : rng_below(r, 8));
	return rng_range(r, positive ? 1 : -reach, reach + 1);
}

void column_hole(column *out, int hole, int block)
{
	rng r = rng_seed(0x5eed + (uint64_t)hole + 64 * (uint64_t)block);
	for (int i = 0; i < POINTS; i++) {
		int64_t value = block ? further_point(&r, block) : point(&r, i);
		out->v[i / LANES][i % LANES] = (double)value;
	}
}

/* Equal values, or none in both. */
bool column_equal(const column *a, const column *b)
{
	masks differ = {0};
	for (int i = 0; i < VECTORS; i++) {
		masks none = (a->v[i] != a->v[i]) & (b->v[i] != b->v[i]);
		differ |= (a->v[i] != b->v[i]) & ~none;
	}
	return !(differ[0] | differ[1]);
}

#define EACH_VECTOR(expression)                                                                    \
	for (int i = 0; i < VECTORS; i++) {                                                        \
		lanes a = left->v[i], b = right->v[i];                                             \
		out->v[i] = (expression);                                                          \
	}                                                                                          \
	break

void column_op(column *out, enum op op, const column *left, const column *right)
{
	switch ((int)op) {
	case OP_ADD:
		EACH_VECTOR(a + b);
	case OP_SUB:
		EACH_VECTOR(a - b);
	case OP_MUL:
		EACH_VECTOR(a * b);
	case OP_DIV:
		EACH_VECTOR(quotient(a, b));
	case OP_MOD:
		EACH_VECTOR(a - b * quotient(a, b));
	case OP_MIN:
		EACH_VECTOR(smaller(a, b));
	case OP_MAX:
		EACH_VECTOR(larger(a, b));
	}
}

typedef uint64_t words __attribute__((vector_size(LANES * sizeof(uint64_t))));

/* The low halves' 64-bit products. */
INLINE words product(words a, words b)
{
#if defined(__SSE2__)
	return (words)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
	return (a & 0xffffffffu) * (b & 0xffffffffu);
#endif
}

/* NH (Black and others, UMAC), twice with other keys: sums of products of a value's two halves, each
 * plus a key. The products do not wait for each other, which a chained hash's do; keys step by odd
 * constants. One of two zeros is made by adding 0.0. */
typedef struct sums {
	words first, second, key;
} sums;

INLINE void stir(sums *s, lanes x)
{
	words w = (words)(x + 0.0), high = w >> 32;
	s->first += product(w + s->key, high + (s->key >> 32));
	s->second += product(w ^ (s->key >> 17), high - s->key);
	s->key += (words){0x9e3779b97f4a7c15u, 0xd1342543de82ef95u};
}

INLINE uint64_t finish(const sums *s)
{
	uint64_t all = 0;
	for (int i = 0; i < 2 * LANES; i++) {
		all = (all ^ (i < LANES ? s->first[i] : s->second[i - LANES])) * 0xbf58476d1ce4e5b9u;
		all ^= all >> 29;
	}
	return all ? all : 1;
}

#define START {.key = {0xd6e8feb86659fd93u, 0xa0761d6478bd642fu}}

#define FINGERPRINT(op, value)                                                                     \
	do {                                                                                       \
		sums h = START;                                                                    \
		for (int i = 0; i < VECTORS; i++) {                                                \
			lanes a = left->v[i], b = right->v[i];                                     \
			stir(&h, (value));                                                         \
		}                                                                                  \
		out[op] = finish(&h);                                                               \
	} while (0)

/* A division and its remainder share the quotient. */
#define FINGERPRINTS_OF_DIVISION(division, remainder, over, under)                                 \
	do {                                                                                       \
		sums h = START, g = START;                                                         \
		for (int i = 0; i < VECTORS; i++) {                                                \
			lanes q = quotient(over->v[i], under->v[i]);                               \
			stir(&h, q);                                                               \
			stir(&g, over->v[i] - under->v[i] * q);                                    \
		}                                                                                  \
		out[division] = finish(&h);                                                         \
		out[remainder] = finish(&g);                                                        \
	} while (0)

void column_fingerprints(const column *left, const column *right, uint64_t out[PAIR_OPS])
{
	FINGERPRINT(PAIR_ADD, a + b);
	FINGERPRINT(PAIR_MUL, a * b);
	FINGERPRINT(PAIR_MIN, smaller(a, b));
	FINGERPRINT(PAIR_MAX, larger(a, b));
	FINGERPRINT(PAIR_SUB, a - b);
	FINGERPRINT(PAIR_SUB_BACK, b - a);
	FINGERPRINTS_OF_DIVISION(PAIR_DIV, PAIR_MOD, left, right);
	FINGERPRINTS_OF_DIVISION(PAIR_DIV_BACK, PAIR_MOD_BACK, right, left);
}

uint64_t column_hash(const column *a, uint64_t seed)
{
	sums s = START;
	s.first += seed;
	for (int i = 0; i < VECTORS; i++)
		stir(&s, a->v[i]);
	return finish(&s);
}
