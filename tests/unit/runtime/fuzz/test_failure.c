/* Buckets: pairs of failures with one fault, and pairs with two (tests/data/signatures/pairs.jsonl: real findings of all targets,
 * and handwritten near cases). None is split, none is merged. */
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
#include "json.h"
#include "stored.h"

static char *signature_of(const cJSON *o)
{
	const cJSON *signal = cJSON_GetObjectItemCaseSensitive(o, "signal");
	assert_true(*json_text(o, "kind") && *json_text(o, "backend") && *json_text(o, "apis"));
	char *key = failure_key(&(failure){.kind = json_text(o, "kind"),
	    .backend = json_text(o, "backend"),
	    .type = json_text(o, "type"),
	    .where = json_text(o, "where"),
	    .message = json_text(o, "message"),
	    .api = json_text(o, "api"),
	    .how = json_text(o, "how"),
	    .cause = json_text(o, "cause"),
	    .owner = json_text(o, "owner"),
	    .stage = json_text(o, "stage"),
	    .log = json_text(o, "log"),
	    .signal = signal ? signal->valueint : 0});
	char *signature = failure_signature(key, json_text(o, "apis"), json_text(o, "pass"));
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
			print_message("%s: %s\n  %s\n  %s\n", same ? "split" : "merged", json_text(pair, "why"), a, b);
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
	becomes("[T = short unsigned int], unsigned char, long list, short", "[T = T], T, long list, short");
	becomes("[Val(1), Val(2), Val(3)] a,a,b", "[Val(N)] a,b");
	becomes("node cond: %cond : call(args = (%ge, (%add_1, %b)), kwargs = {n: 3}) at %4, 50% of (args)",
	    "node cond: X : call@ at X, N% of (args)");
	becomes("conv2d pool-1 floats x", "convNd pool-N floats x");
	becomes("at 1e\0" "50", "at Ne"); /* what is behind the end is not read */
	becomes("at 1e+\0" "50", "at Ne+");
}

/* A stored failure has the key that the worker's answer gave. */
static void is_called_alike_when_stored(void **state)
{
	static const struct {
		const char *kind, *status, *signature, *detail, *key;
	} CASES[] = {
	    {"inconsistency", "open", "", "{\"first\":{\"api\":\"m.f\",\"how\":\"1 of 2 elements\"}}", "inconsistency|b|m.f|elements"},
	    {"inconsistency", "open", "",
		"{\"first\":{\"api\":\"m.f\",\"how\":\"1 of 2 elements; assignment 2: d0 = 3\"},\"assignment\":2}",
		"inconsistency|b|m.f|elements|shapes"},
	    {"inconsistency", "open", "",
		"{\"first\":{\"api\":\"m.f\",\"how\":\"1 of 2 elements; in the target's second run\"}}", "inconsistency|b|m.f|second run"},
	    {"inconsistency", "new", "",
		"{\"owner\":\"r (reference)\",\"first\":{\"api\":\"m.f\",\"how\":\"h\",\"cause\":\"uninitialized-memory\"}}",
		"inconsistency|r (reference)|m.f|uninitialized-memory"},
	    {"accepts-invalid", "known", "", "{\"api\":\"m.f\",\"error\":{\"type\":\"E\",\"message\":\"size 3\",\"where\":\"w\"}}",
		"accepts-invalid|b|m.f|size N"},
	    {"error", "unsupported", "", "{\"error\":{\"type\":\"E\",\"message\":\"no 7\",\"where\":\"w\"}}", "unsupported|b|E|w|no N"},
	    {"crash", "open", "crash|b|compile|11|m.f", "", "crash|b|compile|11"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const finding f = {.kind = CASES[i].kind, .status = CASES[i].status, .backend = "b", .bucket = CASES[i].signature,
		    .detail = CASES[i].detail, .log = ""};
		char *key = stored_key(&f);
		assert_non_null(key);
		assert_string_equal(key, CASES[i].key);
		free(key);
	}
}

static void is_another_backends(void **state)
{
	(void)state;
	char *other = failure_of_backend("error|torch-aot|E|w|message|torch.f", "torch-decomp");
	assert_string_equal(other, "error|torch-decomp|E|w|message|torch.f");
	free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(normalises), cmocka_unit_test(neither_split_nor_merged),
	    cmocka_unit_test(is_called_alike_when_stored), cmocka_unit_test(is_another_backends)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
