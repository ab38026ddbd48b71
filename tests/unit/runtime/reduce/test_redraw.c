/* Calls that only get smaller if all their numbers change at once: the reducer draws another call that the rule
 * accepts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "models.h"
#include "reducer.h"
#include "small_model.h"
#include "rulesmith.h"

/* A reshape to fewer rows and another number of columns. A number cannot change alone, or to the value of another
 * one. */
static bool is_valid(const int64_t *s)
{
	return s[0] > 0 && s[1] > 0 && s[2] > 0 && s[3] > 0 && s[0] * s[1] == s[2] * s[3] && s[0] > s[2] && s[1] != s[2];
}

static bool propagate(const int64_t *s, int64_t *out)
{
	out[0] = s[2];
	out[1] = s[3];
	return true;
}

static const rs_op OPS[] = {{.name = "torch.fold-0", .api = "torch.fold", .rule = "1", .valid = is_valid, .propagate = propagate,
    .args = (const rs_arg[]){{"x", 0, 1}, {"rows", 1, 1}, {"columns", 2, 1}},
    .values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2}, {.kind = RS_INT, .first = 2},
	{.kind = RS_INT, .first = 3}},
    .out_ranks = (const uint8_t[]){2}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32},
    .records = (const int64_t[]){4, 3, 2, 6, 4, 1, 2, 2, 8, 3, 4, 6}, .passed = 9, .nargs = 3, .nvalues = 3, .nsym = 4, .nin = 1, .nout = 1,
    .nodim = 2, .ndtypes = 1, .nrecords = 3}};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "torch", .version = "0", .fingerprint = "t", .ops = OPS, .nops = 1};
static const rs_table *const TABLES[] = {&TABLE};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};

static bool alike(void *context, const graph *g)
{
	(void)context;
	check_model(g);
	return true;
}

static bool goes_on(void *context)
{
	(void)context;
	return true;
}

static void all_numbers_change_at_once(void **state)
{
	(void)state;
	static const struct {
		int rows, columns, to, by;
	} EACH[] = {{30, 14, 20, 21}, {12, 35, 10, 42}, {63, 55, 33, 105}, {9, 8, 6, 12}};
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
		graph g;
		char text[600];
		snprintf(text, sizeof text,
		    "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[{\"id\":0,\"shape\":[%d,%d],\"dtype\":\"float32\"}],"
		    "\"nodes\":[{\"op\":\"torch.fold-0\",\"api\":\"torch.fold\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}},"
		    "{\"name\":\"rows\",\"pos\":true,\"value\":%d},{\"name\":\"columns\",\"pos\":true,\"value\":%d}],"
		    "\"outputs\":[{\"id\":1,\"shape\":[%d,%d],\"dtype\":\"float32\"}]}],\"outputs\":[1]}",
		    EACH[i].rows, EACH[i].columns, EACH[i].to, EACH[i].by, EACH[i].to, EACH[i].by);
		assert_true(graph_init(&g));
		read_model(&g, text, &LIBRARY);
		graph_number(&g);
		reducer r = {.best = &g, .table = &TABLE, .alike = alike, .goes_on = goes_on};
		assert_true(reducer_open(&r));
		assert_true(reducer_run(&r));
		assert_false(r.failed);
		reducer_close(&r);
		check_model(&g);
		const int64_t *s = g.nodes[g.first].symbols;
		int64_t sum = s[0] + s[1] + s[2] + s[3];
		if (sum > 9) /* the minimum is 2, 2, 1, 4 or 4, 1, 2, 2 */
			fail_msg("%d: %d %d %d %d", (int)i, (int)s[0], (int)s[1], (int)s[2], (int)s[3]);
		graph_destroy(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_numbers_change_at_once)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
