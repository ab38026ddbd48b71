/* The rule of an API as a tree: what is fitted to signatures, written, read, and instantiated again; hostile texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "api_guards.h"
#include "api_rule_put.h"
#include "api_rule_read.h"
#include "instance.h"
#include "json.h"
#include "need.h"
#include "operators.h"

enum { MOST = 8 };

/* A signature: arguments and output ranks (operators.h), output dimensions, clauses. */
typedef struct member {
	const char *args, *ranks;
	const char *out[6], *clauses[6];
} member;

typedef struct api {
	records records;
	rule_store store;
	arena *scratch;
	api_signature list[MOST];
	int n;
} api;

static const expr *parse(const api *a, const char *text)
{
	diag d;
	const expr *e = expr_parse(a->store.pool, text, 64, "test", 1, &d);
	assert_non_null(e);
	return e;
}

static api api_of(const member *members, int n)
{
	buf text = {0};
	api a = {.store = rule_store_new(), .scratch = arena_new(), .n = n};
	for (int i = 0; i < n; i++) {
		int nsym, nodim;
		put_call(&text, "m.f", i, members[i].args, members[i].ranks, &nsym, &nodim);
		buf_puts(&text, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&a.records, &text);
	for (int i = 0; i < n; i++) {
		rule *r = NEED_ARRAY(a.store.memory, rule, 1);
		r->nodim = a.records.ops[i].nodim;
		r->out = NEED_ARRAY(a.store.memory, const expr *, 6);
		r->clauses = NEED_ARRAY(a.store.memory, const expr *, 6);
		for (int d = 0; d < r->nodim; d++)
			r->out[d] = parse(&a, members[i].out[d]);
		for (; r->nclauses < 6 && members[i].clauses[r->nclauses]; r->nclauses++)
			r->clauses[r->nclauses] = parse(&a, members[i].clauses[r->nclauses]);
		a.list[i] = (api_signature){a.records.ops[i].name, a.records.ops[i].call, r};
	}
	return a;
}

static void api_free(api *a)
{
	records_free(&a->records);
	rule_store_free(&a->store);
	arena_free(a->scratch);
}

static const char *text_of(const api *a, const api_rule *r)
{
	buf text = {0};
	api_rule_put(&text, r);
	const char *kept = keep(a->store.memory, &text);
	buf_free(&text);
	return kept;
}

static const char *fit(const api *a, const rule_default *defaults, int n)
{
	api_rule *r = api_rule_fit(a->store.memory, a->scratch, a->store.pool, a->list, a->n, defaults, n);
	api_guards_find(&r, 1, a->list, a->n);
	for (int i = 0; i < a->n; i++)
		assert_true(api_rule_is_instance(r, i));
	return text_of(a, r);
}

static api_rule *read_text(const api *a, const char *text, diag *d)
{
	cJSON *tree = json_parse(text, "test", 7, d);
	api_rule *r = tree ? api_rule_read(a->store.memory, a->store.pool, tree, a->list, a->n, "test", 7, d) : NULL;
	cJSON_Delete(tree);
	return r;
}

static const char *replaced(const api *a, const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	assert_non_null(at);
	return need(arena_printf(a->store.memory, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)), 1);
}

/* A pool of one and two dimensions; a stride that is omitted is the kernel. */
static const member POOLS[] = {
    {"x=t2 kernel=i stride=i", "2", {"s0", "(s1 - s2)//s3 + 1"}, {"s3 > 0", "(s1 - s2)//s3 + 1 > 0"}},
    {"x=t3 kernel=l2 stride=l2", "3", {"s0", "(s1 - s3)//s5 + 1", "(s2 - s4)//s6 + 1"},
	{"s5 > 0", "s6 > 0", "(s1 - s3)//s5 + 1 > 0", "(s2 - s4)//s6 + 1 > 0"}},
    {"x=t3 kernel=l2", "3", {"s0", "(s1 - s3)//s3 + 1", "(s2 - s4)//s4 + 1"},
	{"s3 > 0", "s4 > 0", "(s1 - s3)//s3 + 1 > 0", "(s2 - s4)//s4 + 1 > 0"}},
};

static void test_clauses_refer_to_outputs(void **state)
{
	(void)state;
	api a = api_of(POOLS, 3);
	const char *text = fit(&a, (rule_default[]){{"stride", "kernel"}}, 1);
	assert_non_null(strstr(text, "\"defaults\":{\"stride\":\"kernel\"}"));
	assert_non_null(strstr(text, "[\">\",[\"at\",[\"out\",0],[\"i\",0]],0]"));
	assert_non_null(strstr(text, "{\"range\":{\"from\":\"right\",\"over\":[\"items\",\"stride\"]},\"is\":[\">\",[\"at\",[\"items\",\"stride\"],[\"i\",0]],0]}"));
	assert_null(strstr(text, "guard"));
	api_free(&a);
}

