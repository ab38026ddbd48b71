/* What is said at some places is said at those beside them: where no accepted call refutes it, and nothing that was refused is
 * accepted for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"
#include "lift.h"
#include "need.h"

enum { MOST = 40 };

/* An operator of one output that its first symbol gives, a rule of these clauses (`;` between them) for it, and its calls. */
static void begin(lesson *l, const char *args, const char *clauses, const char *pass, const char *fail)
{
	buf b = {0};
	int nsym, nodim, n = 0;
	diag d;
	*l = (lesson){.op = NULL};
	put_call(&b, "m.learned", 0, args, "1", &nsym, &nodim);
	buf_printf(&b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass, fail);
	read_lines(&l->r, &b);
	study_shapes(l);
	rule *r = &l->f.rules[0];
	assert_null(r->why);
	const expr **list = NEED_ARRAY(l->f.memory, const expr *, MOST);
	char words[512], *rest = words, *word;
	snprintf(words, sizeof words, "%s", clauses);
	while ((word = strtok_r(rest, ";", &rest)))
		assert_non_null(list[n++] = expr_parse(l->f.pool, word, nsym, "", 0, &d));
	r->clauses = list;
	r->nclauses = n;
}

/* Whether the rule has these clauses, in any order, and no others. */
static void assert_clauses(lesson *l, const char *clauses)
{
	rule *r = &l->f.rules[0];
	char words[512], *rest = words, *word;
	int n = 0;
	diag d;
	snprintf(words, sizeof words, "%s", clauses);
	for (; (word = strtok_r(rest, ";", &rest)); n++) {
		const expr *e = expr_parse(l->f.pool, word, l->op->nsym, "", 0, &d);
		bool there = false;
		for (int k = 0; k < r->nclauses; k++)
			there |= r->clauses[k] == e;
		if (!there)
			fail_msg("no clause %s", word);
	}
	assert_int_equal(r->nclauses, n);
	forget(l);
}

static void lift_from(lesson *l, int from)
{
	lift(&l->f.solvers[0], from, MOST);
}

