/* The part of an operator's records that rules.jsonl keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "operators.h"
#include "rules_file.h"

enum { SIDE = 12 };

/* An operator of one matrix and a number: every size up to SIDE - 1 with 1 and 2; at 2 by 3, also 7 and 8. */
static void read_operator(records *r)
{
	buf b = {0};
	int nsym, nodim;
	const char *comma = "";
	put_call(&b, "m.kept", 0, "x=t2 k=i", "2", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[");
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			for (int k = 1; k <= 2; k++) {
				buf_printf(&b, "%s[[%d,%d,%d],[%d,%d]]", comma, i, j, i * 10 + j == 23 ? 6 + k : k, j, i);
				comma = ",";
			}
	buf_puts(&b, "],\"fail\":[]}\n");
	read_lines(r, &b);
}

/* The written rows; the caller frees the tree. */
static cJSON *written(const operator *op, const rule *found)
{
	buf b = {0};
	rules_write(&b, op, found, NULL, NULL);
	cJSON *tree = cJSON_Parse(b.text);
	assert_non_null(tree);
	buf_free(&b);
	return tree;
}

static int number(const cJSON *row, int i)
{
	return cJSON_GetArrayItem(row, i)->valueint;
}

static void keeps_small_and_diverse_ones(void **state)
{
	(void)state;
	records r;
	read_operator(&r);
	rule none = {.why = "nothing fits"};
	cJSON *tree = written(&r.ops[0], &none);
	const cJSON *rows = cJSON_GetObjectItem(tree, "records"), *row;
	bool height[SIDE] = {0}, width[SIDE] = {0}, seven = false;
	assert_int_equal(cJSON_GetArraySize(rows), 40); /* of 72 that are small and not empty */
	cJSON_ArrayForEach(row, rows) {
		assert_in_range(number(row, 0), 1, 6);
		assert_in_range(number(row, 1), 1, 6);
		assert_int_equal(number(row, 3), number(row, 1));
		height[number(row, 0)] = width[number(row, 1)] = true;
		seven |= number(row, 2) == 7;
	}
	for (int i = 1; i <= 6; i++)
		assert_true(height[i] && width[i]);
	assert_true(seven);
	cJSON_Delete(tree);
	records_free(&r);
}

static void keeps_five_with_a_rule(void **state)
{
	(void)state;
	records r;
	expr_pool *pool = expr_pool_new();
	const expr *out[] = {expr_sym(pool, 1), expr_sym(pool, 0)};
	read_operator(&r);
	rule found = {.out = out, .nodim = 2, .layer = "columns"};
	cJSON *tree = written(&r.ops[0], &found);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(tree, "records")), 5);
	cJSON_Delete(tree);
	expr_pool_free(pool);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keeps_small_and_diverse_ones), cmocka_unit_test(keeps_five_with_a_rule)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
