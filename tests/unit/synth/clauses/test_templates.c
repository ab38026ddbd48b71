/* Conditions over all positions of a shape, or over the positions shared with another shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

static bool broadcasts(int64_t a, int64_t b, int64_t *out)
{
	*out = a == 1 ? b : a;
	return a == b || a == 1 || b == 1;
}

/* A batched matrix product: all dimensions but the last two broadcast. */
static bool is_product(const int64_t *s, int64_t *out)
{
	out[2] = s[2];
	out[3] = s[7];
	return broadcasts(s[0], s[4], &out[0]) && broadcasts(s[1], s[5], &out[1]) && s[3] == s[6];
}

/* The result of broadcasting two dimensions broadcasts with either one exactly as they do with each other:
 * the rule names the inputs' dimensions. */
static void names_the_dimensions_that_broadcast(void **state)
{
	(void)state;
	lesson l;
	buf b = {0};
	study(&l, "x=t4 y=t4", "4", is_product, (draws){.dims = 4, .bases = 900});
	assert_null(l.f.rules[0].why);
	assert_says(&l.f.rules[0], "s3 == s6");
	assert_says(&l.f.rules[0], "s0 == s4 or s0 == 1 or s4 == 1");
	assert_says(&l.f.rules[0], "s1 == s5 or s1 == 1 or s5 == 1");
	rule_print(&b, &l.f.rules[0]);
	assert_null(strstr(strchr(b.text, '|'), "if")); /* the outputs come before it */
	buf_free(&b);
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_dimensions_that_broadcast)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
