/* A refinement: the APIs of a folder of records, each asked about until nothing is left to tell apart.
 *
 *   pipeline ──► rules ──► inquiry (inquiry.h) ──► questions ──► oracle ──► answers ──► records kept
 *                  ▲                                                           │
 *                  └─────────── the API is solved again, when one was not foretold
 */
#ifndef SESSION_H
#define SESSION_H

#include "inquiry.h"
#include "pipeline.h"

typedef struct session_options {
	const char *command; /* of the oracle (oracle.h) */
	const char *traces; /* operators are asked about whose records lie there; others only take part in the rules. NULL: all */
	int rounds;	     /* times that an API is solved and asked about */
	int budget;	     /* questions for each operator, all rounds together */
	uint64_t seed;
	shard shard; /* of the APIs that are asked about; the rules are those of all */
	pipeline_options pipeline; /* glob: APIs of which an operator's name matches; threads: each with an oracle of its own */
} session_options;

enum session_end {
	SESSION_WHOLE,
	SESSION_REFUSED, /* nothing to ask about, or the oracle would not keep what it was told */
	SESSION_LOST	 /* the oracle is missing, or does not stay alive */
};

typedef struct session_result {
	int apis, operators; /* asked about */
	long files;	     /* that the oracle wrote */
	tally sum;
	buf report; /* JSON lines: what became of each operator */
	double seconds;
	enum session_end end;
	diag why; /* unless it is whole */
} session_result;

/* Asks and keeps; the oracle writes the records after each API, so that what was learned stays when the session ends
 * early. The records are as before when it returns. */
session_result session_run(records *r, const session_options *o);
void session_free(session_result *s);

#endif
