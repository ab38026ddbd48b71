/* Generalizes clauses over positions: a clause about some positions is extended to their neighbors if no
 * accepted call refutes it. No rejected call becomes accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"
#include "generalize_positions.h"
#include "need.h"

enum { MOST = 40 };

/* An operator of one output, equal to its first symbol; a rule with these clauses (separated by `;`), and
 * its calls. */
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

/* Asserts that the rule has exactly these clauses, in any order. */
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
	generalize_positions(&l->f.solvers[0], from, MOST);
}

static void says_of_each_item_what_is_said_of_most(void **state)
{
	(void)state;
	lesson l;
	const char *said = "s1 >= 0;s3 >= 0;s1 < s0;s2 < s0;s3 < s0";
	begin(&l, "x=t1 at=l3", said, "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,3,1,-2],[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0); /* no clause disappears although a rejected call has two reasons */
	assert_clauses(&l, "s1 >= 0;s3 >= 0;s2 >= 0;s1 < s0;s2 < s0;s3 < s0");
	/* An accepted call refutes it. */
	begin(&l, "x=t1 at=l3", said, "[[3,0,-1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,0,1,-2],[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
	/* Once out of three has too little support. */
	begin(&l, "x=t1 at=l3", "s1 >= 0", "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1]");
	lift_from(&l, 1);
	assert_clauses(&l, "s1 >= 0");
}

/* In nested lists, generalizes over the same position of each list; pairs of different positions stay
 * separate. */
static void goes_from_list_to_list(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=n3,2", "s1 < s0;s3 < s0", "[[2,1,8,0,7,1,8],[2]],[[3,2,8,0,7,1,6],[3]]", "[2,2,0,0,0,0,0],[2,0,0,3,0,0,0]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 < s0;s3 < s0;s5 < s0");
}

/* Two accepted calls show that the items are unchecked if x is empty; no call shows it for the third item. */
static void widens_by_what_is_empty(void **state)
{
	(void)state;
	lesson l;
	const char *said = "s0 == 0 or s1 < s0;s0 == 0 or s2 < s0;s3 < s0", *pass = "[[0,5,5,-1],[0]],[[4,2,1,3],[4]],[[2,1,0,1],[2]]";
	begin(&l, "x=t1 at=l3", said, pass, "[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, "s0 == 0 or s1 < s0;s0 == 0 or s2 < s0;s0 == 0 or s3 < s0");
	/* A rejected call shows that the item is checked. */
	begin(&l, "x=t1 at=l3", said, pass, "[3,3,0,0],[3,0,3,0],[3,0,0,3],[0,0,0,1]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
	/* x being 1 does not count as empty. */
	said = "s0 == 1 or s1 < s0;s0 == 1 or s2 < s0;s3 < s0";
	begin(&l, "x=t1 at=l3", said, "[[1,5,5,0],[1]],[[4,2,1,3],[4]],[[2,1,0,1],[2]]", "[3,3,0,0],[3,0,3,0],[3,0,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, said);
}

/* A factor of 0 makes the product 0: the clause becomes narrower. */
static void widens_by_a_product(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t2 at=l3", "s0*s1 == 0 or s2 < s0;s0*s1 == 0 or s3 < s0;s0 == 0 or s4 < s0",
	    "[[0,1,5,5,5],[0]],[[4,0,9,9,3],[4]],[[2,1,0,1,1],[2]]", "[3,1,3,0,0],[3,1,0,3,0],[3,1,0,0,3]");
	lift_from(&l, 3);
	assert_clauses(&l, "s0*s1 == 0 or s2 < s0;s0*s1 == 0 or s3 < s0;s0*s1 == 0 or s4 < s0");
}

/* No two of four items are equal, although two pairs were never probed; clauses that had been fitted to the
 * calls instead are removed. */
static void says_of_any_two_what_is_said_of_most(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=l4", "s1 != s2;s2 != s3;s3 != s4;s1 != s3;s2 > 0 or s4 != 2", "[[9,0,1,2,3],[9]],[[9,3,2,1,0],[9]],[[9,2,3,0,1],[9]]",
	    "[9,1,1,2,3],[9,0,1,1,3],[9,0,1,3,3],[9,1,0,1,3],[9,2,0,1,2],[9,3,2,0,2]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 != s2;s2 != s3;s3 != s4;s1 != s3;s2 != s4;s1 != s4");
}

/* If a clause covers every item, the same clause with another dimension at one position is removed, unless
 * it alone rejects a call. */
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

/* Dimensions that broadcast; no accepted call has 1 in one of them. */
static void widens_what_broadcasts(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t3 y=t3", "s0 == s3 or s0 == 1 or s3 == 1;s1 == s4 or s1 == 1 or s4 == 1;s2 == s5 or s5 == 1",
	    "[[2,1,3,2,5,1],[2]],[[4,6,5,4,1,5],[4]]", "[2,2,2,3,2,2],[2,2,2,2,3,2],[2,2,2,2,2,3]");
	lift_from(&l, 3);
	assert_clauses(&l, "s0 == s3 or s0 == 1 or s3 == 1;s1 == s4 or s1 == 1 or s4 == 1;s2 == s5 or s2 == 1 or s5 == 1");
}

/* Item i corresponds to dimension i, unless all items are compared with one dimension. */
static void moves_as_a_whole(void **state)
{
	(void)state;
	lesson l;
	const char *pass = "[[3,4,0,2],[3]],[[9,5,4,3],[9]]";
	begin(&l, "x=t2 at=l2", "s2 < s0", pass, "[3,3,3,0]");
	lift_from(&l, 0);
	assert_clauses(&l, "s2 < s0;s3 < s1");
	begin(&l, "x=t2 at=l2", "s2 < s0", pass, "[3,3,3,0]"); /* it belongs to another operator */
	lift_from(&l, 1);
	assert_clauses(&l, "s2 < s0");
	begin(&l, "x=t2 at=l2", "s2 < s1;s3 < s1", pass, "[3,3,3,0],[3,3,0,3]");
	lift_from(&l, 0);
	assert_clauses(&l, "s2 < s1;s3 < s1");
	/* The correspondence does not apply to clauses about items alone. */
	begin(&l, "x=t1 at=l5", "s1 <= s2;s2 <= s3", "[[3,0,1,2,3,3],[3]],[[9,1,4,4,5,8],[9]]", "[3,2,1,2,3,4],[3,1,3,2,3,4]");
	lift_from(&l, 0);
	assert_clauses(&l, "s1 <= s2;s2 <= s3;s3 <= s4;s4 <= s5");
}

/* Items alone are generalized again at the end, once clauses of other operators have been added. */
static void looks_at_items_again(void **state)
{
	(void)state;
	lesson l;
	begin(&l, "x=t1 at=l3", "s1 >= 0;s3 >= 0", "[[3,0,1,2],[3]],[[4,2,1,3],[4]]", "[3,-1,0,1],[3,0,1,-2]");
	generalize_positions_last(&l.f.solvers[0], l.f.memory);
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
