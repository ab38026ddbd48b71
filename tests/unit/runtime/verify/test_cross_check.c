/* Second opinions from an oracle in a few words of sh: counts, rejected answers, and behavior without
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cross_check.h"
#include "no_memory.h"
#include "toy_table.h"

/* The text after the query's own fields in each answer; the oracle echoes those fields. */
#define ANSWERS(more) "while read -r line; do case $line in *confirm*) " CONFIRMED " ;; *) echo \"${line%?}" more "\" ;; esac; done"
#define CONFIRMED "echo '{\"script\":\"print(1)\",\"tiers\":[\"fake\",1,\"aot\"]}'"
#define OPINION(fields) ",\\\"in\\\":[1,2],\\\"opinions\\\":[{" fields "}]}"
#define DIFFERS OPINION("\\\"outcome\\\":\\\"differs\\\",\\\"what\\\":\\\"shape\\\",\\\"live\\\":\\\"[1]\\\",\\\"said\\\":\\\"raises E: size 7\\\"")

static int looks;

static bool stops_at_second_look(void)
{
	return ++looks > 1;
}

/* Queries about the toy table: `count` of them, answered by the command. */
static bool ask(const char *command, uint64_t count, bool (*stopped)(void), cross_check_result *r, diag *d)
{
	const cross_check_options o = {.table = &TOY_TABLE, .kind = "fake", .count = count, .seed = 1, .seconds = 20, .stopped = stopped};
	oracle *asked = oracle_new(&(oracle_options){.command = command});
	*d = (diag){""};
	*r = (cross_check_result){0};
	bool ok = asked ? cross_check(&o, asked, r, d) : diag_set(d, "out of memory");
	oracle_free(asked);
	return ok;
}

static void asserts_error(const char *command, const char *wanted)
{
	cross_check_result r;
	diag d;
	assert_false(ask(command, 8, NULL, &r, &d));
	if (!strstr(d.text, wanted))
		fail_msg("'%s' is not in '%s'", wanted, d.text);
	cross_check_result_free(&r);
}

static void a_difference_is_a_group(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	if (!ask(ANSWERS(DIFFERS), 1, NULL, &r, &d))
		fail_msg("%s", d.text);
	assert_true(r.ngroups > 1 && r.differing == r.asked && r.opinions == r.asked && r.same == 0);
	for (uint32_t i = 0; i < r.ngroups; i++) {
		const cross_check_group *g = &r.groups[i];
		assert_true(i == 0 || g->count < g[-1].count || (g->count == g[-1].count && strcmp(g[-1].key, g->key) < 0));
		assert_non_null(strstr(g->key, "|shape|raises E: size N")); /* without the number */
		assert_string_equal(g->said, "raises E: size 7");
		assert_string_equal(g->input, "[1,2]");
		assert_true(g->tried);
		assert_string_equal(g->tiers, "fake aot"); /* a tier that is no string is ignored */
		assert_string_equal(g->script, "print(1)");
	}
	cross_check_result_free(&r);
}

/* The input of a group, from JSON; returns its length. */
static unsigned numbers_of(const char *text, int64_t *s, unsigned most)
{
	unsigned n = 0;
	for (char *at = strchr(text, '['); n < most && *at != ']' && at[1] != ']'; n++)
		s[n] = strtoll(at + 1, &at, 10);
	return n;
}

static bool is_recorded(const rs_op *op, const int64_t *s)
{
	for (unsigned i = 0; i < op->nrecords; i++)
		if (rs_record_is(op, i, s))
			return true;
	return false;
}

/* Each query is of its stated kind: a record, accepted or rejected by the rule, or rejected by the oracle. */
static void questions_are_what_they_are_called(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	int recorded = 0, samples = 0, near = 0, refused = 0;
	assert_true(ask("n=0; while read -r line; do n=$((n + 1)); w=$(echo $n | tr 0-9 a-j); case $line in *confirm*) echo '{}'; continue ;; *fail*) in=',\"in\":[1,2]' ;; *) in= ;; esac; "
			"echo \"${line%?}$in,\\\"opinions\\\":[{\\\"outcome\\\":\\\"differs\\\",\\\"what\\\":\\\"$w\\\",\\\"live\\\":\\\"x\\\",\\\"said\\\":\\\"y\\\"}]}\"; done",
	    40, NULL, &r, &d));
	assert_true(r.ngroups == r.differing && r.ngroups >= 40);
	for (uint32_t i = 0; i < r.ngroups; i++) {
		const cross_check_group *g = &r.groups[i];
		const rs_op *op = rs_table_find(&TOY_TABLE, g->op);
		int64_t s[16], out[16];
		unsigned n = numbers_of(g->input, s, 16);
		if (strcmp(g->drawn, "rejected record") == 0) {
			assert_string_equal(g->input, "[1,2]");
			refused++;
			continue;
		}
		assert_int_equal(n, op->nsym);
		recorded += strcmp(g->drawn, "record") == 0;
		samples += strcmp(g->drawn, "sample") == 0;
		near += strcmp(g->drawn, "invalid call") == 0;
		assert_true(strcmp(g->drawn, "record") != 0 || is_recorded(op, s));
		assert_true(strcmp(g->drawn, "sample") != 0 || rs_eval(op, s, out));
		assert_true(strcmp(g->drawn, "invalid call") != 0 || !rs_eval(op, s, out));
		assert_true(strcmp(g->drawn, "sample") != 0 || !is_recorded(op, s) || op->nsym == 0);
	}
	print_message("%d records, %d samples, %d invalid calls, %d rejected records\n", recorded, samples, near, refused);
	assert_true(recorded > 2 && samples > 2 && near > 2 && refused > 2);
	cross_check_result_free(&r);
}

