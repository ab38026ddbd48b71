/* Templates: the position that each alignment finds, in operators of other ranks, lists and arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr_template.h"
#include "operators.h"

/* The operators of a test, each read on its own, and the pool of their expressions. */
enum { MOST = 24 };

typedef struct bench {
	expr_pool *pool;
	records read[MOST];
	int n;
} bench;

static int set_up(void **state)
{
	bench *b = calloc(1, sizeof *b);
	b->pool = expr_pool_new();
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	bench *b = *state;
	for (int i = 0; i < b->n; i++)
		records_free(&b->read[i]);
	expr_pool_free(b->pool);
	free(b);
	return 0;
}

static const operator *op_of(bench *b, const char *args, const char *outs)
{
	buf text = {0};
	int nsym, nodim;
	assert_in_range(b->n, 0, MOST - 1);
	put_call(&text, "m.f", 0, args, outs, &nsym, &nodim);
	buf_puts(&text, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&b->read[b->n], &text);
	return &b->read[b->n++].ops[0];
}

static const expr *parse(bench *b, const char *text)
{
	diag d = {0};
	const expr *e = expr_parse(b->pool, text, 64, "test", 1, &d);
	if (!e)
		fail_msg("%s", d.text);
	return e;
}

/* The template of an expression that explains output dimension d; d < 0: of a clause. */
static expr_template make_form(bench *b, const operator *op, const char *text, int d, bool folds)
{
	expr_template f;
	template_index at = d < 0 ? (template_index){0} : expr_template_output(op, d);
	assert_true(expr_template_of(&f, b->pool, op, parse(b, text), NULL, d < 0 ? NULL : &at, folds));
	return f;
}

/* Asserts that the template gives an expression at output dimension `left` of a tensor of rank left + right
 * + 1; NULL: no position there. */
static void gives_at(bench *b, const expr_template *f, const operator *op, const expr *const *out, int left, int right, alignment w,
    const char *text)
{
	int missing;
	const expr *was, *e = expr_template_apply(f, b->pool, op, out, left, right, w, &missing, &was);
	buf said = {0};
	if (e)
		expr_print(&said, e);
	assert_string_equal(e ? said.text : "nothing", text ? text : "nothing");
	assert_true(!text || e == parse(b, text));
	buf_free(&said);
}

static void gives(bench *b, const expr_template *f, const operator *op, int left, int right, alignment w, const char *text)
{
	gives_at(b, f, op, NULL, left, right, w, text);
}

#define DIMS(x) ((alignment){.dims = (x)})
#define VALUES(x) ((alignment){.values = (x)})
#define INSTEAD(x) ((alignment){.substitute = (uint8_t)(x)})

/* ---- alignments */

/* In x of rank 3, o0[1] of rank 2 is the dimension axis=2: one to the right of the output's, counted from
 * the left, and at the same distance from the right. In x of rank 6 and output of rank 3 each alignment
 * finds another one. */
static void aligns_dimensions(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t3 axis=#2", "2");
	const operator *to = op_of(b, "x=t6 axis=#-2", "3");
	expr_template f = make_form(b, from, "s2", 1, false);
	assert_true(f.positional[0]);
	assert_false(f.positional[1]);
	gives(b, &f, to, 0, 2, DIMS(FROM_RIGHT), "s3");
	gives(b, &f, to, 0, 2, DIMS(FROM_LEFT), "s1");
	gives(b, &f, to, 0, 2, DIMS(AT_LEFT), "s2");
	gives(b, &f, to, 0, 2, DIMS(AT_RIGHT), "s5");
	gives(b, &f, to, 0, 2, DIMS(NAMED), "s4");
	for (int how = 0; how < ALIGNS; how++)
		gives(b, &f, from, 1, 0, DIMS(how), "s2"); /* and all find the original one */
}

static void finds_nothing_beyond_the_ends(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t3 axis=#2", "2"), *to = op_of(b, "x=t2 axis=#0", "3");
	expr_template f = make_form(b, from, "s2", 1, false);
	gives(b, &f, to, 0, 2, DIMS(FROM_RIGHT), NULL);
	gives(b, &f, to, 1, 1, DIMS(FROM_LEFT), NULL);
	gives(b, &f, to, 0, 2, DIMS(FROM_LEFT), "s1");
	gives(b, &f, to, 0, 2, DIMS(AT_LEFT), NULL);
	gives(b, &f, to, 0, 2, DIMS(AT_RIGHT), "s1");
	gives(b, &f, op_of(b, "x=t0 axis=#0", "1"), 0, 0, DIMS(AT_RIGHT), NULL);
}

static void names_need_a_constant_that_names(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t3 axis=#-1", "2"), "s2", 1, false);
	gives(b, &f, op_of(b, "x=t4 axis=#0", "2"), 0, 1, DIMS(NAMED), "s0");
	gives(b, &f, op_of(b, "x=t4 axis=i", "2"), 0, 1, DIMS(NAMED), NULL);
	gives(b, &f, op_of(b, "x=t4 axis=#4", "2"), 0, 1, DIMS(NAMED), NULL);
	gives(b, &f, op_of(b, "x=t4 other=#0", "2"), 0, 1, DIMS(NAMED), NULL);
	expr_template unnamed = make_form(b, op_of(b, "x=t3 axis=#1", "2"), "s2", 1, false);
	gives(b, &unnamed, op_of(b, "x=t4 axis=#1", "2"), 0, 1, DIMS(NAMED), NULL);
}

