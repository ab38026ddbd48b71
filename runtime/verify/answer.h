/* The answer of an oracle to one question (docs/reference/file-formats.md, "Framework oracle"), and the lines made from it
 * for --wrong and for records.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <cjson/cJSON.h>

#include "buf.h"
#include "diag.h"
#include "oracle.h"
#include "ruletable.h"

enum outcome {
	OUTCOME_PASS,
	OUTCOME_FAIL, /* rejected, or accepted as a call of another signature */
	OUTCOME_MIXED,
	OUTCOME_LOST,
	OUTCOME_SEEN, /* the call is a record; nothing was run */
	OUTCOME_ERROR
};

typedef struct answer {
	enum outcome outcome;
	const char *text; /* the oracle's text for it, or its error */
	const cJSON *out; /* if it passed: the output dimensions */
	const cJSON *message; /* NULL: none */
} answer;

/* Numbers of answers that are neither pass nor fail. */
typedef struct undecided {
	uint64_t seen, mixed, lost, errors;
	char error[256]; /* the first error */
} undecided;

/* Parses the oracle's text, which must outlive the answer. False and d: it has no outcome. */
bool answer_read(const cJSON *line, answer *to, diag *d);
/* Whether it is pass or fail; otherwise counts it. */
bool answer_decides(const answer *a, undecided *to);

/* A question and the prediction of the rule. */
typedef struct asked {
	const rs_op *op;
	const int64_t *in, *out; /* out: the predicted dimensions; NULL: predicted invalid */
	const char *drawn;	 /* how the input was drawn */
	const char *breaks;	 /* the only clause that it violates; NULL: not a single-clause question */
} asked;

/* {"op":…,"in":…,"out":…}, without a newline. */
void asked_put(buf *b, const asked *q);
/* Writes the line of --wrong. */
void asked_tell(FILE *to, const asked *q, const answer *a);
/* Appends the input, with its outputs if it passed, to a list of records. */
void asked_keep(buf *list, const asked *q, const answer *a);
/* The line that gives lists of records to the signature. */
void kept_put(buf *b, const rs_op *op, const buf *pass, const buf *fail);

/* Numbers of records that the oracle stored, and of files that it wrote. */
typedef struct keeper {
	oracle *oracle;
	uint64_t kept, saved;
} keeper;

/* Sends such lines; false and d if the oracle rejects one. */
bool keeper_send(keeper *k, const char *const *lines, int n, diag *d);
bool keeper_save(keeper *k, diag *d);

#endif