/* An omitted stride is 1 by the outputs alone. */
static const member STEPS[] = {
    {"x=t1 stride=i", "1", {"s0//s1"}, {NULL}},
    {"x=t2 stride=l2", "2", {"s0//s2", "s1//s3"}, {NULL}},
    {"x=t1", "1", {"s0"}, {NULL}},
    {"x=t2", "2", {"s0", "s1"}, {NULL}},
};

static void test_outputs_imply_a_default(void **state)
{
	(void)state;
	api a = api_of(STEPS, 4);
	const char *text = fit(&a, NULL, 0);
	assert_non_null(strstr(text, "\"defaults\":{\"stride\":1}"));
	assert_null(strstr(text, "guard"));
	api_free(&a);
}

static void test_what_is_written_is_read(void **state)
{
	(void)state;
	api a = api_of(POOLS, 3);
	diag d;
	const char *text = fit(&a, (rule_default[]){{"stride", "kernel"}}, 1);
	const api_rule *r = read_text(&a, text, &d);
	assert_non_null(r);
	assert_string_equal(text_of(&a, r), text);
	for (int i = 0; i < a.n; i++)
		assert_true(api_rule_is_instance(r, i));
	api_free(&a);
}

/* Each is a rule that can be read, but some signature is no instance of it. */
static void test_planted_faults(void **state)
{
	static const char *const FAULTS[][2] = {{"[\">\",[\"at\",[\"out\",0],[\"i\",0]],0]", "[\">=\",[\"at\",[\"out\",0],[\"i\",0]],0]"},
	    {"[\"i\",0]]],[\"at\",[\"items\",\"stride\"],[\"i\",0]]],1]", "[\"i\",0]]],[\"at\",[\"items\",\"stride\"],[\"i\",0]]],2]"},
	    {"\"stride\":\"kernel\"", "\"stride\":1"}, {"\"over\":[\"items\",\"stride\"]", "\"only\":1"}, {"\"plus\":0", "\"plus\":1"}};
	(void)state;
	api a = api_of(POOLS, 3);
	const char *text = fit(&a, (rule_default[]){{"stride", "kernel"}}, 1);
	for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++) {
		diag d;
		int instances = 0;
		if (k == 4 && !strstr(text, FAULTS[k][0]))
			continue; /* a whole shape has no rank of its own */
		const api_rule *r = read_text(&a, replaced(&a, text, FAULTS[k][0], FAULTS[k][1]), &d);
		assert_non_null(r);
		for (int i = 0; i < a.n; i++)
			instances += api_rule_is_instance(r, i);
		assert_true(instances < a.n);
	}
	api_free(&a);
}

/* Concatenation: the axis is a constant, or omitted. */
static void test_axes(void **state)
{
	static const member MEMBERS[] = {{"xs=T2,2 dim=#1", "2", {"s0", "s1 + s3"}, {"s0 == s2"}},
	    {"xs=T2,3 dim=#1", "3", {"s0", "s1 + s4", "s2"}, {"s0 == s3", "s2 == s5"}},
	    {"xs=T2,3 dim=#-1", "3", {"s0", "s1", "s2 + s5"}, {"s0 == s3", "s1 == s4"}}, {"xs=T2,2", "2", {"s0 + s2", "s1"}, {"s1 == s3"}}};
	(void)state;
	api a = api_of(MEMBERS, 4);
	const char *text = fit(&a, NULL, 0);
	assert_non_null(strstr(text, "{\"shape\":\"concat\",\"of\":[[\"dims\",\"xs\"],[\"items\",\"dim\"]],\"otherwise\":\"first\"}"));
	assert_non_null(strstr(text, "\"but\":\"dim\""));
	api_free(&a);
}

/* Two leading dimensions that broadcast, and two that do not. */
static void test_cuts(void **state)
{
	static const member MEMBERS[] = {{"a=t2 b=t2", "2", {"s0", "s3"}, {"s1 == s2"}},
	    {"a=t3 b=t2", "3", {"s0", "s1", "s4"}, {"s2 == s3"}}, {"a=t3 b=t3", "3", {"s3 if s0 == 1 else s0", "s1", "s5"}, {"s2 == s4"}}};
	(void)state;
	api a = api_of(MEMBERS, 3);
	assert_non_null(strstr(fit(&a, NULL, 0), "{\"shape\":\"broadcast\",\"of\":[[\"dims\",\"a\"],[\"dims\",\"b\"]],\"cut\":2,\"dims\":["));
	api_free(&a);
}

/* What tells two cases apart; scalars follow the guard of the others. */
static void test_guards(void **state)
{
	static const member MEMBERS[] = {{"x=t2 mode=c1", "2", {"s0", "s1"}, {0}}, {"x=t3 mode=c1", "3", {"s0", "s1", "s2"}, {0}},
	    {"x=t0 mode=c1", "0", {0}, {0}}, {"x=t2 mode=c2", "2", {"s1", "s0"}, {0}}, {"x=t3 mode=c2", "3", {"s2", "s1", "s0"}, {0}}};
	(void)state;
	api a = api_of(MEMBERS, 5);
	const char *text = fit(&a, NULL, 0);
	assert_non_null(strstr(text, "\"guard\":[{\"argument\":\"mode\",\"is\":\"constant\",\"value\":\"'c1'\"}],\"signatures\":[\"m.f-0\",\"m.f-1\",\"m.f-2\"]"));
	api_free(&a);
}

