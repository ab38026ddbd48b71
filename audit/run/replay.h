/* Every record of a rule through its compiled functions: docs/audit.md, What is run. */
#ifndef AUDIT_REPLAY_H
#define AUDIT_REPLAY_H

#include "compiled.h"
#include "records.h"

typedef struct replayed {
	uint64_t hash;			/* of the records' line; 0: there was none */
	unsigned passed, failed; /* answered as recorded */
	unsigned empty, outside; /* refused though they passed, as the rule says of itself: for their empty tensors, and others */
	unsigned left; /* no rule can speak of them: beyond int64, or a dimension below 0 came out */
	unsigned wrong;
	char detail[400]; /* of the first that is wrong */
} replayed;

replayed replay(const rs_op *op, const audited_rule *r, const recorded *records);

#endif
