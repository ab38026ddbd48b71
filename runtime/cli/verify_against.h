/* rulefuzz verify --against: asks for second opinions (verify/against.h), prints the groups, writes their scripts. */
#ifndef VERIFY_AGAINST_H
#define VERIFY_AGAINST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct verify_against_options {
	const char *kind;      /* a row of verify/against.def */
	const char *framework; /* NULL: the kind's */
	const char *api, *scripts, *oracle, *rules; /* NULL: all, no files, the kind's own, the rules linked in */
	uint64_t count, seed;  /* count 0: no bound */
	double seconds;
	bool json;
} verify_against_options;

/* An exit code: EXIT_CHECK where a difference was confirmed, EXIT_PARTIAL where the user stopped it. */
int verify_against(const verify_against_options *o);

#endif
