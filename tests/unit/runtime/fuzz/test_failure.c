/* Signatures: pairs of failures that are the same fault, and pairs that are not (tests/data/signatures/pairs.jsonl; of real
 * findings of all targets, and near cases by hand). None is split, none is merged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "failure.h"

static const char *text_in(const cJSON *o, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, key));
	return text ? text : "";
}

static char *signature_of(const cJSON *o)
{
	const cJSON *signal = cJSON_GetObjectItemCaseSensitive(o, "signal");
	assert_true(*text_in(o, "kind") && *text_in(o, "backend") && *text_in(o, "apis"));
	char *key = failure_key(&(failure){.kind = text_in(o, "kind"),
	    .backend = text_in(o, "backend"),
	    .type = text_in(o, "type"),
	    .where = text_in(o, "where"),
	    .message = text_in(o, "message"),
	    .api = text_in(o, "api"),
	    .how = text_in(o, "how"),
	    .stage = text_in(o, "stage"),
	    .log = text_in(o, "log"),
	    .signal = signal ? signal->valueint : 0});
	char *signature = failure_signature(key, text_in(o, "apis"), text_in(o, "pass"));
	free(key);
	return signature;
}

static void neither_split_nor_merged(void **state)
{
	(void)state;
	static char line[1 << 16];
	int pairs = 0, split = 0, merged = 0;
	FILE *f = fopen("tests/data/signatures/pairs.jsonl", "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		cJSON *pair = cJSON_Parse(line);
		assert_non_null(pair);
		bool same = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(pair, "same"));
		char *a = signature_of(cJSON_GetObjectItemCaseSensitive(pair, "a")),
		     *b = signature_of(cJSON_GetObjectItemCaseSensitive(pair, "b"));
		if (same != (strcmp(a, b) == 0))
			print_message("%s: %s\n  %s\n  %s\n", same ? "split" : "merged", text_in(pair, "why"), a, b);
		split += same && strcmp(a, b) != 0;
		merged += !same && strcmp(a, b) == 0;
		pairs++;
		free(a);
		free(b);
		cJSON_Delete(pair);
	}
	fclose(f);
	print_message("%d pairs: %d split, %d merged\n", pairs, split, merged);
	assert_true(pairs >= 50);
	assert_int_equal(split, 0);
	assert_int_equal(merged, 0);
}

static void becomes(const char *message, const char *want)
{
	buf b = {0};
	normalise(message, 60, &b);
	assert_string_equal(b.text, want);
	buf_free(&b);
}

static void normalises(void **state)
{
	(void)state;
	becomes("shape [1, 2, 30] at 0x7fe0", "shape [N] at @");
	becomes("in /tmp/x1/k.cpp:12: buf10  is\n bad", "in @:N: bufN is bad");
	becomes("1.5 of 2", "N of N");
	becomes("a/b and / alone", "a/b and / alone");
	becomes("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xe2\x80\xa6yyyy",
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	becomes("1x2x3, -4 and 1e-05", "N and N");
	becomes("tensor(float16), torch.int64, uint8_t, F32, f, F", "tensor(T), T, f, F");
	becomes("[Val(1), Val(2), Val(3)] a,a,b", "[Val(N)] a,b");
	becomes("conv2d pool-1 floats x", "convNd pool-N floats x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(normalises), cmocka_unit_test(neither_split_nor_merged)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
