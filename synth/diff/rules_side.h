/* A file of rules as a side of a difference, and inputs that tell two such files apart.
 *
 * An operator of one file is that of another which has the same API, arguments and output dtypes: numbers change with
 * every collection, calls do not.
 */
#ifndef RULES_SIDE_H
#define RULES_SIDE_H

#include "prove.h"
#include "reply.h"

typedef struct rules_side rules_side;

/* NULL and d ("path:line: error: …") where the file cannot be read or is not as it should be. */
rules_side *rules_side_read(const char *path, diag *d);
void rules_side_free(rules_side *s);

/* LOST where it has no rule for the operator, ABSENT where it does not have the operator. */
reply rules_side_reply(const rules_side *s, const operator *op, const int64_t *x, arena *memory);

/* The operators of the file as records, each with the passing records that the rule keeps. False and d: no memory for
 * them. The caller frees r either way. */
bool rules_side_records(const char *path, records *r, diag *d);

/* Called with each input that two files answer otherwise, by Z3's word. */
typedef void rules_apart(void *user, const operator *op, const int64_t *x);
/* Looks for inputs in the operator's box on which the rules of both differ: in a clause, in an output. */
void rules_side_separate(const rules_side *a, const rules_side *b, const operator *op, prover *finder, rules_apart *take, void *user);

#endif
