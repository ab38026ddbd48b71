/* Forms: expressions freed from one operator, so that they can be tried on another of its API (design,
 * synth points 8 and 10).
 *
 * A form's symbols are places: "argument kernel_size, aligned with the output dimension", "dimension of
 * argument input, two from the right". In another operator a place is looked for in one of four ways,
 * and the way is part of what is learned: relative to the anchor, counted from the right or the left, or
 * absolute, from the right or the left; a dimension also where an argument such as axis=1 names it. The anchor is the output dimension that the expression explains,
 * or the first place of a clause that has a position, an end of a range only where nothing else has.
 *
 * An argument that the other operator leaves out, or fixes, stands for its integer constant, for 0, for
 * 1, or for another argument of the form (a pool's stride defaults to its kernel).
 */
#ifndef EXPR_TEMPLATE_H
#define EXPR_TEMPLATE_H

#include "expr.h"
#include "record.h"
#include "size_factor.h"

enum { MAX_PLACES = 20 };

enum place_kind {
	PLACE_DIM,   /* a dimension of a tensor */
	PLACE_VALUE, /* an integer or an item of a list */
	PLACE_OUT,   /* a dimension of the rule's own output */
	/* Folds, so that a form fits any rank and any length: */
	FOLD_DIMS,   /* all dimensions of a tensor */
	FOLD_RUN,    /* a product: the dimensions of a tensor from this place to another */
	FOLD_ITEMS,  /* all items of a list, those of lists in it too where they are counted */
	FOLD_OTHERS, /* all items of a list, or of a run of integers, but the one at this place */
	FOLD_TENSORS, /* the dimension at this place of all tensors of a list */
	FOLD_OUT,    /* all dimensions of an output */
	FOLD_COUNT   /* how many items a list has (item 0), how many lists or tensors (item 1), the rank of a tensor (item 2), how
		      * many outputs there are (without an argument); with OP_SUB as its fold, below 0 */
};

typedef struct place {
	const char *arg; /* its name; NULL for an output */
	uint8_t kind;
	uint8_t fold;  /* of a fold: OP_MUL, OP_ADD, OP_MAX or OP_MIN */
	uint8_t each;  /* of a product or of FOLD_ITEMS' sum: size_factor.h */
	const char *copied; /* COPIED: the tensor's argument */
	int16_t item;  /* which tensor of the argument; of a nested list: the position in the inner list; the output */
	int16_t left, right; /* places before and after it in its shape or list */
	int16_t within; /* of a nested list: which of the nested lists that the argument is a list of */
	bool end; /* of a range: where that has no anchor, it is the low one or the high one wherever the anchor stands */
	const char *named; /* the integer constant argument whose value is this dimension (an axis), or NULL */
	/* FOLD_RUN: its last dimension. Named by an argument, that is its value (`numel(x[:to + 1])`), or where `before`, the value
	 * is the one behind it (`numel(x[:to])`). */
	int16_t to_left, to_right;
	const char *to_named;
	bool before;
} place;

/* Forgets the names of a place's dimensions. */
static inline void place_forget_names(place *p)
{
	p->named = p->to_named = NULL;
}

typedef struct form {
	const expr *e; /* over s0 … s<n-1>, numbered as they first occur */
	place places[MAX_PLACES];
	int n;
	place anchor;
	bool positional[2]; /* whether a dimension, a value has a position that an alignment could move */
} form;

/* How places are found: the alignment of dimensions and outputs, that of list items, and what stands for
 * arguments that are not there. */
enum align {
	FROM_RIGHT,
	FROM_LEFT,
	AT_LEFT,
	AT_RIGHT,
	NAMED, /* of dimensions only; an end of a run that has no name is counted from its own end of the shape */
	ALIGNS,
	/* Of list items only: the list holds two numbers a dimension, the pairs in the order from the right, or first one of each
	 * and then the other, as pads do. */
	PAIRS = NAMED,
	HALVES,
	VALUE_ALIGNS
};

/* Whether list items that are found in this way move with the anchor. */
static inline bool values_move(int values)
{
	return values < AT_LEFT || values >= PAIRS;
}

enum {
	MAX_MISSING = 4, /* arguments that something stands for */
	SUBSTITUTES = 8, /* for the first and the second: 0, 1 and the form's other arguments in the order of its places */
	LAST_SUBSTITUTES = 2 /* for each further one: 0, 1 */
};

