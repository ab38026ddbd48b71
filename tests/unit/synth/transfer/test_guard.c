/* Guards: conditions on how a signature is called that distinguish signatures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "guard.h"
#include "operators.h"

enum { MOST_FORMS = 6 };

/* The guard of the signatures whose bit is set in `in`, against those in `out`; "" if none exists. */
static const char *guard_of(const char *const *args, int n, unsigned in, unsigned out)
{
	static char words[128];
	const operator *ops[MOST_FORMS];
	bool ins[MOST_FORMS] = {false}, outs[MOST_FORMS] = {false};
	buf b = {0}, text = {0};
	records r;
	guard g;
	int nsym, nodim;
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, args[i], "0", &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
		ins[i] = in >> i & 1;
		outs[i] = out >> i & 1;
	}
	read_lines(&r, &b);
	for (int i = 0; i < n; i++)
		ops[i] = &r.ops[i];
	bool found = guard_find(&g, ops, n, ins, outs);
	for (int i = 0; i < n && found; i++) {
		assert_true(!ins[i] || guard_holds(&g, ops[i]));
		assert_false(outs[i] && guard_holds(&g, ops[i]));
	}
	if (found)
		guard_put(&text, &g);
	snprintf(words, sizeof words, "%s", found ? text.text : "");
	buf_free(&text);
	records_free(&r);
	return words;
}

#define GUARD(in, out, ...)                                                                                                     \
	guard_of((const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), in, out)

static void a_constant_tells(void **state)
{
	(void)state;
	assert_string_equal(GUARD(1, 2, "x=t2 mode=c1", "x=t2 mode=c2"), "mode = 'c1'");
	assert_string_equal(GUARD(3, 4, "x=t2 mode=c1", "x=t3 mode=c2", "x=t2 mode=c3"), "mode != 'c3'");
	assert_string_equal(GUARD(1, 2, "x=t2", "x=t2 dim=#1"), "dim is omitted");
	assert_string_equal(GUARD(2, 1, "x=t2", "x=t2 dim=i"), "dim is given");
	assert_string_equal(GUARD(3, 4, "x=t2 dim=i", "x=t2 dim=#1", "x=t2"), "dim is given");
}

static void kinds_and_ranks_tell(void **state)
{
	(void)state;
	assert_string_equal(GUARD(1, 2, "x=t2 k=l2", "x=t2 k=i"), "k is a list");
	assert_string_equal(GUARD(1, 2, "x=t2", "x=t3"), "rank(x) = 2");
	assert_string_equal(GUARD(3, 4, "x=t2", "x=t3", "x=t4"), "rank(x) != 4");
}

/* The cheapest guard wins: a constant before a rank, one condition before two; two if one is not enough. */
static void the_cheapest_stands(void **state)
{
	(void)state;
	assert_string_equal(GUARD(1, 2, "x=t2 mode=c1", "x=t3 mode=c2"), "mode = 'c1'");
	assert_string_equal(GUARD(1, 6, "x=t2 mode=c1", "x=t2 mode=c2", "x=t3 mode=c1"), "rank(x) = 2 and mode = 'c1'");
}

/* One argument distinguishes both sides: of three arguments that the first side lacks, the one with the same
 * value in all others. */
static void a_flag_stands_for_both(void **state)
{
	(void)state;
	assert_string_equal(GUARD(1, 6, "x=t2", "x=t2 beta=#2 n=i trans=#1", "x=t2 beta=#3 n=#1 trans=#1"), "trans is omitted");
	assert_string_equal(GUARD(6, 1, "x=t2", "x=t2 beta=#2 n=i trans=#1", "x=t2 beta=#3 n=#1 trans=#1"), "trans = 1");
	assert_string_equal(GUARD(1, 6, "x=t2 k=c1 scales=t1", "x=t2 sizes=t1 k=c2", "x=t2 sizes=t1 k=c2"), "scales is given");
	assert_string_equal(GUARD(2, 1, "x=t2 k=c1 scales=t1", "x=t2 sizes=t1 k=c2"), "sizes is given");
	assert_string_equal(GUARD(1, 2, "x=t2", "x=t2 p=#1 q=#1"), "p is omitted");
}

static void nothing_tells_equal_ones(void **state)
{
	(void)state;
	assert_string_equal(GUARD(1, 2, "x=t2 k=i", "x=t2 k=i"), "");
	assert_string_equal(GUARD(0, 2, "x=t2", "x=t3"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_constant_tells), cmocka_unit_test(kinds_and_ranks_tell),
	    cmocka_unit_test(the_cheapest_stands), cmocka_unit_test(a_flag_stands_for_both),
	    cmocka_unit_test(nothing_tells_equal_ones)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
