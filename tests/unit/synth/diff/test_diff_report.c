/* The report of differences, as text and as JSON: every difference once, under its API. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "diff_report.h"
#include "json.h"
#include "rng.h"

enum { MOST_APIS = 6, EACH = 3, MOST_NAMES = 45, MOST_FOUND = 40, CALLS = 30 };

typedef struct house {
	records r;
	side *a, *b;
	asked_calls calls;
	differences found;
	signatures signatures;
	diff_report report;
	buf text, json;
	rng random;
} house;

static side *version(const char *command)
{
	bool missing = false;
	diag d;
	side *s = side_open(&(side_options){.what = command}, &missing, &d);
	assert_non_null(s);
	return s;
}

/* APIs m.a, m.b, …, with three operators each. */
static int start(void **state)
{
	house *h = calloc(1, sizeof *h);
	buf lines = {0};
	for (int i = 0; i < MOST_APIS * EACH; i++) {
		int nsym, nodim;
		char api[] = {'m', '.', (char)('a' + i / EACH), '\0'};
		put_call(&lines, api, i % EACH, i % EACH ? "x=t2 k=i" : "x=t1", "1", &nsym, &nodim);
		buf_puts(&lines, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&h->r, &lines);
	h->a = version("sh tests/data/oracle/version.sh 1 none");
	h->b = version("sh tests/data/oracle/version.sh 2 none");
	h->random = rng_seed(7);
	*state = h;
	return 0;
}

static int end(void **state)
{
	house *h = *state;
	side_free(h->a);
	side_free(h->b);
	records_free(&h->r);
	free(h);
	return 0;
}

static void begin(house *h)
{
	asked_calls_start(&h->calls, &h->r);
	h->found = (differences){.memory = arena_new()};
	h->signatures = (signatures){.memory = arena_new()};
	h->report = (diff_report){.a = h->a, .b = h->b, .calls = &h->calls, .found = &h->found, .framework = "t", .seed = 3};
	buf_clear(&h->text);
	buf_clear(&h->json);
}

/* The written report; its JSON is deleted by the caller. */
static cJSON *told(house *h)
{
	diff_report_text(&h->text, &h->report);
	diff_report_json(&h->json, &h->report);
	cJSON *whole = cJSON_Parse(buf_text(&h->json));
	assert_non_null(whole);
	return whole;
}

static void finish(house *h, cJSON *whole)
{
	cJSON_Delete(whole);
	asked_calls_free(&h->calls);
	arena_free(h->found.memory);
	arena_free(h->signatures.memory);
	buf_free(&h->text);
	buf_free(&h->json);
}

static int64_t number(const cJSON *of, const char *key)
{
	int64_t value = 0;
	assert_int_equal(json_int64(cJSON_GetObjectItemCaseSensitive(of, key), &value), JSON_INT);
	return value;
}

static const char *string(const cJSON *of, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(of, key));
	assert_non_null(text);
	return text;
}

/* ---- lists of names */

static void names_are(const house *h, const cJSON *whole, const char *what, const char *key, const char *const *names, int n)
{
	enum { SHOWN = 20 };
	buf line = {0};
	buf_printf(&line, "\n%s, %d:", what, n);
	for (int i = 0; i < n && i < SHOWN; i++)
		buf_printf(&line, " %s", names[i]);
	buf_puts(&line, n > SHOWN ? " …\n" : "\n");
	assert_int_equal(strstr(h->text.text, buf_text(&line)) != NULL, n > 0);
	buf_clear(&line);
	buf_printf(&line, "\n%s, ", what);
	assert_int_equal(strstr(h->text.text, buf_text(&line)) != NULL, n > 0);
	buf_free(&line);
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(whole, key);
	assert_int_equal(cJSON_GetArraySize(list), n);
	for (int i = 0; i < n; i++)
		assert_string_equal(cJSON_GetArrayItem(list, i)->valuestring, names[i]);
}

