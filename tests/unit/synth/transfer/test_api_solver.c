/* API rules: the records of other signatures decide cases that one signature's records leave open. A
 * signature gets no rule that its own records refute. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rng.h"
#include "need.h"
#include "omitted_arguments.h"
#include "api_clauses.h"
#include "operators.h"

/* True if symbols s are accepted; then sets out. */
typedef bool truth(const int64_t *s, int64_t *out);

enum { LONGEST = 16, ANY = ~0, MOST = 32 };

/* One signature of an API: its arguments, its true rule, and its records, drawn from low[i] to high[i]. */
typedef struct member {
	const char *args, *outs;
	truth *is;
	int npass, nfail;
	unsigned steps; /* bits of the symbols that may be the only difference between two records */
	int64_t low[LONGEST], high[LONGEST];
} member;

/* Half of the calls differ from the previous one in one symbol only, so that the search sees which symbols
 * matter. */
static void draw(const member *m, rng *g, int nsym, int64_t *s, bool first)
{
	int one = first || rng_below(g, 2) ? -1 : (int)rng_below(g, (uint32_t)nsym);
	one = one >= 0 && !(m->steps >> one & 1) ? -1 : one;
	for (int i = 0; i < nsym; i++)
		if (one < 0 || i == one)
			s[i] = rng_range(g, m->low[i], m->high[i]);
}

static void put_row(buf *b, const int64_t *row, int n)
{
	for (int i = 0; i < n; i++)
		buf_printf(b, "%s%lld", i ? "," : "[", (long long)row[i]);
	buf_puts(b, n ? "]" : "[]");
}

static void put_member(buf *b, int number, const member *m)
{
	buf pass = {0}, fails = {0};
	int nsym, nodim, npass = 0, nfail = 0;
	int64_t s[LONGEST], out[LONGEST];
	rng g = rng_seed((uint64_t)number + 1);
	put_call(b, "m.f", number, m->args, m->outs, &nsym, &nodim);
	for (int k = 0; k < 100000 && (npass < m->npass || nfail < m->nfail); k++) {
		draw(m, &g, nsym, s, k == 0);
		if (m->is(s, out) && npass < m->npass) {
			buf_puts(&pass, npass++ ? ",[" : "[");
			put_row(&pass, s, nsym);
			buf_putc(&pass, ',');
			put_row(&pass, out, nodim);
			buf_putc(&pass, ']');
		} else if (!m->is(s, out) && nfail < m->nfail) {
			buf_puts(&fails, nfail++ ? "," : "");
			put_row(&fails, s, nsym);
		}
	}
	assert_int_equal(npass, m->npass);
	assert_int_equal(nfail, m->nfail);
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass.text ? pass.text : "", fails.text ? fails.text : "");
	buf_free(&pass);
	buf_free(&fails);
}

/* An API that was read, with the log of its first operator. */
typedef struct household {
	records r;
	api_solver f;
	options o;
	buf log;
} household;

static void gather(household *h, const member *const *members, int n)
{
	const operator *ops[MOST];
	buf b = {0};
	*h = (household){.o = {0}};
	assert_in_range(n, 1, MOST);
	for (int i = 0; i < n; i++)
		put_member(&b, i, members[i]);
	read_lines(&h->r, &b);
	assert_int_equal(h->r.n, n);
	for (int i = 0; i < n; i++)
		ops[i] = &h->r.ops[i];
	api_solver_start(&h->f, ops, n, &h->o);
	h->f.solvers[0].log = &h->log;
}

static void part(household *h)
{
	api_solver_free(&h->f);
	records_free(&h->r);
	buf_free(&h->log);
}

static bool logged(const household *h, const char *text)
{
	return h->log.text && strstr(h->log.text, text);
}