typedef struct way {
	uint8_t dims, values;
	uint8_t substitute; /* for the first missing argument; SUBSTITUTES × that for the second, × those for the others */
} way;

/* Which folds are places of their own: those of a whole shape and the like, and products over a run of dimensions, of three or
 * more, or of two where an argument names an end; no names are known in UNNAMED_FOLDS. */
enum folds { NO_FOLDS, FOLDS, UNNAMED_FOLDS };

/* The form of e, which explains an output dimension at `anchor`; without one (NULL) the anchor is the first
 * place with a position. Subtrees equal to one of out[0 … nodim-1] become places too; out may be NULL.
 * False when it has too many places. */
bool form_of(form *f, expr_pool *pool, const operator *op, const expr *e, const expr *const *out,
    const place *anchor, enum folds folds);
place form_output_place(const operator *op, int d);
/* How many of its places are counts, which are numbers in each call form. */
int form_counts(const form *f);
/* Whether a place is found as dimensions are, not as values. */
bool place_is_dims(const place *p);
/* Whether two places are in one shape or list, which has them as many places apart from either end. */
bool place_in_one(const place *a, const place *b);
/* Whether a place is an end of a range that has not the anchor: no way moves it. */
bool place_stays(const place *p, const place *anchor);
/* Which nested list of its argument an item of one is in: 0, unless the argument is a list of such. */
int form_within(const operator *op, const argument *a, int symbol);
/* Whether both say the same, seen from their anchors: of two dimensions, of other ranks, of a number for a list. */
bool form_equal(const form *a, const form *b);

/* Which of its places is found as p is from that anchor; -1: none. */
int form_place(const form *f, const place *p, const place *anchor);

/* Ways by their numbers, substitutes aside. */
enum { WAYS = ALIGNS * VALUE_ALIGNS };

static inline way way_at(int k)
{
	return (way){.dims = (uint8_t)(k / VALUE_ALIGNS), .values = (uint8_t)(k % VALUE_ALIGNS)};
}

static inline int way_number(way w)
{
	return w.dims * VALUE_ALIGNS + w.values;
}

/* How many substitutes there are where so many arguments are missing. */
static inline int form_substitutes(int missing)
{
	int n = 1;
	for (int k = 0; k < missing; k++)
		n *= k < 2 ? SUBSTITUTES : LAST_SUBSTITUTES;
	return n;
}

/* The form at an anchor of another operator: a place of which only left and right count. NULL when a place
 * is not there. `missing` tells how many arguments had to be replaced, whichever substitute was asked for; `was`, as what it stood before constants in the
 * places of symbols made it simpler: NULL where they did not. */
const expr *form_apply(const form *f, expr_pool *pool, const operator *op, const expr *const *out, int left,
    int right, way w, int *missing, const expr **was);

/* A form at an output dimension in all ways that its positions tell apart, each with all substitutes. Begins as {.most =
 * arguments that may be missing}. */
typedef struct form_tries {
	int most;
	bool begun;
	way w;	     /* the one that was tried */
	int missing; /* in it */
	const expr *e, *was; /* what form_apply gave */
} form_tries;

/* The next one; false: that were all. */
bool form_try(form_tries *t, const form *f, expr_pool *pool, const operator *op, int left, int right);

/* What form_apply takes for an argument that op lacks: the name of another one, or, "" then, *number. NULL: op has it, or the
 * form does not ask for it. */
const char *form_instead(const form *f, const operator *op, int substitute, const char *argument, int *number);

/* The anchor from which such places are found. */
place form_anchor(const form *f, int values);

/* The argument of that name; NULL: there is none. */
const argument *form_argument(const operator *op, const char *name);
/* Whether an argument is an integer; and the symbols *from … *to - 1 of the integers beside it and itself. */
bool form_is_integer(const operator *op, const argument *a);
void form_run_of(const operator *op, const argument *a, int *from, int *to);
/* The length of what a place stands in, in op; 0 when it is not there. */
int form_length(const place *p, const operator *op);
/* The length of what the anchor's place stands in, in op; 0 when it is not there. A form without positions
 * has as many as the longest list that its places stand in. */
int form_anchors(const form *f, const operator *op);
/* How many of its positions are walked where a form is said of all: as many as form_anchors, but where numbers stand for lists in
 * op as many as the form's list had: kernel_size[i] <= input[i] asks both dimensions for a kernel that is one number. */
int form_walked(const form *f, const operator *op);

#endif
