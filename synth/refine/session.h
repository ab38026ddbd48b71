/* A refinement session: queries the APIs of a folder of records until no rivals are left.
 *
 *   pipeline ──► rules ──► inquiry (inquiry.h) ──► questions ──► oracle ──► answers ──► records kept
 *                  ▲                                                           │
 *                  └─────────── the API is solved again after an unpredicted answer
 */
#ifndef SESSION_H
#define SESSION_H

#include "inquiry.h"
#include "pipeline.h"

typedef struct session_options {
	const char *command; /* of the oracle (oracle.h) */
	const char *traces; /* only operators whose records are below this folder are queried; NULL: all. The others contribute to
	                     * the rules */
	int rounds;	     /* maximum number of times that an API is solved and queried */
	int budget;	     /* questions per operator, all rounds together */
	uint64_t seed;
	shard shard; /* of the queried APIs; the rules use all records */
	pipeline_options pipeline; /* glob: APIs with an operator whose name matches; threads: each has its own oracle */
} session_options;

enum session_end {
	SESSION_WHOLE,
	SESSION_REFUSED, /* nothing to query, or the oracle refused to store records */
	SESSION_LOST	 /* the oracle is missing or keeps crashing */
};

typedef struct session_result {
	int apis, operators; /* queried */
	long files;	     /* written by the oracle */
	tally sum;
	buf report; /* JSON lines, one per operator */
	double seconds;
	enum session_end end;
	diag why; /* set unless end is SESSION_WHOLE */
} session_result;

/* Queries and keeps records. The oracle writes them after each API, so nothing is lost if the session ends early. The records
 * in memory are restored before it returns. */
session_result session_run(records *r, const session_options *o);
void session_free(session_result *s);

#endif
