/* The dtypes of an API as data: which dtypes the arguments accept, which arguments share one, and the dtypes of the
 * outputs.
 *
 *   rule ──► cases, by the arguments present ──► slots: one per argument, in classes of equal dtypes
 *                                            ├──► pairs: combinations of two classes, if not all are accepted
 *                                            └──► outputs: a constant, the dtype of a class, a table of one or two, a fold
 *
 * A kind is the form and dtype of an argument: a tensor, a 0-dimensional tensor, or a Python scalar. In text, each
 * kind is a letter: a…s and A…S in the order of rs_dtype, and 0…3 for bool, int, float, complex.
 */
#ifndef DTYPE_RULE_H
#define DTYPE_RULE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"

enum { DTYPE_COUNT = 19, DTYPE_KINDS = 2 * DTYPE_COUNT + 4, DTYPE_SLOTS = 8, DTYPE_OUTPUTS = 16, DTYPE_PAIRS = 28 };
enum { CELL_UNKNOWN = -1, CELL_REJECTED = -2 }; /* a cell is a dtype or one of these */

typedef struct dtype_table { /* by the kinds of two classes; tables of one class use column 0 */
	int8_t cell[DTYPE_KINDS][DTYPE_KINDS];
} dtype_table;

/* Items of a list: no list; always one item in the trials; all of one dtype; independent dtypes. */
typedef enum dtype_items { ITEMS_NONE, ITEMS_ONE, ITEMS_TIED, ITEMS_APART } dtype_items;

enum { RANK_EQUAL = 1, RANK_LESS = 2, RANK_MORE = 4 };

typedef struct dtype_slot {
	const char *name; /* name of the argument */
	dtype_items items;
	int of; /* its class: the index of the class's first slot */
	uint64_t accepted, rejected; /* sets of kinds, as bits; other kinds were not tried */
	unsigned ranks; /* RANK_ bits: observed ranks of its tensors compared with the first tensor's; calls with other
			 * ranks are not covered */
} dtype_slot;

typedef struct dtype_pair {
	int a, b; /* classes */
	const dtype_table *table; /* a cell of 0 is accepted */
} dtype_pair;

typedef enum dtype_output_kind { OUT_CONSTANT, OUT_SAME, OUT_MAP, OUT_TABLE, OUT_FOLD } dtype_output_kind;

typedef struct dtype_output {
	dtype_output_kind kind;
	int a, b;	/* OUT_CONSTANT: dtype; OUT_SAME, OUT_MAP: class; OUT_TABLE: two classes; OUT_FOLD: slots as
			 * bits */
	const dtype_table *table;
} dtype_output;

typedef struct dtype_case {
	dtype_slot slots[DTYPE_SLOTS];
	int nslots, npairs, nout, ntexts;
	dtype_pair pairs[DTYPE_PAIRS];
	dtype_output out[DTYPE_OUTPUTS];
	const char *argument; /* the argument that distinguishes cases with the same slots; NULL: not needed */
	const char **texts;   /* its values in this case */
} dtype_case;

typedef struct dtype_rule {
	dtype_case *cases;
	int n;
	const char *codes; /* "1=n 2=c": codes of dtypes in attributes; "" if there are none */
} dtype_rule;

/* The kind of a letter, or -1. */
int dtype_kind(char letter);
char dtype_letter(int kind);
/* The dtype of a tensor's kind; -1 for a Python scalar. */
static inline int dtype_of_kind(int kind)
{
	return kind < 2 * DTYPE_COUNT ? kind % DTYPE_COUNT : -1;
}

/* Appends a rule as JSON. */
void dtype_rule_write(buf *to, const dtype_rule *r);
/* Reads a rule into the arena. NULL if it is malformed. */
dtype_rule *dtype_rule_read(arena *a, const cJSON *o);

#endif
