/* Expression templates: expressions without reference to a particular signature, so that they can be tried on others.
 *
 * The symbols of a template are indices such as "argument kernel_size, aligned with the output dimension" or "dimension of
 * argument input, two from the right". In another signature an index is resolved by an alignment, which is part of what is
 * learned: relative to the pivot, counted from the right or the left, or absolute, from the right or the left. A dimension
 * can also be named by an argument such as axis=1. The pivot is the output dimension that the expression explains, or the
 * first index of a clause that has a position. An end of a range is the pivot only if there is no other.
 *
 * An argument that the other signature omits, or fixes, is replaced by its integer constant, by 0, by 1, or by another argument
 * of the template: the stride of a pool defaults to its kernel.
 */
#ifndef EXPR_TEMPLATE_H
#define EXPR_TEMPLATE_H

#include "expr.h"
#include "record.h"
#include "size_factor.h"

enum { MAX_INDICES = 20 };

enum place_kind {
	INDEX_DIM,   /* a dimension of a tensor */
	INDEX_ITEM, /* an integer or an item of a list */
	INDEX_OUT,   /* a dimension of the rule's own output */
	/* folds, so that a template fits any rank and any length: */
	FOLD_DIMS,   /* all dimensions of a tensor */
	FOLD_RUN,    /* the product of a range of dimensions */
	FOLD_ITEMS,  /* all items of a list; if counted, those of nested lists too */
	FOLD_OTHERS, /* all items of a list, or all of a run of integers, except the one at this position */
	FOLD_TENSORS, /* the dimension at this position in all tensors of a list */
	FOLD_OUT,    /* all dimensions of an output */
	FOLD_COUNT   /* the length of a list (item 0), the number of lists or tensors (item 1), the rank of a tensor (item 2), the
	              * number of outputs (no argument); negated if fold is OP_SUB */
};

typedef struct template_index {
	const char *arg; /* argument name; NULL for an output */
	uint8_t kind;
	uint8_t fold;  /* OP_MUL, OP_ADD, OP_MAX or OP_MIN */
	uint8_t each;  /* of a product or of the sum of FOLD_ITEMS: size_factor.h */
	const char *copied; /* COPIED: the argument of the tensor */
	int16_t item;  /* index of the tensor in the argument; of a nested list: position in the inner list; index of the output */
	int16_t left, right; /* number of positions before and after it in its shape or list */
	int16_t within; /* of a nested list: the index of the nested list, if the argument is a list of nested lists */
	bool end; /* of a range; without the pivot it stays the low or the high end under every alignment */
	const char *named; /* the argument with an integer constant that names this dimension (an axis), or NULL */
	/* FOLD_RUN: its last dimension. If an argument names it, it is that value (`numel(x[:to + 1])`), or with `before`,
	 * the dimension before that value (`numel(x[:to])`). */
	int16_t to_left, to_right;
	const char *to_named;
	bool before;
} template_index;

/* Removes the names of an index's dimensions. */
static inline void template_index_forget_names(template_index *p)
{
	p->named = p->to_named = NULL;
}

typedef struct expr_template {
	const expr *e; /* over s0 … s<n-1>, numbered by first occurrence */
	template_index indices[MAX_INDICES];
	int n;
	template_index pivot;
	bool positional[2]; /* whether a dimension, a list item has a position that an alignment can move */
} expr_template;

/* Alignments of dimensions and outputs, and of list items. */
enum align {
	FROM_RIGHT,
	FROM_LEFT,
	AT_LEFT,
	AT_RIGHT,
	NAMED, /* of dimensions only; an unnamed end of a run is counted from its own end of the shape */
	ALIGNS,
	/* Of list items only, for lists with two items per dimension, such as pads: PAIRS lists both items of a dimension
	 * together, from the right; HALVES lists all first items, then all second ones. */
	PAIRS = NAMED,
	HALVES,
	VALUE_ALIGNS
};

/* Whether list items with this alignment move with the pivot. */
static inline bool alignment_moves_items(int values)
{
	return values < AT_LEFT || values >= PAIRS;
}

enum {
	MAX_MISSING = 4, /* maximum number of missing arguments */
	SUBSTITUTES = 8, /* for the first and the second: 0, 1 and the template's other arguments in order */
	LAST_SUBSTITUTES = 2 /* for each further one: 0, 1 */
};

typedef struct alignment {
	uint8_t dims, values;
	uint8_t substitute; /* for the first missing argument, plus SUBSTITUTES × that for the second, and so on */
} alignment;

