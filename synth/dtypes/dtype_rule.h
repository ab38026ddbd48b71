/* The dtypes of an API as data: which the arguments accept, which share one, and what comes out.
 *
 *   rule ──► cases, by the arguments that are given ──► slots: an argument each, in classes of equal dtypes
 *                                                  ├──► pairs: combinations of two classes, if not all are accepted
 *                                                  └──► outputs: a dtype, that of a class, a table of one or two, a fold
 *
 * A kind is how an argument counts: a tensor of a dtype, a tensor without dimensions, a number of Python. Texts have a letter
 * for each: a…s, A…S in the order of rs_dtype, and 0…3 for bool, int, float, complex. */
#ifndef DTYPE_RULE_H
#define DTYPE_RULE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"

enum { DTYPE_COUNT = 19, DTYPE_KINDS = 2 * DTYPE_COUNT + 4, DTYPE_SLOTS = 8, DTYPE_OUTPUTS = 16, DTYPE_PAIRS = 28 };
enum { CELL_UNKNOWN = -1, CELL_REJECTED = -2 }; /* a cell is a dtype, or one of these */

typedef struct dtype_table { /* by the kinds of two classes; of one: column 0 */
	int8_t cell[DTYPE_KINDS][DTYPE_KINDS];
} dtype_table;

/* Items of a list: alone in the trials, all of one dtype, or each of its own. */
typedef enum dtype_items { ITEMS_NONE, ITEMS_ONE, ITEMS_TIED, ITEMS_APART } dtype_items;

enum { RANK_EQUAL = 1, RANK_LESS = 2, RANK_MORE = 4 };

typedef struct dtype_slot {
	const char *name; /* of the argument */
	dtype_items items;
	int of; /* its class */
	uint64_t accepted, rejected; /* kinds; others were not tried */
	unsigned ranks; /* how the ranks of its tensors compared with the first one's: a call of other ranks may be another */
} dtype_slot;

typedef struct dtype_pair {
	int a, b; /* classes */
	const dtype_table *table; /* 0: accepted */
} dtype_pair;

typedef enum dtype_output_kind { OUT_CONSTANT, OUT_SAME, OUT_MAP, OUT_TABLE, OUT_FOLD } dtype_output_kind;

typedef struct dtype_output {
	dtype_output_kind kind;
	int a, b;	/* dtype; class; class; two classes; of a fold: bits of its slots */
	const dtype_table *table;
} dtype_output;

typedef struct dtype_case {
	dtype_slot slots[DTYPE_SLOTS];
	int nslots, npairs, nout, ntexts;
	dtype_pair pairs[DTYPE_PAIRS];
	dtype_output out[DTYPE_OUTPUTS];
	const char *argument; /* if others have the same slots: the argument that decides between them, NULL: none does */
	const char **texts;   /* its values */
} dtype_case;

typedef struct dtype_rule {
	dtype_case *cases;
	int n;
	const char *codes; /* "1=n 2=c": the numbers of dtypes in attributes; "" if it has none */
} dtype_rule;

/* The number of a kind's letter, -1: it is none. */
int dtype_kind(char letter);
char dtype_letter(int kind);
/* The dtype of a tensor's kind, -1: a number. */
static inline int dtype_of_kind(int kind)
{
	return kind < 2 * DTYPE_COUNT ? kind % DTYPE_COUNT : -1;
}

/* Appends a rule as JSON. */
void dtype_rule_put(buf *to, const dtype_rule *r);
/* Reads it. NULL: it is malformed. */
dtype_rule *dtype_rule_read(arena *a, const cJSON *o);

#endif
