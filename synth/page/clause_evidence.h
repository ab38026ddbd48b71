/* What speaks for clauses of a family's rule, and against them: recorded calls of its members. */
#ifndef CLAUSE_EVIDENCE_H
#define CLAUSE_EVIDENCE_H

#include "api_unify_view.h"

typedef struct clause_evidence {
	long refused, alone; /* refused calls that they explain, and those that no other clause does */
	long passed;	     /* calls that pass and that the members go without, which they refuse */
	bool empty;	     /* all that speak for them, where there are any those that they alone explain, have an empty tensor */
} clause_evidence;

/* Of several clauses together, `of` one for each of the view's. */
clause_evidence clause_evidence_of(const api_unify_view *v, const bool *of);

#endif