/* Number of 2000 valid calls, from a wider range than the records, on which operator i's outputs err. */
static int wrong_outputs(const household *h, int i, truth *is, int64_t low, int64_t high)
{
	const operator *op = &h->r.ops[i];
	rule bare = {.out = h->f.rules[i].out, .nodim = op->nodim};
	rng g = rng_seed(77);
	int wrong = 0, seen = 0;
	for (int d = 0; d < op->nodim; d++)
		assert_non_null(bare.out[d]);
	for (int k = 0; k < 1000000 && seen < 2000; k++) {
		int64_t s[LONGEST], out[LONGEST];
		for (int j = 0; j < op->nsym; j++)
			s[j] = rng_range(&g, low, high);
		if (!is(s, out))
			continue;
		seen++;
		wrong += !rule_accepts(op, &bare, s, out);
	}
	assert_int_equal(seen, 2000);
	return wrong;
}

/* Number of 2000 calls on which operator i's rule and `is` disagree about acceptance. */
static int wrong_verdicts(const household *h, int i, truth *is, int64_t low, int64_t high)
{
	const operator *op = &h->r.ops[i];
	rng g = rng_seed(78);
	int wrong = 0;
	assert_null(h->f.rules[i].why);
	for (int k = 0; k < 2000; k++) {
		int64_t s[LONGEST], out[LONGEST];
		for (int j = 0; j < op->nsym; j++)
			s[j] = rng_range(&g, low, high);
		wrong += rule_accepts(op, &h->f.rules[i], s, NULL) != is(s, out);
	}
	return wrong;
}

/* ---- outputs */

/* A pool over one dimension. */
static bool pool(int64_t size, int64_t kernel, int64_t stride, int64_t pad, int64_t *out)
{
	if (size < 1 || kernel < 1 || stride < 1 || pad < 0 || size + 2 * pad < kernel)
		return false;
	*out = (size + 2 * pad - kernel) / stride + 1;
	return true;
}

static bool is_pool1(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return pool(s[1], s[2], s[3], s[4], &out[1]);
}

static bool is_pool2(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return pool(s[1], s[3], s[4], s[5], &out[1]) && pool(s[2], s[3], s[4], s[5], &out[2]);
}

static bool is_ceil1(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[3] > 0 && pool(s[1] + s[3] - 1, s[2], s[3], s[4], &out[1]);
}

/* The stride is 1 in all records of OPEN; it varies in those of VARIES, of another rank, and of CEIL, which
 * rounds up. */
static const member OPEN = {
    "x=t2 k=i stride=i pad=i mode=c", "2", is_pool1, 40, 10, ANY, {1, 1, 1, 1, 0}, {4, 20, 5, 1, 2}};
static const member VARIES = {
    "x=t3 k=i stride=i pad=i mode=c", "3", is_pool2, 80, 10, ANY, {1, 1, 1, 1, 1, 0}, {4, 20, 20, 5, 4, 2}};
static const member CEIL = {
    "x=t2 k=i stride=i pad=i mode=c2", "2", is_ceil1, 80, 10, ANY, {1, 1, 1, 1, 0}, {4, 20, 5, 4, 2}};

static void takes_an_open_stride_from_another_rank(void **state)
{
	(void)state;
	household h;
	gather(&h, (const member *[]){&OPEN}, 1);
	api_solver_find_shapes(&h.f);
	assert_null(h.f.rules[0].why);
	assert_true(wrong_outputs(&h, 0, is_pool1, 0, 30) > 500); /* its own records do not determine it */
	part(&h);
	gather(&h, (const member *[]){&OPEN, &VARIES}, 2);
	api_solver_find_shapes(&h.f);
	assert_null(h.f.rules[0].why);
	assert_null(h.f.rules[1].why);
	assert_true(logged(&h, "API: "));
	assert_int_equal(wrong_outputs(&h, 0, is_pool1, 0, 30), 0);
	assert_int_equal(wrong_outputs(&h, 1, is_pool2, 0, 30), 0);
	part(&h);
}

static void keeps_what_its_records_say(void **state)
{
	(void)state;
	household h;
	gather(&h, (const member *[]){&CEIL, &VARIES, &VARIES, &VARIES}, 4);
	api_solver_find_shapes(&h.f);
	assert_null(h.f.rules[0].why);
	assert_int_equal(wrong_outputs(&h, 0, is_ceil1, 0, 30), 0);
	for (int i = 1; i < 4; i++)
		assert_int_equal(wrong_outputs(&h, i, is_pool2, 0, 30), 0);
	part(&h);
}

