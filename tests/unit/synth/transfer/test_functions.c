/* Shape functions: a formula that at least two APIs use is offered to others, as it is and as a product over
 * positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "functions.h"
#include "operators.h"

#define WINDOWS "(s0 - s1)//s2 + 1"

static int64_t windows(int64_t x, int64_t k, int64_t s)
{
	return (x - k) / s + 1;
}

typedef struct house {
	records r;
	rule_store store;
	rule *rules;
	functions *library;
	solver s;
	stage stages[STAGE_COUNT];
	rule asked;
	buf log;
} house;

/* Two APIs have the text as their rule; a third one's number belongs to another formula. */
static void put_users(buf *b)
{
	int nsym, nodim;
	for (int i = 0; i < 3; i++) {
		put_call(b, (const char *[]){"m.a", "m.b", "m.c"}[i], 0, "x=t1 k=i s=i", "1", &nsym, &nodim);
		buf_puts(b, ",\"pass\":[[[7,2,1],[6]],[[9,3,2],[4]]],\"fail\":[]}\n");
	}
}

static const expr *parse(house *h, const char *text)
{
	const expr *e = expr_parse(h->store.pool, text, 9, "test", 1, NULL);
	assert_non_null(e);
	return e;
}

/* The users' rule is `text`; the last operator of `lines` queries the library. */
static void open_house(house *h, buf *lines, const char *text)
{
	read_lines(&h->r, lines);
	h->store = rule_store_new();
	h->rules = calloc((size_t)h->r.n, sizeof *h->rules);
	int list[8];
	const operator *asks = NULL;
	for (int i = 0; i < h->r.n; i++) {
		const expr **out = ARENA_ARRAY(h->store.memory, const expr *, 1);
		bool user = strcmp(h->r.ops[i].api, "m.z") != 0;
		*out = parse(h, user && strcmp(h->r.ops[i].api, "m.c") != 0 ? text : "s0 + s1 + s2");
		h->rules[i] = (rule){.out = out, .nodim = 1, .why = user ? NULL : "not asked yet"};
		list[i] = i;
		asks = user ? asks : &h->r.ops[i];
	}
	static const options none = {NULL};
	h->library = functions_mine(&h->r, list, h->r.n, h->rules);
	solver_start(&h->s, asks, h->store.pool, h->store.memory, &none, &h->asked, h->stages);
	h->s.log = &h->log;
}

static void close_house(house *h)
{
	functions_free(h->library);
	free(h->rules);
	buf_free(&h->log);
	rule_store_free(&h->store);
	records_free(&h->r);
}

static void assert_text(const expr *e, const char *text)
{
	buf b = {0};
	assert_non_null(e);
	expr_print(&b, e);
	assert_string_equal(b.text, text);
	buf_free(&b);
}

/* An operator with as many dimensions as its lists have items; its output is the product of windows, but off
 * by one in the last record if `wrong`. */
static void put_unfold(buf *b, int rank, const char *args, bool wrong)
{
	static const int64_t ROWS[][9] = {{7, 9, 8, 2, 3, 1, 1, 2, 3}, {8, 9, 8, 2, 3, 1, 1, 2, 3}, {7, 8, 8, 2, 3, 1, 1, 2, 3},
	    {7, 9, 5, 2, 3, 1, 1, 2, 3}, {7, 9, 8, 1, 3, 1, 1, 2, 3}, {7, 9, 8, 2, 1, 1, 1, 2, 3}, {7, 9, 8, 2, 3, 4, 1, 2, 3},
	    {7, 9, 8, 2, 3, 1, 2, 2, 3}, {7, 9, 8, 2, 3, 1, 1, 1, 3}, {7, 9, 8, 2, 3, 1, 1, 2, 1}};
	enum { N = sizeof ROWS / sizeof *ROWS };
	int nsym, nodim;
	put_call(b, "m.z", 0, args, "1", &nsym, &nodim);
	buf_puts(b, ",\"pass\":[");
	for (int k = 0; k < N; k++) {
		int64_t product = 1;
		buf_puts(b, k ? ",[[" : "[[");
		for (int part = 0; part < 3; part++)
			for (int j = 0; j < rank; j++)
				buf_printf(b, "%s%lld", part + j ? "," : "", (long long)ROWS[k][3 * part + j]);
		for (int j = 0; j < rank; j++)
			product *= windows(ROWS[k][j], ROWS[k][3 + j], ROWS[k][6 + j]);
		buf_printf(b, "],[%lld]]", (long long)(product + (wrong && k == N - 1)));
	}
	buf_puts(b, "],\"fail\":[]}\n");
}

