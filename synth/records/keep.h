/* Which of an operator's passing records go into rules.jsonl, for generators to fall back on. */
#ifndef KEEP_H
#define KEEP_H

#include "record.h"

enum { KEEP_WITH_RULE = 5, KEEP_WITHOUT = 40 };

/* Puts the rows of op->pass that are kept, rising, into list, which has room for op->npass, and returns how many there
 * are. Beside a rule a few, evenly spread; without one up to KEEP_WITHOUT, since generators have nothing else: small
 * ones that differ. Of usual sizes where there are such. */
int keep_records(const operator *op, bool has_rule, int *list);

#endif