/* A dilated pool. */
static bool is_dilated(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[5] > 0 && s[2] > 0 && pool(s[1], s[5] * (s[2] - 1) + 1, s[3], s[4], &out[1]);
}

/* The same with the stride omitted: it defaults to the kernel. */
static bool is_default(const int64_t *s, int64_t *out)
{
	int64_t t[] = {s[0], s[1], s[2], s[2], s[3], s[4]};
	return is_dilated(t, out);
}

/* If only the stride is known to matter, and it is never 1, the search alone finds nothing. */
static const member APART = {
    "x=t2 k=i stride=i pad=i dil=i", "2", is_dilated, 60, 10, 1 << 3, {1, 1, 1, 2, 0, 1}, {9, 60, 9, 9, 5, 5}};
static const member TOGETHER = {
    "x=t2 k=i stride=c pad=i dil=i", "2", is_default, 80, 10, ANY, {1, 1, 1, 0, 1}, {4, 40, 5, 3, 4}};

static void a_place_of_two_parts_comes_apart(void **state)
{
	(void)state;
	household h;
	gather(&h, (const member *[]){&APART, &TOGETHER}, 2);
	api_solver_find_shapes(&h.f);
	assert_null(h.f.rules[0].why);
	assert_null(h.f.rules[1].why);
	assert_true(logged(&h, "variant: ")); /* not by its own search */
	assert_int_equal(wrong_outputs(&h, 0, is_dilated, 0, 40), 0);
	assert_int_equal(wrong_outputs(&h, 1, is_default, 0, 40), 0);
	part(&h);
}

/* ---- no passing record */

static bool is_never(const int64_t *s, int64_t *out)
{
	(void)s;
	(void)out;
	return false;
}

static void does_without_passing_records(void **state)
{
	(void)state;
	static const member FAILING = {
	    "x=t3 k=i stride=i pad=i mode=c", "3", is_never, 0, 10, ANY, {1, 1, 1, 1, 1, 0}, {4, 20, 20, 5, 4, 2}};
	static const member NOTHING = {"x=t2 k=i stride=i pad=i mode=c", "2", is_never, 0, 0, ANY, {0}, {0}};
	static const member SCALAR = {"x=t2 k=i stride=i pad=i mode=c", "0", is_never, 0, 0, ANY, {0}, {0}};
	static const member *const WITH[] = {&FAILING, &OPEN, &VARIES, &NOTHING, &SCALAR};
	static const member *const ALONE[] = {&SCALAR, &NOTHING, &FAILING};
	for (int k = 0; k < 2; k++) {
		household h;
		gather(&h, k ? ALONE : WITH, k ? 3 : 5);
		api_solver_find_shapes(&h.f);
		api_solver_improve(&h.f, NULL);
		api_clauses_find(&h.f);
		for (int i = 0; i < h.f.n; i++) {
			bool known = h.r.ops[i].npass > 0;
			assert_int_equal(h.f.rules[i].why == NULL, known);
			if (!known)
				assert_string_equal(h.f.rules[i].why, "no passing record");
			for (int d = 0; d < h.r.ops[i].nodim; d++)
				assert_int_equal(h.f.rules[i].out[d] != NULL, known);
		}
		part(&h);
	}
}

/* ---- clauses */

/* k and p follow a tensor of rank n: the padding must be below the kernel. */
static bool same_shape(const int64_t *s, int rank, bool valid, int64_t *out)
{
	for (int i = 0; i < rank; i++)
		out[i] = s[i];
	return valid;
}

static bool is_below2(const int64_t *s, int64_t *out)
{
	return same_shape(s, 2, s[3] < s[2], out);
}

static bool is_below3(const int64_t *s, int64_t *out)
{
	return same_shape(s, 3, s[4] < s[3], out);
}

static bool is_below4(const int64_t *s, int64_t *out)
{
	return same_shape(s, 4, s[5] < s[4], out);
}

