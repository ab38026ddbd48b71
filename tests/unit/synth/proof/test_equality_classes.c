/* Equality classes of a list's tensors: each member is equated with a term from before the list; other
 * equations stay unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "equality_classes.h"

enum { MOST_CLAUSES = 8 };

/* Expects a rule's clauses and output after the rewrite. */
static void expect(const char *args, const char *const *clauses, int n, const char *out, const char *text)
{
	buf b = {0}, printed = {0};
	records r;
	int nsym, nodim;
	rule_store store = rule_store_new();
	const expr *list[MOST_CLAUSES], *is[1];
	put_call(&b, "m.f", 0, args, "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	for (int k = 0; k < n; k++)
		list[k] = expr_parse(store.pool, clauses[k], nsym, "test", 1, NULL);
	is[0] = expr_parse(store.pool, out, nsym, "test", 1, NULL);
	rule x = {.clauses = list, .nclauses = n, .out = is, .nodim = 1};
	equality_classes_rewrite(store, &r.ops[0], &x);
	rule_print(&printed, &x);
	assert_string_equal(printed.text, text);
	buf_free(&printed);
	rule_store_free(&store);
	records_free(&r);
}

/* Weights of four cells, w[k][0] == h, w[k][1] == h, whichever equations were found. */
static void uses_first_symbol(void **state)
{
	(void)state;
	expect("h=i w=T4,2", (const char *const[]){"s1 == s3", "s3 == s6", "s6 == s0", "s8 == s7", "s7 == s1", "s2 > s3"}, 6, "s7",
	    "s0; | s0 == s1; s0 == s3; s0 == s6; s0 == s7; s0 == s8; s2 > s0;");
}

/* A multiple of a term before the list also represents its class, and so does a fraction. */
static void uses_multiples(void **state)
{
	(void)state;
	expect("h=i w=T4,2", (const char *const[]){"s1 == s3", "s3 == 4*s0", "s1 == 2*s8", "s5 > s1"}, 4, "s8",
	    "2*s0; | s1 == 4*s0; s3 == 4*s0; s8 == 2*s0; s5 > 4*s0;");
	expect("h=i w=T4,2", (const char *const[]){"s1 == s3", "s3 == 4*s0", "s1 == 2*s0"}, 3, "s1",
	    "4*s0; | s1 == 4*s0; s3 == 4*s0; 4*s0 == 2*s0;"); /* two multiples: it is 0 */
}

/* A number that a clause fixes is substituted into an equation that becomes a number by it, and nowhere
 * else. */
static void substitutes_constants(void **state)
{
	(void)state;
	expect("n=i h=i w=T4,2", (const char *const[]){"s0 == 2", "s1 == s2", "s3 == s0*s0", "s4 > s0"}, 4, "s0",
	    "s0; | s1 == s2; s0 == 2; s3 == 4; s4 > s0;");
}

/* Unchanged: the same dimension of all tensors, as in concatenation; too few tensors; no list. */
static void leaves_other_equations(void **state)
{
	(void)state;
	expect("w=T4,2", (const char *const[]){"s1 == s3", "s3 == s5", "s5 == s7"}, 3, "s7", "s7; | s1 == s3; s3 == s5; s5 == s7;");
	expect("h=i w=T3,2", (const char *const[]){"s1 == s3", "s3 == s0"}, 2, "s3", "s3; | s1 == s3; s3 == s0;");
	expect("x=t4 y=t4", (const char *const[]){"s3 == s7", "s7 == s2"}, 2, "s7", "s7; | s3 == s7; s7 == s2;");
}

/* On all symbols of a box, the rewritten rule accepts the same calls with the same output. */
static void preserves_meaning(void **state)
{
	(void)state;
	enum { SYMBOLS = 5, VALUES = 6, POINTS = VALUES * VALUES * VALUES * VALUES * VALUES };
	static const char *const CLAUSES[] = {"s1 == s2", "2*s4 == s2", "s2 == 4*s0", "s3 >= s1//2", "s3 == 2*s0 or s3 > s4"};
	buf b = {0};
	records r;
	int nsym, nodim, accepted = 0;
	rule_store store = rule_store_new();
	const expr *list[SYMBOLS], *is[1];
	put_call(&b, "m.f", 0, "h=i w=T4,1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	for (int k = 0; k < SYMBOLS; k++)
		list[k] = expr_parse(store.pool, CLAUSES[k], nsym, "test", 1, NULL);
	is[0] = expr_parse(store.pool, "s2 - s4", nsym, "test", 1, NULL);
	rule was = {.clauses = list, .nclauses = SYMBOLS, .out = is, .nodim = 1}, now = rule_copy(store, &was);
	equality_classes_rewrite(store, &r.ops[0], &now);
	assert_false(rule_equal(&was, &now));
	for (int point = 0; point < POINTS; point++) {
		int64_t x[SYMBOLS], out, too;
		for (int i = 0, rest = point; i < SYMBOLS; i++, rest /= VALUES)
			x[i] = rest % VALUES;
		bool is_accepted = rule_accepts(&r.ops[0], &was, x, NULL);
		assert_int_equal(rule_accepts(&r.ops[0], &now, x, NULL), is_accepted);
		accepted += is_accepted;
		if (is_accepted) {
			assert_true(rule_propagate(&was, x, &out) && rule_propagate(&now, x, &too));
			assert_int_equal(out, too);
		}
	}
	assert_int_not_equal(accepted, 0);
	rule_store_free(&store);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(uses_first_symbol), cmocka_unit_test(uses_multiples),
	    cmocka_unit_test(substitutes_constants), cmocka_unit_test(leaves_other_equations),
	    cmocka_unit_test(preserves_meaning)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
