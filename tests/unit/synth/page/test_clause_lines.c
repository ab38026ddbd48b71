/* The clauses of a signature without an API rule are printed once for all their positions, with the same
 * meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "family_page.h"
#include "api_unify.h"
#include "operators.h"

enum { MOST = 12 };

/* Expects the page's text for these clauses: lines separated by `;`. */
static void expect(const char *args, const char *ranks, const char *const *out, const char *const *clauses, const char *lines)
{
	static const options none = {NULL};
	buf b = {0}, said = {0};
	records r;
	api_solver f;
	int nsym, nodim, n = 0;
	put_call(&b, "m.f", 0, args, ranks, &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	const operator *ops[] = {&r.ops[0]};
	const expr *outs[MOST], *list[MOST];
	api_solver_start(&f, ops, 1, &none);
	for (int d = 0; d < nodim; d++)
		outs[d] = expr_parse(f.pool, out[d], nsym, "test", 1, NULL);
	for (; n < MOST && clauses[n]; n++)
		list[n] = expr_parse(f.pool, clauses[n], nsym, "test", 1, NULL);
	f.rules[0] = (rule){.out = outs, .nodim = nodim, .clauses = list, .nclauses = n};
	api_membership to;
	api_unify(&f, &to);
	assert_true(to.same);
	cJSON *page = cJSON_Parse(family_page(&f, to.view));
	const cJSON *c;
	cJSON_ArrayForEach(c, cJSON_GetObjectItem(page, "clauses"))
		buf_printf(&said, "%s%s", said.length ? "; " : "", cJSON_GetObjectItem(c, "text")->valuestring);
	assert_string_equal(buf_text(&said), lines);
	cJSON_Delete(page);
	buf_free(&said);
	api_solver_free(&f);
	records_free(&r);
}

#define SAYS(args, ranks, out, lines, ...) \
	expect(args, ranks, (const char *const[]){out}, (const char *const[]){__VA_ARGS__, NULL}, lines)

static void positions_are_said_once(void **state)
{
	(void)state;
	SAYS("a=t3 b=t3", "1", "s0", "a[i] > 0 for each i", "s0 > 0", "s1 > 0", "s2 > 0");
	SAYS("a=t4 b=t4", "1", "s0", "a[i] > 0 for i = 0, 2; b[i] == a[i] for the first 3 i; b[3] > 1", "s0 > 0", "s4 == s0", "s5 == s1", "s2 > 0",
	    "s7 > 1", "s6 == s2");
	SAYS("a=t3 b=t3", "1", "s0", "a[i] > 0 for the first 2 i", "s0 > 0", "s1 > 0");
	SAYS("a=t3 b=t3", "1", "s0", "a[1] > 0; b[1] > 1", "s1 > 0", "s4 > 1");
	SAYS("a=t4 p=l8", "1", "s0", "first(p)[i] < a[i] for each i; last(p)[i] < a[i] for each i", "s4 < s0", "s5 < s1", "s6 < s2", "s7 < s3",
	    "s8 < s0", "s9 < s1", "s10 < s2", "s11 < s3");
}

/* A list of four numbers beside one dimension has no pairs. */
static void lists_are_no_pairs(void **state)
{
	(void)state;
	SAYS("s=l4 a=t4", "1", "s4", "s[1] == 1 or a[0] <= 1; s[3] == 1 or a[0] <= 1", "s1 == 1 or s4 <= 1", "s3 == 1 or s4 <= 1");
}

static void outputs_go_by_their_names(void **state)
{
	(void)state;
	SAYS("a=t2 k=l2", "1", "s0 - s2 + 1", "out[0] > 0", "s0 - s2 + 1 > 0");
}

static void inner_lists_are_said_once(void **state)
{
	(void)state;
	SAYS("p=n2,2 a=t2", "1", "s4", "p[i][j] >= 0 for each i, each j", "s0 >= 0", "s1 >= 0", "s2 >= 0", "s3 >= 0");
	SAYS("p=n2,2 a=t2", "1", "s4", "p[i][j] < a[j] for each i, each j", "s0 < s4", "s1 < s5", "s2 < s4", "s3 < s5");
	SAYS("p=n2,2 a=t2", "1", "s4", "p[i][j] < a[i] for each i, each j", "s0 < s4", "s1 < s4", "s2 < s5", "s3 < s5");
	SAYS("p=n2,2 a=t2", "1", "s4", "p[0][0] < a[0]; p[i][1] < a[1] for each i", "s0 < s4", "s1 < s5", "s3 < s5");
	SAYS("p=n2,2 a=t2", "1", "s4", "p[i][0] >= 0 for each i; p[0][1] >= 0", "s0 >= 0", "s1 >= 0", "s2 >= 0");
	SAYS("p=E3,2 a=t2", "1", "s12", "p[k][0][1] == a[0] for each k", "s1 == s12", "s5 == s12", "s9 == s12");
	SAYS("p=E2,2 a=t2", "1", "s8", "p[0][1][0] < a[0]; p[1][1][0] < a[0]", "s2 < s8", "s6 < s8");
}

static void tensors_are_said_once(void **state)
{
	(void)state;
	SAYS("x=T3,2", "1", "s0", "x[k][i] == x[0][i] for each i, each k", "s2 == s0", "s3 == s1", "s4 == s0", "s5 == s1");
	SAYS("x=T4,1", "1", "s0", "x[0][0] == x[1][0] == x[2][0]", "s1 == s0", "s2 == s0");
	SAYS("x=T3,1 y=t1", "1", "s0", "x[0][0] == x[1][0] == y[0]", "s1 == s0", "s3 == s1");
}

static void chains_stay_whole(void **state)
{
	(void)state;
	SAYS("x=T3,2 y=t1", "1", "s0", "x[0][0] == x[0][1] == x[1][0] == x[1][1] == y[0]", "s2 == s0", "s3 == s1", "s0 == s1", "s0 == s6");
	SAYS("x=T4,2", "1", "s0", "x[k][i] == x[0][i] for each i, each k", "s2 == s0", "s3 == s1", "s4 == s0", "s5 == s1", "s6 == s0", "s7 == s1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(positions_are_said_once), cmocka_unit_test(lists_are_no_pairs), cmocka_unit_test(outputs_go_by_their_names),
	    cmocka_unit_test(inner_lists_are_said_once), cmocka_unit_test(tensors_are_said_once), cmocka_unit_test(chains_stay_whole)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