static bool is_free3(const int64_t *s, int64_t *out)
{
	return same_shape(s, 3, true, out);
}

/* Two that need the clause, and others whose records do not show it. */
static const member NEEDS2 = {"x=t2 k=i p=i mode=c1", "2", is_below2, 40, 30, ANY, {1, 1, 0, 0}, {9, 9, 9, 9}};
static const member NEEDS3 = {"x=t3 k=i p=i mode=c1", "3", is_below3, 40, 30, ANY, {1, 1, 1, 0, 0}, {9, 9, 9, 9, 9}};
static const member SILENT = {"x=t4 k=i p=i mode=c1", "4", is_below4, 40, 0, ANY, {1, 1, 1, 1}, {9, 9, 9, 9, 9, 9}};
static const member REFUTES = {"x=t3 k=i p=i mode=c2", "3", is_free3, 40, 0, ANY, {1, 1, 1, 0, 0}, {9, 9, 9, 9, 9}};
static const member OTHER = {"x=t4 k=i p=i mode=c3", "4", is_below4, 40, 0, ANY, {1, 1, 1, 1}, {9, 9, 9, 9, 9, 9}};

static void solve(household *h, const member *const *members, int n)
{
	gather(h, members, n);
	api_solver_find_shapes(&h->f);
	api_clauses_find(&h->f);
}

static void takes_what_several_need(void **state)
{
	(void)state;
	household h;
	solve(&h, (const member *[]){&SILENT}, 1);
	assert_int_equal(h.f.rules[0].nclauses, 0);
	part(&h);
	solve(&h, (const member *[]){&SILENT, &NEEDS2, &NEEDS3, &REFUTES, &OTHER}, 5);
	assert_int_equal(wrong_verdicts(&h, 1, is_below2, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 2, is_below3, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 0, is_below4, 0, 12), 0); /* extrapolated from the others */
	assert_int_equal(wrong_verdicts(&h, 3, is_free3, 0, 12), 0);  /* its passing records refute it */
	assert_int_equal(h.f.rules[4].nclauses, 0);		      /* no signature with its constants needs it */
	part(&h);
}

/* If very many need the clause, a signature that refutes it is skipped, and one without evidence still gets
 * it. */
static void passes_over_one_that_refutes(void **state)
{
	(void)state;
	static const member ALIKE = {"x=t3 k=i p=i mode=c1", "3", is_free3, 40, 0, ANY, {1, 1, 1}, {9, 9, 9, 9, 9}};
	const member *all[MOST - 4];
	int n = 0;
	all[n++] = &SILENT;
	all[n++] = &ALIKE;
	while (n < MOST - 4)
		all[n++] = &NEEDS2;
	household h;
	solve(&h, all, n);
	assert_int_equal(wrong_verdicts(&h, 0, is_below4, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_free3, 0, 12), 0);
	part(&h);
}

static void one_that_needs_it_is_no_family(void **state)
{
	(void)state;
	household h;
	solve(&h, (const member *[]){&SILENT, &NEEDS2}, 2);
	assert_int_equal(wrong_verdicts(&h, 1, is_below2, 0, 12), 0);
	assert_int_equal(h.f.rules[0].nclauses, 0);
	part(&h);
}

/* Crop: at every position the size must not exceed the dimension. */
static bool is_crop(const int64_t *s, int rank, int64_t *out)
{
	bool valid = true;
	for (int i = 0; i < rank; i++) {
		out[i] = s[rank + i];
		valid &= s[rank + i] <= s[i];
	}
	return valid;
}

static bool is_crop1(const int64_t *s, int64_t *out)
{
	return is_crop(s, 1, out);
}

static bool is_crop2(const int64_t *s, int64_t *out)
{
	return is_crop(s, 2, out);
}

static bool is_crop3(const int64_t *s, int64_t *out)
{
	return is_crop(s, 3, out);
}