/* The same for a list's items: the list is 3 long and 6, the outputs are of rank 3 and 5. */
static void aligns_items(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t1 k=l3", "3"), *to = op_of(b, "x=t1 k=l6", "5");
	expr_template f = make_form(b, from, "s2", 2, false); /* k[1] */
	assert_false(f.positional[0]);
	assert_true(f.positional[1]);
	gives(b, &f, to, 3, 1, VALUES(FROM_RIGHT), "s4"); /* k[3] */
	gives(b, &f, to, 3, 1, VALUES(FROM_LEFT), "s3");
	gives(b, &f, to, 3, 1, VALUES(AT_LEFT), "s2");
	gives(b, &f, to, 3, 1, VALUES(AT_RIGHT), "s5");
	gives(b, &f, to, 0, 4, VALUES(FROM_LEFT), NULL);
	gives(b, &f, to, 0, 4, VALUES(FROM_RIGHT), "s1");
}

/* One alignment for dimensions, another for items. */
static void aligns_both_apart(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t4 k=l2", "4"), "s2 - s4", 2, false);
	const operator *to = op_of(b, "x=t5 k=l3", "5");
	gives(b, &f, to, 4, 0, (alignment){.dims = FROM_RIGHT, .values = FROM_RIGHT}, "s4 - s7");
	gives(b, &f, to, 4, 0, (alignment){.dims = FROM_RIGHT, .values = AT_LEFT}, "s4 - s5");
	gives(b, &f, to, 4, 0, (alignment){.dims = AT_LEFT, .values = FROM_RIGHT}, "s2 - s7");
	gives(b, &f, to, 4, 0, (alignment){.dims = AT_RIGHT, .values = AT_RIGHT}, "s3 - s6");
}

/* In a list of lists the outer list is aligned; the position in the inner one is kept. */
static void aligns_outer_lists(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t2 pad=n2,2", "2"), "s1 + s4 - s5", 1, false);
	const operator *to = op_of(b, "x=t3 pad=n3,2", "3");
	gives(b, &f, to, 1, 1, VALUES(FROM_LEFT), "s1 + s5 - s6");
	gives(b, &f, to, 1, 1, VALUES(AT_LEFT), "s1 + s5 - s6");
	gives(b, &f, to, 1, 1, VALUES(AT_RIGHT), "s1 + s7 - s8");
	gives(b, &f, to, 0, 2, VALUES(FROM_RIGHT), "s0 + s3 - s4");
}

static void keeps_tensors_of_a_list_apart(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "xs=T3,2", "2"), "s1 - s5", 1, false); /* xs[0][1] - xs[2][1] */
	gives(b, &f, op_of(b, "y=t1 xs=T4,3", "3"), 2, 0, DIMS(FROM_RIGHT), "s3 - s9");
	gives(b, &f, op_of(b, "xs=T2,2", "2"), 1, 0, DIMS(FROM_RIGHT), NULL);
}

static void needs_the_tensor(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t2 y=t2", "2"), "s0 + s2", 0, false);
	gives(b, &f, op_of(b, "x=t2 z=t2", "2"), 0, 1, DIMS(FROM_RIGHT), NULL);
	gives(b, &f, op_of(b, "x=t2 y=l2", "2"), 0, 1, DIMS(FROM_RIGHT), NULL);
	gives(b, &f, op_of(b, "y=t2 x=t2", "2"), 0, 1, DIMS(FROM_RIGHT), "s2 + s0");
}

/* ---- scalars and lists */

static void a_scalar_stands_for_a_list(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t4 k=i", "4"), "s2 - s4", 2, false);
	const operator *list = op_of(b, "x=t5 k=l3", "5");
	gives(b, &f, list, 3, 1, VALUES(FROM_RIGHT), "s3 - s6"); /* the item at the output's position */
	gives(b, &f, list, 2, 2, VALUES(FROM_LEFT), "s2 - s7");
	gives(b, &f, list, 3, 1, VALUES(FROM_LEFT), NULL);
	gives(b, &f, list, 3, 1, VALUES(AT_LEFT), NULL);
	gives(b, &f, list, 3, 1, VALUES(AT_RIGHT), NULL);
	gives(b, &f, op_of(b, "x=t5 k=l1", "5"), 3, 1, VALUES(AT_LEFT), "s3 - s5");
}

static void a_list_becomes_a_scalar(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t4 k=l2", "4"), "s2 - s4", 2, false);
	for (int how = 0; how < VALUE_ALIGNS; how++) {
		gives(b, &f, op_of(b, "x=t3 k=i", "3"), 1, 1, VALUES(how), "s1 - s3");
		gives(b, &f, op_of(b, "x=t3 k=l1", "3"), 1, 1, VALUES(how), "s1 - s3");
	}
}

/* ---- missing arguments */

