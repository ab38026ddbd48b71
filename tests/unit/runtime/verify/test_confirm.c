/* Queries about single clauses: the counts of each clause, reported in a fixed order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "confirm.h"
#include "rng.h"
#include "toy_table.h"

/* It accepts inputs that begin with an even number and rejects odd ones, but does not answer a 9. */
#define ORACLE                                                                                                         \
	"while read -r line; do case $line in *'\"in\":[9,'*) a=lost ;; *'\"in\":['[02468],*) a=pass ;; *) a=fail ;; esac; "      \
	"echo \"${line%?},\\\"outcome\\\":\\\"$a\\\",\\\"out\\\":[1,1]}\"; done"

enum { OPS = 3, TEXTS = 4, MOST = 60 };
static const char *const NAMES[OPS] = {"torch.add", "torch.matmul", "torch.pool"}, *const SAID[TEXTS] = {"s0 > 1", "s0 > 2", "s2 <= s0", "a"};

typedef struct tallied {
	uint32_t asked, accepted, lost;
	int64_t first[4];
	bool some;
} tallied;

/* An input that the toy's rule rejects: by its second and third numbers, or by a window beyond the input. */
static void draw(rng *r, int op, int64_t in[4])
{
	in[0] = rng_below(r, 10);
	in[1] = rng_below(r, 5);
	in[2] = op == 2 ? in[0] + 1 + rng_below(r, 5) : op == 1 ? in[1] + 1 : in[0] + 1;
	in[3] = in[1];
}

static void expect_order(const confirm_clause *x, const confirm_clause *y)
{
	int api = strcmp(x->api, y->api);
	if (x->accepted != y->accepted)
		assert_true(x->accepted > y->accepted);
	else if (x->api_accepted != y->api_accepted)
		assert_true(x->api_accepted > y->api_accepted);
	else
		assert_true(api < 0 || (api == 0 && strcmp(x->text, y->text) < 0));
}

static void compare(const confirm_result *r, tallied t[OPS][TEXTS])
{
	uint32_t asked = 0, lost = 0, clauses = 0, refuted = 0, accepted[OPS] = {0};
	for (int o = 0; o < OPS; o++)
		for (int k = 0; k < TEXTS; k++) {
			asked += t[o][k].asked + t[o][k].lost;
			lost += t[o][k].lost;
			clauses += t[o][k].asked > 0;
			refuted += t[o][k].accepted > 0;
			accepted[o] += t[o][k].accepted;
		}
	assert_int_equal(r->asked, asked);
	assert_int_equal(r->undecided.lost, lost);
	assert_int_equal(r->nclauses, clauses);
	assert_int_equal(r->refuted, refuted);
	for (uint32_t i = 0; i < r->nclauses; i++) {
		const confirm_clause *c = &r->clauses[i];
		int o = 0, k = 0;
		while (strcmp(NAMES[o], c->api) != 0)
			o++;
		while (strcmp(SAID[k], c->text) != 0)
			k++;
		const tallied *x = &t[o][k];
		assert_int_equal(c->asked, x->asked);
		assert_int_equal(c->accepted, x->accepted);
		assert_int_equal(c->api_accepted, accepted[o]);
		assert_int_equal(c->in != NULL, x->some);
		if (x->some)
			assert_memory_equal(c->in, x->first, c->op->nsym * sizeof *c->in);
		if (i)
			expect_order(c - 1, c);
	}
}

static void clauses_are_counted_and_in_order(void **state)
{
	(void)state;
	rng r = rng_seed(11);
	oracle *asked = oracle_new(&(oracle_options){.command = ORACLE});
	assert_non_null(asked);
	for (int round = 0; round < 25; round++) {
		char path[] = "/tmp/questionsXXXXXX";
		tallied t[OPS][TEXTS] = {{{0}}};
		int file = mkstemp(path), n = round < 3 ? round : (int)rng_below(&r, MOST);
		FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
		assert_non_null(f);
		for (int i = 0; i < n; i++) {
			int o = (int)rng_below(&r, OPS), k = (int)rng_below(&r, TEXTS), nsym = o == 2 ? 3 : 4;
			int64_t in[4];
			tallied *x = &t[o][k];
			draw(&r, o, in);
			fprintf(f, "{\"op\":\"%s-0\",\"clause\":0,\"breaks\":\"%s\",\"in\":[", NAMES[o], SAID[k]);
			for (int s = 0; s < nsym; s++)
				fprintf(f, "%s%d", s ? "," : "", (int)in[s]);
			fputs("]}\n", f);
			x->lost += in[0] == 9;
			x->asked += in[0] != 9;
			x->accepted += in[0] % 2 == 0;
			if (in[0] % 2 == 0 && !x->some) {
				x->some = true;
				memcpy(x->first, in, sizeof in);
			}
		}
		fclose(f);
		confirm_result result;
		diag d = {""};
		bool bad;
		if (!confirm(&(confirm_options){.table = &TOY_TABLE, .path = path}, asked, &result, &bad, &d))
			fail_msg("%s", d.text);
		compare(&result, t);
		confirm_result_free(&result);
		unlink(path);
	}
	oracle_free(asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(clauses_are_counted_and_in_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
