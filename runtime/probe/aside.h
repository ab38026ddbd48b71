/* Calls and models that a campaign on an expensive target runs beside its models, not before them:
 *
 *   probing   single calls, to learn which the target supports: first those to be retried, then those that no run has probed
 *   invalid   single calls that violate one constraint each, the kinds of constraints in turn
 *   small     models of few calls with one feature (mutation, regions, sessions), by all tiers but the last: these features do not
 *             need its kernels, and a small model takes a tenth of the time
 */
#ifndef ASIDE_H
#define ASIDE_H

#include "beside.h"
#include "campaign.h"
#include "learner.h"

enum { ASIDE_MUTATION, ASIDE_SESSIONS, ASIDE_REGIONS, ASIDE_FEATURES };
enum { ASIDE_SOURCES = 2 + ASIDE_FEATURES };

/* Small models of one feature. */
typedef struct small_models {
	const struct aside *all;
	rs_gen_options options;
	rs_gen *gen; /* NULL: not made yet */
	renewal renewed;
	tiers tiers;
} small_models;

typedef struct aside {
	beside sources[ASIDE_SOURCES]; /* the first n are in use */
	int n;
	const rs_table *table;
	uint64_t seed;
	learner *learner;
	rs_gen *calls, *broken[2]; /* broken: with sizes of 1, which compilers treat specially, and with others */
	uint64_t *retries; /* numbers of calls */
	uint64_t nretries, first; /* first: the first call that no run had probed */
	uint64_t at;		  /* the next invalid call */
	tiers probed;
	small_models small[ASIDE_FEATURES];
} aside;

/* Prepares those that the campaign's models may have. The learner, whose capabilities list the known calls, must outlive it.
 * False and d on failure. */
bool aside_open(aside *a, learner *l, const campaign_options *o, uint64_t seed, diag *d);
void aside_close(aside *a); /* also after aside_open failed */

#endif