static void takes_it_at_every_position(void **state)
{
	(void)state;
	static const member ONE = {"x=t1 size=l1", "1", is_crop1, 40, 30, ANY, {1, 0}, {9, 12}};
	static const member TWO = {"x=t2 size=l2", "2", is_crop2, 60, 40, ANY, {1, 1, 0, 0}, {9, 9, 12, 12}};
	static const member THREE = {"x=t3 size=l3", "3", is_crop3, 60, 0, ANY, {1, 1, 1}, {9, 9, 9, 9, 9, 9}};
	household h;
	solve(&h, (const member *[]){&THREE}, 1);
	assert_int_equal(h.f.rules[0].nclauses, 0);
	part(&h);
	solve(&h, (const member *[]){&THREE, &ONE, &TWO}, 3);
	assert_int_equal(wrong_verdicts(&h, 0, is_crop3, 0, 15), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_crop1, 0, 15), 0);
	assert_int_equal(wrong_verdicts(&h, 2, is_crop2, 0, 15), 0);
	part(&h);
}

/* ---- one rule for all signatures */

static void follow_one(household *h, int n, api_membership *to)
{
	for (int i = 0; i < n; i++)
		if (!h->f.rules[i].why)
			rule_count(h->f.solvers[i].op, &h->f.rules[i]);
	api_unify(&h->f, to);
	for (int i = 0; i < n; i++)
		assert_true(h->f.rules[i].why || rule_agrees(h->f.solvers[i].op, &h->f.rules[i]));
}

static void solve_as_one(household *h, const member *const *members, int n, api_membership *to)
{
	solve(h, members, n);
	follow_one(h, n, to);
}

/* Whether an output or a clause of a rule has this text. */
static bool has(const household *h, int i, const char *text)
{
	const rule *r = &h->f.rules[i];
	bool found = false;
	for (int k = 0; k < r->nodim + r->nclauses; k++) {
		buf b = {0};
		expr_print(&b, k < r->nodim ? r->out[k] : r->clauses[k - r->nodim]);
		found |= strcmp(need_text(&b), text) == 0;
		buf_free(&b);
	}
	return found;
}

static bool has_default(const household *h, int i, const char *argument, const char *instead)
{
	const rule *r = &h->f.rules[i];
	for (int k = 0; k < r->ndefaults; k++)
		if (strcmp(r->defaults[k].argument, argument) == 0)
			return strcmp(r->defaults[k].instead, instead) == 0;
	return false;
}

/* A rank without rejected calls, a number and a list share one rule, at every position. */
static void call_forms_follow_one_rule(void **state)
{
	(void)state;
	static const member NUMBER = {"x=t1 size=i", "1", is_crop1, 40, 30, ANY, {1, 0}, {9, 12}};
	static const member TWO = {"x=t2 size=l2", "2", is_crop2, 60, 40, ANY, {1, 1, 0, 0}, {9, 9, 12, 12}};
	static const member THREE = {"x=t3 size=l3", "3", is_crop3, 60, 0, ANY, {1, 1, 1}, {9, 9, 9, 9, 9, 9}};
	household h;
	api_membership to[3];
	solve_as_one(&h, (const member *[]){&NUMBER, &TWO, &THREE}, 3, to);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(to[i].representative, to[0].representative);
		assert_string_equal(h.f.rules[i].family, h.r.ops[to[0].representative].name);
		assert_int_equal(to[i].summary != NULL, i == to[0].representative);
	}
	assert_int_equal(wrong_verdicts(&h, 0, is_crop1, 0, 15), 0);
	assert_int_equal(wrong_verdicts(&h, 2, is_crop3, 0, 15), 0);
	assert_true(has(&h, 1, "s3"));
	assert_true(has(&h, 2, "s4 <= s1"));
	part(&h);
}

/* A clause that fits one signature by chance is replaced by one that fits all. FREE accepts any padding, is
 * called like NEEDS3, and represents an API rule of its own. */
