/* Shards of work: everything has one owner, the shards are even, and neighbors stay together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "shard.h"

enum { N = 500 };

/* Costs that differ widely, as those of APIs do. */
static uint64_t fill(uint64_t costs[N])
{
	uint64_t h = 88172645463325252u, sum = 0;
	for (int k = 0; k < N; k++) {
		h ^= h << 13, h ^= h >> 7, h ^= h << 17;
		costs[k] = 1 + h % 1000 * (h >> 40 & 7);
		sum += costs[k];
	}
	return sum;
}

static void parses(void **state)
{
	static const char *const BAD[] = {"", "1", "1/", "/1", "1/1", "2/1", "-1/2", "+1/2", "1/2x", "x1/2", " 1/2", "0/0", "1/100001",
	    "0/99999999999", "1 /2"};
	shard s;
	(void)state;
	assert_true(shard_parse("0/1", &s));
	assert_true(shard_parse("7/8", &s));
	assert_int_equal(s.index, 7);
	assert_int_equal(s.count, 8);
	for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++)
		assert_false(shard_parse(BAD[k], &s));
}

static void takes_all_once(void **state)
{
	uint64_t costs[N], sum = fill(costs);
	(void)state;
	for (int n = 1; n <= 9; n += 4) {
		int owners[N] = {0};
		for (int i = 0; i < n; i++) {
			bool mine[N];
			uint64_t load = 0;
			shard_take((shard){i, n}, costs, N, mine);
			for (int k = 0; k < N; k++) {
				owners[k] += mine[k];
				load += mine[k] ? costs[k] : 0;
			}
			assert_true(load * 100 < sum / (uint64_t)n * 105 && load * 100 > sum / (uint64_t)n * 95);
		}
		for (int k = 0; k < N; k++)
			assert_int_equal(owners[k], 1);
	}
}

static void takes_more_shards_than_things(void **state)
{
	static const uint64_t COSTS[] = {5, 5};
	int owned = 0;
	(void)state;
	for (int i = 0; i < 7; i++) {
		bool mine[2];
		shard_take((shard){i, 7}, COSTS, 2, mine);
		assert_int_equal(mine[0], i == 0); /* ties: the lower shard, the earlier thing */
		assert_int_equal(mine[1], i == 1);
		owned += mine[0] + mine[1];
	}
	assert_int_equal(owned, 2);
}

static void has_ranges(void **state)
{
	uint64_t costs[N], sum = fill(costs);
	(void)state;
	for (int n = 1; n <= 600; n = n * 3 + 1) {
		int next = 0;
		for (int i = 0; i < n; i++) {
			int from, to;
			uint64_t load = 0;
			shard_range((shard){i, n}, costs, N, &from, &to);
			assert_int_equal(from, next);
			assert_true(to >= from);
			next = to;
			for (int k = from; k < to; k++)
				load += costs[k];
			assert_true(load <= sum / (uint64_t)n + 2 * 7000);
		}
		assert_int_equal(next, N);
	}
}

static void is_whole_without_shards(void **state)
{
	static const uint64_t COSTS[] = {3, 1, 2};
	bool mine[3];
	int from, to;
	(void)state;
	shard_take((shard){0}, COSTS, 3, mine);
	assert_true(mine[0] && mine[1] && mine[2]);
	shard_range((shard){0}, COSTS, 3, &from, &to);
	assert_int_equal(from, 0);
	assert_int_equal(to, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parses), cmocka_unit_test(takes_all_once),
	    cmocka_unit_test(takes_more_shards_than_things), cmocka_unit_test(has_ranges), cmocka_unit_test(is_whole_without_shards)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
