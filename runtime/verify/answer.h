/* What an oracle answered to one question (docs/reference/file-formats.md, "Framework oracle"), and the lines that are made of
 * it: for --wrong, and to keep it as a record.
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
	OUTCOME_FAIL, /* refused, or accepted as another operator's call */
	OUTCOME_MIXED,
	OUTCOME_LOST,
	OUTCOME_SEEN, /* it is one of the records: nothing was run */
	OUTCOME_ERROR
};

typedef struct answer {
	enum outcome outcome;
	const char *text; /* the oracle's word for it, or its error */
	const cJSON *out; /* of a pass: the output dimensions */
	const cJSON *message; /* NULL: none */
} answer;

/* How many answers said neither pass nor fail. */
typedef struct undecided {
	uint64_t seen, mixed, lost, errors;
	char error[256]; /* the first one */
} undecided;

/* Of what the oracle wrote, which must outlive it. False and d when it has no outcome. */
bool answer_read(const cJSON *line, answer *to, diag *d);
/* Whether it is pass or fail; counts it otherwise. */
bool answer_decides(const answer *a, undecided *to);

/* A question and what the rule says of it. */
typedef struct asked {
	const rs_op *op;
	const int64_t *in, *out; /* out: the predicted dimensions; NULL: the rule refuses it */
	const char *drawn;	 /* how it came about */
	const char *breaks;	 /* the clause that it breaks alone; NULL: it is no such question */
} asked;

/* {"op":…,"in":…,"out":…}, without a newline. */
void asked_put(buf *b, const asked *q);
/* Writes the line of --wrong. */
void asked_tell(FILE *to, const asked *q, const answer *a);
/* Appends the input, with the outputs where it passed, to a list of records. */
void asked_keep(buf *list, const asked *q, const answer *a);
/* The line that makes lists of records the operator's. */
void kept_put(buf *b, const rs_op *op, const buf *pass, const buf *fail);

/* Records that the oracle took, and files that it wrote. */
typedef struct keeper {
	oracle *oracle;
	uint64_t kept, saved;
} keeper;

/* Hands over such lines; false and d when the oracle does not take one. */
bool keeper_send(keeper *k, const char *const *lines, int n, diag *d);
bool keeper_save(keeper *k, diag *d);

#endif
