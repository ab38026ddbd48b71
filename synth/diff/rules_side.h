/* A file of rules as a side of a diff, and inputs on which two such files differ.
 *
 * Signatures of two files correspond if they have the same API, arguments and output dtypes. Their numbers do not count:
 * they change with every collection.
 */
#ifndef RULES_SIDE_H
#define RULES_SIDE_H

#include "prove.h"
#include "reply.h"

typedef struct rules_side rules_side;

/* NULL and d ("path:line: error: …") if the file cannot be read or is malformed. */
rules_side *rules_side_read(const char *path, diag *d);
void rules_side_free(rules_side *s);

/* REPLY_LOST if the signature has no rule, REPLY_ABSENT if the file lacks it. */
reply rules_side_reply(const rules_side *s, const operator *op, const int64_t *x, arena *memory);

/* The signatures of the file as records, each with the passing records stored with the rule. False and d: out of
 * memory. The caller frees r in both cases. */
bool rules_side_records(const char *path, records *r, diag *d);

/* Called with each input on which two files differ. */
typedef void rules_apart(void *user, const operator *op, const int64_t *x);
/* Searches by Z3 for inputs in the signature's box on which a clause or output of the two rules differs. */
void rules_side_separate(const rules_side *a, const rules_side *b, const operator *op, prover *finder, rules_apart *take, void *user);

#endif
