/* Where signatures of one rule differ in an argument's position, the page distinguishes them by how they are
 * called, if possible. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "family_page.h"
#include "operators.h"

enum { MOST = 4, MOST_OUT = 5 };

typedef struct form_text {
	const char *args, *ranks;
	const char *out[MOST_OUT];
} form_text;

/* The outputs on the page of an API whose last `others` signatures have lines of their own; all others have
 * the first one's. */
static void expect_of_parts(const form_text *texts, int n, int others, const char *text)
{
	buf b = {0};
	records r;
	const operator *ops[MOST];
	const expr *out[MOST][MOST_OUT];
	const expr *const *outs[MOST];
	uint64_t *open[MOST] = {NULL};
	int nsym, nodim, part[MOST] = {0}, leads[MOST] = {0};
	api_solver f = {.n = n, .memory = arena_new(), .pool = expr_pool_new()};
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, texts[i].args, texts[i].ranks, &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&r, &b);
	for (int i = 0; i < n; i++) {
		ops[i] = &r.ops[i];
		outs[i] = out[i];
		part[i] = i >= n - others;
		for (int d = 0; d < ops[i]->nodim; d++)
			out[i][d] = expr_parse(f.pool, texts[i].out[d], ops[i]->nsym, "test", 1, NULL);
	}
	api_unify_view v = {.ops = ops, .outs = outs, .n = n, .part = part, .leads = leads, .nparts = 1 + (others > 0), .open = open};
	leads[1] = n - others;
	cJSON *page = cJSON_Parse(family_page(&f, &v));
	char *said = cJSON_PrintUnformatted(cJSON_GetObjectItem(page, "outputs"));
	assert_string_equal(said, text);
	free(said);
	cJSON_Delete(page);
	records_free(&r);
	expr_pool_free(f.pool);
	arena_free(f.memory);
}

static void expect(const form_text *texts, int n, const char *text)
{
	expect_of_parts(texts, n, 0, text);
}

static void lines_that_stand_elsewhere_are_told_apart(void **state)
{
	(void)state;
	static const form_text LIST = {"a=t2 reps=l2", "2", {"s0*s2", "s1*s3"}}, NUMBER = {"a=t2 reps=i", "2", {"s0", "s1*s2"}};
	static const form_text LONG = {"a=t3 reps=l3", "3", {"s0*s3", "s1*s4", "s2*s5"}};
	static const form_text FIRST = {"a=t2 reps=i", "2", {"s0*s2", "s1"}};
	expect((form_text[]){NUMBER, LIST}, 2, "[\"out[0] = a[0] if reps is a number\",\"out[1] = a[1]*reps if reps is a number\","
					       "\"out[i] = a[i]*reps[i] for each i if reps is a list\"]");
	expect((form_text[]){LIST, LONG}, 2, "[\"out[i] = a[i]*reps[i] for each i\"]");
	expect((form_text[]){NUMBER, FIRST}, 2, "[\"out[i] = a[i] for some i\",\"out[i] = a[i]*reps for some i\"]");
	static const form_text POOL = {"x=t4 k=l2", "4", {"s0", "s1", "s2 - s4 + 1", "s3 - s5 + 1"}};
	static const form_text CUBE = {"x=t5 k=l3", "5", {"s0", "s1", "s2 - s5 + 1", "s3 - s6 + 1", "s4 - s7 + 1"}}, SAME = {"x=t3 k=l1 pad=#7", "3", {"s0", "s1", "s2"}};
	expect((form_text[]){POOL, CUBE, SAME}, 3, "[\"out[:2] = x[:2] if pad is omitted\","
						   "\"out[i] = window(x[i], k[i]) for each i from 2 on if pad is omitted\",\"out = x if pad = 7\"]");
	static const form_text BOTH = {"a=t2 n=i p=#2 q=#2", "2", {"s0", "s1*s2"}};
	static const form_text ONE = {"a=t2 n=i p=#2 q=#3", "2", {"s0*s2", "s1"}}, OTHER = {"a=t2 n=i p=#3 q=#2", "2", {"s0*s2", "s1"}};
	expect((form_text[]){ONE, OTHER, BOTH}, 3, "[\"out[0] = a[0] if p = 2 and q = 2\",\"out[1] = a[1]*n if p = 2 and q = 2\","
						   "\"out[0] = a[0]*n otherwise\",\"out[1] = a[1] otherwise\"]");
}

/* A condition that another one implies is not printed. */
static void what_is_said_implies(void **state)
{
	(void)state;
	static const form_text LAST = {"x=t2 n=i mode=c1", "2", {"s0", "s1*s2"}}, OTHER = {"x=t2 n=i mode=c2", "2", {"s0", "7"}};
	static const form_text FIRST = {"x=t2 n=i mode=c3", "2", {"s0*s2", "s1"}};
	expect_of_parts((form_text[]){LAST, OTHER, FIRST}, 3, 1,
	    "[\"out[0] = x[0] if mode != 'c3'\",\"out[1] = x[1]*n if mode != 'c3'\",\"out[-1] = 7 if mode = 'c2'\","
	    "\"out[0] = x[0]*n if mode = 'c3'\",\"out[1] = x[1] if mode = 'c3'\"]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lines_that_stand_elsewhere_are_told_apart), cmocka_unit_test(what_is_said_implies)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
