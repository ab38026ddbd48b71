/* Several databases of findings made one, as after a campaign on several machines.
 *
 *   a finding    one a bucket: counts added, the earliest first time, the best reproduction (a short script before
 *                none, what was reduced to its end, fewer calls, less text), the strongest status: not-a-bug, known, new,
 *                flaky, fixed, unsupported, with its reason and recheck
 *   runs         all of them; keys, rechecks: each once
 *
 * What comes out depends on the set of databases alone, not on their order, and merging what was merged gives what merging
 * all at once gives: everything is chosen and numbered by its content. */
#ifndef MERGE_H
#define MERGE_H

#include "diag.h"

/* The inputs are brought to today's schema, as by any command, and are otherwise left alone. `to` must not be there; it is
 * whole or not there afterwards. False and d. */
bool merge_databases(const char *to, char *const *from, int n, diag *d);

#endif
