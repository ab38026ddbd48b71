/* Set of queried inputs: contains exactly the inputs added, at any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "input_set.h"

enum { MANY = 5000 };

static void test_set(void **state)
{
	(void)state;
	input_set s = {.nsym = 2};
	assert_false(input_set_has(&s, (int64_t[]){0, 0}));
	for (int64_t i = 0; i < MANY; i++) {
		assert_true(input_set_add(&s, (int64_t[]){i, -i}));
		assert_false(input_set_add(&s, (int64_t[]){i, -i}));
	}
	for (int64_t i = 0; i < MANY; i++) {
		assert_true(input_set_has(&s, (int64_t[]){i, -i}));
		assert_false(input_set_has(&s, (int64_t[]){i, 1 + i}));
	}
	assert_int_equal(s.n, MANY);
	input_set_free(&s);
	assert_false(input_set_has(&s, (int64_t[]){1, -1}));
}

static void test_records(void **state)
{
	records r;
	buf b = {0};
	int nsym, nodim;
	(void)state;
	put_call(&b, "m.narrow", 0, "x=t1 start=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,1],[1]],[[5,0],[2]]],\"fail\":[[3,3],[5,4]]}\n");
	read_lines(&r, &b);
	input_set s = {.nsym = nsym};
	input_set_add_records(&s, &r.ops[0]);
	assert_int_equal(s.n, 4);
	assert_true(input_set_has(&s, (int64_t[]){5, 0}) && input_set_has(&s, (int64_t[]){5, 4}));
	assert_false(input_set_has(&s, (int64_t[]){0, 2})); /* an output is not an input */
	input_set_free(&s);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_set),
	    cmocka_unit_test(test_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