static void counts_missing_with(bench *b, const expr_template *f, const operator *op, alignment w, int want)
{
	int missing = -1;
	const expr *was;
	expr_template_apply(f, b->pool, op, NULL, 0, 0, w, &missing, &was);
	assert_int_equal(missing, want);
}

static void counts_missing(bench *b, const expr_template *f, const operator *op, int want)
{
	counts_missing_with(b, f, op, INSTEAD(1 + SUBSTITUTES), want);
}

static void replaces_one_argument(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t1 k=i stride=i pad=i", "1"), "(s0 + 2*s3 - s1)//s2 + 1", 0, false);
	const operator *none = op_of(b, "x=t1 k=i stride=c pad=i", "1"), *gone = op_of(b, "x=t1 k=i pad=i", "1");
	const operator *three = op_of(b, "x=t1 k=i stride=#3 pad=i", "1");
	counts_missing(b, &f, none, 1);
	counts_missing(b, &f, gone, 1);
	counts_missing(b, &f, three, 0);
	gives(b, &f, none, 0, 0, INSTEAD(0), "(s0 + 2*s2 - s1)//0 + 1");
	gives(b, &f, none, 0, 0, INSTEAD(1), "s0 + 2*s2 - s1 + 1");
	gives(b, &f, none, 0, 0, INSTEAD(2), "(s0 + 2*s2 - s1)//s2 + 1"); /* in the order of the template: pad, k */
	gives(b, &f, none, 0, 0, INSTEAD(3), "(s0 + 2*s2 - s1)//s1 + 1");
	gives(b, &f, none, 0, 0, INSTEAD(4), NULL);
	gives(b, &f, gone, 0, 0, INSTEAD(3), "(s0 + 2*s2 - s1)//s1 + 1");
	gives(b, &f, three, 0, 0, INSTEAD(0), "(s0 + 2*s2 - s1)//3 + 1");
	gives(b, &f, op_of(b, "x=t1 k=i stride=i pad=#0", "1"), 0, 0, INSTEAD(0), "(s0 - s1)//s2 + 1");
}

static void replaces_two_arguments(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t1 k=i stride=i pad=i dil=i", "1"), *two = op_of(b, "x=t1 k=i pad=i", "1");
	expr_template f = make_form(b, from, "(s0 + 2*s3 - s4*(s1 - 1) - 1)//s2 + 1", 0, false);
	/* In the template's order: dil is the first one missing, and the arguments are pad, dil, k. */
	counts_missing(b, &f, two, 2);
	gives(b, &f, two, 0, 0, INSTEAD(1 + 1 * SUBSTITUTES), "s0 + 2*s2 - (s1 - 1)");
	gives(b, &f, two, 0, 0, INSTEAD(0 + 1 * SUBSTITUTES), "s0 + 2*s2");
	gives(b, &f, two, 0, 0, INSTEAD(1 + 4 * SUBSTITUTES), "(s0 + 2*s2 - (s1 - 1) - 1)//s1 + 1");
	gives(b, &f, two, 0, 0, INSTEAD(1 + 3 * SUBSTITUTES), NULL); /* dil for stride: missing itself */
	counts_missing_with(b, &f, two, INSTEAD(1 + 3 * SUBSTITUTES), 2); /* nothing replaces it, yet both are missing */
	const operator *three = op_of(b, "x=t1 k=i", "1");
	counts_missing(b, &f, three, 3);
	gives(b, &f, three, 0, 0, INSTEAD(0 + 1 * SUBSTITUTES + 1 * SUBSTITUTES * SUBSTITUTES), "s0 - (s1 - 1) - 1 + 1");
	const operator *four = op_of(b, "x=t1", "1");
	counts_missing(b, &f, four, 4);
	gives(b, &f, four, 0, 0, INSTEAD(0 + 1 * SUBSTITUTES + (1 + 1 * LAST_SUBSTITUTES) * SUBSTITUTES * SUBSTITUTES), "s0 - 1 + 1");
	gives(b, &f, four, 0, 0, INSTEAD(0 + 1 * SUBSTITUTES + (0 + 1 * LAST_SUBSTITUTES) * SUBSTITUTES * SUBSTITUTES), "s0 - (-1) - 1 + 1");
	assert_int_equal(expr_template_substitutes(4), 4 * SUBSTITUTES * SUBSTITUTES);
	expr_template g = make_form(b, op_of(b, "x=t1 k=i stride=i pad=i dil=i more=i", "1"), "(s0 + 2*s3 - s4*(s1 - 1) - 1 + s5)//s2 + 1", 0, false);
	gives(b, &g, four, 0, 0, INSTEAD(1), NULL); /* five are too many */
}

/* An item is replaced by the other list's item at the same position. */
static void replaces_items_at_their_place(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t2 k=l2 stride=l2", "2"), "(s1 - s3)//s5", 1, false);
	const operator *to = op_of(b, "x=t3 k=l3", "3");
	gives(b, &f, to, 1, 1, INSTEAD(2), "(s1 - s4)//s4");
	gives(b, &f, to, 0, 2, INSTEAD(2), "(s0 - s3)//s3");
	expr_template two = make_form(b, op_of(b, "k=i stride=l2 pad=i", "2"), "s0*(s1 + s2 + s3)", 1, false);
	const operator *gone = op_of(b, "k=i pad=i", "2");
	gives(b, &two, gone, 1, 0, INSTEAD(2), "s0*(s0 + s0 + s1)");
	gives(b, &two, gone, 1, 0, INSTEAD(3), "s0*(s1 + s1 + s1)"); /* its own other item is no candidate */
	gives(b, &two, gone, 1, 0, INSTEAD(4), NULL);
}

