/* What changed in an API's call forms from one file of rules to another. Forms are compared by name; a rule changed where its
 * clauses or outputs are others. */
#ifndef CHANGES_H
#define CHANGES_H

#include "buf.h"
#include "site_rules.h"

typedef struct changes {
	int added, removed, changed; /* call forms */
	bool fresh, gone;	     /* the API itself */
} changes;

/* One of the two may be NULL: an API that is new, or gone. */
changes changes_of(const site_api *old, const site_api *now);
bool changes_any(const changes *c);
/* "3 added, 1 changed" */
void changes_summary(buf *out, const changes *c);
/* A list of HTML, an item a call form. */
void changes_put(buf *out, const site_api *old, const site_api *now);

#endif
