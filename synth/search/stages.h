/* The search for one output dimension, staged from cheap to dear (design, synth). */
#ifndef STAGES_H
#define STAGES_H

#include "solve.h"

/* CHEAP: the stages that cost little; DEAR: those that are left, with outputs already known as leaves. */
enum effort { CHEAP, DEAR };

/* An expression for output dimension d; NULL and a reason otherwise. */
const expr *shape_search(solver *s, int d, enum effort effort, const char **why);

/* A symbol as a function of the others, on the passing records: what calls must agree on. NULL when nothing cheap
 * gives it. */
const expr *shape_explain(const solver *s, int symbol);

#endif