/* ---- folds */

static void folds_dimensions(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t3", "1");
	expr_template f = make_form(b, from, "s0*s1*s2", 0, true), plain = make_form(b, from, "s0*s1*s2", 0, false);
	assert_int_equal(f.n, 1);
	assert_int_equal(f.indices[0].kind, FOLD_DIMS);
	assert_int_equal(plain.n, 3);
	gives(b, &f, op_of(b, "x=t5", "1"), 0, 0, DIMS(0), "s0*s1*s2*s3*s4");
	gives(b, &f, op_of(b, "y=t1 x=t2", "1"), 0, 0, DIMS(0), "s1*s2");
	gives(b, &f, op_of(b, "x=t0", "1"), 0, 0, DIMS(0), "1");
	gives(b, &f, op_of(b, "y=t3", "1"), 0, 0, DIMS(0), NULL);
	gives(b, &plain, op_of(b, "x=t5", "1"), 0, 0, DIMS(AT_LEFT), "s0*s1*s2");
	expr_template two = make_form(b, op_of(b, "xs=T2,2", "1"), "s0*s1 + s2*s3", 0, true); /* one tensor of a list each */
	assert_int_equal(two.n, 2);
	gives(b, &two, op_of(b, "xs=T2,3", "1"), 0, 0, DIMS(0), "s0*s1*s2 + s3*s4*s5");
}

/* A product of consecutive dimensions is described by its ends: relative to the pivot, to the ends of the
 * shape, or by the arguments that name them. If such an argument is omitted, the product extends to the end
 * of the shape. */
static void folds_runs_of_dimensions(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t5 start=#1 end=#3", "3"), *to = op_of(b, "x=t6 start=#0 end=#-3", "3");
	expr_template f = make_form(b, from, "s1*s2*s3", 1, true);
	assert_true(f.n == 1 && f.indices[0].kind == FOLD_RUN && f.positional[0]);
	gives(b, &f, from, 1, 1, DIMS(NAMED), "s1*s2*s3");
	gives(b, &f, to, 0, 2, DIMS(NAMED), "s0*s1*s2*s3");
	gives(b, &f, to, 2, 0, DIMS(FROM_LEFT), "s2*s3*s4");
	gives(b, &f, to, 1, 1, DIMS(FROM_RIGHT), "s2*s3*s4");
	gives(b, &f, to, 0, 2, DIMS(AT_LEFT), "s1*s2*s3");
	gives(b, &f, to, 0, 2, DIMS(AT_RIGHT), "s2*s3*s4");
	gives(b, &f, op_of(b, "x=t3 start=#1", "2"), 1, 0, DIMS(NAMED), "s1*s2");
	gives(b, &f, op_of(b, "x=t3 end=#1", "2"), 0, 1, DIMS(NAMED), "s0*s1");
	gives(b, &f, op_of(b, "x=t3 start=#1 end=#1", "3"), 1, 1, DIMS(NAMED), "s1");
	gives(b, &f, op_of(b, "x=t3 start=#1 end=#0", "4"), 1, 2, DIMS(NAMED), "1");
	gives(b, &f, op_of(b, "x=t3 start=#2 end=#0", "4"), 1, 2, DIMS(NAMED), NULL);
	gives(b, &f, op_of(b, "x=t3 start=i end=#1", "2"), 1, 0, DIMS(NAMED), NULL);
	gives(b, &f, op_of(b, "x=t2 start=#1 end=#3", "2"), 1, 0, DIMS(NAMED), NULL);
	expr_template front = make_form(b, op_of(b, "x=t4 axis=#2", "2"), "s0*s1", 0, true), back = make_form(b, op_of(b, "x=t4 axis=#2", "2"), "s2*s3", 1, true);
	expr_template other = make_form(b, op_of(b, "x=t5 axis=#-2", "2"), "s0*s1*s2", 0, true);
	gives(b, &front, op_of(b, "x=t5 axis=#3", "2"), 0, 1, DIMS(NAMED), "s0*s1*s2");
	gives(b, &front, op_of(b, "x=t5 axis=#0", "2"), 0, 1, DIMS(NAMED), "1");
	gives(b, &back, op_of(b, "x=t5 axis=#3", "2"), 1, 0, DIMS(NAMED), "s3*s4");
	assert_true(expr_template_equal(&front, &other));
	expr_template wide = make_form(b, op_of(b, "x=t5 axis=#4", "2"), "s0*s1*s2*s3", 0, true); /* its end is at an equal distance from neither side */
	assert_true(expr_template_equal(&front, &wide));
	assert_false(expr_template_equal(&front, &back));
	expr_template plain = make_form(b, op_of(b, "x=t4 y=t1", "2"), "s1*s2*s3", 1, true); /* without names: all but the first */
	gives(b, &plain, op_of(b, "x=t6 y=t1", "2"), 1, 0, DIMS(NAMED), "s1*s2*s3*s4*s5");
	expr_template two = make_form(b, op_of(b, "x=t5 y=t1", "2"), "s0*s1*s2 == s0*s1*s2*s3", -1, true);
	assert_int_equal(two.n, 2);
	expr_template pair = make_form(b, op_of(b, "x=t4 y=t1", "2"), "s1*s2", 1, true); /* two dimensions without names are two positions */
	assert_int_equal(pair.n, 2);
}