static void another_rule_is_another_family(void **state)
{
	(void)state;
	static const member FREE = {"x=t3 k=i p=i mode=c1", "3", is_free3, 40, 0, ANY, {1, 1, 1, 0, 0}, {9, 9, 9, 9, 9}};
	household h;
	api_membership to[3];
	solve_as_one(&h, (const member *[]){&NEEDS2, &FREE, &NEEDS3}, 3, to);
	assert_int_equal(to[0].representative, to[2].representative);
	assert_int_equal(to[1].representative, 1);
	assert_true(to[1].same);
	assert_int_equal(wrong_verdicts(&h, 0, is_below2, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_free3, 0, 12), 0);
	assert_int_equal(h.f.rules[1].nclauses, 0);
	part(&h);
}

/* REFUTES accepts any padding, too, but its mode distinguishes it. */
static void what_some_ask_for_is_said_of_them(void **state)
{
	(void)state;
	household h;
	api_membership to[3];
	solve_as_one(&h, (const member *[]){&NEEDS2, &REFUTES, &NEEDS3}, 3, to);
	assert_int_equal(to[0].representative, to[1].representative);
	assert_int_equal(to[0].part, to[1].part);
	assert_int_equal(wrong_verdicts(&h, 0, is_below2, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_free3, 0, 12), 0);
	assert_true(to[to[0].representative].summary->guarded);
	part(&h);
}

static bool is_narrowed(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[1] - s[2] + 1;
	return s[2] > 0 && s[2] <= s[1] && s[3] >= 0 && s[3] < s[2];
}

static bool is_widened(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[1] + s[2] - 1;
	return s[2] > 0 && s[2] <= s[1] && s[3] >= 0 && s[3] < s[2];
}

static bool is_stricter(const int64_t *s, int64_t *out)
{
	return is_widened(s, out) && s[0] <= s[1];
}

/* If a constant distinguishes the outputs, two rules are merged; a clause that one of them alone needs is
 * guarded. */
static void a_constant_tells_what_differs(void **state)
{
	(void)state;
	static const member NARROW = {"x=t2 k=i p=i mode=c1", "2", is_narrowed, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	static const member WIDE = {"x=t2 k=i p=i mode=c2", "2", is_widened, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	static const member STRICT = {"x=t2 k=i p=i mode=c2", "2", is_stricter, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&NARROW, &WIDE}, 2, to);
	assert_int_equal(to[0].representative, to[1].representative);
	assert_int_not_equal(to[0].part, to[1].part);
	assert_true(has(&h, 1, "s1 + s2 - 1"));
	assert_false(to[to[0].representative].summary->guarded); /* its clauses are those of both */
	assert_int_equal(wrong_verdicts(&h, 0, is_narrowed, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_widened, 0, 12), 0);
	part(&h);
	solve_as_one(&h, (const member *[]){&NARROW, &STRICT}, 2, to);
	assert_int_equal(to[0].representative, to[1].representative);
	assert_true(to[to[0].representative].summary->guarded);
	assert_int_equal(wrong_verdicts(&h, 0, is_narrowed, 0, 12), 0);
	assert_int_equal(wrong_verdicts(&h, 1, is_stricter, 0, 12), 0);
	part(&h);
}

static bool is_turned(const int64_t *s, int64_t *out)
{
	out[0] = s[0] + s[2] - 1;
	out[1] = s[1];
	return s[2] > 0 && s[2] <= s[1];
}

/* A clause at another position is not merged with the first rule's line; its outputs form a part of their
 * own. */
static void a_line_is_of_its_place(void **state)
{
	(void)state;
	static const member WIDE = {"x=t2 k=i p=i mode=c1", "2", is_widened, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	static const member TURNED = {"x=t2 k=i p=i mode=c2", "2", is_turned, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&WIDE, &TURNED}, 2, to);
	assert_int_equal(to[0].representative, to[1].representative);
	assert_int_not_equal(to[0].part, to[1].part);
	assert_true(has(&h, 1, "s0 + s2 - 1"));
	part(&h);
}

/* Rules of signatures with equal names stay separate, whatever they share. */
static void what_nothing_tells_stays_two(void **state)
{
	(void)state;
	static const member NARROW = {"x=t2 k=i p=i mode=c1", "2", is_narrowed, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	static const member WIDE = {"x=t2 k=i p=i mode=c1", "2", is_widened, 60, 60, ANY, {1, 1, 0, -1}, {9, 9, 12, 9}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&NARROW, &WIDE}, 2, to);
	assert_int_equal(to[0].representative, 0);
	assert_int_equal(to[1].representative, 1);
	part(&h);
}

static bool is_cut(const int64_t *s, int64_t *out)
{
	out[0] = s[0] - s[2];
	return s[2] > 2 && s[2] <= s[0];
}

static bool is_padded(const int64_t *s, int64_t *out)
{
	out[0] = s[1] + 2 * s[3];
	return s[3] < s[1];
}

/* Merging two rules that share nothing makes nothing shorter. */
static void what_shares_nothing_stays_two(void **state)
{
	(void)state;
	static const member CUT = {"x=t2 k=i p=i mode=c1", "1", is_cut, 60, 60, ANY, {1, 1, 0, 0}, {9, 9, 9, 9}};
	static const member PADDED = {"x=t2 k=i p=i mode=c2", "1", is_padded, 60, 60, ANY, {1, 1, 0, 0}, {9, 9, 9, 9}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&CUT, &PADDED}, 2, to);
	assert_null(h.f.rules[0].why);
	assert_null(h.f.rules[1].why);
	assert_int_equal(to[0].representative, 0);
	assert_int_equal(to[1].representative, 1);
	part(&h);
}

