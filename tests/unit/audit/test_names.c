/* The audit's tables grow with their input: names of functions, variables of a function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "names.h"
#include "source.h"

/* Trees, terms and rows are freed only when the short audit process exits. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

enum { MANY = 40000 }; /* more than the 32,768 slots of the former fixed table, in which the search never ended */

static void name_of(char text[200], int i)
{
	snprintf(text, 200, "torch_valid_%0*d", i % 7 == 0 ? 150 : 8, i); /* some are longer than 96 characters */
}

static void every_name_is_found(void **state)
{
	(void)state;
	names t = {0};
	char text[200];
	assert_int_equal(names_file(&t, "none"), -1);
	for (int i = 0; i < MANY; i++) {
		name_of(text, i);
		names_add(&t, text, strlen(text), i);
	}
	for (int i = 0; i < MANY; i++) {
		name_of(text, i);
		assert_int_equal(names_file(&t, text), i);
	}
	assert_int_equal(t.n, MANY);
	assert_int_equal(names_file(&t, "torch_valid_"), -1);
	names_free(&t);
}

static void the_first_file_stays(void **state)
{
	(void)state;
	names t = {0};
	names_add(&t, "f(x", 1, 3); /* the name is the first byte */
	names_add(&t, "f", 1, 4);
	names_add(&t, "fg", 2, 5);
	assert_int_equal(names_file(&t, "f"), 3);
	assert_int_equal(names_file(&t, "fg"), 5);
	names_free(&t);
}

/* With 256 slots the last ones were one variable, so that C code returning another variable was proved
 * equal. */
static void variables_keep_apart(void **state)
{
	(void)state;
	enum { VARIABLES = 300 };
	char *text;
	size_t n;
	const char *why = "";
	FILE *f = open_memstream(&text, &n);
	fputs("long f(void)\n{\n", f);
	for (int i = 0; i < VARIABLES; i++)
		fprintf(f, "\tlong v%d = %d;\n", i, i);
	fputs("\treturn v0;\n}\n", f);
	fclose(f);
	source *s = source_parse(text, n, &why);
	assert_non_null(s);
	const function *function = source_find(s, "f");
	assert_non_null(function);
	assert_int_equal(function->slots, VARIABLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_name_is_found),
	    cmocka_unit_test(the_first_file_stays),
	    cmocka_unit_test(variables_keep_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