/* The text lists the first twenty and mentions the rest; the JSON lists all. */
static void names_are_told(void **state)
{
	house *h = *state;
	static char texts[MOST_NAMES][32];
	const char *names[MOST_NAMES];
	for (int i = 0; i < MOST_NAMES; i++) {
		snprintf(texts[i], sizeof texts[i], "m.name%02d", i);
		names[i] = texts[i];
	}
	for (int n = 0; n <= MOST_NAMES; n++) {
		begin(h);
		h->signatures.gone = names;
		h->signatures.ngone = n;
		h->signatures.new = names + n;
		h->signatures.nnew = MOST_NAMES - n;
		h->signatures.compared = 100 + n;
		h->report.signatures = &h->signatures;
		cJSON *whole = told(h);
		names_are(h, whole, "APIs removed", "gone", names, n);
		names_are(h, whole, "APIs added", "new", names + n, MOST_NAMES - n);
		buf head = {0};
		buf_printf(&head, "\nsignatures of %d APIs compared: 0 changed; %d APIs removed, %d added\n", 100 + n, n, MOST_NAMES - n);
		assert_non_null(strstr(h->text.text, buf_text(&head)));
		buf_free(&head);
		assert_int_equal(number(whole, "compared"), 100 + n);
		assert_false(diff_report_is_empty(&h->report));
		finish(h, whole);
	}
}

/* ---- the example call */

/* A few calls of some operators; returns the first call with the minimum sum, where numbers outside 1 … 999
 * count as 1000. */
static const asked_call *draw_calls(house *h, const char *api)
{
	int n = (int)rng_range(&h->random, 0, CALLS);
	for (int k = 0; k < n; k++) {
		const operator *op = &h->r.ops[rng_range(&h->random, 0, h->r.n - 1)];
		int64_t x[3];
		for (int i = 0; i < 3; i++)
			x[i] = rng_range(&h->random, 0, 3) ? rng_range(&h->random, -2, 6) : rng_range(&h->random, 995, 1005);
		asked_calls_append(&h->calls, op, x);
	}
	asked_calls_sort(&h->calls);
	const asked_call *best = NULL;
	int64_t least = INT64_MAX;
	for (int k = 0; k < n; k++) {
		const asked_call *c = &h->calls.list[k];
		int64_t sum = 0;
		for (int i = 0; i < c->op->nsym; i++)
			sum += c->in[i] < 1 || c->in[i] > 999 ? 1000 : c->in[i];
		if (strcmp(c->op->api, api) == 0 && sum < least) {
			least = sum;
			best = c;
		}
	}
	return best;
}

static void call_is(const cJSON *text, const asked_call *c)
{
	buf wanted = {0};
	buf_printf(&wanted, "%s(float32[%lld", c->op->api, (long long)c->in[0]);
	if (c->op->nsym > 1)
		buf_printf(&wanted, ", %lld], %lld)", (long long)c->in[1], (long long)c->in[2]);
	else
		buf_puts(&wanted, "])");
	assert_string_equal(text->valuestring, buf_text(&wanted));
	buf_free(&wanted);
}

/* An API with changed arguments is reported with its smallest call, if one was queried; an API that differs
 * only in overloads comes later. */
