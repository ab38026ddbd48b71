/* Chooses the passing records that go into rules.jsonl, as a fallback for generators. */
#ifndef KEEP_H
#define KEEP_H

#include "record.h"

enum { KEEP_WITH_RULE = 5, KEEP_WITHOUT_RULE = 40 };

/* Writes the indices of the chosen passing records, ascending, into `list`, which has room for op->npass. Returns
 * their number. With a rule: at most KEEP_WITH_RULE, evenly spread. Without: at most KEEP_WITHOUT_RULE, small and diverse.
 * Records of unusual sizes are chosen only if there are no others. */
int keep_records(const operator *op, bool has_rule, int *list);

#endif
