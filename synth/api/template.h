/* Templates: expressions with an index, instantiated at several positions of several signatures, like the body of a C loop.
 *
 *   (s2 + 2*s9 - s6)//s8 + 1 in one signature,           out[i] = window(input[i], …)
 *   (s3 + 2*s10 - s7)//s8 + 1 in another          ──►    with input[i], padding[i] and stride[i] as references, i = -2, -1
 *
 * A reference is resolved as the generated C resolves it at run time (code.h: at, item). So an instance is exactly what the
 * C computes for that signature.
 */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include "api_calls.h"
#include "size_factor.h"

enum { MAX_REFERENCES = 24 };

enum reference_base {
	AT_NUMBER, /* the offset itself; a negative one counts from the right */
	AT_INDEX,  /* i plus the offset */
	AT_AXIS,   /* the position that an argument names, plus the offset */
	ALL	   /* a fold of all items; an empty product is 1 */
};

typedef struct reference {
	list_name list;
	list_name axis, copied; /* copied: of a product of sizes */
	int16_t offset;
	uint8_t base, fold; /* fold: OP_MUL, OP_ADD, OP_MIN, OP_MAX */
	uint8_t each; /* transformation of each item: size_factor.h */
	bool others; /* a fold of all items except the one at this position */
} reference;

typedef struct template {
	const expr *e; /* over s0 …, one symbol per reference */
	reference refs[MAX_REFERENCES];
	int n;
} template;

/* How dimensions and items are referenced when a template is made from an expression. */
typedef struct template_way {
	uint8_t dims, items; /* a WAY_… below */
	bool folds; /* folds over whole lists become references */
	bool outs;  /* output dimensions that are not plain symbols become references */
	bool at_axis; /* references at the anchor use the axis */
	list_name axis;
} template_way;

enum { WAY_RIGHT, WAY_LEFT, WAY_NUMBER_RIGHT, WAY_NUMBER_LEFT, WAYS_EACH };

/* A position in a shape or list: distances from both ends. */
typedef struct anchor {
	int left, right;
} anchor;

/* Makes the template of an expression of a signature, relative to an anchor. Returns false if it cannot be expressed. */
bool template_of(template *t, const api_calls *f, const api_call *form, const expr *e, anchor a, template_way w);
/* Finds the anchor of an expression: the first symbol in a list of several items, else the first symbol. Returns false if
 * there is none. */
bool template_anchor(const api_call *form, const expr *e, list_place *to);
/* Finds the first output dimension in an expression that is not a plain symbol. Returns false if there is none. */
bool template_output(const api_call *form, const expr *e, list_place *to);
/* Whether a template refers to outputs. */
bool template_has_outputs(const template *t);

/* The instance of a template at index i, or NULL. If references are missing, marks them in absent (may be NULL). Marks
 * nothing if i and an offset count from different ends, or if an axis is not constant. */
const expr *template_instance(const template *t, const api_calls *f, const api_call *form, int i, bool *absent);
/* Whether an instance equals expression `is` for all values of the symbols: the same value, or both without a value. */
bool template_equals(const api_calls *f, const api_call *form, const expr *instance, const expr *is);

/* The index of the signature's own clause that equals an instance; -1: none. */
int template_clause(const api_calls *f, const api_call *form, const expr *instance);

/* Whether a condition holds for all values of the symbols, or is implied by a clause of the signature, and always has a
 * value. */
bool template_is_implied(const api_calls *f, const api_call *form, const expr *instance);

bool reference_same(const reference *a, const reference *b);
bool template_same(const template *a, const template *b);

#endif
