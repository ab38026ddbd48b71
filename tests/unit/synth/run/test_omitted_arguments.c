/* Signatures that split a tensor into different numbers of pieces share one rule: outputs are counted from
 * the last one, and the omitted dimension is the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "omitted_arguments.h"
#include "learning.h"
#include "need.h"

enum { MOST_FORMS = 5 };

typedef struct form_text {
	const char *args, *outs;
	truth *is;
} form_text;

static const draws SMALL = {.dims = 9, .low = 1, .high = 5, .bases = 150};

/* Pieces of `size` and the remainder, at dimension `axis` of x, which has `rank`. */
static bool pieces(const int64_t *s, int rank, int axis, int count, int64_t *out)
{
	int64_t size = s[rank], rest = s[axis] - (count - 1) * size;
	for (int t = 0; t < count; t++)
		for (int d = 0; d < rank; d++)
			*out++ = d != axis ? s[d] : t < count - 1 ? size : rest;
	return rest > 0 && rest <= size;
}

static bool three_pieces(const int64_t *s, int64_t *out)
{
	return pieces(s, 2, 1, 3, out);
}

static bool two_pieces(const int64_t *s, int64_t *out)
{
	return pieces(s, 3, 1, 2, out);
}

static bool two_first_pieces(const int64_t *s, int64_t *out)
{
	return pieces(s, 2, 0, 2, out);
}

/* One piece, which may be empty. */
static bool one_piece(const int64_t *s, int64_t *out)
{
	return pieces(s, 3, 1, 1, out) || s[1] == 0;
}

static bool one_flat_piece(const int64_t *s, int64_t *out)
{
	return pieces(s, 2, 1, 1, out) || s[1] == 0;
}

static bool one_deep_piece(const int64_t *s, int64_t *out)
{
	return pieces(s, 4, 1, 1, out) || s[1] == 0;
}

/* Pieces whose sizes follow from no argument. */
static bool torn_pieces(const int64_t *s, int64_t *out)
{
	for (int d = 0; d < 6; d++)
		out[d] = (s[0] * 7919 + s[1] * 104729 + s[2] * 1299709 + d * 31) % 9973 % 97;
	return true;
}

static bool no_pieces(const int64_t *s, int64_t *out)
{
	(void)s;
	memset(out, 0, 6 * sizeof *out);
	return false;
}

/* Pieces whose sizes are arguments. */
static bool sized_pieces(const int64_t *s, int64_t *out)
{
	const int64_t shapes[] = {s[0], s[2], s[0], s[3]};
	memcpy(out, shapes, sizeof shapes);
	return s[1] == s[2] + s[3];
}

/* One output, or three that are no list: the first one is the same. */
static bool states(const int64_t *s, int64_t *out)
{
	const int64_t shapes[] = {s[0], s[1], s[0], 1, s[1], s[1]};
	memcpy(out, shapes, sizeof shapes);
	return s[0] <= s[1];
}

static bool state(const int64_t *s, int64_t *out)
{
	memcpy(out, s, 2 * sizeof *s);
	return s[0] <= s[1];
}

/* Solves an API. Expects so many rules, the default of dim in each (NULL: none), and that signature 0 counts its outputs from the
 * last one. */
static void expect(const form_text *texts, int n, int rules, const char *dim, bool from_end)
{
	lesson l = {.op = NULL};
	buf b = {0};
	int found = 0;
	const operator *ops[MOST_FORMS];
	api_membership to[MOST_FORMS] = {{0}};
	for (int i = 0; i < n; i++) {
		int nsym, nodim;
		read_dimensions(texts[i].args, texts[i].outs, l.dim);
		put_call(&b, "m.learned", i, texts[i].args, texts[i].outs, &nsym, &nodim);
		put_records(&b, texts[i].is, &SMALL, l.dim, nsym, nodim, true);
		put_records(&b, texts[i].is, &SMALL, l.dim, nsym, nodim, false);
		buf_puts(&b, "}\n");
	}
	read_lines(&l.r, &b);
	for (int i = 0; i < n; i++)
		ops[i] = &l.r.ops[i];
	api_solver_start(&l.f, ops, n, &l.none);
	api_solver_find_shapes(&l.f);
	api_clauses_find(&l.f);
	omitted_arguments_solve(&l.f, to);
	for (int i = 0; i < n; i++) {
		const rule *r = &l.f.rules[i];
		if (!to[i].summary)
			continue;
		found++;
		assert_int_equal(r->ndefaults, dim != NULL);
		if (dim) {
			assert_string_equal(r->defaults[0].argument, "dim");
			assert_string_equal(r->defaults[0].instead, dim);
		}
	}
	assert_int_equal(found, rules);
	assert_int_equal(l.f.solvers[0].op->from_end, from_end);
	forget(&l);
}

static void pieces_have_one_rule(void **unused)
{
	(void)unused;
	expect((form_text[]){{"x=t2 size=i dim=#1", "2 2 2", three_pieces}, {"x=t3 size=i dim=#1", "3 3", two_pieces},
		   {"x=t2 size=i", "2 2", two_first_pieces}}, 3, 1, "0", true);
}

static void who_has_no_rule_is_left_alone(void **unused)
{
	(void)unused;
	expect((form_text[]){{"x=t2 size=i mode=c1", "2 2 2", torn_pieces}, {"x=t2 size=i mode=c2", "2 2 2", no_pieces},
		   {"x=t2 size=i dim=#1", "2 2 2", three_pieces}, {"x=t2 size=i", "2 2", two_first_pieces}}, 4, 1, "0", true);
}

static void one_piece_is_a_case_of_several(void **unused)
{
	(void)unused;
	expect((form_text[]){{"x=t2 size=i dim=#1", "2 2 2", three_pieces}, {"x=t2 size=i", "2 2", two_first_pieces},
		   {"x=t3 size=i dim=#1", "3", one_piece}, {"x=t2 size=i dim=#1", "2", one_flat_piece},
		   {"x=t4 size=i dim=#1", "4", one_deep_piece}}, 5, 1, "0", true);
}

static void sizes_go_with_the_pieces(void **unused)
{
	(void)unused;
	expect((form_text[]){{"x=t2 sizes=l2 dim=#1", "2 2", sized_pieces}}, 1, 1, NULL, false);
}

static void what_is_no_list_is_counted_from_the_first(void **unused)
{
	(void)unused;
	expect((form_text[]){{"x=t2 all=c1", "2 2 2", states}, {"x=t2", "2", state}}, 2, 1, NULL, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_have_one_rule), cmocka_unit_test(who_has_no_rule_is_left_alone), cmocka_unit_test(one_piece_is_a_case_of_several), cmocka_unit_test(sizes_go_with_the_pieces),
	    cmocka_unit_test(what_is_no_list_is_counted_from_the_first)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
