/* Random streams of models: no two streams of neighbouring seeds, models and features share their numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "stream.h"

enum { SEEDS = 40, MODELS = 6, STREAMS = SEEDS * MODELS * STREAM_COUNT };

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The first numbers of all streams; from: the first seed. */
static void assert_distinct(uint64_t from)
{
	static uint64_t first[STREAMS];
	size_t n = 0;
	for (uint64_t i = 0; i < SEEDS; i++)
		for (uint64_t model = 0; model < MODELS; model++)
			for (int stream = 0; stream < STREAM_COUNT; stream++) {
				rng r = stream_rng(from + i, model, (enum gen_stream)stream);
				first[n++] = rng_next(&r);
			}
	assert_int_equal(n, STREAMS);
	qsort(first, n, sizeof *first, by_number);
	for (size_t i = 1; i < n; i++)
		assert_true(first[i - 1] != first[i]);
}

static void neighbouring_streams_differ(void **state)
{
	(void)state;
	assert_distinct(0);
	assert_distinct(1000000);
	assert_distinct(UINT64_MAX - SEEDS + 1);
}

/* One bit of the seed or of the stream changes about half of the 64 bits of the first number. */
static void one_bit_changes_half(void **state)
{
	(void)state;
	unsigned changed = 0, pairs = 0;
	for (uint64_t seed = 0; seed < 64; seed += 2)
		for (int stream = 0; stream + 1 < STREAM_COUNT; stream += 2) {
			rng a = stream_rng(seed, 0, (enum gen_stream)stream);
			rng b = stream_rng(seed + 1, 0, (enum gen_stream)stream), c = stream_rng(seed, 0, (enum gen_stream)(stream + 1));
			const uint64_t x = rng_next(&a);
			changed += (unsigned)(__builtin_popcountll(x ^ rng_next(&b)) + __builtin_popcountll(x ^ rng_next(&c)));
			pairs += 2;
		}
	assert_in_range(changed, pairs * 30, pairs * 34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(neighbouring_streams_differ), cmocka_unit_test(one_bit_changes_half)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
