/* Models that are worth running again: few that together reach what all the models of earlier runs reached.
 *
 *   file ──► models ──► run again first: a change of the target shows in what was fine before
 *   run ──► a model that was compared and agrees, with something that no other has ──► kept ──► file, minimised
 *
 * What a model reaches are calls, by API and dtypes of their inputs, and edges: which API gives a tensor of which dtype to
 * which input of which API. The file is of JSON models, a line each, the most telling first, so that `rulefuzz coverage`
 * reads it, and who has no time for all runs the first. One serves all jobs of a campaign, under its lock. */
#ifndef REPLAY_H
#define REPLAY_H

#include "campaign.h"

enum { REPLAY_MOST = 500 }; /* models in the file */

typedef struct replay replay;

/* What the file holds; a file that is not there holds nothing. Models that are none by these rules are left out. NULL and d
 * for what cannot be read. The table must outlive it. */
replay *replay_open(const char *path, const rs_table *table, diag *d);
void replay_free(replay *c); /* NULL is fine */

size_t replay_count(const replay *c);
/* The i-th model into a graph; false and d where memory ran out. */
bool replay_model(const replay *c, size_t i, rs_graph *to, diag *d);

/* Takes a model that was judged, where it adds something. False and d: out of memory. */
bool replay_see(replay *c, const rs_graph *model, enum verdict v, diag *d);

/* Keeps no more than so many, such that they reach as much as that many can (greedily), and writes them. */
bool replay_write(replay *c, size_t most, const char *path, diag *d);

/* Runs them again, in their order, for so many seconds (0: to the end), as a run of its own; what fails is a finding as in
 * any campaign. o: of the campaign that is to follow. *duplicates: failures of stored findings. */
enum campaign_end replay_run(
    replay *c, const campaign_options *o, double seconds, store *s, arena *a, int64_t *duplicates, diag *d);
/* Has a campaign's models seen by it. */
void replay_follow(replay *c, campaign_options *o);

#endif
