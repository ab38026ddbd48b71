/* Probing: a campaign of single calls (strategy calls) before fuzzing, which finds the calls that the target supports. */
#ifndef PROBE_H
#define PROBE_H

#include "campaign.h"
#include "capabilities.h"

enum { CALLS_NUMEL = 4096 }; /* maximum elements of a tensor of a probed call */

/* A generator of a table's single calls, in order, with tensors of at most max_numel elements. NULL and d: no calls. */
rs_gen *open_calls(const rs_table *table, int64_t max_numel, diag *d);

/* A generator with one call of each API that violates a constraint; freely chosen sizes are at most `size`. Each seed has another
 * kind of constraint; calls without one of the kind stay valid. */
rs_gen *open_invalid_calls(const rs_table *table, int64_t size, diag *d);

/* The numbers of the calls to retry, of a generator of open_calls. *numbers is to be freed. False and d: out of memory. */
bool probe_retries(rs_gen *gen, const capabilities *known, uint64_t **numbers, uint64_t *n, diag *d);

/* Of the calls that `known` excludes as findings, keeps those excluded that are findings of the store. probe_target retries
 * the others, so a new database reports them again. False and d: the store failed, or out of memory. */
bool probe_keep_found(capabilities *known, store *s, diag *d);

/* Runs the calls to be retried, then continues after the last call of `known` for the given seconds or to the end. Writes the
 * file meanwhile. Wrong results and crashes become findings as in any campaign. o: of the campaign that is to follow. */
enum campaign_end probe_target(const campaign_options *o, capabilities *known, const char *path, double seconds,
    store *s, arena *a, diag *d);

#endif
