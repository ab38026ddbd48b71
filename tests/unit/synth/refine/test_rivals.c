/* Rivals: each agrees with every record, none equals the rule, and no two are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "rivals.h"

enum { SIDE = 12 }; /* of the numbers tried */

typedef struct house {
	records r;
	rule_store store;
	rule rule;
	rivals rivals;
	arena *scratch;
	const char *hidden; /* a relation that holds in all records and is not in the rule; NULL: none */
} house;

static const expr *parse(house *h, const char *text)
{
	const expr *e = expr_parse(h->store.pool, text, 9, "test", 1, NULL);
	assert_non_null(e);
	return e;
}

/* Records of numbers up to `most` each: accepted if the clauses hold, with the rule's output. */
static void put_records(house *h, buf *b, int nsym, int64_t most)
{
	buf pass = {0}, fail = {0};
	int64_t x[4] = {0};
	const expr *hidden = h->hidden ? parse(h, h->hidden) : NULL;
	for (int64_t code = 0, all = nsym == 2 ? most * most : most * most * most; code < all; code++) {
		int64_t rest = code;
		bool holds = true;
		wide v;
		for (int i = 0; i < nsym; i++, rest /= most)
			x[i] = rest % most - (i > 0);
		for (int k = 0; k < h->rule.nclauses; k++)
			holds &= expr_holds(h->rule.clauses[k], x);
		holds &= expr_eval(h->rule.out[0], x, &v) && v >= 0;
		if (hidden && !expr_holds(hidden, x))
			continue;
		buf *to = holds ? &pass : &fail;
		buf_puts(to, to->length ? ",[" : "[");
		buf_puts(to, holds ? "[" : "");
		for (int i = 0; i < nsym; i++)
			buf_printf(to, "%s%lld", i ? "," : "", (long long)x[i]);
		if (holds)
			buf_printf(to, "],[%lld]", (long long)v);
		buf_puts(to, "]");
	}
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass.text ? pass.text : "", fail.text ? fail.text : "");
	buf_free(&pass);
	buf_free(&fail);
}

static void open_house(house *h, const char *args, const char *out, const char *const *clauses, int n, int64_t most)
{
	buf b = {0};
	int nsym, nodim;
	h->store = rule_store_new();
	h->scratch = arena_new();
	const expr **outs = ARENA_ARRAY(h->store.memory, const expr *, 1), **all = ARENA_ARRAY(h->store.memory, const expr *, n + 1);
	*outs = parse(h, out);
	for (int k = 0; k < n; k++)
		all[k] = parse(h, clauses[k]);
	h->rule = (rule){.out = outs, .nodim = 1, .clauses = all, .nclauses = n};
	put_call(&b, "m.z", 0, args, "1", &nsym, &nodim);
	put_records(h, &b, nsym, most);
	read_lines(&h->r, &b);
	rivals_collect(&h->rivals, &h->r.ops[0], &h->rule, h->store.pool, h->scratch, NULL, NULL, 0);
}

static void close_house(house *h)
{
	arena_free(h->scratch);
	rule_store_free(&h->store);
	records_free(&h->r);
}

/* True if the two expressions that Z3 compares agree on x; for a single one, if it holds. */
static bool are_alike(const distinction *d, const int64_t *x)
{
	wide a = 0, b = 0;
	if (!d->b)
		return expr_holds(d->a, x);
	if (expr_is_bool(d->a))
		return expr_holds(d->a, x) == expr_holds(d->b, x);
	return expr_eval(d->a, x, &a) == expr_eval(d->b, x, &b) && a == b;
}

static bool is_answer(const distinction *d, const int64_t *x)
{
	bool asked = true;
	for (int c = 0; c < d->n; c++)
		asked = asked && expr_holds(d->holds[c], x);
	return asked && !are_alike(d, x);
}

/* A Z3 query concerns this rival alone, independent of earlier queries. No record satisfies it. Of other
 * inputs, in the neighborhood of the records and beyond, exactly those satisfy it on which rule and rival
 * differ. */
