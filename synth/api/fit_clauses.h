/* Fits the clauses of an API over all its signatures: templates with index ranges. Templates from some signatures are
 * instantiated in all. A template may be chosen if each instance consists of clauses of the signature's own rule. Signatures
 * whose rule is fully covered become members. */
#ifndef FIT_CLAUSES_H
#define FIT_CLAUSES_H

#include "index_range.h"

typedef struct api_clause {
	template t;
	index_range where;
	bool asks[MAX_REFERENCES]; /* Whether this reference may be missing. If it is, the clause does not apply. */
	/* One value per signature. */
	uint64_t *covers; /* The signature's own clauses that the instance covers, as bits. */
	bool *holds;	  /* Whether the instance consists of own or implied clauses only. */
	int *rejects;	  /* Recorded rejections that violate the clause (instance.h). NULL: unknown. */
	/* Of all signatures. */
	int alone;  /* Rejections that violate no other clause of the case. */
	bool empty; /* Whether all these rejections have an empty tensor. If `alone` is 0, all of `rejects`. */
} api_clause;

typedef struct api_clauses {
	api_clause *list; /* sorted by size */
	int n;
	bool *members; /* per signature */
	int nmembers;
} api_clauses;

/* Fits the signatures marked in `among`. */
api_clauses fit_clauses(const api_calls *f, const bool *among);

#endif