/* An omitted argument has the default that the other signatures imply; outputs of other ranks are one line. */
static void an_argument_left_out_is_its_default(void **state)
{
	(void)state;
	static const member FULL = {
	    "x=t2 k=i stride=i pad=i dil=i", "2", is_dilated, 90, 60, ANY, {1, 1, 1, 1, 0, 1}, {4, 40, 9, 9, 5, 5}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&FULL, &TOGETHER}, 2, to);
	assert_int_equal(to[0].representative, 0);
	assert_int_equal(to[1].representative, 0);
	assert_int_equal(wrong_outputs(&h, 1, is_default, 0, 40), 0);
	part(&h);
}

/* A transposed convolution in groups; the channels are those of the weight, which a bias repeats. */
static bool is_spread(const int64_t *s, int64_t *out)
{
	out[0] = s[5];
	out[1] = s[6] * s[1] + s[7] * s[4] - s[6] - s[7] + 1;
	return s[2] * s[3] == s[5] && s[1] > 0 && s[4] > 0 && s[6] > 0 && s[7] > 0;
}

static bool is_plainly_spread(const int64_t *s, int64_t *out)
{
	out[0] = s[2] * s[3];
	out[1] = s[1] + s[4] - 1;
	return s[1] > 0 && s[4] > 0;
}

/* Without bias, stride and dilation the outputs are equal, but expressed differently: both are printed in
 * terms that both have, with the defaults of the omitted arguments. */
static void outputs_that_come_to_the_same_are_one(void **state)
{
	(void)state;
	static const member FULL = {"x=t2 w=t3 bias=t1 stride=i dil=i", "2", is_spread, 120, 90, ANY, {1, 0, 1, 1, 0, 1, 0, 0}, {4, 9, 3, 3, 9, 6, 5, 5}};
	static const member BARE = {"x=t2 w=t3", "2", is_plainly_spread, 60, 40, ANY, {1, 0, 1, 1, 0}, {4, 9, 3, 3, 9}};
	household h;
	api_membership to[2];
	solve(&h, (const member *[]){&FULL, &BARE}, 2);
	h.f.rules[0].out[0] = expr_sym(h.f.pool, 5);
	follow_one(&h, 2, to);
	assert_int_equal(to[1].representative, 0);
	assert_int_equal(to[1].part, to[0].part);
	assert_int_equal(wrong_outputs(&h, 1, is_plainly_spread, 0, 40), 0);
	assert_true(has_default(&h, 0, "stride", "1"));
	assert_true(has_default(&h, 0, "dil", "1"));
	assert_false(has_default(&h, 0, "bias", "1"));
	assert_true(has(&h, 0, "s2*s3"));
	diag d;
	assert_ptr_equal(h.f.rules[1].out[1], expr_parse(h.f.pool, "s1 + s4 - 1", 5, "a rule", 1, &d));
	part(&h);
}

