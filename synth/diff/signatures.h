/* Changes of APIs and their declared signatures: removed, added, with other arguments. Needs live sides.
 *
 *   names of both ──► only in A: removed, only in B: new ──► declared signatures of the others ──► arguments removed, new, renamed
 */
#ifndef SIGNATURES_H
#define SIGNATURES_H

#include "side.h"

typedef struct api_change {
	const char *api;
	const char *gone, *new, *renamed; /* arguments: "dim, keepdim", "dim to axis"; "": none */
	const char *a, *b; /* overloads that only A or only B has: JSON lists of texts */
} api_change;

typedef struct signatures {
	arena *memory;
	const char **gone, **new; /* APIs, sorted */
	api_change *changed;	  /* by API: with other arguments, defaults or types */
	int ngone, nnew, nchanged, compared;
} signatures;

/* Compares two live sides. APIs that a side does not list or has no signature of are not compared. False and d if a
 * side keeps crashing. The caller frees r in both cases. */
bool signatures_compare(side *a, side *b, signatures *r, diag *d);
void signatures_free(signatures *r);

#endif
