/* A dimension that is a multiple of a product of others, and what must be divisible by that factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* Offsets of a deformable convolution: two numbers per kernel position and per group of input channels. */
static bool is_deformed(const int64_t *s, int64_t *out)
{
	int64_t places = 2 * s[2] * s[3];
	out[0] = s[0];
	return places > 0 && s[1] > 0 && s[1] % places == 0 && s[0] % (s[1] / places) == 0;
}

static void learns_shares_of_products(void **state)
{
	lesson l;
	buf b = {0};
	draws d = {.dims = 24, .bases = 3000};
	(void)state;
	learn("x=t1 offset=t1 kernel=t2", "1", is_deformed, d);
	study(&l, "x=t1 offset=t1 kernel=t2", "1", is_deformed, d);
	for (int k = 0; k < l.f.rules[0].nclauses; k++) {
		expr_print(&b, l.f.rules[0].clauses[k]);
		buf_puts(&b, "; ");
	}
	if (!strstr(b.text ? b.text : "", "s1%(2*s2*s3) == 0") || !strstr(b.text, "s0%(s1//(2*s2*s3)) == 0"))
		fail_msg("rule: %s", b.text);
	buf_free(&b);
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(learns_shares_of_products),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
