/* The tiers of one worker: whose turn it is, and their counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tiers.h"

static void take(tiers *t, const char *answer)
{
	judgement j = {.api = "", .message = "", .answer = cJSON_Parse(answer)};
	assert_non_null(j.answer);
	tiers_count(t, &j, 5);
	judgement_free(&j);
}

static void assert_choice(const tiers *t, const char *wanted)
{
	buf text = {0};
	tiers_choose(t, &text);
	assert_string_equal(text.text, wanted);
	buf_free(&text);
}

static void names(void **state)
{
	(void)state;
	tiers t;
	char many[MOST_TIERS * 2 + 2] = "", longer[TIER_NAME + 1];
	assert_true(tiers_init(&t, "torch-decomp,torch-aot"));
	assert_int_equal(t.n, 2);
	assert_string_equal(t.tier[1].name, "torch-aot");
	for (int i = 0; i <= MOST_TIERS; i++)
		strcat(many, i ? ",a" : "a");
	assert_false(tiers_init(&t, many));
	memset(longer, 'a', TIER_NAME);
	longer[TIER_NAME] = '\0';
	assert_false(tiers_init(&t, longer));
}

static void counts(void **state)
{
	(void)state;
	tiers t;
	tiers_init(&t, "a,b");
	take(&t, "{\"tiers\":{\"a\":{\"verdict\":\"ok\",\"cpu\":100},\"b\":{\"verdict\":\"unsupported\",\"cpu\":50}}}");
	take(&t, "{\"tiers\":{\"a\":{\"verdict\":\"inconsistency\",\"cpu\":300}}}");
	take(&t, "{\"tiers\":{}}");
	assert_int_equal(t.tier[0].models, 2);
	assert_int_equal(t.tier[0].compared, 2);
	assert_int_equal(t.tier[0].inconsistent, 1); /* compared, so not failed as well: numbers add up */
	assert_int_equal(t.tier[0].failed, 0);
	assert_int_equal(t.tier[0].operators, 10);
	assert_true(t.tier[0].cpu > 0.399 && t.tier[0].cpu < 0.401);
	assert_int_equal(t.tier[1].models, 1);
	assert_int_equal(t.tier[1].unsupported, 1);
	assert_int_equal(t.tier[1].operators, 0);
	take(&t, "{\"tiers\":{\"b\":{\"verdict\":\"duplicate\",\"cpu\":50}}}"); /* not compared, no failure */
	assert_int_equal(t.tier[1].models, 2);
	assert_int_equal(t.tier[1].duplicates, 1);
	assert_int_equal(t.tier[1].compared + t.tier[1].failed, 0);
}

/* If a worker dies, the tier at work is blamed. */
static void deaths(void **state)
{
	(void)state;
	tiers t;
	tiers_init(&t, "a,b");
	tiers_count(&t, &(judgement){.verdict = VERDICT_crash, .target = "b", .seconds = 2}, 5);
	assert_int_equal(t.tier[0].models, 0);
	assert_int_equal(t.tier[1].failed, 1);
	assert_true(t.tier[1].cpu == 2);
}

/* The first always; one that had its share waits. */
static void turns(void **state)
{
	(void)state;
	tiers t;
	tiers_init(&t, "a,b,c");
	assert_choice(&t, "[\"a\",\"b\",\"c\"]");
	t.tier[0].cpu = 10;
	assert_choice(&t, "[\"a\",\"b\",\"c\"]");
	t.tier[2].cpu = 30;
	t.tier[1].cpu = 5;
	assert_choice(&t, "[\"a\",\"b\"]");
	t.always = 3;
	assert_choice(&t, "[\"a\",\"b\",\"c\"]");
	t.tier[1].cpu = 40;
	t.always = 2;
	assert_choice(&t, "[\"a\",\"b\"]");
	t.always = 1;
	assert_choice(&t, "[\"a\"]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names),
	    cmocka_unit_test(counts),
	    cmocka_unit_test(deaths),
	    cmocka_unit_test(turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
