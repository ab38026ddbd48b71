/* Effects of calls on memory: the inputs that they write to, and the results that share memory with an input. Learned by running
 * recorded calls (traces/NAME/ALIASES.tsv, docs/reference/file-formats.md). */
#ifndef ALIASES_H
#define ALIASES_H

#include <stdbool.h>
#include <stdint.h>

#include "rulesmith.h"

/* The relation of a result to an input. ALIAS_MAYBE: a view, the input or fresh memory, depending on the layout of the input.
 * ALIAS_UNDECLARED: it shares memory although its operator does not declare it, so no call may write to either. */
enum alias { ALIAS_NONE, ALIAS_MAYBE, ALIAS_UNDECLARED, ALIAS_VIEW, ALIAS_SELF };

typedef struct alias_row {
	const char *op, *writes, *returns, *disjoint;
} alias_row;

/* The row of a signature; NULL: its results are fresh and dense if its inputs are dense, and it writes to no input. */
const alias_row *alias_find(const rs_op *op);

/* Whether a call writes to this input; all inputs if it changes shapes. A call that could not be run counts as writing to
 * none. */
bool alias_writes(const alias_row *row, unsigned input);
/* The inputs that a call of nin inputs writes to, as bits. */
uint64_t alias_mask(const alias_row *row, unsigned nin);
/* Whether a call may write to an input, or change its shape. */
bool alias_writes_any(const alias_row *row);
/* Whether it may change the shape or strides of an input. */
bool alias_reshapes(const alias_row *row);
/* The relation of a result; *input is the input, UINT32_MAX: any of them. */
enum alias alias_of(const alias_row *row, unsigned output, unsigned *input);
/* Whether a result is dense if all inputs are. */
bool alias_dense(const alias_row *row, unsigned output);
/* Whether the results of a call share no address among their elements if the inputs share none. false: unknown.
 * made, taken: elements of a result and of the input that it is an alias of. */
bool alias_disjoint(const alias_row *row, const int64_t *symbols, int64_t made, int64_t taken);

#endif
