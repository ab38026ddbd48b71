/* The operations on columns for one vector width. bank_column.c includes this file once per width, with
 *
 *   LANES          doubles per vector
 *   TARGET         the attribute that enables these vectors in a function
 *   NAME(x)        x with the width's suffix
 *   FLOOR(x)       the floor of each lane
 *   PRODUCT(a, b)  the 64-bit products of each lane's low halves
 *
 * LANES is a macro and not a parameter, since compilers split vectors that are too wide for a function's target before
 * they inline it.
 */
enum { NAME(VECTORS) = POINTS / LANES };

typedef double NAME(lanes) __attribute__((vector_size(LANES * sizeof(double)), may_alias));
typedef int64_t NAME(masks) __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef uint64_t NAME(words) __attribute__((vector_size(LANES * sizeof(uint64_t))));

#define lanes NAME(lanes)
#define masks NAME(masks)
#define words NAME(words)
#define INLINE static inline __attribute__((always_inline)) TARGET
#define KERNEL static TARGET

INLINE lanes NAME(pick)(masks condition, lanes yes, lanes no)
{
	return (lanes)((condition & (masks)yes) | (~condition & (masks)no));
}

INLINE lanes NAME(quotient)(lanes a, lanes b)
{
	return NAME(pick)(b == 0.0, (lanes){} + (double)NAN, FLOOR(a / b));
}

INLINE lanes NAME(at)(const column *c, int i)
{
	return ((const lanes *)c->at)[i];
}

KERNEL bool NAME(equal)(const column *left, const column *right)
{
	masks differ = {0};
	for (int i = 0; i < NAME(VECTORS); i++) {
		lanes a = NAME(at)(left, i), b = NAME(at)(right, i);
		differ |= (a != b) & ~((a != a) & (b != b));
	}
	int64_t any = 0;
	for (int i = 0; i < LANES; i++)
		any |= differ[i];
	return !any;
}

INLINE lanes NAME(value_add)(lanes a, lanes b)
{
	return a + b;
}

INLINE lanes NAME(value_sub)(lanes a, lanes b)
{
	return a - b;
}

INLINE lanes NAME(value_mul)(lanes a, lanes b)
{
	return a * b;
}

INLINE lanes NAME(value_div)(lanes a, lanes b)
{
	return NAME(quotient)(a, b);
}

INLINE lanes NAME(value_mod)(lanes a, lanes b)
{
	return a - b * NAME(quotient)(a, b);
}

INLINE lanes NAME(value_min)(lanes a, lanes b)
{
	return NAME(pick)(a < b, a, b) + (a - a); /* a - a propagates a's NaN; the comparison picks b's */
}

INLINE lanes NAME(value_max)(lanes a, lanes b)
{
	return NAME(pick)(a > b, a, b) + (a - a);
}

