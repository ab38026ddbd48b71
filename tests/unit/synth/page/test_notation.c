/* Outputs in the words of a call, over call forms: by the argument that names a dimension, or by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "notation.h"
#include "operators.h"

enum { MOST = 4, MOST_OUT = 4 };

/* A call form: its arguments and outputs as operators.h has them, and the outputs' dimensions. */
typedef struct form_text {
	const char *args, *ranks;
	const char *out[MOST_OUT];
} form_text;

static void expect(const form_text *texts, int n, const char *text)
{
	buf b = {0}, said = {0};
	records r;
	expr_pool *pool = expr_pool_new();
	const operator *ops[MOST];
	const expr *out[MOST][MOST_OUT];
	const expr *const *outs[MOST];
	int nsym, nodim;
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, texts[i].args, texts[i].ranks, &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&r, &b);
	assert_int_equal(r.n, n);
	for (int i = 0; i < n; i++) {
		ops[i] = &r.ops[i];
		outs[i] = out[i];
		for (int d = 0; d < ops[i]->nodim; d++)
			out[i][d] = expr_parse(pool, texts[i].out[d], ops[i]->nsym, "test", 1, NULL);
	}
	buf_putc(&said, '[');
	notation_outputs(&said, &(notation){ops, n}, pool, 0, outs);
	assert_string_equal(said.text + 1, text);
	buf_free(&said);
	expr_pool_free(pool);
	records_free(&r);
}

/* How many results are wanted is no dimension, although there is a dimension 2 where it is 2. */
static void numbers_are_no_names(void **state)
{
	(void)state;
	static const form_text TWO = {"x=t3 w=t3 results=#2", "3", {"s3", "s1", "s5"}};
	static const form_text ONE = {"x=t3 w=t3 results=#1", "3", {"s3", "s1", "s5"}};
	expect((form_text[]){TWO, ONE}, 2, "\"out[i] = w[i] for i = -3, -1\",\"out[1] = x[1]\"");
}

/* But dim is one: it stands elsewhere in each call form. */
static void axes_are_names(void **state)
{
	(void)state;
	static const form_text FIRST = {"x=t3 length=i dim=#0", "3", {"s3", "s1", "s2"}};
	static const form_text LAST = {"x=t3 length=i dim=#2", "3", {"s0", "s1", "s3"}};
	expect((form_text[]){FIRST, LAST}, 2, "\"out = set(x, dim, length)\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_no_names), cmocka_unit_test(axes_are_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
