/* Dimensions that count the windows along another, with strides, paddings and dilations that all vary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* x, kernel, y, stride, padding, dilation: a quotient that is rounded towards 0, so that a kernel may exceed its input by less
 * than a stride. */
static bool is_cut_off(const int64_t *s, int64_t *out)
{
	int64_t last = s[0] + 2 * s[4] - s[5] * (s[1] - 1) - 1;
	out[0] = s[2];
	return s[1] > 0 && s[2] > 0 && s[3] > 0 && s[4] >= 0 && s[5] > 0 && s[2] == last / s[3] + 1;
}

static void learns_quotients_that_are_cut_off(void **state)
{
	static const char ARGS[] = "x=t1 w=t1 y=t1 stride=i padding=i dilation=i";
	lesson l;
	buf b = {0};
	draws d = {.dims = 8, .low = -1, .high = 3, .bases = 1500};
	(void)state;
	learn(ARGS, "1", is_cut_off, d);
	study(&l, ARGS, "1", is_cut_off, d);
	for (int k = 0; k < l.f.rules[0].nclauses; k++) {
		expr_print(&b, l.f.rules[0].clauses[k]);
		buf_puts(&b, "; ");
	}
	if (!strstr(b.text ? b.text : "", "s2 == max((s0 + 2*s4 - s5*(s1 - 1) - 1)//s3 + 1, 1)"))
		fail_msg("said: %s", b.text);
	buf_free(&b);
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(learns_quotients_that_are_cut_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
