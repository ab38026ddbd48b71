/* Replays every record of a rule through its compiled functions. */
#ifndef AUDIT_REPLAY_H
#define AUDIT_REPLAY_H

#include "compiled.h"
#include "records.h"

typedef struct replayed {
	uint64_t hash;			/* hash of the line of records; 0: none */
	unsigned passed, failed; /* answered as recorded */
	unsigned empty, outside; /* accepted calls that are rejected, as the rule states: with empty tensors, and others */
	unsigned left; /* outside any rule: numbers beyond int64, or a negative output dimension */
	unsigned wrong;
	char detail[400]; /* about the first wrong record */
} replayed;

replayed replay(const rs_op *op, const audited_rule *r, const recorded *records);

#endif
