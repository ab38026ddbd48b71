/* The calls that the rule of an API covers. The evidence for a rule are the recorded signatures whose records it reproduces; it
 * covers calls like these and calls between them.
 *
 *   rows that the rule reproduces, in the same cases ──► observed ranks, kinds of arguments, constants
 *
 * A call is covered if each argument is as in one of these rows. Each rank must be one of theirs, or between them.
 */
#ifndef CALL_EVIDENCE_H
#define CALL_EVIDENCE_H

#include "dtype_evaluate.h"
#include "rule_evaluate.h"
#include "recorded.h"

enum evidence_half { EVIDENCE_CLAUSES, EVIDENCE_OUTPUTS, EVIDENCE_HALVES };

typedef struct covering { /* one case of a rule and its evidence */
	const api_rules *api;
	const dtype_code *dtypes; /* the dtype rule, which accepts the call; NULL: none does */
	rule_case which;
	const rs_table *table;
	const recorded *rows;
	size_t nrows;
	bool *reproduced; /* by row: its records follow this case */
	bool *halves[EVIDENCE_HALVES]; /* by row: its records follow this half; NULL if some records follow the whole case */
	enum evidence_half half; /* the half under consideration; EVIDENCE_HALVES: both */
	bool extended;	  /* a call was covered although no such row has its ranks or arguments: evidence_of sets it */
} covering;

/* Gathers the evidence for a case. False: out of memory. */
bool evidence_gather(const api_rules *api, rule_case which, const rs_table *table, const recorded *rows, size_t nrows, arena *memory,
    covering *out);

/* A bound call with the argument names of the rules. any: also under other names that records have for a parameter, as in dtype
 * rules. */
void evidence_call(const api_rules *api, const recorded *rows, size_t nrows, const binding *b, bool any, rule_call *out);

/* Whether the evidence covers a call. If not, `missing` names an argument or value that was never observed. */
bool evidence_of(covering *c, const binding *b, buf *missing);

/* Gives each half of the case its own evidence, although some records have both. False: out of memory. */
bool evidence_split(covering *c, arena *memory);

/* A parameter that is an axis in all records, but whose value is not an axis of the call's first tensor. -1: none. */
int evidence_no_axis(const recorded *rows, size_t nrows, const binding *b);

/* Whether signatures with the same arguments have different numbers or ranks of outputs, as for split and squeeze. A call that
 * one of them rejects may belong to another, and a record that it rejects may be accepted with other outputs. If some rows have
 * lists as long as the call's, only ranks of those rows count. */
bool evidence_outputs_vary(const recorded *rows, size_t nrows, const binding *call);

/* Whether a row of the evidence has the call's ranks, axes and lengths of lists. lengths: only those of lists of integers. */
bool evidence_has_places(const covering *c, const binding *b, bool lengths);

/* The first reproduced row with the same tensors as a call: its dtypes are the call's. NULL: none. */
const recorded *evidence_like(const covering *c, const binding *b);

#endif
