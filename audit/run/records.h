/* Record files (traces/SCHEMA.md), by the audit's own reader: each line's signature and its accepted and
 * rejected calls. */
#ifndef AUDIT_RECORDS_H
#define AUDIT_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct recorded_call {
	bool passed, beyond; /* beyond: one of its numbers does not fit int64 */
	unsigned in, nin, out, nout; /* in recorded.number: start and count of its symbols and of its output dimensions */
} recorded_call;

typedef struct recorded {
	const char *path;
	unsigned line;
	char op[256];
	uint64_t hash; /* of the line */
	recorded_call *call;
	int64_t *number; /* the nearest int64 for a number outside it */
	unsigned ncalls, nnumbers;
} recorded;

/* Calls `each` with every line of a file; the callee owns nothing. Prints `path:line: error: what` and
 * returns false if the file cannot be read or a line is malformed. */
bool records_read(const char *path, void (*each)(const recorded *r, void *user), void *user);

#endif
