/* Dtype rules: what is fitted to trials, written and read again; bad tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "fit_dtypes.h"
#include "json.h"
#include "need.h"

static dtype_trials table_of(const char *text)
{
	char path[] = "/tmp/dtypesXXXXXX";
	diag d = {{0}};
	dtype_trials t;
	close(mkstemp(path));
	assert_true(file_write(path, text, strlen(text), &d));
	assert_true(dtype_trials_read(&t, path, &d));
	unlink(path);
	return t;
}

/* The rule of the table's first API as JSON, which must be read back the same. */
static void check(const char *table, const char *expected)
{
	dtype_trials t = table_of(table);
	arena *a = arena_new();
	buf text = {0}, again = {0};
	const dtype_rule *r = fit_dtypes(a, &t, &t.apis[0], fit_dtypes_promotion(a, &t));
	if (r)
		dtype_rule_write(&text, r);
	assert_string_equal(buf_text(&text), expected);
	if (r) {
		cJSON *o = cJSON_Parse(buf_text(&text));
		const dtype_rule *copy = dtype_rule_read(a, o);
		assert_non_null(copy);
		dtype_rule_write(&again, copy);
		assert_string_equal(buf_text(&again), expected);
		cJSON_Delete(o);
	}
	buf_free(&text);
	buf_free(&again);
	arena_free(a);
	dtype_trials_free(&t);
}

#define ROWS(a, b) "table\t" a "\t" b "\n"

static void tensors_of_one_dtype(void **state)
{
	(void)state;
	check(ROWS("n o", "a:- n:-............!- o:-............-\"") "f\tx y\t{\"x\":\"=\",\"y\":\"<\"}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"no\",\"a\",\"=\"],[\"y\",0,\"no\",\"a\",\"<\"]],\"out\":[[\"same\",0]]}]}");
}

static void outputs_by_one_and_two(void **state)
{
	(void)state;
	check(ROWS("k n", ":!.........!..\"") "f\tx\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"akn\",\"\",\"\"]],\"out\":[[\"map\",0,\"a:k k:k n:n\"]]}]}");
	check(ROWS("a", ":!.........!..!") "f\tx\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"akn\",\"\",\"\"]],\"out\":[[\"constant\",0]]}]}");
	check(ROWS("k n", "k:..........!..\" n:..........\"..\"") "f\tx y\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"kn\",\"\",\"\"],[\"y\",1,\"kn\",\"\",\"\"]],\"out\":[[\"table\",0,1,\"k:..........k..n n:..........n..n\"]]}]}");
}

static void combinations_that_are_rejected(void **state)
{
	(void)state;
	check(ROWS("n", "k:..........-..! n:..........!..!") "f\tx y\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"kn\",\"\",\"\"],[\"y\",1,\"kn\",\"\",\"\"]],\"pairs\":[[0,1,\"k:..........-..a n:..........a..a\"]],"
	    "\"out\":[[\"constant\",13]]}]}");
}

static void items_of_lists(void **state)
{
	(void)state;
	check(ROWS("n o", "n:.............!- o:.............-\"") "f\tx x\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"no\",\"\",\"\",\"tied\"]],\"out\":[[\"same\",0]]}]}");
	check(ROWS("n o", "n:.............!\" o:.............\"\"") "f\tx x\t{}\t0\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"no\",\"\",\"\",\"apart\"]],\"out\":[[\"fold\",1,\"n:.............no o:.............oo\"]]}]}");
}

static void arguments_that_decide(void **state)
{
	(void)state;
	check(ROWS("n", ":..........-..!") ROWS("k", ":..........!..!") "f\tx\t{\"flag\":\"True\"}\t0\nf\tx\t{\"flag\":\"False\"}\t1\n",
	    "{\"cases\":[{\"slots\":[[\"x\",0,\"n\",\"k\",\"\"]],\"out\":[[\"same\",0]],\"when\":[\"flag\",\"True\"]},"
	    "{\"slots\":[[\"x\",0,\"kn\",\"\",\"\"]],\"out\":[[\"constant\",10]],\"when\":[\"flag\",\"False\"]}]}");
}

static void contradictions_make_no_rule(void **state)
{
	(void)state; /* two of three slots must differ: no combination of two says so */
	check(ROWS("n", "kk:..........!..! kn:..........!..- nk:..........!..! nn:..........!..!") "f\tx y z\t{}\t0\n", "");
}

static void bad_tables_name_their_line(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} CASES[] = {
	    {"f\tx\t{}\t0\n", "expected API, slots, settings and the number of a table"},
	    {"table\tn\n", "expected outputs and rows of outcomes"},
	    {ROWS("n", "n:.............!") "f\tx\t{}\t0\n", "the beginning of a row of outcomes is no word of the slots"},
	    {ROWS("n", ":\"") "f\tx\t{}\t0\n", "a row of outcomes names no entry of the outputs"},
	    {ROWS("n", ":!") "g\tx\t{}\t0\nf\tx\t{}\t0\n", "APIs are not sorted by name"},
	};
	for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
		char path[] = "/tmp/dtypesXXXXXX";
		diag d = {{0}};
		dtype_trials t;
		close(mkstemp(path));
		assert_true(file_write(path, CASES[k].text, strlen(CASES[k].text), &d));
		assert_false(dtype_trials_read(&t, path, &d));
		assert_non_null(strstr(d.text, CASES[k].message));
		dtype_trials_free(&t);
		unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tensors_of_one_dtype), cmocka_unit_test(outputs_by_one_and_two),
	    cmocka_unit_test(combinations_that_are_rejected), cmocka_unit_test(items_of_lists), cmocka_unit_test(arguments_that_decide),
	    cmocka_unit_test(contradictions_make_no_rule), cmocka_unit_test(bad_tables_name_their_line)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
