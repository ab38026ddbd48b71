/* Cross-check: compares the live kernels with second opinions (static inference, other forms of a call, compilers) on
 * recorded calls, fresh samples and invalid calls, and groups differences by cause (docs/explanation/rules.md).
 *
 *   signatures, shuffled by the seed ──► records, samples, invalid calls, rejected records ──lines──► second opinions
 *   groups: API, form, what differs, message without numbers ◄── differences ◄── answers ◄───────────┘
 *   first call of each group ──► a script, run in a fresh process: the tiers that reproduce it
 */
#ifndef CROSS_CHECK_H
#define CROSS_CHECK_H

#include "arena.h"
#include "oracle.h"
#include "rulesmith.h"

typedef struct cross_check_options {
	const rs_table *table;
	const char *kind;	/* kind of second opinion, for keys */
	const char *api;	/* a glob; NULL: all */
	uint64_t count, seed;	/* maximum questions; 0: limited by time only */
	double seconds;		/* seconds for questions, and as many again to confirm */
	bool (*stopped)(void);	/* whether the user asked to stop; NULL: never */
	bool progress;		/* print progress on standard error */
} cross_check_options;

/* Differences with one cause. */
typedef struct cross_check_group {
	const char *key, *api, *form, *what, *live, *said, *drawn, *op;
	const char *input;   /* of the first difference: JSON, a list of symbols */
	const char *opinion; /* its second opinion, as the oracle wrote it */
	uint64_t count;
	bool tried;	     /* confirmation was tried */
	const char *tiers;   /* the tiers by which a fresh process reproduced it, separated by spaces; "": none */
	const char *script;  /* NULL: not tried */
} cross_check_group;

enum { CROSS_CHECK_NOISE = 32 };

typedef struct cross_check_result {
	arena *memory;
	cross_check_group *groups; /* in descending order of differences */
	uint32_t ngroups;
	size_t room;
	uint64_t asked, opinions, same, differing, lost, errors;
	struct {
		const char *name;
		uint64_t count;
	} noise[CROSS_CHECK_NOISE]; /* per row of the table of noise */
	uint32_t nnoise;
	char error[256]; /* the first error */
	bool stopped;
} cross_check_result;

/* False and d: the oracle does not start, or out of memory. The result has everything before that; free it in either case. */
bool cross_check(const cross_check_options *o, oracle *oracle, cross_check_result *r, diag *d);
void cross_check_result_free(cross_check_result *r);

#endif
