/* Models that are worth running again: few that together reach what all the models of earlier runs reached.
 *
 *   file ──► models ──► run again first: a change of the target shows in what was fine before
 *   run ──► a model that was compared and agrees, with something that no other has ──► kept ──► file, minimised
 *
 * What a model reaches are calls, by API and dtypes of their inputs, and edges: which API gives a tensor of which dtype to
 * which input of which API. The file is of JSON models, a line each, the most telling first, so that `rulefuzz coverage`
 * reads it, and who has no time for all runs the first. One serves all jobs of a campaign, under its lock. */
#ifndef REVISIT_H
#define REVISIT_H

#include "campaign.h"

enum { REVISIT_MOST = 500 }; /* models in the file */

typedef struct revisit revisit;

/* What the file holds; a file that is not there holds nothing. Models that are none by these rules are left out. NULL and d
 * for what cannot be read. The table must outlive it. */
revisit *revisit_open(const char *path, const rs_table *table, diag *d);
void revisit_free(revisit *c); /* NULL is fine */

size_t revisit_count(const revisit *c);
/* The i-th model into a graph; false and d where memory ran out. */
bool revisit_model(const revisit *c, size_t i, rs_graph *to, diag *d);

/* Takes a model that was judged, where it adds something. False and d: out of memory. */
bool revisit_see(revisit *c, const rs_graph *model, enum verdict v, diag *d);

/* Keeps no more than so many, such that they reach as much as that many can (greedily), and writes them. */
bool revisit_write(revisit *c, size_t most, const char *path, diag *d);

/* Runs them again, in their order, for so many seconds (0: to the end), as a run of its own; what fails is a finding as in
 * any campaign. o: of the campaign that is to follow. *found: new findings. */
enum campaign_end revisit_run(
    revisit *c, const campaign_options *o, double seconds, store *s, arena *a, int64_t *found, diag *d);
/* Has a campaign's models seen by it. */
void revisit_follow(revisit *c, campaign_options *o);

#endif