static bool is_halved(const int64_t *s, int64_t *out, int axis)
{
	for (int i = 0; i < 3; i++)
		out[i] = i == axis ? s[i] / 2 : s[i];
	return s[axis] > 1;
}

static bool is_halved0(const int64_t *s, int64_t *out)
{
	return is_halved(s, out, 0);
}

static bool is_halved1(const int64_t *s, int64_t *out)
{
	return is_halved(s, out, 1);
}

static bool is_halved2(const int64_t *s, int64_t *out)
{
	return is_halved(s, out, 2);
}

/* Solves an API whose signatures have and lack a dimension's name, and expects the default that is found. */
static void expect_default(const member *left_out, const char *instead)
{
	static const member ONE = {"x=t3 dim=#1", "3", is_halved1, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	static const member TWO = {"x=t3 dim=#2", "3", is_halved2, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	household h;
	api_membership to[3];
	solve(&h, (const member *[]){&ONE, &TWO, left_out}, 3);
	for (int i = 0; i < 3; i++)
		rule_count(h.f.solvers[i].op, &h.f.rules[i]);
	omitted_arguments_solve(&h.f, to);
	int leader = to[0].representative;
	assert_int_equal(to[1].representative, leader);
	if (instead) {
		assert_int_equal(to[2].representative, leader);
		assert_true(has_default(&h, leader, "dim", instead));
	} else {
		assert_int_equal(h.f.rules[leader].ndefaults, 0);
	}
	part(&h);
}

/* An omitted dimension defaults to the first or the last one if the other signatures' clauses hold for it;
 * no default is found if neither fits, nor for another way to call. */
static void a_dimension_left_out_is_its_default(void **state)
{
	(void)state;
	static const member FIRST = {"x=t3", "3", is_halved0, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	static const member LAST = {"x=t3", "3", is_halved2, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	static const member MIDDLE = {"x=t3", "3", is_halved1, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	static const member OTHERWISE = {"x=t3 other=#7", "3", is_halved0, 60, 40, ANY, {0, 0, 0}, {9, 9, 9}};
	expect_default(&FIRST, "0");
	expect_default(&LAST, "-1");
	expect_default(&MIDDLE, NULL);
	expect_default(&OTHERWISE, NULL);
}

static void without_a_rule_there_is_no_family(void **state)
{
	(void)state;
	static const member NEVER = {"x=t2 k=i p=i mode=c1", "2", is_never, 0, 10, ANY, {1, 1, 0, 0}, {9, 9, 9, 9}};
	household h;
	api_membership to[2];
	solve_as_one(&h, (const member *[]){&NEVER, &NEEDS2}, 2, to);
	assert_int_equal(to[0].representative, -1);
	assert_null(h.f.rules[0].family);
	assert_int_equal(to[1].representative, 1);
	part(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(takes_an_open_stride_from_another_rank),
	    cmocka_unit_test(keeps_what_its_records_say), cmocka_unit_test(a_place_of_two_parts_comes_apart),
	    cmocka_unit_test(call_forms_follow_one_rule), cmocka_unit_test(another_rule_is_another_family), cmocka_unit_test(what_some_ask_for_is_said_of_them),
	    cmocka_unit_test(an_argument_left_out_is_its_default), cmocka_unit_test(outputs_that_come_to_the_same_are_one),
	    cmocka_unit_test(a_dimension_left_out_is_its_default),
	    cmocka_unit_test(without_a_rule_there_is_no_family), cmocka_unit_test(a_constant_tells_what_differs),
	    cmocka_unit_test(a_line_is_of_its_place), cmocka_unit_test(what_nothing_tells_stays_two),
	    cmocka_unit_test(what_shares_nothing_stays_two),
	    cmocka_unit_test(does_without_passing_records), cmocka_unit_test(takes_what_several_need),
	    cmocka_unit_test(passes_over_one_that_refutes),
	    cmocka_unit_test(one_that_needs_it_is_no_family), cmocka_unit_test(takes_it_at_every_position)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
