/* xoshiro256**, seeded by SplitMix64 (Blackman and Vigna). The same numbers on every machine. Not for cryptography. */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rng {
	uint64_t s[4];
} rng;

/* SplitMix64: advances the state and returns its mix. A bijection of the state, so different states give different mixes. */
static inline uint64_t rng_mix(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline rng rng_seed(uint64_t seed)
{
	rng r;
	for (int i = 0; i < 4; i++)
		r.s[i] = rng_mix(&seed);
	return r;
}

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(rng *r)
{
	uint64_t *s = r->s, result = rng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Uniform in 0..n-1, n > 0, by multiplication (Lemire). The bias is below 2^-32. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
	return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

/* Uniform in low..high, both inclusive; low <= high. */
static inline int64_t rng_range(rng *r, int64_t low, int64_t high)
{
	uint64_t n = (uint64_t)high - (uint64_t)low + 1;
	return n ? (int64_t)((uint64_t)low + rng_next(r) % n) : (int64_t)rng_next(r);
}

#ifdef __cplusplus
}
#endif

#endif
