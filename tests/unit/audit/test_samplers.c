/* Samplers as the audit reads them: which condition each ends with, and whether the macro says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "samplers.h"

static void finds_the_condition(void **state)
{
	static const char TEXT[] = "/* SAMPLER(no, no, */\n"
				   "SAMPLER(b_2, valid_b,\n\t\"D#)\")\n"
				   "SAMPLER_ALWAYS(a_1, \"F#\")\n"
				   "\tSAMPLER(c_3, valid_c, \"indented: a program's text, perhaps\")\n";
	samplers s = {NULL, 0};
	(void)state;
	assert_true(samplers_add(&s, TEXT));
	samplers_sort(&s);
	assert_int_equal(s.n, 2);
	assert_string_equal(samplers_find(&s, "b_2")->valid, "valid_b");
	assert_string_equal(samplers_find(&s, "a_1")->valid, "");
	assert_null(samplers_find(&s, "c_3"));
	assert_null(samplers_find(&s, "no"));
	free(s.list);
}

static void refuses_what_it_cannot_read(void **state)
{
	static const char *const BAD[] = {"SAMPLER(a)\n", "SAMPLER(a, \"D\")\n", "SAMPLER(, b, \"D\")\n", "SAMPLER_ALWAYS(\"D\")\n", "SAMPLER("};
	(void)state;
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		samplers s = {NULL, 0};
		assert_false(samplers_add(&s, BAD[i]));
		free(s.list);
	}
}

static void knows_the_macro(void **state)
{
	static const struct {
		const char *text;
		bool right;
	} ALL[] = {
	    {"PROBE _Bool one(rs_draw *d) { return rs_run(d, \"three\") && two(d->s); }\n_Bool four(rs_draw *d) { return rs_run(d, "
	     "\"five\"); } PROBE\n", true},
	    {"# 1 \"x\"\nPROBE _Bool\n# 2 \"PROB\"\n one(rs_draw *d)\n{ return rs_run(d, \"three\")\n&& two(d->s); } _Bool four(rs_draw *d) "
	     "{ return rs_run(d, \"five\"); }\n PROBE", true},
	    {"PROBE _Bool one(rs_draw *d) { return rs_run(d, \"three\") || two(d->s); } _Bool four(rs_draw *d) { return rs_run(d, "
	     "\"five\"); } PROBE", false},
	    {"PROBE _Bool one(rs_draw *d) { return rs_run(d, \"three\"); } _Bool four(rs_draw *d) { return rs_run(d, \"five\"); } PROBE", false},
	    {"PROBE _Bool one(rs_draw *d) { return rs_run(d, \"three\") && two(d->s); } PROBE", false},
	    {"PROBE SAMPLER(one, two, \"three\") SAMPLER_ALWAYS(four, \"five\") PROBE", false},
	    {"", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
		assert_int_equal(samplers_macro(ALL[i].text), ALL[i].right);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_condition), cmocka_unit_test(refuses_what_it_cannot_read),
	    cmocka_unit_test(knows_the_macro)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
