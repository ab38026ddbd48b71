/* Rules in the words of a call: arguments by their recorded names, positions by an index (docs/glossary.md, "Notation").
 *
 *   s9 >= 0, s10 >= 0                                  padding[i] >= 0 for each i
 *   (s2 + 2*s9 - s6)//s8 + 1, of the last two          out[i] = (input[i] + 2*padding[i] - weight[i])//stride[i] + 1
 *
 * "For some i": the call form decides which, by its ranks (where both tensors have the dimension) or a constant (dim=1). Where a
 * constant alone does: "for i but dim", "for each i before axis", "from axis on".
 * An index counts from the right where shapes and lists of other lengths meet, as broadcasting does, unless the text says
 * "from the left". numel(x) is the product of a shape, prod, sum, most and least go over a list, len is its length, x.low and
 * x.high bound the integers of a tensor, the upper one excluded.
 */
#ifndef NOTATION_H
#define NOTATION_H

#include "statement.h"

/* Who reads: the call forms of a family, which decide what is a list. */
typedef struct notation {
	const operator *const *ops;
	int n;
	const operator *const *whole; /* of whose ranks a dimension's number must tell nothing; NULL: of these */
	int nwhole;
} notation;

/* A clause in a reading, and where it holds. */
void notation_clause(buf *to, const notation *n, const statement *s, reading how);
/* The outputs of the call form n->ops[leader], a text a line, positions of equal forms together. outs: of each of n->ops; a
 * line that stands elsewhere in some is said "for some i". Appends JSON strings, commas between. */
void notation_outputs(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs);
/* An expression of one call form as it stands, its symbols by their names. */
void notation_plain(buf *to, const notation *n, const operator *op, const expr *e);

/* A clause that is written as left == right, neither of which compares anything. */
typedef struct equation {
	buf left, right, where; /* " for each i" */
} equation;

/* The same of a clause in a reading, and of one as it stands; false, and nothing is appended, where it is written otherwise. */
bool notation_equation(equation *to, const notation *n, const statement *s, reading how);
bool notation_plain_equation(equation *to, const notation *n, const operator *op, const expr *e);

#endif