static void says_of_each_item_what_is_said_of_most(void **state)
{
	(void)state;
	lesson l;
	const char *said = "s1 >= 0;s3 >= 0;s1 < s0;s2 < s0;s3 < s0";
	begin(&l, "x=t1 at=l3", said, "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,3,1,-2],[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0); /* and nothing goes that is, though a refused call has two reasons */
	assert_clauses(&l, "s1 >= 0;s3 >= 0;s2 >= 0;s1 < s0;s2 < s0;s3 < s0");
	/* A call that was accepted refutes it. */
	begin(&l, "x=t1 at=l3", said, "[[3,0,-1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,0,1,-2],[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
	/* Once of three is too seldom. */
	begin(&l, "x=t1 at=l3", "s1 >= 0", "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1]");
	lift_from(&l, 1);
	assert_clauses(&l, "s1 >= 0");
}

/* Of lists within lists the same position of each: pairs that are not alike stay apart. */
static void goes_from_list_to_list(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=n3,2", "s1 < s0;s3 < s0", "[[2,1,8,0,7,1,8],[2]],[[3,2,8,0,7,1,6],[3]]", "[2,2,0,0,0,0,0],[2,0,0,3,0,0,0]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 < s0;s3 < s0;s5 < s0");
}

/* Two accepted calls showed that nothing is looked at when x is empty; for the third item none did. */
static void widens_by_what_is_empty(void **state)
{
	(void)state;
	lesson l;
	const char *said = "s0 == 0 or s1 < s0;s0 == 0 or s2 < s0;s3 < s0", *pass = "[[0,5,5,-1],[0]],[[4,2,1,3],[4]],[[2,1,0,1],[2]]";
	begin(&l, "x=t1 at=l3", said, pass, "[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, "s0 == 0 or s1 < s0;s0 == 0 or s2 < s0;s0 == 0 or s3 < s0");
	/* A call that was refused says that it is looked at. */
	begin(&l, "x=t1 at=l3", said, pass, "[3,3,0,0],[3,0,3,0],[3,0,0,3],[0,0,0,1]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
	/* x being 1 is nothing of the kind. */
	said = "s0 == 1 or s1 < s0;s0 == 1 or s2 < s0;s3 < s0";
	begin(&l, "x=t1 at=l3", said, "[[1,5,5,0],[1]],[[4,2,1,3],[4]],[[2,1,0,1],[2]]", "[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
}

/* A factor that is 0 makes the product 0: it is said more narrowly. */
static void widens_by_a_product(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t2 at=l3", "s0*s1 == 0 or s2 < s0;s0*s1 == 0 or s3 < s0;s0 == 0 or s4 < s0",
	    "[[0,1,5,5,5],[0]],[[4,0,9,9,3],[4]],[[2,1,0,1,1],[2]]", "[3,1,3,0,0],[3,1,0,3,0],[3,1,0,0,3]");
	lift_from(&l, 3);
	assert_clauses(&l, "s0*s1 == 0 or s2 < s0;s0*s1 == 0 or s3 < s0;s0*s1 == 0 or s4 < s0");
}

/* No two of four are the same, though two pairs were never asked; and what had been fitted to the calls in their stead goes. */
static void says_of_any_two_what_is_said_of_most(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=l4", "s1 != s2;s2 != s3;s3 != s4;s1 != s3;s2 > 0 or s4 != 2", "[[9,0,1,2,3],[9]],[[9,3,2,1,0],[9]],[[9,2,3,0,1],[9]]",
	    "[9,1,1,2,3],[9,0,1,1,3],[9,0,1,3,3],[9,1,0,1,3],[9,2,0,1,2],[9,3,2,0,2]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 != s2;s2 != s3;s3 != s4;s1 != s3;s2 != s4;s1 != s4");
}

/* Where it is said of each item, the same with another dimension at one place goes, unless a call was refused for that alone. */
static void drops_what_is_odd(void **state)
{
	(void)state;
	lesson l;
	const char *said = "s2 < s1;s3 < s1;s4 < s1;s3 < s0", *pass = "[[3,4,0,2,3],[3]],[[9,5,4,3,2],[9]]";
	begin(&l, "x=t2 at=l3", said, pass, "[3,3,3,0,0],[3,3,0,3,0],[3,3,0,0,3]");
	lift_from(&l, 4);
	assert_clauses(&l, "s2 < s1;s3 < s1;s4 < s1");
	begin(&l, "x=t2 at=l3", said, pass, "[3,3,3,0,0],[3,3,0,3,0],[3,3,0,0,3],[2,9,0,2,0]");
	lift_from(&l, 4);
	assert_clauses(&l, said);
}

/* Dimensions that broadcast, of one of which no accepted call was 1. */
static void widens_what_broadcasts(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t3 y=t3", "s0 == s3 or s0 == 1 or s3 == 1;s1 == s4 or s1 == 1 or s4 == 1;s2 == s5 or s5 == 1",
	    "[[2,1,3,2,5,1],[2]],[[4,6,5,4,1,5],[4]]", "[2,2,2,3,2,2],[2,2,2,2,3,2],[2,2,2,2,2,3]");
	lift_from(&l, 3);
	assert_clauses(&l, "s0 == s3 or s0 == 1 or s3 == 1;s1 == s4 or s1 == 1 or s4 == 1;s2 == s5 or s2 == 1 or s5 == 1");
}

/* Item i goes with dimension i, unless items are compared with one dimension. */
static void moves_as_a_whole(void **state)
{
	(void)state;
	lesson l;
	const char *pass = "[[3,4,0,2],[3]],[[9,5,4,3],[9]]";
	begin(&l, "x=t2 at=l2", "s2 < s0", pass, "[3,3,3,0]");
	lift_from(&l, 0);
	assert_clauses(&l, "s2 < s0;s3 < s1");
	begin(&l, "x=t2 at=l2", "s2 < s0", pass, "[3,3,3,0]"); /* it is of another operator */
	lift_from(&l, 1);
	assert_clauses(&l, "s2 < s0");
	begin(&l, "x=t2 at=l2", "s2 < s1;s3 < s1", pass, "[3,3,3,0],[3,3,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, "s2 < s1;s3 < s1");
	/* Of items alone it is all the same. */
	begin(&l, "x=t1 at=l5", "s1 <= s2;s2 <= s3", "[[3,0,1,2,3,3],[3]],[[9,1,4,4,5,8],[9]]", "[3,2,1,2,3,4],[3,1,3,2,3,4]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 <= s2;s2 <= s3;s3 <= s4;s4 <= s5");
}

/* At the end, when clauses of other operators have come, items alone. */
static void looks_at_items_again(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=l3", "s1 >= 0;s3 >= 0", "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,0,1,-2]");
	lift_last(&l.f.solvers[0], l.f.memory);
	assert_clauses(&l, "s1 >= 0;s3 >= 0;s2 >= 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(says_of_each_item_what_is_said_of_most),
	    cmocka_unit_test(goes_from_list_to_list), cmocka_unit_test(widens_by_what_is_empty), cmocka_unit_test(widens_by_a_product),
	    cmocka_unit_test(says_of_any_two_what_is_said_of_most), cmocka_unit_test(drops_what_is_odd),
	    cmocka_unit_test(widens_what_broadcasts), cmocka_unit_test(moves_as_a_whole), cmocka_unit_test(looks_at_items_again)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
