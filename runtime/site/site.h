/* Writes pages of all rules to a folder: an index, a legend, one page per API, a style sheet and a script. The pages load
 * nothing else. Equal input gives equal bytes. Files are written under a temporary name and renamed; equal files are not
 * touched. */
#ifndef SITE_H
#define SITE_H

#include "diag.h"
#include "rulesmith.h"

typedef struct site_options {
	const char *rules, *out;
	const char *since;     /* the rules of an older version; NULL: do not show changes */
	const char *generated; /* the folder of the generated C code; missing files are not shown */
	const rs_library *lib; /* draws the pictures */
} site_options;

typedef struct site_counts {
	size_t apis, forms, files, bytes;
	size_t pictures, strange; /* signatures whose rule the library lacks or has in another version */
} site_counts;

bool site_write(const site_options *o, site_counts *counts, diag *d);

#endif
