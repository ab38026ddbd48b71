/* rulefuzz verify --cross-check: compares the framework's kernels with a second opinion (verify/cross_check.h), prints the groups
 * of differences and writes their scripts. */
#ifndef VERIFY_CROSS_CHECK_H
#define VERIFY_CROSS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct verify_cross_check_options {
	const char *kind;      /* a row of verify/cross_check.def */
	const char *framework; /* NULL: that of the kind */
	const char *api, *scripts, *oracle, *rules; /* NULL: all APIs, no scripts, the kind's own oracle, the built-in rules */
	uint64_t count, seed;  /* count 0: no limit */
	double seconds;
	bool json;
} verify_cross_check_options;

/* Returns an exit code: EXIT_CHECK if a difference was confirmed, EXIT_PARTIAL if the user stopped it. */
int verify_cross_check(const verify_cross_check_options *o);

#endif
