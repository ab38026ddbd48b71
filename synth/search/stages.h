/* The staged search for one output dimension, from low to high cost (docs/explanation/rules.md). */
#ifndef STAGES_H
#define STAGES_H

#include "solve.h"

/* QUICK: the fast stages. FULL: guards, the remaining stages and fallbacks, with known outputs as leaves. */
enum effort { EFFORT_QUICK, EFFORT_FULL };

/* Returns an expression for output dimension d, or NULL with the reason in *why. */
const expr *stages_search(solver *s, int d, enum effort effort, const char **why);

/* Returns a symbol as a function of the others that holds on all passing records: a constraint between arguments.
 * NULL if the fast stages find none. The result is cached in s. */
const expr *stages_explain(const solver *s, int symbol);

#endif