static void assert_question(const house *h, int k, int *neasier)
{
	const operator *op = &h->r.ops[0];
	const rival *a = &h->rivals.list[k];
	const expr *conditions[16], *linear[16];
	distinction d = {.b = h->rule.out[0]}, easy = d;
	bool two = a->kind == RIVAL_OUTPUT || a->kind == RIVAL_CLAUSE;
	assert_false(rival_distinction(&h->rivals, k, false, conditions, &d)); /* the plain query */
	assert_non_null(d.a);
	assert_ptr_equal(d.b, two ? a->e : NULL);
	bool easier = rival_distinction(&h->rivals, k, true, linear, &easy);
	*neasier += easier;
	for (int c = 0; c < easy.n; c++)
		assert_true(is_linear(easy.holds[c]));
	for (int i = 0; i < op->npass + op->nfail; i++)
		assert_false(is_answer(&d, record_symbols(op, i)));
	for (int64_t code = 0, all = op->nsym == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE; code < all; code++) {
		int64_t x[] = {code % SIDE, code / SIDE % SIDE - 2, code / SIDE / SIDE - 2};
		rule_view view = rule_look(op, &h->rule, x);
		bool differs = is_answer(&d, x);
		assert_int_equal(differs, rival_differs(&h->rivals, k, &view, x));
		/* If the easier query has no answer, neither has the other; if there is no easier query,
		 * both have the same answers. */
		assert_true(easier ? !differs || is_answer(&easy, x) : differs == is_answer(&easy, x));
	}
}

static void assert_rivals(const house *h, int *neasier)
{
	const operator *op = &h->r.ops[0];
	const rivals *v = &h->rivals;
	assert_in_range(v->n, 1, MAX_RIVALS);
	for (int k = 0; k < v->n; k++) {
		const rival *a = &v->list[k];
		for (int i = 0; i < op->npass + op->nfail; i++) {
			const int64_t *x = record_symbols(op, i);
			rule_view view = rule_look(op, &h->rule, x);
			assert_false(rival_differs(v, k, &view, x));
		}
		assert_false(a->kind == RIVAL_OUTPUT && a->e == h->rule.out[0]);
		for (int c = 0; c < h->rule.nclauses; c++)
			assert_false((a->kind == RIVAL_LITERAL || a->kind == RIVAL_CLAUSE) && a->e == h->rule.clauses[c]);
		for (int j = 0; j < k; j++)
			assert_false(a->kind == v->list[j].kind && a->at == v->list[j].at && a->e == v->list[j].e);
		assert_question(h, k, neasier);
		buf text = {0};
		rival_print(&text, v, k);
		assert_true(text.length > 0);
		buf_free(&text);
	}
}

static int of_kind(const house *h, enum rival_kind kind)
{
	int n = 0;
	for (int k = 0; k < h->rivals.n; k++)
		n += h->rivals.list[k].kind == kind;
	return n;
}

static void agree_with_every_record(void **state)
{
	(void)state;
	static const struct {
		const char *args, *out, *clauses[3];
		int n;
	} EACH[] = {{"x=t1 k=i", "s0 + s1", {"s1 >= 0"}, 1}, {"x=t1 k=i", "s0 - s1", {"s1 > 0", "s0 - s1 >= 0"}, 2},
	    {"x=t1 k=i s=i", "(s0 - s1)//s2 + 1", {"s1 > 0", "s2 > 0", "s0 - s1 >= 0"}, 3},
	    {"x=t1 k=i", "max(s0, s1)", {"s1 % 2 == 0", "s1 != 0"}, 2}, {"x=t1 k=i s=i", "s0 if s1 == 1 else s2", {"s1 > 0", "s2 > 0"}, 2},
	    {"x=t1 k=i", "s0 + s1", {"s1 >= 0", "s0 < 7"}, 2}}; /* the last clause rejects no record */
	int without = 0, easier = 0, all = 0;
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++)
		for (int64_t most = 3; most <= 6; most += 3) {
			house h = {0};
			open_house(&h, EACH[i].args, EACH[i].out, EACH[i].clauses, EACH[i].n, most);
			assert_rivals(&h, &easier);
			all += h.rivals.n;
			without += of_kind(&h, RIVAL_WITHOUT);
			close_house(&h);
		}
	assert_true(without > 0 && easier > 10 && easier < all - 10);
}

