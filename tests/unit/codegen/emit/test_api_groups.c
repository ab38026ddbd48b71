/* Groups of APIs that share their functions. Faults planted once: `2 * s->n` without 2 fails ends_with_twice_as_many; is_subset
 * that is always true fails keeps_others_apart; a sort by ascending size fails an assertion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "api_groups.h"

/* The groups of APIs whose functions are the letters of a word: "ab" is an API with two functions. */
static void expect(const char *const *apis, const char *const *groups, size_t n)
{
	api_group_entry entries[64];
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		for (const char *c = strchr(apis[i], ':') + 1; *c; c++)
			entries[count++] = (api_group_entry){.api = apis[i], .hash = (uint64_t)*c << 40};
	arena *memory = arena_new();
	api_groups_find(memory, entries, count);
	count = 0;
	for (size_t i = 0; i < n; i++)
		for (const char *c = strchr(apis[i], ':') + 1; *c; c++)
			assert_string_equal(entries[count++].group, groups[i]);
	arena_free(memory);
}

static void joins_aliases(void **state)
{
	(void)state;
	expect((const char *[]){"b.abs:xy", "a.abs:yxx", "a.abs_:xy"}, (const char *[]){"a.abs:yxx", "a.abs:yxx", "a.abs:yxx"}, 3);
}

static void keeps_others_apart(void **state)
{
	(void)state;
	expect((const char *[]){"a:xy", "b:xz", "c:w"}, (const char *[]){"a:xy", "b:xz", "c:w"}, 3);
}

static void ends_with_twice_as_many(void **state)
{
	(void)state;
	expect((const char *[]){"b:xyz", "c:xy"}, (const char *[]){"b:xyz", "b:xyz"}, 2);
	expect((const char *[]){"b:xyz", "c:x"}, (const char *[]){"b:xyz", "c:x"}, 2);
}

static void prefers_the_smallest(void **state)
{
	(void)state;
	expect((const char *[]){"a:wxyz", "b:xyv", "c:xy"}, (const char *[]){"a:wxyz", "b:xyv", "b:xyv"}, 3);
}

static void takes_none(void **state)
{
	(void)state;
	expect(NULL, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(joins_aliases),
	    cmocka_unit_test(keeps_others_apart),
	    cmocka_unit_test(ends_with_twice_as_many),
	    cmocka_unit_test(prefers_the_smallest),
	    cmocka_unit_test(takes_none),
	};
	return cmocka_run_group_tests_name("api_groups", tests, NULL, NULL);
}
