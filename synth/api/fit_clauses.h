/* The clauses of a family, of all its call forms together: templates with the positions that they are said of.
 *
 * Those of some forms are tried on all. One stays that says of every form nothing but clauses of its own rule; the forms of
 * which together all is said that theirs say are members, and their rules are the family's, clause by clause. */
#ifndef FIT_CLAUSES_H
#define FIT_CLAUSES_H

#include "index_range.h"

typedef struct api_clause {
	template t;
	index_range where;
	bool asks[MAX_REFERENCES]; /* whether this reference may be missing: then nothing is said */
	uint64_t *says;		   /* of each form: which clauses, as bits */
	bool *holds;		   /* of each form: it says nothing else */
	int *rejects;		   /* of each form: recorded rejections that violate it (instance.h); NULL: not known */
	int alone;		   /* those that violate no other clause of its case */
	bool empty;		   /* all of these, or all if there are none, have an empty tensor */
} api_clause;

typedef struct api_clauses {
	api_clause *list; /* the short ones first */
	int n;
	bool *members; /* of the forms */
	int nmembers;
} api_clauses;

/* Of the forms among these. */
api_clauses fit_clauses(const api_calls *f, const bool *among);

#endif