static void folds_other_ways(void **state)
{
	bench *b = *state;
	static const struct {
		const char *of3, *of4;
	} FOLDS[] = {{"s1 + s2 + s3", "s1 + s2 + s3 + s4"}, {"max(max(s1, s2), s3)", "max(max(max(s1, s2), s3), s4)"},
	    {"min(min(s1, s2), s3)", "min(min(min(s1, s2), s3), s4)"}};
	const operator *from = op_of(b, "x=t1 sizes=l3", "1"), *to = op_of(b, "x=t1 sizes=l4", "1");
	const operator *none = op_of(b, "x=t1 sizes=l0", "1");
	for (int k = 0; k < 3; k++) {
		expr_template f = make_form(b, from, FOLDS[k].of3, 0, true);
		assert_int_equal(f.n, 1);
		assert_int_equal(f.indices[0].kind, FOLD_ITEMS);
		gives(b, &f, to, 0, 0, VALUES(0), FOLDS[k].of4);
		gives(b, &f, none, 0, 0, VALUES(0), NULL); /* only a product has a value for an empty range */
	}
}

/* view(x, [.., -1, ..]): the number of elements divided by the other items. */
static void folds_the_other_items(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t2 shape=l3", "3"), "s0*s1//(s2*s4)", 1, true);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.indices[1].kind, FOLD_OTHERS);
	const operator *to = op_of(b, "x=t3 shape=l4", "4");
	gives(b, &f, to, 1, 2, VALUES(FROM_LEFT), "s0*s1*s2//(s3*s5*s6)");
	gives(b, &f, to, 0, 3, VALUES(FROM_LEFT), "s0*s1*s2//(s4*s5*s6)");
	gives(b, &f, to, 0, 3, VALUES(AT_RIGHT), "s0*s1*s2//(s3*s4*s6)");
	gives(b, &f, op_of(b, "x=t2 shape=l1", "1"), 0, 0, VALUES(FROM_LEFT), "s0*s1"); /* no other: 1 */
}

/* Sizes with negative items replaced by 1, and items of 0 by the dimension at their position. */
static void folds_sizes(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t3 shape=l3", "3"), *to = op_of(b, "x=t2 shape=l4", "4");
	const char *positive = "max(s0, 1)*max(s1, 1)*max(s2, 1)//(max(s3, 1)*max(s5, 1))";
	expr_template f = make_form(b, from, positive, 1, true), plain = make_form(b, from, "s0*s1*s2//(s3*s5)", 1, true);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.indices[0].kind, FOLD_DIMS);
	assert_int_equal(f.indices[0].each, AT_LEAST_ONE);
	assert_int_equal(f.indices[1].kind, FOLD_OTHERS);
	assert_false(expr_template_equal(&f, &plain));
	gives(b, &f, to, 1, 2, VALUES(FROM_LEFT), "max(s0, 1)*max(s1, 1)//(max(s2, 1)*max(s4, 1)*max(s5, 1))");
	const char *copied = "(s1 if s4 == 0 else s4)*(s2 if s5 == 0 else s5)";
	f = make_form(b, from, copied, 0, true);
	assert_int_equal(f.n, 1);
	assert_int_equal(f.indices[0].kind, FOLD_OTHERS);
	assert_int_equal(f.indices[0].each, COPIED);
	gives(b, &f, to, 0, 3, VALUES(FROM_LEFT), "(s1 if s3 == 0 else s3)*s4*s5"); /* beyond the tensor's rank no dimension can be copied */
	gives(b, &f, to, 3, 0, VALUES(FROM_LEFT), "(s0 if s2 == 0 else s2)*(s1 if s3 == 0 else s3)*s4");
	gives(b, &f, op_of(b, "x=t0 shape=l3", "3"), 0, 2, VALUES(FROM_LEFT), "s1*s2");
	gives(b, &f, op_of(b, "y=t3 shape=l3", "3"), 0, 2, VALUES(FROM_LEFT), NULL);
	assert_int_equal(make_form(b, from, "max(s0, 2)*max(s1, 2)*max(s2, 2)", 0, true).n, 3); /* another number */
	assert_int_equal(make_form(b, from, "(s0 if s4 == 0 else s4)*(s1 if s5 == 0 else s5)", 0, true).n, 4); /* another place */
}

/* x.view(2, -1, 3): the sizes are separate arguments, consecutive integers. */
static void folds_a_run_of_integers(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "x=t2 a=i b=i c=i", "3"), "s0*s1//(s2*s4)", 1, true);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.indices[1].kind, FOLD_OTHERS);
	gives(b, &f, op_of(b, "x=t1 a=i b=i c=i d=i", "4"), 1, 2, VALUES(0), "s0//(s1*s3*s4)");
	gives(b, &f, op_of(b, "x=t1 a=i b=i", "2"), 1, 0, VALUES(0), "s0//s1");
}

