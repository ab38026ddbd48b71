/* A folder of pages of all rules, which needs nothing else: an index, a page an API, one style sheet, one script. The same input
 * gives the same bytes. Files are written beside and renamed; one that is the same stays as it is. */
#ifndef SITE_H
#define SITE_H

#include "diag.h"
#include "rulesmith.h"

typedef struct site_options {
	const char *rules, *out;
	const char *since;     /* the rules of the version before; NULL: nothing is said of changes */
	const char *generated; /* the folder of generated C; what is not there is not shown */
	const rs_library *lib; /* draws the pictures */
} site_options;

typedef struct site_counts {
	size_t apis, forms, files, bytes;
	size_t pictures, strange; /* call forms with a rule that the library has not, or has another of */
} site_counts;

bool site_write(const site_options *o, site_counts *counts, diag *d);

#endif