static void the_smallest_call_is_shown(void **state)
{
	house *h = *state;
	int with = 0, without = 0;
	for (int round = 0; round < 200; round++) {
		begin(h);
		char api[] = {'m', '.', (char)('a' + round % MOST_APIS), '\0'};
		const asked_call *least = draw_calls(h, api);
		bool gone = round & 1, more = round & 2, renamed = round & 4, only_a = round & 8, only_b = round & 16;
		api_change change = {.api = api, .gone = gone ? "x" : "", .new = more ? "y" : "", .renamed = renamed ? "u" : "",
		    .a = only_a ? "[\"(x)\"]" : "[]", .b = only_b ? "[\"(y)\"]" : "[]"};
		h->signatures.changed = &change;
		h->signatures.nchanged = 1;
		h->report.signatures = &h->signatures;
		cJSON *whole = told(h);
		const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(whole, "signatures"), 0);
		const cJSON *example = cJSON_GetObjectItemCaseSensitive(one, "example");
		assert_int_equal(example != NULL, least != NULL);
		if (least) {
			call_is(example, least);
			buf line = {0};
			buf_printf(&line, "\n    %s\n", example->valuestring);
			assert_non_null(strstr(h->text.text, buf_text(&line)));
			buf_free(&line);
		}
		with += least != NULL;
		without += !least;
		assert_string_equal(string(one, "api"), api);
		assert_string_equal(string(one, "gone"), change.gone);
		assert_string_equal(string(one, "new"), change.new);
		assert_string_equal(string(one, "renamed"), change.renamed);
		assert_int_equal(strstr(h->text.text, "argument removed: x\n") != NULL, gone);
		assert_int_equal(strstr(h->text.text, "argument added: y\n") != NULL, more);
		assert_int_equal(strstr(h->text.text, "argument renamed: u\n") != NULL, renamed);
		assert_int_equal(strstr(h->text.text, "only t 1: [\"(x)\"]\n") != NULL, only_a);
		assert_int_equal(strstr(h->text.text, "only t 2: [\"(y)\"]\n") != NULL, only_b);
		assert_int_equal(strstr(h->text.text, "only t 1") != NULL, only_a);
		assert_int_equal(strstr(h->text.text, "only t 2") != NULL, only_b);
		assert_string_equal(string(cJSON_GetObjectItemCaseSensitive(whole, "a"), "name"), "t 1");
		assert_string_equal(string(cJSON_GetObjectItemCaseSensitive(whole, "b"), "name"), "t 2");
		const char *others = strstr(h->text.text, "\nother changes of overloads, types or defaults of arguments:\n");
		buf head = {0};
		buf_printf(&head, "\n%s\n", api);
		const char *at = strstr(h->text.text, buf_text(&head));
		assert_non_null(others);
		assert_non_null(at);
		assert_int_equal(at < others, gone || more || renamed);
		assert_null(strstr(at + 1, buf_text(&head))); /* once */
		buf_free(&head);
		assert_false(diff_report_is_empty(&h->report));
		finish(h, whole);
	}
	assert_true(with > 50 && without > 20);
}

/* ---- different answers */

static reply draw_reply(house *h, bool message)
{
	enum reply_kind kind = (enum reply_kind)rng_range(&h->random, 0, REPLY_KINDS - 1);
	bool accepts = kind == REPLY_ACCEPTS;
	return (reply){kind, accepts ? "[5, 2]" : "", accepts ? "float32" : "", message ? "first \"line\"\nsecond" : ""};
}

/* Differences of APIs in order, of a few changes each. */
static void draw_differences(house *h, difference *list, api_count *apis)
{
	int n = (int)rng_range(&h->random, 0, MOST_FOUND);
	for (int i = 0; i < MOST_APIS; i++)
		apis[i] = (api_count){h->r.ops[i * EACH].api, rng_range(&h->random, 1, 1000)};
	for (int k = 0; k < n; k++) {
		static const int64_t IN[] = {4, 5, 6};
		const operator *op = &h->r.ops[k * h->r.n / MOST_FOUND];
		list[k] = (difference){.api = op->api, .cause = k % 3 ? "why" : "", .calls = rng_range(&h->random, 1, 99), .n = 1, .confirmed = true};
		list[k].change = (enum change)rng_range(&h->random, CHANGE_LESS, CHANGES - 1);
		list[k].examples[0] = (example){.call = {op, IN}, .a = draw_reply(h, k % 2), .b = draw_reply(h, k % 5)};
	}
	h->found.list = list;
	h->found.n = n;
	h->found.apis = apis;
	h->found.napis = MOST_APIS;
	h->found.asked = 5000;
	h->found.undecided = rng_range(&h->random, 0, 9);
	h->found.dropped = rng_range(&h->random, 0, 9);
	h->found.same = 4000;
}

static void reply_is(const cJSON *told, const reply *r)
{
	assert_string_equal(string(told, "answer"), REPLY_NAMES[r->kind]);
	const cJSON *shapes = cJSON_GetObjectItemCaseSensitive(told, "shapes"), *message = cJSON_GetObjectItemCaseSensitive(told, "message");
	assert_int_equal(shapes != NULL, r->kind == REPLY_ACCEPTS);
	assert_int_equal(message != NULL, r->message[0] != '\0');
	if (message)
		assert_string_equal(message->valuestring, r->message);
}

static const char *after(const char *text, const char *words)
{
	const char *at = strstr(text, words);
	assert_non_null(at);
	return at + strlen(words);
}