static void folds_tensors_of_a_list(void **state)
{
	bench *b = *state;
	expr_template f = make_form(b, op_of(b, "xs=T3,2 axis=#1", "2"), "s1 + s3 + s5", 1, true);
	assert_int_equal(f.n, 1);
	assert_int_equal(f.indices[0].kind, FOLD_TENSORS);
	const operator *to = op_of(b, "xs=T2,3 axis=#0", "3");
	gives(b, &f, to, 1, 1, DIMS(FROM_LEFT), "s1 + s4");
	gives(b, &f, to, 0, 2, DIMS(FROM_RIGHT), "s0 + s3");
	gives(b, &f, to, 0, 2, DIMS(AT_RIGHT), "s2 + s5");
	gives(b, &f, op_of(b, "xs=T1,2 axis=#0", "2"), 0, 1, DIMS(FROM_LEFT), "s0");
}

/* A clause over the rule's own output: it has as many elements as the input. */
static void folds_outputs(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t2 shape=l3", "3"), *to = op_of(b, "x=t1 shape=l2", "2");
	const expr *out[] = {parse(b, "s2"), parse(b, "s3 + 1"), parse(b, "s4")};
	const expr *outs[] = {parse(b, "s1"), parse(b, "s2 + 1")};
	expr_template f;
	assert_true(expr_template_of(&f, b->pool, from, parse(b, "s2*(s3 + 1)*s4 == s0*s1"), out, NULL, true));
	assert_int_equal(f.n, 2);
	assert_int_equal(f.indices[0].kind, FOLD_OUT);
	assert_int_equal(f.indices[1].kind, FOLD_DIMS);
	gives_at(b, &f, to, outs, 0, 0, DIMS(0), "s1*(s2 + 1) == s0");
	gives(b, &f, to, 0, 0, DIMS(0), NULL);
}

/* A subtree equal to an output dimension becomes that dimension, wherever the output is. */
static void finds_outputs(void **state)
{
	bench *b = *state;
	const operator *from = op_of(b, "x=t2 k=i", "2"), *to = op_of(b, "x=t3 k=i", "3");
	const expr *out[] = {parse(b, "s0"), parse(b, "s1 - s2")};
	const expr *outs[] = {parse(b, "s0"), parse(b, "s1 + s3"), parse(b, "s2 - 7")};
	expr_template f;
	assert_true(expr_template_of(&f, b->pool, from, parse(b, "s1 - s2 > 0"), out, NULL, false));
	assert_int_equal(f.n, 1);
	assert_int_equal(f.indices[0].kind, INDEX_OUT);
	gives_at(b, &f, to, outs, 1, 1, DIMS(FROM_LEFT), "s1 + s3 > 0");
	gives_at(b, &f, to, outs, 1, 1, DIMS(AT_RIGHT), "s2 - 7 > 0");
	gives_at(b, &f, to, outs, 2, 0, DIMS(FROM_RIGHT), "s2 - 7 > 0");
	assert_int_equal(expr_template_pivots(&f, to), 3);
}

/* ---- the template itself */

static bool equal(bench *b, const char *args, const char *outs, const char *e, int d, const char *args2,
    const char *outs2, const char *e2, int d2)
{
	expr_template f = make_form(b, op_of(b, args, outs), e, d, true), g = make_form(b, op_of(b, args2, outs2), e2, d2, true);
	assert_true(expr_template_equal(&f, &f) && expr_template_equal(&g, &g));
	assert_int_equal(expr_template_equal(&f, &g), expr_template_equal(&g, &f));
	return expr_template_equal(&f, &g);
}

static void equals_across_ranks(void **state)
{
	bench *b = *state;
	assert_true(equal(b, "x=t4 k=l2", "4", "s2 - s4", 2, "x=t4 k=l2", "4", "s3 - s5", 3));
	assert_true(equal(b, "x=t4 k=l2", "4", "s2 - s4", 2, "x=t5 k=l3", "5", "s3 - s6", 3));
	assert_true(equal(b, "x=t4 k=i", "4", "s2 - s4", 2, "x=t4 k=l2", "4", "s3 - s5", 3)); /* a number for a list */
	assert_true(equal(b, "x=t3", "1", "s0*s1*s2", 0, "x=t2", "1", "s0*s1", 0));	      /* a fold */
	assert_true(equal(b, "x=t3", "2", "s0", 0, "x=t3", "3", "s0", 0)); /* equal from the left only */
	assert_true(equal(b, "x=t3", "2", "s2", 1, "x=t3", "3", "s2", 2)); /* from the right only */
	assert_true(equal(b, "x=t3 k=i", "3", "s3", 0, "x=t3 k=l3", "2", "s5", 0)); /* a number has no position */
}

