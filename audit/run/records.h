/* Record files (traces/SCHEMA.md) by a reader of the audit's own: of a line the operator's name and what passed and failed. */
#ifndef AUDIT_RECORDS_H
#define AUDIT_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct recorded_call {
	bool passed, beyond; /* beyond: one of its numbers does not fit int64 */
	unsigned in, nin, out, nout; /* in recorded.number: where its symbols and its output dimensions begin, how many */
} recorded_call;

typedef struct recorded {
	const char *path;
	unsigned line;
	char op[256];
	uint64_t hash; /* of the line */
	recorded_call *call;
	int64_t *number; /* beyond int64: the nearest */
	unsigned ncalls, nnumbers;
} recorded;

/* Calls `each` with every line of a file, which owns what it is given. False: the file cannot be read, or a line is none of
 * records, with `path:line: error: what` on stderr. */
bool records_read(const char *path, void (*each)(const recorded *r, void *user), void *user);

#endif
