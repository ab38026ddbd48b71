/* Which call of a model fails by itself, so that it can be left out of models: what a target refuses, gets wrong or dies
 * of for some dimensions or attributes only, single calls before the campaign do not show. */
#ifndef BLAME_H
#define BLAME_H

#include "graph.h"
#include "verdict.h"

/* Judges the calls of a model that failed, one at a time and on inputs of its own, up to the first that ends with the
 * same verdict. *found tells; then call is a model of it, numbered, and alone its judgement. call is initialised, alone is
 * to be freed in any case. False and d: no worker can be started, or out of memory. A signal ends it, with VERDICT_stopped. */
bool blame_call(
    judge *by, const graph *model, enum verdict failed, graph *call, judgement *alone, bool *found, diag *d);

#endif
