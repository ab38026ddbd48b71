/* Probing: a campaign of single calls (strategy calls) before fuzzing, which shows what the target supports. */
#ifndef PROBE_H
#define PROBE_H

#include "campaign.h"
#include "capabilities.h"

enum { CALLS_NUMEL = 4096 }; /* elements a tensor at most, of calls that are tried */

/* The single calls of a table with tensors of so many elements, in their order: a generator, NULL and d when there is
 * none. */
rs_gen *open_calls(const rs_table *table, int64_t max_numel, diag *d);

/* Keeps excluded, of the calls that `known` has as findings, those that are findings of the store. The others
 * are retried by probe_target: a new database reports them again. False and d. */
bool probe_keep_found(capabilities *known, store *s, diag *d);

/* Runs the calls to be retried, then goes on from where `known` stands, for so many seconds or to the end, and writes the file
 * as it goes. What is wrong or crashes becomes a finding as in any campaign. o: of the campaign that is to follow.
 * *duplicates: failures of findings that were stored. */
enum campaign_end probe_target(const campaign_options *o, capabilities *known, const char *path, double seconds,
    store *s, arena *a, int64_t *duplicates, diag *d);

#endif