/* ---- hostile texts */

static void test_hostile(void **state)
{
	static const char GOOD[] = "{\"version\":1,\"defaults\":{},\"accept\":[{\"signatures\":[\"m.f-0\"],\"clauses\":[]}],\"shapes\":[]}";
	static const char *const EDITS[][3] = {{"\"version\":1", "\"version\":2", "whole number from 1 to 1"}, {"\"defaults\":{}", "\"defaults\":[]", "\"defaults\""},
	    {"{}", "{\"y\":1}", "which no signature has"}, {"{}", "{\"x\":1.5}", "an argument or a whole number"}, {"m.f-0", "m.g", "no signature of the rule"},
	    {"\"m.f-0\"", "\"m.f-0\",\"m.f-0\"", "in two cases"}, {"\"m.f-0\"", "", "without signatures"}, {"\"clauses\":[]", "\"clauses\":{}", "expected an array"},
	    {"\"clauses\":[]", "\"clauses\":[3]", "expected {"}, {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",1]}]", "wrong number of operands"},
	    {"\"clauses\":[]", "\"clauses\":[{\"is\":[\"+\",1,2]}]", "expected a condition"}, {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",[\"at\",[\"dims\",\"y\"],0],1]}]", "no signature has the argument"},
	    {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",[\"at\",[\"dims\",\"x\"],[\"i\",0]],1]}]", "without a range"},
	    {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",[\"at\",[\"dims\",\"x\"],99],1]}]", "whole number from -32 to 32"},
	    {"\"clauses\":[]", "\"clauses\":[{\"is\":[\"^\",1,2]}]", "unknown operation"}, {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",[\"at\"],1]}]", "expected"},
	    {"\"clauses\":[]", "\"clauses\":[{\"is\":[\">\",[\"but\",\"*\",[\"bounds\",\"x\"],0],1]}]", "all but one"},
	    {"\"shapes\":[]", "\"shapes\":[{\"signatures\":[\"m.f-0\"],\"outputs\":[]}]", "has 1 outputs, not 0"},
	    {"\"shapes\":[]", "\"shapes\":[{\"signatures\":[\"m.f-0\"],\"outputs\":[{\"shape\":\"drop\",\"of\":[[\"dims\",\"x\"]]}]}]", "of 1 lists"},
	    {"\"shapes\":[]", "\"shapes\":[{\"signatures\":[\"m.f-0\"],\"outputs\":[{\"dims\":[{\"is\":[\"at\",[\"out\",0],0]}]}]}]", "only a clause refers to outputs"},
	    {"\"accept\":[{", "\"accept\":[{\"guard\":[{\"argument\":\"a b\",\"is\":\"rank\",\"value\":\"1\"}],", "identifier"},
	    {"\"accept\":[{", "\"accept\":[{\"guard\":[],", "1 to 2 terms"}};
	static const member MEMBERS[] = {{"x=t2", "2", {"s0", "s1"}, {0}}};
	(void)state;
	api a = api_of(MEMBERS, 1);
	diag d;
	assert_non_null(read_text(&a, GOOD, &d));
	for (size_t k = 0; k < sizeof EDITS / sizeof *EDITS; k++) {
		assert_null(read_text(&a, replaced(&a, GOOD, EDITS[k][0], EDITS[k][1]), &d));
		assert_non_null(strstr(d.text, "test:7: error: key \"api_rule\": "));
		if (!strstr(d.text, EDITS[k][2]))
			fail_msg("edit %zu: %s", k, d.text);
	}
	buf deep = {0};
	for (int k = 0; k < 100; k++)
		buf_puts(&deep, "[\"+\",1,");
	buf_puts(&deep, "1");
	for (int k = 0; k < 100; k++)
		buf_putc(&deep, ']');
	const char *nested = need(arena_printf(a.store.memory, "\"clauses\":[{\"is\":[\">\",%s,1]}]", need_text(&deep)), 1);
	buf_free(&deep);
	assert_null(read_text(&a, replaced(&a, GOOD, "\"clauses\":[]", nested), &d));
	assert_non_null(strstr(d.text, "deeper than"));
	api_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_outputs_imply_a_default), cmocka_unit_test(test_clauses_refer_to_outputs), cmocka_unit_test(test_what_is_written_is_read),
	    cmocka_unit_test(test_planted_faults), cmocka_unit_test(test_axes), cmocka_unit_test(test_cuts), cmocka_unit_test(test_guards),
	    cmocka_unit_test(test_hostile)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
