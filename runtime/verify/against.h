/* Second opinions: static inference, other forms of a call and compilers, asked beside the live kernels about recorded calls,
 * fresh draws and near misses, and what they say otherwise, by cause (docs/explanation/rules.md).
 *
 *   operators, in an order of the seed's ──► records, samples, near misses, refused records ──lines──► second opinions
 *   groups: API, form, what differs, message without numbers ◄── differences ◄── answers ◄──────────────┘
 *   each group's first call ──► a script, run in a process of its own: the tiers that show it
 */
#ifndef AGAINST_H
#define AGAINST_H

#include "arena.h"
#include "oracle.h"
#include "rulesmith.h"

typedef struct against_options {
	const rs_table *table;
	const char *kind;	/* whose opinion, for keys */
	const char *api;	/* a glob; NULL: all */
	uint64_t count, seed;	/* questions at most; 0: as many as there is time for */
	double seconds;		/* to ask, and as many again to confirm */
	bool (*stopped)(void);	/* whether the user asked to stop; NULL: never */
	bool progress;		/* on standard error */
} against_options;

/* Differences of one cause. */
typedef struct against_group {
	const char *key, *api, *form, *what, *live, *said, *drawn, *op;
	const char *input;   /* of the first: JSON, a list of symbols, */
	const char *opinion; /* and its opinion as the oracle wrote it */
	uint64_t count;
	bool tried;	     /* to confirm */
	const char *tiers;   /* the ways that a fresh process showed it by, spaces between; "": none */
	const char *script;  /* NULL: not tried */
} against_group;

enum { AGAINST_NOISE = 32 };

typedef struct against_result {
	arena *memory;
	against_group *groups; /* those with most differences first */
	uint32_t ngroups;
	size_t room;
	uint64_t asked, opinions, same, differing, lost, errors;
	struct {
		const char *name;
		uint64_t count;
	} noise[AGAINST_NOISE]; /* by row of the table of noise */
	uint32_t nnoise;
	char error[256]; /* the first */
	bool stopped;
} against_result;

/* False and d when the oracle does not start or memory ran out; what came before is in the result, which is to be freed in
 * either case. */
bool against(const against_options *o, oracle *oracle, against_result *r, diag *d);
void against_result_free(against_result *r);

#endif
