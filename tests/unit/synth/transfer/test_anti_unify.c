/* Generalizes two calls, each with arguments that the other lacks, to one template: it gives both,
 * with 0 or 1 for each missing argument. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "anti_unify.h"

/* A call: its arguments and one output dimension as in operators.h, and the dimension's formula. */
typedef struct one {
	const char *args, *e;
} one;

static void make(expr_template *to, records *r, expr_pool *pool, const one *x)
{
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.f", 0, x->args, "2", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(r, &b);
	const operator *op = &r->ops[0];
	template_index at = expr_template_output(op, 1);
	assert_true(expr_template_of(to, pool, op, expr_parse(pool, x->e, op->nsym, "test", 1, NULL), NULL, &at, false));
}

/* text: the template, its positions in the order of the first call's and then of the second's; NULL: none
 * exists. */
static void expect(one first, one second, const char *text)
{
	expr_pool *pool = expr_pool_new();
	records r[2];
	expr_template a, b, both;
	make(&a, &r[0], pool, &first);
	make(&b, &r[1], pool, &second);
	bool is = anti_unify(&both, pool, &a, &b);
	if (is != (text != NULL))
		fail_msg("%s and %s: %s", first.e, second.e, is ? "joined" : "not joined");
	buf said = {0};
	if (is)
		expr_print(&said, both.e);
	assert_string_equal(is ? said.text : "", text ? text : "");
	buf_free(&said);
	records_free(&r[0]);
	records_free(&r[1]);
	expr_pool_free(pool);
}

static void sums_and_quotients_join(void **state)
{
	(void)state;
	const one padded = {"x=t2 k=i pad=i", "s1 + s3 - s2 + 1"};
	expect((one){"x=t2 k=i d=i", "s1 + s2*s3 - s3"}, (one){"x=t2 k=i pad=i", "s1 + s2 - 1 - 2*s3"}, "s0 + s1*s2 - s2 - 2*s3");
	expect((one){"x=t2 k=i s=i", "(s1 - s2)//s3 + 1"}, padded, "(s0 + s3 - s1)//s2 + 1");
	expect(padded, (one){"x=t2 k=i s=i", "(s1 - s2)//s3 + 1"}, "(s0 + s1 - s2)//s3 + 1");
	expect((one){"x=t2 k=i s=i", "(s1 - s2)//s3 + 1 if s1 >= s2 else 1 - (s2 - s1)//s3"}, padded,
	    "(s0 + s3 - s1)//s2 + 1 if s0 + s3 >= s1 else 1 - (s1 - s0 - s3)//s2");
}

static void both_sides_of_a_minimum_join(void **state)
{
	(void)state;
	const one padded = {"x=t2 k=i s=i pad=i", "min((s1 + s4 - 1)//s3 + 1, (s1 + 2*s4 - s2 - 1)//s3 + 2)"};
	const one dilated = {"x=t2 k=i s=i d=i", "min((s1 - (s2 - 1)*s4 - 2)//s3 + 2, (s1 - 1)//s3 + 1)"};
	const one other = {"x=t2 k=i s=i d=i", "min((s1 - (s2 - 1)*s4 - 2)//s3 + 2, s1//s3 + 1)"};
	expect(padded, dilated, "min((s0 + s1 - 1)//s2 + 1, (s0 + 2*s1 + s4 - s3*s4 - 2)//s2 + 2)");
	expect(padded, other, NULL);
}

static void others_do_not(void **state)
{
	(void)state;
	const one strided = {"x=t2 k=i s=i", "(s1 - s2)//s3 + 1"};
	expect(strided, (one){"x=t2 k=i pad=i", "s1 + s3 - s2 + 2"}, NULL);	     /* different without both */
	expect((one){"x=t2 k=i s=i pad=i", "(s1 + s4 - s2)//s3 + 1"},
	    (one){"x=t2 k=i s=i d=i", "(s1 - (s2 - 1)*s4 - 1)//s3 + 1 if s1 + s4 >= s2*s4 + 1 else 1 - (s2*s4 + 1 - s1 - s4)//s3"}, NULL);
	expect(strided, (one){"x=t2 k=i", "s1 - s2 + 1"}, NULL);			     /* one covers the other already */
	expect(strided, (one){"x=t2 w=t2", "s1 - s3 + 1"}, NULL);			     /* a tensor cannot be omitted */
	expect(strided, (one){"x=t2 k=i t=i", "(s1 - s2)//s3 + 1"}, NULL);		     /* two strides */
	expect((one){"x=t2 k=i s=i", "s1//s3 - s2"}, (one){"x=t2 k=i d=i", "s1*s3 - s2*s3"}, NULL); /* s is 1, but d is 0 or 1 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_quotients_join), cmocka_unit_test(both_sides_of_a_minimum_join),
	    cmocka_unit_test(others_do_not)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