/* Checks the lines of one difference from `at` on; returns their end. */
static const char *text_is(const char *at, const differences *f, const difference *g)
{
	buf line = {0};
	buf_printf(&line, " (%ld of %ld calls)%s%s\n    %s(", g->calls, differences_asked(f, g->api), g->cause[0] ? ": " : "", g->cause, g->api);
	at = after(at, buf_text(&line));
	const reply *replies[] = {&g->examples[0].a, &g->examples[0].b};
	for (int i = 0; i < 2; i++) {
		buf_clear(&line);
		buf_printf(&line, "\n      t %d: %s%s%s\n", i + 1, REPLY_NAMES[replies[i]->kind],
		    replies[i]->kind == REPLY_ACCEPTS ? ", float32 [5, 2]" : "", replies[i]->message[0] ? ": first \"line\"" : "");
		at = after(at, buf_text(&line)) - 1;
	}
	buf_free(&line);
	return at;
}

static void all_is_told_once(void **state)
{
	house *h = *state;
	for (int round = 0; round < 100; round++) {
		begin(h);
		difference list[MOST_FOUND];
		api_count apis[MOST_APIS];
		draw_differences(h, list, apis);
		const differences *f = &h->found;
		cJSON *whole = told(h);
		const cJSON *api = NULL, *changes = cJSON_GetObjectItemCaseSensitive(whole, "apis");
		const char *at = h->text.text;
		long counts[CHANGES] = {0};
		int k = 0, napis = 0;
		cJSON_ArrayForEach(api, changes) {
			const char *name = string(api, "api");
			assert_true(!k || strcmp(list[k - 1].api, name) < 0);
			assert_int_equal(number(api, "asked"), differences_asked(f, name));
			buf head = {0};
			buf_printf(&head, "\n\n%s\n", name);
			at = after(at - (k > 0), buf_text(&head) + !k);
			buf_free(&head);
			const cJSON *change = NULL;
			cJSON_ArrayForEach(change, cJSON_GetObjectItemCaseSensitive(api, "changes")) {
				assert_true(k < f->n);
				assert_string_equal(list[k].api, name);
				assert_string_equal(string(change, "change"), CHANGE_NAMES[list[k].change]);
				assert_int_equal(number(change, "calls"), list[k].calls);
				assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(change, "in")), list[k].examples[0].call.op->nsym);
				reply_is(cJSON_GetObjectItemCaseSensitive(change, "a"), &list[k].examples[0].a);
				reply_is(cJSON_GetObjectItemCaseSensitive(change, "b"), &list[k].examples[0].b);
				at = text_is(at, f, &list[k]);
				counts[list[k++].change]++;
			}
			napis++;
		}
		assert_int_equal(k, f->n);
		assert_string_equal(at + (k > 0), k ? "" : at); /* and nothing after it */
		buf head = {0};
		buf_printf(&head, "5000 calls of %d APIs, %ld undecided; %d APIs differ", MOST_APIS, f->undecided, napis);
		const char *totals = after(h->text.text, buf_text(&head));
		for (int c = 0; c < CHANGES; c++)
			if (counts[c]) {
				long told = -1;
				assert_int_equal(sscanf(totals, "; %*[^:]: %ld", &told), 1);
				assert_int_equal(told, counts[c]);
				totals = strchr(totals + 1, ':') + 1;
				totals += strcspn(totals, ";\n");
			}
		assert_int_equal(*totals, '\n');
		assert_int_equal(atol(totals + 1), f->dropped);
		buf_free(&head);
		assert_int_equal(diff_report_is_empty(&h->report), f->n == 0);
		assert_null(strstr(h->text.text, "signatures"));
		finish(h, whole);
	}
}

/* The report is empty unless there is a difference, or an API was removed, added or changed. */
static void nothing_is_empty(void **state)
{
	house *h = *state;
	for (int k = 0; k < 16; k++) {
		begin(h);
		h->found.n = k & 1;
		h->signatures.ngone = k >> 1 & 1;
		h->signatures.nnew = k >> 2 & 1;
		h->signatures.nchanged = k >> 3;
		h->report.signatures = &h->signatures;
		assert_int_equal(diff_report_is_empty(&h->report), k == 0);
		h->report.signatures = NULL;
		assert_int_equal(diff_report_is_empty(&h->report), !(k & 1));
		finish(h, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_told),
	    cmocka_unit_test(the_smallest_call_is_shown),
	    cmocka_unit_test(all_is_told_once),
	    cmocka_unit_test(nothing_is_empty),
	};
	return cmocka_run_group_tests(tests, start, end);
}
