/* Merges databases of findings, for example of a campaign on several machines.
 *
 *   findings   one per bucket: counts are added, the earliest date and the best reproduction are kept (a short script before
 *              none, fully reduced before not, fewer calls, less text). The strongest status wins, with its reason and
 *              recheck: not-a-bug, known, open, flaky, fixed, unsupported
 *   runs, keys, rechecks   all of them, each once
 *
 * The result depends only on the set of databases, not on their order, and merging merged databases gives the same: rows
 * are chosen and numbered by their contents. */
#ifndef MERGE_H
#define MERGE_H

#include "diag.h"

/* The inputs are migrated to the current schema, as by any command that writes, and are otherwise unchanged. `to` must not
 * exist. On failure, false and d, and there is no `to`. */
bool merge_databases(const char *to, char *const *from, int n, diag *d);

#endif
