/* Z3 (integers without bound) for what the normal form leaves open: whether a formula has a solution in int64 symbols. */
#ifndef AUDIT_DECIDE_H
#define AUDIT_DECIDE_H

#include "term.h"

enum decision { DECIDED_NONE, DECIDED_SOME, DECIDED_UNKNOWN };

/* NONE: no symbols satisfy f. SOME: s (nsym of them) does, by term_holds. */
enum decision decide(term *f, unsigned nsym, int64_t *s);

/* The same of opaque numbers, too; what a solution is, is not told. */
bool decide_none(term *f);

#endif
