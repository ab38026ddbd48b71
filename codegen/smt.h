/* A rule as SMT-LIB text, for what its sampler cannot do (docs/explanation/rules.md). */
#ifndef SMT_H
#define SMT_H

#include "rules_file.h"

/* "(define-fun valid () Bool …)(define-fun o0 () Int …)…" over the constants s0, s1, …; division and
 * remainder are fdiv and fmod, minimum and maximum imin and imax, which the reader defines. */
void smt_rule(buf *out, const rule_op *op);

#endif
