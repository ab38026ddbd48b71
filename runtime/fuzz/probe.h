/* Learning what a target can do: a campaign of single calls (strategy calls) before the one that is asked for. */
#ifndef PROBE_H
#define PROBE_H

#include "campaign.h"
#include "capabilities.h"

enum { CALLS_NUMEL = 4096 }; /* elements a tensor at most, of calls that are tried */

/* The single calls of a table with tensors of so many elements, in their order: a generator, NULL and d when there is
 * none. */
rs_gen *open_calls(const rs_table *table, int64_t max_numel, diag *d);

/* Goes on from where `known` stands, for so many seconds or to the end, and writes the file as it goes. What is wrong or
 * crashes becomes a finding as in any campaign. o: of the campaign that is to follow. *found: new findings. */
enum campaign_end probe_target(const campaign_options *o, capabilities *known, const char *path, double seconds,
    store *s, arena *a, int64_t *found, diag *d);

#endif