static void takes_a_function_of_two_apis(void **state)
{
	(void)state;
	house h = {0};
	buf lines = {0};
	put_users(&lines);
	put_unfold(&lines, 1, "x=t1 k=l1 s=l1", false);
	open_house(&h, &lines, WINDOWS);
	assert_text(functions_match(h.library, &h.s, 0, NULL), WINDOWS);
	assert_non_null(strstr(h.log.text, "used by 2 or 3 APIs"));
	/* It replaces a formula that no other API uses, but none that equally many use; a product of one
	 * factor never matches */
	assert_text(functions_match(h.library, &h.s, 0, parse(&h, "(s0 - s1 + s2)//s2")), WINDOWS);
	assert_null(functions_match(h.library, &h.s, 0, parse(&h, WINDOWS)));
	assert_null(functions_product(h.library, &h.s, 0));
	close_house(&h);
}

static void takes_none_that_fails_a_record(void **state)
{
	(void)state;
	for (int rank = 1; rank <= 3; rank++) {
		house h = {0};
		buf lines = {0};
		put_users(&lines);
		put_unfold(&lines, rank, rank == 1 ? "x=t1 k=l1 s=l1" : rank == 2 ? "x=t2 k=l2 s=l2" : "x=t3 k=l3 s=l3", true);
		open_house(&h, &lines, WINDOWS);
		assert_null(functions_match(h.library, &h.s, 0, NULL));
		assert_null(functions_product(h.library, &h.s, 0));
		close_house(&h);
	}
}

static void multiplies_over_positions(void **state)
{
	(void)state;
	static const struct {
		int rank;
		const char *args, *text;
	} EACH[] = {{2, "x=t2 k=l2 s=l2", "((s0 - s2)//s4 + 1)*((s1 - s3)//s5 + 1)"},
	    {3, "x=t3 k=l3 s=l3", "((s0 - s3)//s6 + 1)*((s1 - s4)//s7 + 1)*((s2 - s5)//s8 + 1)"}};
	for (int i = 0; i < 2; i++) {
		house h = {0};
		buf lines = {0};
		put_users(&lines);
		put_unfold(&lines, EACH[i].rank, EACH[i].args, false);
		open_house(&h, &lines, WINDOWS);
		assert_null(functions_match(h.library, &h.s, 0, NULL));
		assert_text(functions_product(h.library, &h.s, 0), EACH[i].text);
		assert_non_null(strstr(h.log.text, "a product of one used by 2 or 3 APIs"));
		close_house(&h);
	}
}

/* A dimension is never negative: a function that checks for it is not offered for dimensions, although it
 * fits every record. */
static void leaves_out_what_asks_of_a_dimension(void **state)
{
	(void)state;
	static const char *const ASKS[] = {"(s0 - s1)//s2 + 1 if s0 < 0 else (s0 - s1)//s2 + 1", "s0 - s0 if s0 == -1 else (s0 - s1)//s2 + 1",
	    "s0 - s0 if s1 == -1 else (s0 - s1)//s2 + 1"};
	for (int i = 0; i < 3; i++) {
		house h = {0};
		buf lines = {0};
		put_users(&lines);
		put_unfold(&lines, 1, "x=t1 k=l1 s=l1", false);
		open_house(&h, &lines, ASKS[i]);
		const expr *e = functions_match(h.library, &h.s, 0, NULL);
		if (i < 2)
			assert_null(e);
		else
			assert_text(e, ASKS[i]);
		close_house(&h);
	}
}

static void has_another_hash_for_another_function(void **state)
{
	(void)state;
	uint64_t hashes[3];
	for (int i = 0; i < 3; i++) {
		house h = {0};
		buf lines = {0};
		put_users(&lines);
		put_unfold(&lines, 1, "x=t1 k=l1 s=l1", false);
		open_house(&h, &lines, (const char *[]){WINDOWS, "(s0 - s1)//s2 + 2", WINDOWS}[i]);
		hashes[i] = functions_hash(h.library);
		close_house(&h);
	}
	assert_true(hashes[0] == hashes[2]);
	assert_true(hashes[0] != hashes[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_a_function_of_two_apis),
	    cmocka_unit_test(takes_none_that_fails_a_record),
	    cmocka_unit_test(multiplies_over_positions),
	    cmocka_unit_test(leaves_out_what_asks_of_a_dimension),
	    cmocka_unit_test(has_another_hash_for_another_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
