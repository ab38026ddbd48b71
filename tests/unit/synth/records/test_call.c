/* The grammar of calls: the tree of a text, and the positions of its symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "identifier.h"
#include "operators.h"

static const char LINE[] =
    "{\"op\":\"m.f-0\",\"api\":\"m.f\",\"args\":["
    "{\"name\":\"x\",\"pos\":true,\"value\":{\"tensor\":[\"s0\",\"s1\"],\"dtype\":\"int64\",\"range\":[\"s2\",\"s3\"],\"held\":\"list\"}},"
    "{\"name\":\"ys\",\"pos\":false,\"value\":[{\"tensor\":[\"s4\"],\"dtype\":\"float32\"},{\"tensor\":[],\"dtype\":\"bool\"}]},"
    "{\"name\":\"shape\",\"pos\":true,\"value\":{\"elements\":[\"s5\",{\"const\":\"-1\"}],\"dtype\":\"int32\"}},"
    "{\"name\":\"p\",\"pos\":true,\"value\":[[\"s6\",\"s7\"],[\"s8\",\"s9\"]]},"
    "{\"name\":\"rate\",\"pos\":true,\"value\":{\"const\":\"0.5\",\"seen\":[\"0.1\",\"1.0\"]}},"
    "{\"name\":\"axis\",\"pos\":true,\"value\":{\"const\":\"-1\"}}],"
    "\"outputs\":[{\"tensor\":[\"o0\",\"o1\"],\"dtype\":\"float32\"},{\"tensor\":[],\"dtype\":\"bool\"},{\"tensor\":[\"o2\"],\"dtype\":\"int64\"}],"
    "\"pass\":[],\"fail\":[]}\n";

static void read_call(records *r)
{
	buf b = {0};
	buf_puts(&b, LINE);
	read_lines(r, &b);
}

static void reads_the_tree(void **state)
{
	(void)state;
	records r;
	read_call(&r);
	const call *c = r.ops[0].call;
	const call_argument *a = c->args;
	assert_int_equal(c->nargs, 6);
	assert_int_equal(c->nsym, 10);
	assert_int_equal(c->nin, 3);
	assert_true(a[0].value.kind == CALL_TENSOR && a[0].value.first == 0 && a[0].value.count == 2);
	assert_true(a[0].value.ranged && a[0].value.held && a[0].by_position && !a[1].by_position);
	assert_string_equal(a[0].value.text, "int64");
	assert_true(a[1].value.kind == CALL_LIST && a[1].value.count == 2);
	assert_true(a[1].value.items[0].first == 4 && a[1].value.items[1].first == 5 && a[1].value.items[1].count == 0);
	assert_false(a[1].value.items[0].ranged || a[1].value.items[0].held);
	assert_true(a[2].value.kind == CALL_ELEMENTS && a[2].value.items[0].kind == CALL_LIST);
	assert_true(a[2].value.items[0].items[0].kind == CALL_INT && a[2].value.items[0].items[0].first == 5);
	assert_true(a[3].value.items[1].kind == CALL_LIST && a[3].value.items[1].items[1].first == 9);
	assert_true(a[4].value.kind == CALL_CONST && a[4].value.count == 2);
	assert_string_equal(a[4].value.seen[1], "1.0");
	assert_int_equal(c->nout, 3);
	assert_int_equal(c->nodim, 3);
	assert_true(c->outputs[1].rank == 0 && c->outputs[2].first == 2 && c->outputs[2].rank == 1);
	records_free(&r);
}

/* The search's view of the positions of symbols. */
static void places_symbols(void **state)
{
	(void)state;
	static const role WANT[] = {{.kind = ROLE_DIM, .len = 2}, {.kind = ROLE_DIM, .pos = 1, .len = 2},
	    {.kind = ROLE_ITEM, .list = 1, .len = 2}, {.kind = ROLE_ITEM, .list = 1, .pos = 1, .len = 2},
	    {.kind = ROLE_DIM, .arg = 1, .tensor = 1, .list = 2, .len = 1}, {.kind = ROLE_ITEM, .arg = 2, .list = 3, .len = 2},
	    {.kind = ROLE_ITEM, .arg = 3, .list = 5, .len = 2, .outer_len = 2},
	    {.kind = ROLE_ITEM, .arg = 3, .list = 5, .pos = 1, .len = 2, .outer_len = 2},
	    {.kind = ROLE_ITEM, .arg = 3, .list = 6, .len = 2, .outer = 1, .outer_len = 2},
	    {.kind = ROLE_ITEM, .arg = 3, .list = 6, .pos = 1, .len = 2, .outer = 1, .outer_len = 2}};
	records r;
	read_call(&r);
	const operator *op = &r.ops[0];
	for (int i = 0; i < op->nsym; i++) {
		const role *got = &op->roles[i], *want = &WANT[i];
		assert_true(got->kind == want->kind && got->arg == want->arg && got->tensor == want->tensor);
		assert_true(got->list == want->list && got->pos == want->pos && got->len == want->len);
		assert_true(got->outer == want->outer && got->outer_len == want->outer_len);
	}
	assert_string_equal(op->structure, ",t2r,[t1t0],e[ic],[[ii][ii]],c,c->t2t0t1");
	assert_string_equal(op->constants, ";;;;0.5;;");
	assert_string_equal(op->ranks, "2,1,0,");
	assert_true(op->arguments[3].first == 6 && op->arguments[3].count == 4);
	assert_true(op->arguments[5].fixed && op->arguments[5].value == -1 && !op->arguments[4].fixed);
	records_free(&r);
}

/* Letters and digits at the ends of their ASCII ranges, and the characters next to these. */
static void names(void **state)
{
	(void)state;
	static const char *const GOOD[] = {"a", "z", "A", "Z", "_", "a0", "a9", "aZ_9"}, *const BAD[] = {"", "0", "9a", "a-", "`", "{", "@", "[", "a/", "a:", "\xc3\xa9"};
	for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
		assert_true(is_identifier(GOOD[i]) && is_dotted(GOOD[i]));
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
		assert_false(is_identifier(BAD[i]) || is_dotted(BAD[i]));
	assert_true(is_dotted("a.Z.z9") && !is_identifier("a.b"));
	assert_false(is_dotted("a.") || is_dotted(".a") || is_dotted("a..b") || is_dotted("a.9"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads_the_tree), cmocka_unit_test(places_symbols), cmocka_unit_test(names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
