/* Verifying and confirming without memory, with an oracle that rejects everything: results are whole, or the
 * lack of memory is reported. */
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
#include "no_memory.h"
#include "toy_table.h"
#include "verify.h"

#define SAYS(outcome)                                                                              \
	"while read -r line; do case $line in *keep*) echo '{\"kept\":1}' ;; *save*) echo '{\"saved\":1}' ;; "                   \
	"*) echo \"${line%?},\\\"outcome\\\":\\\"" outcome "\\\",\\\"out\\\":[1]}\" ;; esac; done"
enum { COUNT = 20 };

static bool said_why(bool ok, const diag *d)
{
	if (!ok && !strstr(d->text, "memory"))
		fail_msg("%s", d->text);
	return ok;
}

static bool verifies(void *command)
{
	const verify_options o = {.table = &TOY_TABLE, .count = COUNT, .seed = 1, .keep = true};
	verify_result r = {.ops = NULL};
	diag d = {""};
	oracle *asked = oracle_new(&(oracle_options){.command = command});
	bool ok = said_why(asked ? verify(&o, asked, &r, &d) : diag_set(&d, "out of memory"), &d);
	uint64_t counted = 0;
	for (uint32_t i = 0; i < r.nops; i++)
		counted += r.ops[i].counted;
	if (ok)
		assert_in_range(counted, COUNT, COUNT + r.nops); /* each operator has a share, rounded */
	verify_result_free(&r);
	oracle_free(asked);
	return ok;
}

/* A file of queries that the rule rejects: for one clause, more of them than the initial capacity. */
static void write_questions(char path[32])
{
	strcpy(path, "/tmp/questionsXXXXXX");
	int file = mkstemp(path);
	FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
	assert_non_null(f);
	for (int i = 0; i < 3 * COUNT; i++)
		fprintf(f, "{\"op\":\"torch.matmul-0\",\"clause\":0,\"breaks\":\"s1 == s2\",\"in\":[2,%d,%d,4]}\n", i, i + 1);
	fputs("{\"op\":\"torch.pool-0\",\"clause\":1,\"breaks\":\"s2 <= s0\",\"in\":[2,3,4]}\n", f);
	fclose(f);
}

typedef struct questions {
	char path[32];
	const char *command;
	uint32_t refuted;
} questions;

static bool confirms(void *context)
{
	questions *q = context;
	const confirm_options o = {.table = &TOY_TABLE, .path = q->path, .keep = true};
	confirm_result r = {.memory = NULL};
	diag d = {""};
	bool bad = false;
	oracle *asked = oracle_new(&(oracle_options){.command = q->command});
	bool ok = said_why(asked ? confirm(&o, asked, &r, &bad, &d) : diag_set(&d, "out of memory"), &d);
	if (ok) {
		assert_int_equal(r.asked, 3 * COUNT + 1);
		assert_int_equal(r.nclauses, 2);
		assert_int_equal(r.refuted, q->refuted);
		assert_string_equal(r.clauses[0].api, q->refuted ? "torch.matmul" : r.clauses[0].api);
	}
	confirm_result_free(&r);
	oracle_free(asked);
	return ok;
}

static void verified_without_memory(void **state)
{
	(void)state;
	lack_memory(verifies, SAYS("fail"));
}

static void confirmed_without_memory(void **state)
{
	(void)state;
	questions q = {.command = SAYS("fail")};
	write_questions(q.path);
	lack_memory(confirms, &q);
	unlink(q.path);
}

static void refuted_without_memory(void **state)
{
	(void)state;
	questions q = {.command = SAYS("pass"), .refuted = 2};
	write_questions(q.path);
	lack_memory(confirms, &q);
	unlink(q.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(verified_without_memory), cmocka_unit_test(confirmed_without_memory),
	    cmocka_unit_test(refuted_without_memory)};
	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
