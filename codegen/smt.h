/* A rule as SMT-LIB text, to search calls that its sampler cannot find (docs/explanation/rules.md). */
#ifndef SMT_H
#define SMT_H

#include "rules_file.h"

/* Prints "(define-fun valid () Bool …)(define-fun o0 () Int …)…" over the constants s0, s1, …. The reader defines
 * fdiv, fmod, imin and imax: floor division, remainder, minimum and maximum. */
void smt_rule(buf *out, const rule_op *op);

#endif