/* Every number of a box was tried: the remaining rivals differ only outside it, so there are fewer than for
 * a smaller box. */
static void are_fewer_of_more_records(void **state)
{
	(void)state;
	int before = INT32_MAX;
	for (int64_t most = 2; most <= 8; most += 2) {
		house h = {0};
		open_house(&h, "x=t1 k=i", "s0 + s1", (const char *const[]){"s1 >= 0"}, 1, most);
		int outputs = of_kind(&h, RIVAL_OUTPUT);
		assert_true(outputs <= before);
		assert_int_equal(of_kind(&h, RIVAL_WITHOUT), 0); /* this clause alone rejects a record */
		before = outputs;
		close_house(&h);
	}
	assert_true(before < 20);
}

static bool has_literal(const house *h, const char *text)
{
	diag d;
	const expr *e = expr_parse(h->store.pool, text, 9, "test", 1, &d);
	for (int k = 0; k < h->rivals.n; k++)
		if (h->rivals.list[k].kind == RIVAL_LITERAL && h->rivals.list[k].e == e)
			return true;
	return false;
}

/* Each plain relation of two numbers is a rival exactly if all records satisfy it, whether or not the
 * records were chosen by it. Excepted: a relation that another one implies. */
static void relations_of_all_records_are_rivals(void **state)
{
	(void)state;
	static const struct relation {
		const char *text, *said[4]; /* said: if one of these holds, the relation is not offered */
	} RELATIONS[] = {{"s0 == s1", {NULL}}, {"s0 <= s1", {"s0 == s1", "s0 < s1", NULL}}, {"s0 < s1", {NULL}},
	    {"s1 <= s0", {"s0 == s1", "s1 < s0", NULL}}, {"s1 < s0", {NULL}}, {"s0 != s1", {"s0 < s1", "s1 < s0", NULL}},
	    {"s0 % s1 == 0", {"s0 == s1", NULL}}, {"s0 % 2 == 0", {NULL}}, {"s1 % 2 == 0", {NULL}}};
	enum { N = sizeof RELATIONS / sizeof *RELATIONS };
	unsigned offered = 0, not_so = 0;
	for (int i = 0; i < N; i++) {
		house h = {.hidden = RELATIONS[i].text};
		open_house(&h, "x=t1 k=i", "s0 + s1", (const char *const[]){"s1 >= 0"}, 1, 8);
		const operator *op = &h.r.ops[0];
		for (int k = 0; k < N; k++) {
			bool so = true, said = false;
			const expr *e = parse(&h, RELATIONS[k].text);
			for (int r = 0; r < op->npass; r++)
				so = so && expr_holds(e, record_symbols(op, r));
			for (const char *const *other = RELATIONS[k].said; *other; other++) {
				const expr *stronger = parse(&h, *other);
				bool all = true;
				for (int r = 0; r < op->npass; r++)
					all = all && expr_holds(stronger, record_symbols(op, r));
				said |= all;
			}
			if (has_literal(&h, RELATIONS[k].text) != (so && !said))
				fail_msg("records of %s: %s is %s", RELATIONS[i].text, RELATIONS[k].text, so && !said ? "no rival" : "a rival");
			offered += so && !said;
			not_so += !so;
		}
		close_house(&h);
	}
	assert_true(offered >= N && not_so >= N);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(agree_with_every_record),
	    cmocka_unit_test(are_fewer_of_more_records),
	    cmocka_unit_test(relations_of_all_records_are_rivals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
