/* Signatures whose scalar inputs are written into the call: an input without dimensions adds no symbol, so the rule stays the
 * same. Fusions of compilers match such elements, as 2 in Pow and 0.5 in GELU. */
#ifndef LITERALS_H
#define LITERALS_H

#include "index_op.h"

typedef struct literals literals;

typedef struct literal_op {
	rs_op op;
	graph_form form;
} literal_op;

/* The table of a generator, which owns the signatures. NULL: out of memory. */
literals *literals_new(void);
void literals_free(literals *l);

/* The signature o with the inputs of the mask written, of the dtypes of a row. NULL: out of memory. */
const literal_op *literals_find(literals *l, const index_op *o, const uint8_t *row, uint64_t mask);

/* Copies the constants of a call: those of o (texts, or NULL for its own), and elements[slot] in place of a written input.
 * Returns their number. */
unsigned literals_merge(const index_op *o, uint64_t mask, const char *const *texts, const char *const *elements, const char **to);

/* Whether an element of this text can be written with a dtype. */
bool literal_suits(const char *text, unsigned dtype);
/* Whether a text is a small whole number, such as "2.0". */
bool literal_whole(const char *text, int64_t *number);

#endif