KERNEL void NAME(op)(column *out, enum op op, const column *left, const column *right)
{
	switch (op) {
#define X(OP, name, ...)                                                                           \
	case OP_##OP:                                                                              \
		for (int i = 0; i < NAME(VECTORS); i++)                                            \
			((lanes *)out->at)[i] = NAME(value_##name)(NAME(at)(left, i), NAME(at)(right, i)); \
		break;
		ARITH_OPS(X)
#undef X
	LEAF_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break; /* not arithmetic: cannot occur */
	}
}

/* NH (Black et al., UMAC), twice with different keys: sums of products of a value's two halves, each plus a key. The
 * products do not depend on each other, unlike those of a chained hash. Keys step by odd constants and depend on a
 * value's position only, so every width has the same sums. Adding 0.0 unifies the two zeros. */
typedef struct NAME(sums) {
	words first, second, key, step;
} NAME(sums);

#define sums NAME(sums)

INLINE sums NAME(start)(void)
{
	static const uint64_t KEY[2] = {0xd6e8feb86659fd93u, 0xa0761d6478bd642fu};
	static const uint64_t STEP[2] = {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u};
	sums s = {{0}, {0}, {0}, {0}};
	for (int i = 0; i < LANES; i++) {
		s.key[i] = KEY[i % 2] + STEP[i % 2] * (uint64_t)(i / 2);
		s.step[i] = STEP[i % 2] * (LANES / 2);
	}
	return s;
}

INLINE void NAME(stir)(sums *s, lanes x)
{
	words w = (words)(x + 0.0), high = w >> 32;
	s->first += PRODUCT(w + s->key, high + (s->key >> 32));
	s->second += PRODUCT(w ^ (s->key >> 17), high - s->key);
	s->key += s->step;
}

INLINE uint64_t NAME(finish)(const sums *s, uint64_t seed)
{
	uint64_t four[4] = {seed, seed, 0, 0}, all = 0;
	for (int i = 0; i < LANES; i++) {
		four[i % 2] += s->first[i];
		four[2 + i % 2] += s->second[i];
	}
	for (int i = 0; i < 4; i++) {
		all = (all ^ four[i]) * 0xbf58476d1ce4e5b9u;
		all ^= all >> 29;
	}
	return all ? all : 1;
}

KERNEL uint64_t NAME(hash)(const column *a, uint64_t seed)
{
	sums s = NAME(start)();
	for (int i = 0; i < NAME(VECTORS); i++)
		NAME(stir)(&s, NAME(at)(a, i));
	return NAME(finish)(&s, seed);
}

#define FINGERPRINT(op, value)                                                                     \
	if (wanted >> (op) & 1) {                                                                  \
		sums h = NAME(start)();                                                            \
		for (int i = 0; i < NAME(VECTORS); i++) {                                          \
			lanes a = NAME(at)(left, i), b = NAME(at)(right, i);                       \
			NAME(stir)(&h, (value));                                                   \
		}                                                                                  \
		out[op] = NAME(finish)(&h, 0);                                                     \
	}

/* Fingerprints a division and its remainder, which share the quotient. */
INLINE void NAME(divide)(const column *over, const column *under, uint64_t *division, uint64_t *remainder)
{
	sums h = NAME(start)(), g = h;
	for (int i = 0; i < NAME(VECTORS); i++) {
		lanes a = NAME(at)(over, i), b = NAME(at)(under, i), q = NAME(quotient)(a, b);
		NAME(stir)(&h, q);
		NAME(stir)(&g, a - b * q);
	}
	*division = NAME(finish)(&h, 0);
	*remainder = NAME(finish)(&g, 0);
}

KERNEL void NAME(fingerprints)(
    const column *left, const column *right, unsigned wanted, uint64_t out[PAIR_OPS])
{
	FINGERPRINT(PAIR_ADD, a + b)
	FINGERPRINT(PAIR_MUL, a * b)
	FINGERPRINT(PAIR_MIN, NAME(value_min)(a, b))
	FINGERPRINT(PAIR_MAX, NAME(value_max)(a, b))
	FINGERPRINT(PAIR_SUB, a - b)
	FINGERPRINT(PAIR_SUB_BACK, b - a)
	if (wanted & (1u << PAIR_DIV | 1u << PAIR_MOD))
		NAME(divide)(left, right, &out[PAIR_DIV], &out[PAIR_MOD]);
	if (wanted & (1u << PAIR_DIV_BACK | 1u << PAIR_MOD_BACK))
		NAME(divide)(right, left, &out[PAIR_DIV_BACK], &out[PAIR_MOD_BACK]);
}

static const column_kernels NAME(KERNELS) = {LANES, NAME(op), NAME(equal), NAME(hash), NAME(fingerprints)};

#undef lanes
#undef masks
#undef words
#undef sums
#undef INLINE
#undef KERNEL
#undef FINGERPRINT
#undef LANES
#undef TARGET
#undef NAME
#undef FLOOR
#undef PRODUCT