/* Which folds become indices: those over a whole shape or list, and products over a run of dimensions. A run has at least
 * three dimensions, or two if an argument names an end. UNNAMED_FOLDS ignores names. */
enum folds { NO_FOLDS, FOLDS, UNNAMED_FOLDS };

/* Makes the template of e, which explains the output dimension `anchor`. If NULL, the pivot is the first index with a
 * position. Subexpressions equal to one of out[0 … nodim-1] become indices too; out may be NULL. Returns false if there are
 * too many indices. */
bool expr_template_of(expr_template *f, expr_pool *pool, const operator *op, const expr *e, const expr *const *out,
    const template_index *pivot, enum folds folds);
template_index expr_template_output(const operator *op, int d);
/* Number of its indices that are counts, which are constants in each signature. */
int expr_template_counts(const expr_template *f);
/* Whether the alignment of dimensions applies to an index, not that of items. */
bool template_index_is_dims(const template_index *p);
/* Whether two indices are in the same shape or list. */
bool template_index_in_one(const template_index *a, const template_index *b);
/* Whether an index is an end of a range without the pivot: no alignment moves it. */
bool template_index_stays(const template_index *p, const template_index *pivot);
/* The index of the nested list that an item is in; 0 unless the argument is a list of nested lists. */
int expr_template_nested(const operator *op, const argument *a, int symbol);
/* Whether two templates are equal relative to their pivots, across dimensions, ranks, and integers in place of lists. */
bool expr_template_equal(const expr_template *a, const expr_template *b);

/* The template's index that is resolved like p relative to that pivot; -1: none. */
int expr_template_find(const expr_template *f, const template_index *p, const template_index *pivot);

/* Alignments by number, without substitutes. */
enum { WAYS = ALIGNS * VALUE_ALIGNS };

static inline alignment alignment_at(int k)
{
	return (alignment){.dims = (uint8_t)(k / VALUE_ALIGNS), .values = (uint8_t)(k % VALUE_ALIGNS)};
}

static inline int alignment_number(alignment w)
{
	return w.dims * VALUE_ALIGNS + w.values;
}

/* Number of substitutes for a number of missing arguments. */
static inline int expr_template_substitutes(int missing)
{
	int n = 1;
	for (int k = 0; k < missing; k++)
		n *= k < 2 ? SUBSTITUTES : LAST_SUBSTITUTES;
	return n;
}

/* Instantiates a template at a pivot of another signature, given by its distances from both ends. NULL if an index does not
 * exist. `missing`: number of replaced arguments, for any substitute. `was`: the instance before simplification by constants,
 * or NULL if unchanged. */
const expr *expr_template_apply(const expr_template *f, expr_pool *pool, const operator *op, const expr *const *out, int left,
    int right, alignment w, int *missing, const expr **was);

/* Iterates over the instances of a template at an output dimension: all distinct alignments with all substitutes. Initialize
 * as {.most = maximum number of missing arguments}. */
typedef struct expr_template_tries {
	int most;
	bool begun;
	alignment w;	     /* the current alignment */
	int missing; /* number of missing arguments */
	const expr *e, *was; /* results of expr_template_apply */
} expr_template_tries;

/* The next instance. Returns false at the end. */
bool expr_template_try(expr_template_tries *t, const expr_template *f, expr_pool *pool, const operator *op, int left, int right);

/* What expr_template_apply substitutes for an argument that op lacks: the name of another argument, or "" and *number. NULL: op has
 * it, or the template does not use it. */
const char *expr_template_instead(const expr_template *f, const operator *op, int substitute, const char *argument, int *number);

/* The pivot for an alignment of items. */
template_index expr_template_pivot(const expr_template *f, int values);

/* The argument with that name, or NULL. */
const argument *expr_template_argument(const operator *op, const char *name);
/* Whether an argument is an integer; and the symbols *from … *to - 1 of adjacent integers, including itself. */
bool expr_template_is_integer(const operator *op, const argument *a);
void expr_template_run_of(const operator *op, const argument *a, int *from, int *to);
/* The length of the shape or list of an index in op; 0 if it does not exist. */
int expr_template_length(const template_index *p, const operator *op);
/* The length of the shape or list of the pivot in op; 0 if it does not exist. For a template without positions, the length of
 * its longest list. */
int expr_template_pivots(const expr_template *f, const operator *op);
/* Number of positions of a template that applies to all. Usually expr_template_pivots. If integers stand for lists in op, the length
 * of the template's list: kernel_size[i] <= input[i] constrains both dimensions if the kernel is an integer. */
int expr_template_walked(const expr_template *f, const operator *op);

#endif
