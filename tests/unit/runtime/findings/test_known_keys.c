/* Failures of one key: reduced until three are one finding, then counted as its duplicates, but for every power of two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "known_keys.h"

/* Meets a failure; if it is to be reduced, it is of this finding. Returns whether it was. */
static bool meet(known_keys *k, const char *key, int64_t finding)
{
	int64_t known = known_keys_meet(k, key);
	if (!known)
		assert_true(known_keys_note(k, key, finding));
	return !known;
}

static void duplicates(void **state)
{
	(void)state;
	known_keys k = {0};
	for (unsigned i = 1; i <= 32; i++) {
		bool reduced = i <= 4 || i == 8 || i == 16 || i == 32;
		assert_true(meet(&k, "a", 7) == reduced);
		if (!reduced)
			assert_int_equal(known_keys_meet(&k, "b"), 0);
	}
	known_keys_free(&k);
}

static void several_findings(void **state)
{
	(void)state;
	known_keys k = {0};
	for (int i = 0; i < 20; i++) {
		assert_true(meet(&k, "a", i == 2 ? 8 : 7));
		assert_true(meet(&k, "b", i == 1 ? 0 : 7)); /* did not fail again */
	}
	for (int i = 0; i < 7; i++)
		meet(&k, "c", 9);
	assert_int_equal(k.list[2].finding, 9);
	assert_true(meet(&k, "c", 10)); /* the eighth is another one */
	for (int i = 0; i < 7; i++)
		assert_true(meet(&k, "c", 9));
	known_keys_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(duplicates), cmocka_unit_test(several_findings)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