static void differs(void **state)
{
	bench *b = *state;
	assert_false(equal(b, "x=t4", "4", "s2 - 1", 2, "x=t4", "4", "s2 - 2", 2));
	assert_false(equal(b, "x=t4", "4", "s2", 2, "x=t4", "4", "s1", 2)); /* another place */
	assert_false(equal(b, "x=t2 y=t2", "2", "s0", 0, "x=t2 y=t2", "2", "s2", 0)); /* another argument */
	assert_false(equal(b, "xs=T2,2", "2", "s0", 0, "xs=T2,2", "2", "s2", 0)); /* another tensor */
	assert_false(equal(b, "x=t3 axis=#2", "3", "s2", 2, "x=t3 axis=#1", "3", "s2", 2)); /* named or not */
	assert_false(equal(b, "x=t3", "1", "s0*s1*s2", 0, "x=t3", "1", "s0 + s1 + s2", 0)); /* another fold */
	assert_false(equal(b, "x=t2 k=l2", "2", "s2", 0, "x=t2 k=l2", "2", "s3", 0));
}

static void gives_one_symbol_to_one_place(void **state)
{
	bench *b = *state;
	const operator *op = op_of(b, "x=t2 k=i", "2");
	expr_template f = make_form(b, op, "s1*s1 + s2*s1", 1, false);
	assert_int_equal(f.n, 2);
	assert_ptr_equal(f.e, parse(b, "s0*s0 + s1*s0"));
}

/* Two numbers per dimension: the last dimension's first, or one of each first and then the others. */
static void aligns_pairs_and_halves(void **state)
{
	bench *b = *state;
	expr_template pairs = make_form(b, op_of(b, "x=t2 pad=l4", "2"), "s1 + s2 + s3", 1, false);
	expr_template halves = make_form(b, op_of(b, "x=t2 pad=l4", "2"), "s1 + s3 + s5", 1, false);
	const operator *to = op_of(b, "x=t3 pad=l6", "3"), *odd = op_of(b, "x=t3 pad=l5", "3");
	gives(b, &pairs, to, 2, 0, VALUES(PAIRS), "s2 + s3 + s4");
	gives(b, &pairs, to, 1, 1, VALUES(PAIRS), "s1 + s5 + s6");
	gives(b, &pairs, to, 0, 2, VALUES(PAIRS), "s0 + s7 + s8");
	gives(b, &pairs, odd, 1, 1, VALUES(PAIRS), NULL);
	gives(b, &halves, to, 2, 0, VALUES(HALVES), "s2 + s5 + s8");
	gives(b, &halves, to, 0, 2, VALUES(HALVES), "s0 + s3 + s6");
	gives(b, &halves, odd, 1, 1, VALUES(HALVES), NULL);
	assert_true(equal(b, "x=t3 pad=l6", "3", "s2 + s3 + s4", 2, "x=t3 pad=l6", "3", "s1 + s5 + s6", 1));
	assert_true(equal(b, "x=t3 pad=l6", "3", "s2 + s5 + s8", 2, "x=t2 pad=l4", "2", "s0 + s2 + s4", 0));
	assert_false(equal(b, "x=t3 pad=l6", "3", "s2 + s3 + s4", 2, "x=t3 pad=l6", "3", "s1 + s6 + s7", 1));
	/* A clause whose pivot is an item: each dimension is paired with its two items. */
	expr_template clause = make_form(b, op_of(b, "x=t2 pad=l4", "2"), "s3 < s1", -1, false);
	gives(b, &clause, to, 1, 4, VALUES(PAIRS), "s4 < s2");
	gives(b, &clause, to, 3, 2, VALUES(PAIRS), "s6 < s1");
}

/* Ranks and the number of outputs are not constants. */
static void counts_by_name(void **state)
{
	bench *b = *state;
	expr_template rank = make_form(b, op_of(b, "x=t3 k=i", "1"), "s3 - 3", 0, true);
	gives(b, &rank, op_of(b, "x=t5 k=i", "1"), 0, 0, DIMS(FROM_RIGHT), "s5 - 5");
	expr_template low = make_form(b, op_of(b, "x=t3 k=i", "1"), "s3 >= -3", -1, true);
	gives(b, &low, op_of(b, "x=t4 k=i", "1"), 0, 0, DIMS(FROM_RIGHT), "s4 >= -4");
	expr_template outputs = make_form(b, op_of(b, "x=t4 k=i", "1 1"), "s4 == 2", -1, true);
	gives(b, &outputs, op_of(b, "x=t4 k=i", "1 1 1"), 0, 0, DIMS(FROM_RIGHT), "s4 == 3");
}

static void refuses_too_many_places(void **state)
{
	bench *b = *state;
	const operator *op = op_of(b, "x=t21", "1");
	buf text = {0};
	for (int i = 0; i <= MAX_INDICES; i++)
		buf_printf(&text, "%ss%d*%d", i ? " + " : "", i, i + 30); /* no rank */
	template_index at = expr_template_output(op, 0);
	expr_template f;
	assert_false(expr_template_of(&f, b->pool, op, parse(b, text.text), NULL, &at, true));
	assert_true(expr_template_of(&f, b->pool, op, parse(b, strstr(text.text, "s1*")), NULL, &at, true));
	assert_int_equal(f.n, MAX_INDICES);
	buf_free(&text);
}

