/* Recorded signatures as bindings: each row of a table is a call whose numbers are symbols. A call that fits a row gives the
 * row's symbols, so that its rule can be evaluated. */
#ifndef RECORDED_H
#define RECORDED_H

#include "bind.h"

typedef struct recorded {
	const rs_op *op;
	binding bound;
	const char *names[PARAMETERS_MOST]; /* by parameter: the argument's name in records; NULL: the row omits it */
} recorded;

/* The rows of an API, bound. *n: how many; rows that fit no overload are excluded. If the framework's signature is unknown,
 * the rows themselves make one: *overloads and *noverloads are then replaced. NULL: out of memory. */
recorded *recorded_rows(const rs_op *ops, size_t nops, const overload **overloads, size_t *noverloads, arena *memory, size_t *n);

/* The call of a row's symbols: its tensors' dimensions point into them. False: out of memory. */
bool recorded_instance(const recorded *row, const int64_t *symbols, arena *memory, binding *out);

/* The symbols of a bound call in a row's signature. False: the call is not of this signature. */
bool recorded_match(const recorded *row, const binding *b, int64_t *symbols);

/* The dtypes of the input tensors of a call that fits a row, in the row's order. RS_OTHER: unknown. */
void recorded_dtypes(const recorded *row, const binding *b, uint8_t *dtypes);

/* Replaces tensors with known elements by plain ones if rows have plain tensors of this rank there: those accept any elements, or
 * any within a range. False: there is none, or memory ran out. */
bool recorded_plain_tensors(const recorded *rows, size_t n, const binding *b, arena *memory, binding *out);

#endif