static void noise_and_errors_are_counted(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	assert_true(ask(ANSWERS(OPINION("\\\"outcome\\\":\\\"noise\\\",\\\"what\\\":\\\"index\\\"")), 1, NULL, &r, &d));
	assert_int_equal(r.nnoise, 1);
	assert_string_equal(r.noise[0].name, "index");
	assert_true(r.noise[0].count == r.asked && r.opinions == r.asked && r.ngroups == 0);
	cross_check_result_free(&r);
	assert_true(ask("n=0; while read -r line; do n=$((n + 1)); echo \"{\\\"error\\\":\\\"number $n\\\"}\"; done", 1, NULL, &r, &d));
	assert_true(r.errors == r.asked && r.asked > 1 && r.lost == 0);
	assert_string_equal(r.error, "number 1");
	cross_check_result_free(&r);
	assert_true(ask(ANSWERS("}"), 1, NULL, &r, &d)); /* neither an opinion nor an error */
	assert_true(r.lost == r.asked && r.errors == 0);
	cross_check_result_free(&r);
}

/* More rows of noise than the maximum: the first ones are counted. */
static void noise_beyond_the_room_is_left_out(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	assert_true(ask("n=0; while read -r line; do n=$((n + 1)); echo \"{\\\"opinions\\\":[{\\\"outcome\\\":\\\"noise\\\",\\\"what\\\":\\\"row $n\\\"}]}\"; done",
	    CROSS_CHECK_NOISE + 8, NULL, &r, &d));
	assert_true(r.asked > CROSS_CHECK_NOISE);
	assert_int_equal(r.nnoise, CROSS_CHECK_NOISE);
	assert_string_equal(r.noise[CROSS_CHECK_NOISE - 1].name, "row 32");
	cross_check_result_free(&r);
}

/* Progress is printed only on request, however long the run takes. */
static void progress_is_for_who_asks(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	FILE *told = tmpfile();
	int error = dup(STDERR_FILENO);
	assert_non_null(told);
	assert_true(error >= 0 && dup2(fileno(told), STDERR_FILENO) >= 0);
	bool ok = ask(ANSWERS(DIFFERS), 1, NULL, &r, &d);
	fflush(stderr);
	assert_true(dup2(error, STDERR_FILENO) >= 0);
	close(error);
	assert_true(ok && r.asked > 1);
	assert_int_equal(lseek(fileno(told), 0, SEEK_END), 0);
	fclose(told);
	cross_check_result_free(&r);
}

static void who_stops_it_hears_what_was_asked(void **state)
{
	(void)state;
	cross_check_result r;
	diag d;
	looks = 0;
	assert_true(ask(ANSWERS(DIFFERS), 0, stops_at_second_look, &r, &d));
	assert_true(r.stopped && r.asked > 0 && r.ngroups > 0);
	assert_false(r.groups[0].tried); /* there was no time to confirm */
	cross_check_result_free(&r);
}

static void errors(void **state)
{
	(void)state;
	static const rs_table EMPTY = {.abi = RS_ABI, .framework = "t"};
	cross_check_result r;
	diag d = {""};
	asserts_error("while read -r line; do echo '{\"op\":\"other\",\"opinions\":[{\"outcome\":\"differs\"}]}'; done", "names another signature");
	asserts_error("exit 3", "exit code 3");
	asserts_error("while read -r line; do case $line in *confirm*) exit 4 ;; *) echo \"${line%?}" DIFFERS "\" ;; esac; done", "exit code 4");
	assert_false(cross_check(&(cross_check_options){.table = &EMPTY, .kind = "fake", .seconds = 1}, NULL, &r, &d));
	assert_string_equal(d.text, "error: no signature with a rule to cross-check");
	cross_check_result_free(&r);
}

static bool asks(void *context)
{
	cross_check_result r;
	diag d;
	bool ok = ask(context, 1, NULL, &r, &d);
	if (!ok && !strstr(d.text, "memory"))
		fail_msg("%s", d.text);
	for (uint32_t i = 0; ok && i < r.ngroups; i++)
		assert_true(r.groups[i].count > 0 && r.groups[i].said && r.groups[i].script);
	cross_check_result_free(&r);
	return ok;
}

static void without_memory(void **state)
{
	(void)state;
	lack_memory(asks, (void *)ANSWERS(DIFFERS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_difference_is_a_group), cmocka_unit_test(questions_are_what_they_are_called), cmocka_unit_test(noise_and_errors_are_counted),
	    cmocka_unit_test(noise_beyond_the_room_is_left_out), cmocka_unit_test(progress_is_for_who_asks), cmocka_unit_test(who_stops_it_hears_what_was_asked),
	    cmocka_unit_test(errors), cmocka_unit_test(without_memory)};
	return cmocka_run_group_tests_name("cross_check", tests, NULL, NULL);
}
