/* Templates: expressions that are said of several positions of several call forms, as a loop of C says them.
 *
 *   (s2 + 2*s9 - s6)//s8 + 1 in one form,            out[i] = window(input[i], …)
 *   (s3 + 2*s10 - s7)//s8 + 1 in another  ──►        with input[i], padding[i] and stride[i] as references, i = -2, -1
 *
 * A reference is found in a call form as the C finds it at run time (code.h: at, item), so what a template is in a form, its
 * instance, is what the C computes there, exactly.
 */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include "api_calls.h"
#include "size_factor.h"

enum { MAX_REFERENCES = 24 };

enum reference_base {
	AT_NUMBER, /* the offset itself; below 0 it counts from the right */
	AT_INDEX,  /* i and the offset */
	AT_AXIS,   /* the position that an argument names, and the offset */
	ALL	   /* what an operation makes of all of them; a product of none is 1 */
};

typedef struct reference {
	list_name list;
	list_name axis, copied; /* copied: of a product of sizes */
	int16_t offset;
	uint8_t base, fold; /* fold: OP_MUL, OP_ADD, OP_MIN, OP_MAX */
	uint8_t each; /* of a product or a sum: size_factor.h */
	bool others; /* the product of all but what stands there */
} reference;

typedef struct template {
	const expr *e; /* over s0 …, a reference each */
	reference refs[MAX_REFERENCES];
	int n;
} template;

/* How dimensions and items are found where a template is made of an expression. */
typedef struct template_way {
	uint8_t dims, items; /* a template_base */
	bool folds; /* products over whole shapes and the like are references */
	bool outs;  /* dimensions of outputs that are no symbols are references */
	bool at_axis; /* what stands where the anchor stands is found by the axis */
	list_name axis;
} template_way;

enum { WAY_RIGHT, WAY_LEFT, WAY_NUMBER_RIGHT, WAY_NUMBER_LEFT, WAYS_EACH };

/* A position in a shape or list. */
typedef struct anchor {
	int left, right;
} anchor;

/* The template of an expression of a form, seen from an anchor. False: it has none. */
bool template_of(template *t, const api_calls *f, const api_call *form, const expr *e, anchor a, template_way w);
/* Where a form's expression has its anchor: the first place that has others beside it, or the first at all. False: it has
 * none. */
bool template_anchor(const api_call *form, const expr *e, list_place *to);
/* The first dimension of an output, which is no symbol, that stands in an expression. False: there is none. */
bool template_output(const api_call *form, const expr *e, list_place *to);
/* Whether a template refers to outputs. */
bool template_has_outputs(const template *t);

/* A template's instance at i; NULL where a reference is not there, which is marked in absent (may be NULL), or where
 * nothing is marked: i and its offset are counted from different ends, or no constant names the position. */
const expr *template_instance(const template *t, const api_calls *f, const api_call *form, int i, bool *absent);
/* Whether an instance, with the constants of its form, is an expression, `is`: the same value, and one just where it has one. */
bool template_equals(const api_calls *f, const api_call *form, const expr *instance, const expr *is);

/* Which of its form's clauses an instance is, likewise; -1: none. */
int template_clause(const api_calls *f, const api_call *form, const expr *instance);

/* Whether a condition with the constants of its form holds of all symbols, or where one of the form's own clauses holds: it has
 * a value everywhere, and they need not say it. */
bool template_is_implied(const api_calls *f, const api_call *form, const expr *instance);

bool reference_same(const reference *a, const reference *b);
bool template_same(const template *a, const template *b);

#endif
