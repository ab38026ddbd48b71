/* If the normal form leaves it open, Z3 (unbounded integers) decides whether a formula has a solution in int64 symbols. */
#ifndef AUDIT_DECIDE_H
#define AUDIT_DECIDE_H

#include "term.h"

enum decision { DECIDED_NONE, DECIDED_SOME, DECIDED_UNKNOWN };

/* NONE: no symbols satisfy f. SOME: s (nsym symbols) satisfies it, checked by term_holds. */
enum decision decide(term *f, unsigned nsym, int64_t *s);

/* The same for formulas over opaque numbers. No solution is returned. */
bool decide_none(term *f);

#endif
