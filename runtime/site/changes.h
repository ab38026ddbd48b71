/* Changes of an API's signatures between two rules files. Signatures are compared by name; a rule changed if its clauses or
 * outputs differ. */
#ifndef CHANGES_H
#define CHANGES_H

#include "buf.h"
#include "site_rules.h"

typedef struct changes {
	int added, removed, changed; /* numbers of signatures */
	bool fresh, gone;	     /* the API itself is new, or removed */
} changes;

/* One of the two may be NULL: a new or a removed API. */
changes changes_of(const site_api *old, const site_api *now);
bool changes_any(const changes *c);
/* "3 added, 1 changed" */
void changes_summary(buf *out, const changes *c);
/* An HTML list, one item per signature. */
void changes_put(buf *out, const site_api *old, const site_api *now);

#endif
