/* The clauses of a family, of all its call forms together: templates with the positions that they are said of.
 *
 * Those of some forms are tried on all. One stays that says of every form nothing but clauses of its own rule; the forms of
 * which together all is said that theirs say are members, and their rules are the family's, clause by clause. */
#ifndef COMMON_CLAUSES_H
#define COMMON_CLAUSES_H

#include "walk.h"

typedef struct common_clause {
	template t;
	walk where;
	bool asks[MAX_REFERENCES]; /* whether this reference may be missing: then nothing is said */
	uint64_t *says;		   /* of each form: which clauses, as bits */
	bool *holds;		   /* of each form: it says nothing else */
} common_clause;

typedef struct common_clauses {
	common_clause *list; /* the short ones first */
	int n;
	bool *members; /* of the forms */
	int nmembers;
} common_clauses;

/* Of the forms among these. */
common_clauses common_clauses_of(const family_forms *f, const bool *among);

#endif
