/* Corpus replay: a few models that together cover everything that models of earlier runs covered.
 *
 *   file ──► models ──► replayed first: a regression of the target shows
 *   run ──► a model that agrees and covers something new ──► kept ──► file, minimized
 *
 * A model covers calls (API and dtypes of the inputs) and edges (the producer's API, the dtype, the consumer's API and input).
 * The file has a JSON model per line, those that cover most first; `rulefuzz coverage` reads it. All jobs of a campaign share one
 * corpus, under its lock. */
#ifndef REPLAY_H
#define REPLAY_H

#include "campaign.h"

enum { REPLAY_MOST = 500 }; /* models in the file */

typedef struct replay replay;

/* Reads a file; a missing one is empty. Skips models that are invalid by these rules. NULL and d if it cannot be read. The
 * table must outlive it. */
replay *replay_open(const char *path, const rs_table *table, diag *d);
void replay_free(replay *c); /* accepts NULL */

size_t replay_count(const replay *c);
/* Copies the i-th model to a graph; false and d: out of memory. */
bool replay_model(const replay *c, size_t i, rs_graph *to, diag *d);

/* Adds a judged model if it covers something new. False and d: out of memory. */
bool replay_see(replay *c, const rs_graph *model, enum verdict v, diag *d);

/* Keeps at most `most` models, chosen greedily by coverage, and writes them. */
bool replay_write(replay *c, size_t most, const char *path, diag *d);

/* Replays the models in order for the given seconds (0: all), as a separate run. Failures become findings as in any campaign.
 * o: options of the campaign that follows. */
enum campaign_end replay_run(replay *c, const campaign_options *o, double seconds, store *s, arena *a, diag *d);
/* Collects the models of a campaign. */
void replay_follow(replay *c, campaign_options *o);

#endif