/* A clause is tried at each dimension of its first tensor, or at each item of its longest list. */
static void has_anchors(void **state)
{
	bench *b = *state;
	expr_template dims = make_form(b, op_of(b, "x=t2 k=l2", "2"), "s1 > s3", -1, false);
	assert_int_equal(dims.pivot.kind, INDEX_DIM);
	assert_int_equal(expr_template_pivots(&dims, op_of(b, "x=t5 k=l3", "5")), 5);
	assert_int_equal(expr_template_pivots(&dims, op_of(b, "y=t5 k=l3", "5")), 0);
	expr_template items = make_form(b, op_of(b, "x=t2 k=l2 p=i", "2"), "s3 > s4", -1, false);
	assert_int_equal(expr_template_pivots(&items, op_of(b, "x=t5 k=i p=l3", "5")), 3);
	assert_int_equal(expr_template_pivots(&items, op_of(b, "x=t5 k=l3 p=i", "5")), 3);
	assert_int_equal(expr_template_pivots(&items, op_of(b, "x=t5 k=i p=i", "5")), 1);
	gives(b, &items, op_of(b, "x=t5 k=l3 p=l3", "5"), 0, 2, VALUES(FROM_LEFT), "s5 > s8");
}

/* If numbers replace lists, a clause about all items is checked for as many dimensions as the lists had. */
static void walks_dimensions_where_numbers_stand_for_lists(void **state)
{
	bench *b = *state;
	const operator *numbers = op_of(b, "x=t5 k=i p=i", "5"), *lists = op_of(b, "x=t5 k=l3 p=l3", "5");
	expr_template f = make_form(b, lists, "s5 + s8 <= s2", -1, false), items = make_form(b, lists, "s5 > s8", -1, false);
	static const char *const CLAUSES[] = {"s5 + s6 <= s2", "s5 + s6 <= s3", "s5 + s6 <= s4"};
	assert_int_equal(expr_template_pivots(&f, numbers), 1);
	assert_int_equal(expr_template_walked(&f, numbers), 3);
	for (int k = 0; k < 3; k++)
		gives(b, &f, numbers, k, 2 - k, DIMS(FROM_RIGHT), CLAUSES[k]);
	assert_int_equal(expr_template_walked(&f, op_of(b, "x=t4 k=l2 p=i", "4")), 2); /* as many as the remaining list has */
	assert_int_equal(expr_template_walked(&items, numbers), 1); /* no dimension is checked */
}

/* The end of a range stays the low or the high one, whatever pivot is chosen outside the range. */
static void keeps_ends_of_ranges(void **state)
{
	bench *b = *state;
	const operator *long_one = op_of(b, "x=t3 at=r3", "3"); /* x is s0 to s2, at s3 to s5, from s6 to s7 - 1 */
	expr_template f = make_form(b, op_of(b, "x=t2 at=r2", "2"), "s5 == 0 or s3 <= s1", -1, false);
	assert_int_equal(f.pivot.kind, INDEX_DIM);
	assert_true(f.positional[0] && !f.positional[1]);
	for (int values = 0; values < VALUE_ALIGNS; values++)
		for (int k = 0; k < 3; k++) {
			static const char *const CLAUSES[] = {"s7 == 0 or s3 <= s0", "s7 == 0 or s4 <= s1", "s7 == 0 or s5 <= s2"};
			gives(b, &f, long_one, k, 2 - k, (alignment){.dims = FROM_LEFT, .values = (uint8_t)values}, CLAUSES[k]);
		}
	expr_template alone = make_form(b, op_of(b, "x=t2 at=r2", "2"), "s4 >= 0", -1, false);
	assert_true(alone.positional[1] && expr_template_pivots(&alone, long_one) == 2); /* in the range itself it moves */
	gives(b, &alone, long_one, 1, 0, VALUES(FROM_LEFT), "s7 >= 0");
	gives(b, &alone, long_one, 1, 0, VALUES(AT_LEFT), "s6 >= 0");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(aligns_dimensions), TEST(finds_nothing_beyond_the_ends),
	    TEST(names_need_a_constant_that_names), TEST(aligns_items), TEST(aligns_both_apart), TEST(aligns_outer_lists),
	    TEST(keeps_tensors_of_a_list_apart), TEST(needs_the_tensor), TEST(a_scalar_stands_for_a_list),
	    TEST(a_list_becomes_a_scalar), TEST(replaces_one_argument), TEST(replaces_two_arguments),
	    TEST(replaces_items_at_their_place), TEST(folds_dimensions), TEST(folds_runs_of_dimensions), TEST(folds_other_ways), TEST(folds_the_other_items),
	    TEST(folds_sizes), TEST(folds_a_run_of_integers), TEST(folds_tensors_of_a_list), TEST(folds_outputs), TEST(finds_outputs),
	    TEST(equals_across_ranks), TEST(differs), TEST(gives_one_symbol_to_one_place), TEST(refuses_too_many_places),
	    TEST(aligns_pairs_and_halves), TEST(counts_by_name),
	    TEST(has_anchors), TEST(walks_dimensions_where_numbers_stand_for_lists), TEST(keeps_ends_of_ranges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
