/* The clauses and outputs of one signature's own rule as texts that rules of other signatures may share. A way names what differs
 * between signatures.
 *
 *   One signature's clauses                          For all signatures
 *
 *   input[4] - 4*((input[4] + 4)//5) > 0             input[dim] - 4*((input[dim] + 4)//len(out)) > 0
 *
 *   out4[4] > 0                                      out[-1][dim] > 0
 *
 *   paddings[0][0] >= 0, …, paddings[1][1] >= 0      paddings[i][j] >= 0 for each i, j
 */
#ifndef STATEMENT_H
#define STATEMENT_H

#include "api_view.h"
#include "symbol_place.h"

enum statement_way { /* bits */
	INDEX_I = 1, INDEX_J = 2, /* The indices of the first symbol with most of them are variables. */
	NAME_AXIS = 4,	  /* x[dim], if an argument is the constant 1. */
	NAME_COUNT = 8,	  /* len(out) for the number of outputs. */
	NAME_RANK = 16,	  /* rank(x) for the rank of the first tensor. */
	NAME_OUTPUT = 32, /* In a clause, out0[1] for the expression of this dimension. */
	NAME_LAST = 64,	  /* out[-1] for the last output. */
	STATEMENT_WAYS = 128
};

enum { INDEX_DEPTHS = 2 };

typedef struct statement {
	const expr *e;
	int output, dim, rank;				/* output -1: a clause */
	int index[INDEX_DEPTHS], length[INDEX_DEPTHS]; /* of the first symbol with most indices; -1: it has fewer */
} statement;

typedef struct statements {
	const api_view *v;
	const view_row *row;
	const symbol_place *places;
	statement *list;
	int n;
} statements;

/* A row's clauses, or its outputs, in the view's memory. */
statements statements_of(const api_view *v, int row, bool outputs);

/* The text; NULL if a bit of the way changes nothing. *same: how many statements of the row together have the text if it is of
 * all indices; otherwise 1. */
const char *statement_text(const statements *s, const statement *one, int way, int *same);

#endif
